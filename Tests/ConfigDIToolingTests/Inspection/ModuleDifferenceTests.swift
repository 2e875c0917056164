// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct ModuleDifferenceTests {
  /// Returns the difference between two modules with the given members.
  private func difference(
    from first: String, to second: String, variables: [String: String] = [:]
  ) throws -> ModuleDifference {
    func check(_ members: String, hiding secrets: SecretDeclarations) -> ModuleCheck {
      let texts = ["app.json": "{ \"configdi\": 1, \"module\": \"app\", \(members) }"]
      var request = ModuleRequest(entry: .file("app.json"), variables: .init(variables))
      request.otherSecrets = secrets
      return ModuleCheck(checking: request, environments: nil, files: MemoryFiles(texts: texts))
    }
    func module(_ check: ModuleCheck) throws -> ResolvedModule {
      ResolvedModule(try #require(check.compositions.first?.graph, "\(check.diagnostics)"))
    }
    let pair = ModuleCheck.pair(from: { check(first, hiding: $0) }, to: { check(second, hiding: $0) })
    return ModuleDifference(from: try module(pair.from), to: try module(pair.to))
  }

  /// Returns the differences between two services, each as `path: from -> to`.
  private func changes(_ first: String, _ second: String) throws -> [String] {
    let difference = try difference(
      from: #""services": {"s": \#(first), "a": {"type": "A"}, "b": {"type": "A"}}"#,
      to: #""services": {"s": \#(second), "a": {"type": "A"}, "b": {"type": "A"}}"#)
    let changes = try #require(difference.services.changed.first { $0.id == "s" }).changes
    return changes.map { "\($0.path): \(shown($0.from)) -> \(shown($0.to))" }
  }

  /// Returns a value in one line, or `nothing` if there is none.
  private func shown(_ value: Value?) -> String {
    value.map { JSONWriter.text(of: $0, .line) } ?? "nothing"
  }

  /// Returns the ids in a section.
  private func ids(_ section: ModuleDifference.Section) -> String {
    let lists = [
      ["added"] + section.added, ["removed"] + section.removed, ["changed"] + section.changed.map(\.id),
    ]
    return lists.map { $0.joined(separator: " ") }.joined(separator: ", ")
  }

  @Test func `added and removed ids, ascending`() throws {
    let difference = try difference(
      from: #""services": {"b": {"type": "T"}, "z": {"type": "T"}, "a": {"type": "T"}}, "aliases": {"x": "b"}"#,
      to: #""services": {"b": {"type": "T"}, "d": {"type": "T"}, "c": {"type": "T"}}, "bindings": {"T": "b"}"#)
    #expect(ids(difference.services) == "added c d, removed a z, changed")
    #expect(ids(difference.aliases) == "added, removed x, changed")
    #expect(ids(difference.bindings) == "added T, removed, changed")
    #expect(difference.parameters.isEmpty)
    #expect(!difference.isEmpty)
  }

  @Test func `maps are compared by key, a list is one value, a missing key is omitted`() throws {
    let found = try changes(
      #"""
      {"type": "A", "inject": {"x": "a", "l": ["a", "b"], "m": {"map": {"k": "a"}}},
       "values": {"gone": 1, "list": [1, {"k": 2}], "deep": {"a": {"b.c": 1, "same": 2}}}}
      """#,
      #"""
      {"type": "A", "inject": {"x": "b", "l": ["b"], "m": {"map": {"k": "b", "n": "a"}}},
       "values": {"list": [1, {"k": 3}], "deep": {"a": {"b.c": 1.0, "same": 2}}}, "scope": "transient"}
      """#)
    #expect(
      found == [
        #"inject.l: ["a", "b"] -> ["b"]"#,
        #"inject.m.map.k: "a" -> "b""#,
        #"inject.m.map.n: nothing -> "a""#,
        #"inject.x: "a" -> "b""#,
        #"scope: "shared" -> "transient""#,
        #"values.deep.a["b.c"]: 1 -> 1.0"#,
        #"values.gone: 1 -> nothing"#,
        #"values.list: [1, { "k": 2 }] -> [1, { "k": 3 }]"#,
      ])
  }

  @Test func `a map that replaces a scalar is one change, an empty map one from a map to nothing`() throws {
    #expect(
      try changes(#"{"type": "A", "values": {"v": 1}}"#, #"{"type": "A", "values": {"v": {"a": 1}}}"#)
        == [#"values.v: 1 -> { "a": 1 }"#])
    #expect(
      try changes(#"{"type": "A", "values": {"v": {}}}"#, #"{"type": "A"}"#) == ["values.v: {} -> nothing"])
  }

  @Test func `strings differ by their scalars, even if they look alike`() throws {
    #expect(
      try changes(#"{"type": "A", "values": {"v": "\u00e9"}}"#, #"{"type": "A", "values": {"v": "e\u0301"}}"#).count
        == 1)
  }

  @Test func `parameters differ in value and type, not in origin`() throws {
    let difference = try difference(
      from: #""parameters": {"moved": 1, "typed": {"env": "T"}, "same": {"env": "T"}}"#,
      to: #""parameters": {"same": {"env": "T"}, "typed": {"env": "T", "type": "int"}, "moved": 2}"#,
      variables: ["T": "5"])
    #expect(
      difference.parameters.changed == [
        .init(id: "moved", changes: [.init(path: "value", from: 1, to: 2)]),
        .init(
          id: "typed",
          changes: [
            .init(path: "type", from: "string", to: "int"), .init(path: "value", from: "5", to: 5),
          ]),
      ])
  }

  @Test func `a duration is compared by its printed text`() throws {
    let service = #""services": {"s": {"type": "A", "values": {"v": "${p}"}}}"#
    let difference = try difference(
      from: #""parameters": {"p": "5s"}, "# + service,
      to: #""parameters": {"p": {"value": "5s", "type": "duration"}}, "# + service)
    #expect(difference.services.isEmpty)
    #expect(difference.parameters.changed.map(\.changes) == [[.init(path: "type", from: "string", to: "duration")]])
  }

  @Test func `aliases and bindings differ in their targets`() throws {
    let services = #""services": {"a": {"type": "A"}, "b": {"type": "A"}}"#
    let difference = try difference(
      from: services + #", "aliases": {"x": "a", "y": "x"}, "bindings": {"T": "y"}"#,
      to: services + #", "aliases": {"x": "b", "y": "a"}, "bindings": {"T": "x"}"#)
    let change = ModuleDifference.Change(path: "target", from: "a", to: "b")
    #expect(difference.aliases.changed == [.init(id: "x", changes: [change])])
    #expect(difference.bindings.changed == [.init(id: "T", changes: [change])])
  }

  @Test func `a changed secret is marked, a missing value has a name`() throws {
    let second = #""parameters": {"k": {"value": "other", "secret": true}, "p": {"env": "P"}}"#
    let difference = try difference(
      from: #""parameters": {"k": {"value": "hunter2", "secret": true}, "p": "x"}"#, to: second)
    #expect(
      difference.parameters.changed == [
        .init(id: "k", changes: [.init(path: "value", from: "<secret k>", to: "<secret k>", isSecret: true)]),
        .init(
          id: "p", changes: [.init(path: "env", from: nil, to: "P"), .init(path: "value", from: "x", to: "<unset P>")]),
      ])
    #expect(ids(difference.variables) == "added P, removed, changed")
  }

  @Test func `a value that one module declares secret is not shown`() throws {
    func module(_ parameter: String, _ value: String = "${k}") -> String {
      #""parameters": {"k": \#(parameter)}, "services": {"s": {"type": "S", "values": {"k": "\#(value)"}}}"#
    }
    let changed = try difference(from: module(#""hunter2""#), to: module(#"{"value": "hunter3", "secret": true}"#))
    #expect(
      changed.parameters.changed.map(\.changes) == [
        [.init(path: "secret", from: nil, to: true), .init(path: "value", from: "<hidden>", to: "<secret k>")]
      ])
    #expect(
      changed.services.changed.map(\.changes) == [[.init(path: "values.k", from: "<hidden>", to: "<secret k>")]])
    let same = try difference(from: module(#""hunter2""#), to: module(#"{"value": "hunter2", "secret": true}"#))
    #expect(same.parameters.changed.map(\.changes) == [[.init(path: "secret", from: nil, to: true)]])
    #expect(same.services.isEmpty)
  }

  @Test(arguments: [true, false])
  func `everything made of a value that the other module declares secret is hidden`(isFirst: Bool) throws {
    let plain = #"""
      "parameters": {"k": {"env": "K", "default": "planted", "oneOf": ["planted", "live"]}, "u": "x${k}",
        "n": {"value": 4711, "min": 4710, "max": 4712}, "alike": {"env": "K"}},
      "services": {"s": {"type": "S", "values": {"k": "${k}", "u": ["${u}"], "m": {"n": "${n}"}}},
        "c": {"type": "C", "when": {"parameter": "k", "equals": "live"}},
        "literal": {"type": "L", "values": {"v": "planted"}},
        "only": {"type": "O", "values": {"u": "${u}", "a": "${alike}"}}}
      """#
    let secret = #"""
      "parameters": {"k": {"env": "K", "secret": true}, "n": {"value": 1, "secret": true}},
      "services": {"s": {"type": "S"}, "c": {"type": "C"}, "literal": {"type": "L", "values": {"v": "${k}"}}}
      """#
    let difference = try difference(
      from: isFirst ? plain : secret, to: isFirst ? secret : plain, variables: ["K": "live"])
    let changes = difference.parameters.changed + difference.services.changed
    let paths = changes.flatMap { entry in entry.changes.map { "\(entry.id) \($0.path)" } }
    #expect(
      paths == [
        "k default", "k oneOf", "k secret", "n max", "n min", "n secret", "n value", "c when",
        "literal values.v", "s values.k", "s values.m", "s values.u",
      ])
    let report = DifferenceReport(difference, from: "a", to: "b")
    for text in [report.text(), report.markdown(), JSONWriter.text(of: report.value)] {
      #expect(text.contains("<hidden>"))
      for piece in ["planted", "live", "471"] { #expect(!text.contains(piece), "\(text)") }
    }
  }

  @Test func `a changed host around a secret and a changed text around a missing variable differ`() throws {
    func module(_ url: String, _ greeting: String) -> String {
      #""parameters": {"k": {"value": "hunter2", "secret": true}, "n": {"env": "NAME"}}, "services": {"s": {"type": "S", "#
        + #""values": {"url": ["x://u:${k}@\#(url)"], "greeting": "\#(greeting)${n}"}}}"#
    }
    #expect(
      try difference(from: module("a", "hi "), to: module("b", "ho ")).services.changed.map(\.changes) == [
        [
          .init(path: "values.greeting", from: "hi <unset NAME>", to: "ho <unset NAME>"),
          .init(path: "values.url", from: ["<secret k>"], to: ["<secret k>"], isSecret: true),
        ]
      ])
    #expect(try difference(from: module("a", "hi "), to: module("a", "hi ")).isEmpty)
  }

  @Test func `the constraints of a parameter differ, and a relative path by its folder`() throws {
    let difference = try difference(
      from: #""parameters": {"p": {"env": "P", "type": "int", "default": 1, "min": 1, "oneOf": [1, 2]}}"#,
      to: #""parameters": {"p": {"env": "P", "type": "int", "max": 9, "oneOf": [1], "deprecated": "q"}}"#,
      variables: ["P": "1"])
    #expect(
      difference.parameters.changed.map(\.changes) == [
        [
          .init(path: "default", from: 1, to: nil), .init(path: "deprecated", from: nil, to: "q"),
          .init(path: "max", from: nil, to: 9), .init(path: "min", from: 1, to: nil),
          .init(path: "oneOf", from: [1, 2], to: [1]),
        ]
      ])
    let files = [
      "app.json": module(#""environments": {"a": ["a/l.json"], "b": ["b/l.json"]}, "parameters": {"f": ""}"#),
      "a/l.json": module(#""override": {"parameters": {"f": {"file": "f.txt"}}}"#),
      "b/l.json": module(#""override": {"parameters": {"f": {"file": "f.txt"}}}"#), "a/f.txt": "x", "b/f.txt": "x",
    ]
    let graphs = LoadedModule(MemoryFiles(texts: files)).check.compositions.compactMap(\.graph).map(ResolvedModule.init)
    try #require(graphs.count == 2)
    #expect(
      ModuleDifference(from: graphs[0], to: graphs[1]).parameters.changed.map(\.changes) == [
        [.init(path: "file", from: "a/f.txt", to: "b/f.txt")]
      ])
  }

  @Test func `lists of maps differ element by element`() throws {
    let difference = try difference(
      from: #""services": {"s": {"type": "S", "decorate": [{"type": "A"}, {"type": "B", "values": {"n": 1}}]}}"#,
      to:
        #""services": {"s": {"type": "S", "decorate": [{"type": "New"}, {"type": "A"}, {"type": "B", "values": {"n": 1}}]}}"#
    )
    let elements = try #require(difference.services.changed.first?.changes.first).elements
    #expect(elements.map(\.path) == ["decorate[0]"])
    #expect(elements[0].from == nil)
    #expect(elements[0].to == ["type": "New", "inject": [:], "values": [:]])
  }

  @Test func `common elements in the same order are omitted`() throws {
    let difference = try difference(
      from:
        #""services": {"s": {"type": "S", "decorate": [{"type": "A"}, {"type": "B"}, {"type": "C"}, {"type": "D"}]}}"#,
      to: #""services": {"s": {"type": "S", "decorate": [{"type": "B"}, {"type": "X"}, {"type": "D"}, {"type": "E"}]}}"#
    )
    let elements = try #require(difference.services.changed.first?.changes.first).elements
    #expect(elements.map(\.path) == ["decorate[0]", "decorate[1].type", "decorate[3]"])
    #expect(elements[0].to == nil && elements[1].from == "C" && elements[1].to == "X" && elements[2].from == nil)
  }

  @Test func `a reference that becomes optional differs, and one that moves inside its list does not`() throws {
    func module(_ inject: String, _ decorator: String) -> String {
      #""services": {"a": {"type": "A"}, "b": {"type": "A"}, "s": {"type": "S", "inject": \#(inject), "decorate": [{"type": "D", "inject": \#(decorator)}]}}"#
    }
    let difference = try difference(
      from: module(
        #"{"x": "a", "l": ["a", {"service": "b", "optional": true}], "m": {"map": {"k": "a"}}, "gone": {"service": "a", "optional": true}}"#,
        #"{"d": "a"}"#),
      to: module(
        #"{"x": {"service": "a", "optional": true}, "l": [{"service": "b", "optional": true}, "a"], "m": {"map": {"k": {"service": "a", "optional": true}}}}"#,
        #"{"d": {"service": "a", "optional": true}}"#))
    #expect(
      difference.optionalReferences == [
        .init(
          id: "s",
          changes: ["decorate[0].inject.d.optional", "inject.m.map.k.optional", "inject.x.optional"].map {
            .init(path: $0, from: false, to: true)
          })
      ])
    #expect(difference.services.changed.map(\.changes).first?.map(\.path) == ["inject.gone", "inject.l"])
    #expect(!difference.isEmpty)
    #expect(difference.changes(in: .services).first?.changes.map(\.path).contains("inject.x.optional") == true)
  }

  @Test func `unused templates differ, and scopes differ by their enclosing scopes`() throws {
    func module(_ value: Int, _ scopes: String) -> String {
      #"""
      "scopes": \#(scopes), "templates": {"used": {"values": {"n": \#(value)}}, "loose": {"type": "T", "inject": {"a": "s"}, "values": {"n": \#(value), "p": "${p}"}}},
      "parameters": {"p": 1}, "services": {"s": {"type": "S", "extends": "used"}}
      """#
    }
    let difference = try difference(from: module(1, #"["a", "b"]"#), to: module(2, #"["c", "b"]"#))
    #expect(
      difference.templates == .init(changed: [.init(id: "loose", changes: [.init(path: "values.n", from: 1, to: 2)])]))
    #expect(ids(difference.scopes) == "added c, removed a, changed b")
    #expect(difference.scopes.changed[0].changes == [.init(path: "outer", from: "a", to: "c")])
  }

  @Test func `a renamed service is found, also if its dependency is renamed`() throws {
    let difference = try difference(
      from:
        #""services": {"a": {"type": "A", "inject": {"b": "b"}, "tags": ["t"]}, "b": {"type": "B"}, "x": {"type": "X"}, "y": {"type": "X"}}"#,
      to:
        #""services": {"a2": {"type": "A", "inject": {"b": "b2"}, "tags": ["t"]}, "b2": {"type": "B"}, "x2": {"type": "X"}, "y2": {"type": "X"}}"#
    )
    // If two services have the same content, their renaming is ambiguous and not reported.
    #expect(difference.renames == [.init(from: "a", to: "a2"), .init(from: "b", to: "b2")])
    #expect(difference.services.added == ["a2", "b2", "x2", "y2"])
    let secrets = #""parameters": {"k": {"value": "1", "secret": true}, "l": {"value": "2", "secret": true}}, "#
    let changed = try self.difference(
      from: secrets + #""services": {"a": {"type": "A", "values": {"v": "${k}"}}}"#,
      to: secrets + #""services": {"b": {"type": "A", "values": {"v": "${l}"}}}"#)
    #expect(changed.renames == [])
  }

  @Test func `renames are found along a chain of any length, and in a list that several renames lead to`() throws {
    func services(_ stem: String) -> String {
      let ids = (0..<100).map { "\(stem)\($0)" }
      let chain = zip(["end"] + ids, ids).map { #""\#($1)": {"type": "A", "inject": {"next": "\#($0)"}}"# }
      let list = ids.map { "\"\($0)\"" }.joined(separator: ", ")
      let all = [#""end": {"type": "A"}"#, #""\#(stem)all": {"type": "B", "inject": {"parts": [\#(list)]}}"#] + chain
      return #""services": {\#(all.joined(separator: ", "))}"#
    }
    let difference = try difference(from: services("a"), to: services("b"))
    #expect(difference.renames.count == 101)
    #expect(difference.renames.allSatisfy { $0.to == "b" + $0.from.dropFirst() })
  }

  @Test func `a service whose text has other scalars is not renamed`() throws {
    func service(_ id: String, _ text: String) -> String {
      #""services": {"\#(id)": {"type": "A", "values": {"t": "\#(text)"}}}"#
    }
    let difference = try difference(from: service("a", "caf\u{E9}"), to: service("b", "cafe\u{301}"))
    #expect(difference.renames.isEmpty)
  }

  @Test func `a rename makes a service unlike another one, which is then found as well`() throws {
    let difference = try difference(
      from:
        #""services": {"a": {"type": "A"}, "b": {"type": "B", "inject": {"x": "a"}}, "c": {"type": "B", "inject": {"x": "z"}}, "z": {"type": "Z"}}"#,
      to:
        #""services": {"a2": {"type": "A"}, "b2": {"type": "B", "inject": {"x": "a2"}}, "c2": {"type": "B", "inject": {"x": "z"}}, "z": {"type": "Z"}}"#
    )
    #expect(difference.renames.map(\.to) == ["a2", "b2", "c2"])
  }

  @Test func `a secret of one module is not shown if the other has a new service`() throws {
    let difference = try difference(
      from: #""parameters": {"k": {"value": "hunter2", "secret": true}}, "services": {"s": {"type": "S"}}"#,
      to:
        #""parameters": {"k": "hunter2"}, "services": {"s": {"type": "S"}, "n": {"type": "N", "values": {"k": ["${k}"], "plain": 1}}}"#
    )
    let added = try #require(difference.services.addedEntries.first)
    #expect(added.key == "n" && added.value.member("values") == ["k": ["<hidden>"], "plain": 1])
  }
}
