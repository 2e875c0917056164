// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct ModuleDifferenceTests {
  /// What differs between two modules with the given members.
  private func difference(
    from first: String, to second: String, variables: [String: String] = [:]
  ) throws -> ModuleDifference {
    func module(_ members: String) throws -> ResolvedModule {
      let texts = ["app.json": "{ \"configdi\": 1, \"module\": \"app\", \(members) }"]
      let check = ModuleCheck(
        checking: ModuleRequest(entry: .file("app.json"), variables: variables), environments: nil,
        files: MemoryFiles(texts: texts))
      return ResolvedModule(try #require(check.compositions.first?.graph, "\(check.diagnostics)"))
    }
    return ModuleDifference(from: try module(first), to: try module(second))
  }

  /// What differs between two services, as `path: from -> to`.
  private func changes(_ first: String, _ second: String) throws -> [String] {
    let difference = try difference(
      from: #""services": {"s": \#(first), "a": {"type": "A"}, "b": {"type": "A"}}"#,
      to: #""services": {"s": \#(second), "a": {"type": "A"}, "b": {"type": "A"}}"#)
    let changes = try #require(difference.services.changed.first { $0.id == "s" }).changes
    return changes.map { "\($0.path): \(shown($0.from)) -> \(shown($0.to))" }
  }

  /// A value in one line.
  private func shown(_ value: Value?) -> String {
    value.map { JSONWriter.text(of: $0, .line) } ?? "nothing"
  }

  @Test func `ids that come and go, ascending`() throws {
    let difference = try difference(
      from: #""services": {"b": {"type": "T"}, "z": {"type": "T"}, "a": {"type": "T"}}, "aliases": {"x": "b"}"#,
      to: #""services": {"b": {"type": "T"}, "d": {"type": "T"}, "c": {"type": "T"}}, "bindings": {"T": "b"}"#)
    #expect(difference.services == .init(added: ["c", "d"], removed: ["a", "z"]))
    #expect(difference.aliases == .init(removed: ["x"]))
    #expect(difference.bindings == .init(added: ["T"]))
    #expect(difference.parameters.isEmpty)
    #expect(!difference.isEmpty)
  }

  @Test func `maps are walked, a list is one value, a side without the key is left out`() throws {
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

  @Test func `a map in the place of a scalar is one change, an empty map one of a map to nothing`() throws {
    #expect(
      try changes(#"{"type": "A", "values": {"v": 1}}"#, #"{"type": "A", "values": {"v": {"a": 1}}}"#)
        == [#"values.v: 1 -> { "a": 1 }"#])
    #expect(
      try changes(#"{"type": "A", "values": {"v": {}}}"#, #"{"type": "A"}"#) == ["values.v: {} -> nothing"])
  }

  @Test func `texts differ by their scalars, also where they look alike`() throws {
    #expect(
      try changes(#"{"type": "A", "values": {"v": "\u00e9"}}"#, #"{"type": "A", "values": {"v": "e\u0301"}}"#).count
        == 1)
  }

  @Test func `parameters differ in value and type, not in where they were decided`() throws {
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

  @Test func `a duration is the text that it is printed as`() throws {
    let service = #""services": {"s": {"type": "A", "values": {"v": "${p}"}}}"#
    let difference = try difference(
      from: #""parameters": {"p": "5s"}, "# + service,
      to: #""parameters": {"p": {"value": "5s", "type": "duration"}}, "# + service)
    #expect(difference.services.isEmpty)
    #expect(difference.parameters.changed.map(\.changes) == [[.init(path: "type", from: "string", to: "duration")]])
  }

  @Test func `aliases and bindings differ in their target`() throws {
    let services = #""services": {"a": {"type": "A"}, "b": {"type": "A"}}"#
    let difference = try difference(
      from: services + #", "aliases": {"x": "a", "y": "x"}, "bindings": {"T": "y"}"#,
      to: services + #", "aliases": {"x": "b", "y": "a"}, "bindings": {"T": "x"}"#)
    let change = ModuleDifference.Change(path: "target", from: "a", to: "b")
    #expect(difference.aliases.changed == [.init(id: "x", changes: [change])])
    #expect(difference.bindings.changed == [.init(id: "T", changes: [change])])
  }

  @Test func `secrets are compared as they are printed, what is missing has a name`() throws {
    let second = #""parameters": {"k": {"value": "other", "secret": true}, "p": {"env": "P"}}"#
    let difference = try difference(
      from: #""parameters": {"k": {"value": "hunter2", "secret": true}, "p": "x"}"#, to: second)
    #expect(
      difference.parameters.changed == [
        .init(id: "p", changes: [.init(path: "value", from: "x", to: "<unset P>")])
      ])
    #expect(difference.variables == .init(added: ["P"]))
    let opened = try self.difference(from: #""parameters": {"k": "open"}"#, to: second)
    #expect(opened.parameters.changed.first?.changes == [.init(path: "value", from: "open", to: "<secret k>")])
  }
}
