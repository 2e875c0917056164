// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct ExistenceTests {
  /// A valid entry of each section.
  static let entries = [
    ("parameters", "1"), ("services", #"{"type": "T"}"#), ("aliases", #""s""#), ("bindings", #""s""#),
  ]

  /// A base module with an entry `old` in each section.
  private let base = module(
    #"""
    "parameters": {"old": 2}, "services": {"s": {"type": "S"}, "old.s": {"type": "S"}}, "aliases": {"old": "s"},
    "bindings": {"old": "s"}
    """#)

  @Test(arguments: entries) func `a plain section adds new entries`(section: String, entry: String) {
    let id = section == "services" ? "old.s" : "old"
    let module = expectFindings(in: [
      "app.json": module(#""imports": ["base.json"], "\#(section)": {"new": \#(entry), «CDI0304»"\#(id)": \#(entry)}"#),
      "base.json": base,
    ])
    #expect(module.check.diagnostics.last?.related.map(\.location.file) == ["base.json"])
  }

  @Test(arguments: entries) func `override, replace and remove need an existing entry`(section: String, entry: String) {
    let changed = entry.replacing("1", with: "5").replacing("\"s\"", with: "\"old.s\"").replacing("T", with: "U")
    let id = section == "services" ? "old.s" : "old"
    expectFindings(in: [
      "app.json": module(
        #"""
        "imports": ["base.json"], "replace": {"\#(section)": {"\#(id)": \#(changed), «CDI0305»"none": \#(entry)}},
        "override": {"\#(section)": {"\#(id)": \#(entry), «CDI0305»"none": \#(entry)}},
        "remove": {"\#(section)": [«CDI0305»"none"]}
        """#),
      "base.json": base,
    ])
  }

  @Test(arguments: entries) func `a removed entry does not exist, and a later file may add it again`(
    section: String, entry: String
  ) throws {
    let id = section == "services" ? "old.s" : "old"
    let files = [
      "app.json": module(#""imports": ["base.json"], "remove": {"\#(section)": ["\#(id)", «CDI0305»"\#(id)"]}"#),
      "base.json": base, "again.json": module(#""\#(section)": {"\#(id)": \#(entry)}"#),
    ]
    expectFindings(in: files)
    expectFindings(in: files, layers: ["again.json"])
    let valid = files.mapValues { $0.replacing(#", «CDI0305»"\#(id)""#, with: "") }
    #expect(try resolved(valid)[section]?[id] == nil)
    #expect(try resolved(valid, layers: ["again.json"])[section]?[id] != nil)
  }

  @Test func `an entry that another file removes or defines later is not confused with a similar one`() {
    let checked = expectFindings(
      in: [
        "app.json": module(
          #"""
          "services": {"cacheA": {"type": "T"}, "cacheB": {"type": "T"}, "user": {"type": "U", "inject": {"c": «CDI0501»"cacheB"}}}
          """#),
        "1.json": module(#""remove": {"services": ["cacheB"]}"#),
        "2.json": module(
          #""override": {"services": {«CDI0305»"cacheB": {"type": "X"}, «CDI0305»"cacheC": {"type": "X"}}}"#),
        "3.json": module(#""services": {"cacheC": {"type": "T"}}"#),
      ], layers: ["1.json", "2.json", "3.json"])
    let found = checked.check.diagnostics
    #expect(
      found.map(\.related.first?.message) == [
        #"service "cacheB" is removed here"#, #"service "cacheB" is removed here"#,
        #"service "cacheC" is defined here, by a file that is applied later"#,
      ])
    #expect(found.map(\.related.first?.location.file) == ["1.json", "1.json", "3.json"])
    #expect(found.allSatisfy { $0.fixes.isEmpty && $0.help == nil })
  }

  @Test func `a file applies its plain sections first, then remove, replace and override`() throws {
    let resolved = try resolved([
      "app.json": module(
        #"""
        "override": {"parameters": {"b": 20}}, "replace": {"parameters": {"b": 10}}, "remove": {"parameters": ["a"]},
        "parameters": {"a": 1, "b": 2}
        """#)
    ])
    #expect(resolved["parameters"]?["a"] == nil)
    #expect(resolved.parameter("b") == 20)
    expectFindings(in: [
      "app.json": module(
        #""parameters": {"a": 1}, "remove": {"parameters": ["a"]}, "override": {"parameters": {«CDI0305»"a": 2}}"#)
    ])
  }

  @Test func `replace drops the complete old entry, including its type`() throws {
    let resolved = try resolved(
      [
        "app.json": module(
          #"""
          "parameters": {"p": {"env": "P", "type": "int", "min": 1}},
          "services": {"a": {"type": "A", "scope": "transient", "values": {"k": 1}, "private": true}}
          """#),
        "l.json": module(#""replace": {"parameters": {"p": "text"}, "services": {"a": {"type": "B"}}}"#),
      ], layers: ["l.json"])
    #expect(resolved["parameters"]?["p"]?["value"] == "text")
    #expect(resolved["services"]?["a"]?["scope"] == "shared")
    #expect(resolved.values(of: "a") == [:])
    #expect(resolved["services"]?["a"]?["private"] == false)
  }

  @Test func `an alias with the id of a service is reported at the later key, within one file at the alias`() {
    let aliased = expectFindings(in: [
      "app.json": module(
        #""aliases": {«CDI0304»"a": "b"}, "services": {"a": {"type": "T"}, "b": {"type": "T"}}"#)
    ])
    #expect(aliased.findingsText.contains("rename one of the two"))
    expectFindings(in: [
      "app.json": module(#""imports": ["base.json"], "services": {«CDI0304»"old": {"type": "T"}}"#), "base.json": base,
    ])
    expectFindings(in: [
      "app.json": module(#""imports": ["base.json"], "aliases": {«CDI0304»"old.s": "s"}"#), "base.json": base,
    ])
    expectFindings(in: [
      "app.json": module(#""imports": ["base.json"], "parameters": {"s": 1}, "bindings": {"s": "s"}"#),
      "base.json": base,
    ])
  }

  @Test func `similar ids of the same section are suggested`() throws {
    let module = expectFindings(in: [
      "app.json": module(
        #""services": {"logger": {"type": "T"}}, "parameters": {"loger": 1}, "override": {"services": {«CDI0305»"logge": {"type": "U"}}}"#
      )
    ])
    let finding = try #require(module.check.diagnostics.first { $0.code == .nothingToChange })
    #expect(finding.help == "did you mean \"logger\"?")
  }

  @Test func `a reference to a removed or invalidly replaced service is reported`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"a": {"type": "A", "inject": {"b": «CDI0501»"b", "c": «CDI0501»"al"}}, "b": {"type": "B"}},
        "aliases": {"al": "a", "bl": «CDI0503»"al"}, "bindings": {"X": «CDI0503»"b"}, "remove": {"services": ["b"], "aliases": ["al"]}
        """#)
    ])
  }

  @Test func `a malformed override defines its id if it is new, and only its own error is reported`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"a": {"type": "A", "inject": {"x": "new", "y": "old"}}}, "override": {"services": {"new": {"eager": «CDI0202»1}}},
        "replace": {"services": {"old": {"type": «CDI0202»1}}}
        """#)
    ])
  }

  @Test func `the contents of a malformed override count as use`() {
    let check = LoadedModule([
      "app.json": module(
        #"""
        "parameters": {"p": 1, "q": 1, "unused": 1, "r": "${q}"}, "templates": {"t": {"type": "T"}},
        "services": {"a": {"type": "A", "values": {"r": "${r}"}}, "hidden": {"type": "H", "private": true}},
        "override": {"services": {"a": {"eager": 1, "values": {"k": "${p}"}, "inject": {"h": "hidden"}, "extends": "t"}},
          "parameters": {"r": {"value": "x${q}", "secret": 1}}}
        """#)
    ]).check
    #expect(
      check.diagnostics.map { "\($0.code) \($0.path)" } == [
        "CDI0702 parameters.unused", "CDI0202 override.services.a.eager", "CDI0202 override.parameters.r.secret",
      ])
  }

  @Test func `a decorator without a type and a parameter with two sources count as use`() {
    let check = LoadedModule([
      "app.json": module(
        #"""
        "parameters": {"p": 1, "q": 1, "r": {"value": "${q}", "env": "E"}, "s": {"env": "E", "value": "${q}"}},
        "services": {"a": {"type": "A", "decorate": [{"inject": {"h": "hidden"}, "values": {"k": "${p} ${r} ${s}"}}]},
          "hidden": {"type": "H", "private": true}}
        """#)
    ]).check
    #expect(check.diagnostics.map(\.code) == [.excludingKeys, .excludingKeys, .missingKey])
  }

  @Test func `templates, aliases and bindings follow the rules of existence`() {
    expectFindings(
      in: [
        "app.json": module(
          #""templates": {"t": {"type": "T"}}, "services": {"a": {"type": "A"}}, "aliases": {"al": "a"}"#),
        "l.json": module(
          #"""
          "templates": {«CDI0304»"t": {"type": "U"}}, "replace": {"templates": {«CDI0305»"tt": {}}, "aliases": {«CDI0305»"all": "a"}},
          "override": {"templates": {«CDI0305»"u": {"type": "U"}}, "bindings": {«CDI0305»"T": "a"}},
          "remove": {"templates": ["t", «CDI0305»"t"], "aliases": [«CDI0305»"a"]}
          """#),
      ], layers: ["l.json"])
  }

  @Test func `a verb on an entry whose definition was refused is not reported`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"s": {"type": "T"}, "t": {"type": "T"}}, "aliases": {«CDI0304»"s": "t"},
        "replace": {"aliases": {"s": "t"}}, "override": {"aliases": {"s": "t"}}, "remove": {"aliases": ["s"]}
        """#)
    ])
  }

  @Test(arguments: [
    (#""override": {"services": {"x": {"values": {"v": "${p}"}}}}"#, DiagnosticCode.nothingToChange),
    (#""remove": {"parameters": ["q"]}"#, .nothingToChange), (#""aliases": {"s": "hidden"}"#, .definedTwice),
  ])
  func `nothing is reported as unused if a verb or a definition is not applied`(body: String, code: DiagnosticCode) {
    let entries =
      #""parameters": {"p": 1}, "services": {"s": {"type": "T"}, "hidden": {"type": "T", "private": true}}, "#
    let check = LoadedModule(["app.json": module(entries + body)]).check
    #expect(check.diagnostics.map(\.code) == [code])
  }

  @Test func `neither an alias nor a parameter suggests its own id`() {
    let check = LoadedModule([
      "app.json": module(#""aliases": {"loger": "logge"}, "parameters": {"hots": "${host}", "hose": 1}"#)
    ]).check
    #expect(check.diagnostics.filter { $0.severity == .error }.map(\.help) == [nil, "did you mean \"hose\"?"])
  }

  @Test func `what refers to a removed entry gets the place of the removal, and no suggestion`() {
    let check = LoadedModule(
      [
        "app.json": module(
          #"""
          "parameters": {"p1": 1, "p2": 2}, "templates": {"t1": {"type": "T"}, "t2": {"type": "T"}},
          "services": {
            "a1": {"extends": "t1"}, "a2": {"extends": "t2", "values": {"v": "${p1}", "w": "${p2}"}},
            "b1": {"type": "B", "when": {"parameter": "p1", "equals": 1}}, "b2": {"type": "B"}, "b3": {"type": "B"}},
          "aliases": {"al": "b2"}, "bindings": {"B": "b2"}
          """#),
        "l.json": module(#""remove": {"parameters": ["p1"], "templates": ["t1"], "services": ["b2"]}"#),
      ], .init(layers: ["l.json"])
    ).check
    let errors = check.diagnostics.filter { $0.severity == .error }
    let codes: Set<DiagnosticCode> = [.unknownParameter, .unknownTemplate, .unknownCondition, .unknownTarget]
    #expect(Set(errors.map(\.code)) == codes && errors.count == 5)
    #expect(errors.allSatisfy { $0.help == nil && $0.fixes.isEmpty && $0.related.map(\.location.file) == ["l.json"] })
  }
}
