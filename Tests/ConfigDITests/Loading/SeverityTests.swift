// SPDX-License-Identifier: Apache-2.0
import ConfigDITooling
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// Warnings that a module suppresses or raises to errors.
@Suite struct SeverityTests {
  /// A module for each warning that needs no types. The warning is at the entry `x` of a section, or below it.
  private static let warnings: [(code: String, members: String)] = [
    ("CDI0701", #""services": {"x": {"type": "X", "private": true, SUPPRESS}}"#),
    ("CDI0702", #""parameters": {"x": {"value": 1, SUPPRESS}}"#),
    ("CDI0704", #""templates": {"x": {"type": "X", SUPPRESS}}"#),
    (
      "CDI0705",
      #""services": {"o": {"type": "O", "deprecated": "no"}, "x": {"type": "X", "inject": {"a": "o"}, SUPPRESS}}"#
    ),
    (
      "CDI0706",
      #""services": {"x": {"type": "X", "provides": ["P"], SUPPRESS}, "y": {"type": "Y", "provides": ["P"]}}"#
    ),
    ("CDI0707", #""services": {"o": {"type": "O"}, "x": {"type": "X", "values": {"a": ["b", "o"]}, SUPPRESS}}"#),
    ("CDI0708", #""services": {"x": {"type": "X", "inject": {"a": {"tagged": "t"}}, SUPPRESS}}"#),
    ("CDI0709", #""services": {"x": {"type": "X", "tags": ["t"], SUPPRESS}}"#),
    ("CDI0710", #""services": {"x": {"type": "X", "suppress": {"CDI0702": "idle", SUPPRESSED}}}"#),
  ]

  /// Checks `app.json`.
  private func check(_ members: String, environments: [String]? = nil, files: [String: String] = [:]) -> ModuleCheck {
    var files = files
    files["app.json"] = module(members)
    return LoadedModule(files, LoadedModule.Options(environments: environments)).check
  }

  @Test(arguments: warnings)
  func `an entry suppresses a warning at its key or below it`(code: String, members: String) {
    func texts(_ suppressed: String) -> String {
      members.replacing(", SUPPRESSED", with: suppressed).replacing(
        ", SUPPRESS", with: suppressed.isEmpty ? "" : #", "suppress": {\#(suppressed.dropFirst(2))}"#)
    }
    let loud = check(texts(""))
    #expect(loud.diagnostics.map(\.code.description) == [code] && loud.suppressed.isEmpty)
    let quiet = check(texts(#", "\#(code)": "it is meant""#))
    #expect(quiet.diagnostics.map(\.message) == [])
    #expect(
      quiet.suppressed.map(\.code.description) == [code] && quiet.suppressed.map(\.suppression) == ["it is meant"])
  }

  @Test(arguments: warnings)
  func `the entry module makes a warning an error or suppresses it`(code: String, members: String) {
    let plain = members.replacing(", SUPPRESSED", with: "").replacing(", SUPPRESS", with: "")
    let raised = check(plain + #", "diagnostics": {"\#(code)": {"severity": "error", "reason": "we mean it"}}"#)
    #expect(raised.diagnostics.map(\.severity) == [.error] && !raised.isSound)
    #expect(
      raised.diagnostics.first?.notes.last
        == #""diagnostics" of the entry module makes \#(code) an error: we mean it"#)
    let kept = check(plain + #", "diagnostics": {"\#(code)": {"severity": "warning"}}"#)
    #expect(kept.diagnostics.map(\.severity) == [.warning] && kept.isSound)
    let ignored = check(plain + #", "diagnostics": {"\#(code)": {"severity": "ignore", "reason": "why"}}"#)
    #expect(ignored.diagnostics.isEmpty && ignored.suppressed.map(\.suppression) == ["why"])
    let whole = check(plain + #", "suppress": {"\#(code)": "in this file"}"#)
    #expect(whole.diagnostics.isEmpty && whole.suppressed.map(\.suppression) == ["in this file"])
  }

  @Test func `an override suppresses warnings of unchanged parts, and a file those of its aliases`() {
    let layer = module(
      #""override": {"services": {"x": {"scope": "shared", SUPPRESS}}}"#.replacing(
        "SUPPRESS", with: #""suppress": {"CDI0308": "as a guard"}"#))
    let entry = #""environments": {"dev": ["dev.json"]}, "services": {"x": {"type": "X", "scope": "shared"}}"#
    let found = check(entry, files: ["dev.json": layer])
    #expect(found.diagnostics.map(\.message) == [] && found.suppressed.map(\.code) == [.overrideWithoutEffect])
    // The `suppress` of an override is not part of the service.
    #expect(found.compositions[0].graph != nil)
    let alias =
      #""services": {"x": {"type": "X", "private": true}, "y": {"type": "Y", "inject": {"x": "x"}}}, "aliases": {"z": "x"}"#
    #expect(check(alias).diagnostics.map(\.code) == [.unusedAlias])
    #expect(check(alias + #", "suppress": {"CDI0703": "for scripts"}"#).diagnostics.isEmpty)
  }

  @Test func `the innermost suppression is used, and other files are not affected`() {
    let all = #""diagnostics": {"CDI0702": {"severity": "error"}}, "suppress": {"CDI0702": "file"}, "#
    let entry =
      all + #""parameters": {"a": {"value": 1, "suppress": {"CDI0702": "entry"}}, "b": 2}, "imports": ["part.json"]"#
    let found = check(entry, files: ["part.json": module(#""parameters": {"c": 3}"#)])
    #expect(found.diagnostics.map { "\($0.severity) \($0.path)" } == ["error parameters.c"])
    #expect(found.suppressed.map(\.suppression) == ["entry", "file"])
  }

  @Test func `an error is never suppressed`() {
    // Checks the severity of each error code after a file sets and suppresses it.
    for code in DiagnosticCode.all where code.severity == .error {
      let rule = SeverityRules.Setting(code: code, severity: nil, reason: "r", key: NodeRef(file: FileID(0), node: 1))
      let suppression = SeverityRules.Suppression(code: code, reason: "r", key: rule.key, nodes: 0..<100)
      let rules = SeverityRules(settings: [rule], suppressions: [suppression])
      guard case .shown(.error, nil) = rules.verdict(on: Finding(code, "m", at: NodeRef(file: FileID(0), node: 2)))
      else {
        Issue.record("\(code)")
        continue
      }
    }
  }

  @Test func `a warning that depends on all environments stays a warning in a single one`() {
    let entry = #"""
      "environments": {"dev": [], "prod": ["prod.json"]}, "parameters": {"p": 1}, "services": {"a": {"type": "A"}},
        "diagnostics": {"CDI0702": {"severity": "error"}}
      """#
    let prod = module(#""override": {"services": {"a": {"values": {"p": "${p}"}}}}"#)
    #expect(check(entry, files: ["prod.json": prod]).diagnostics.isEmpty)
    let dev = check(entry, environments: ["dev"], files: ["prod.json": prod])
    #expect(dev.diagnostics.map(\.severity) == [.warning] && dev.isSound)
    // If no environment uses the parameter, a check of all environments reports an error.
    let unused = check(entry, files: ["prod.json": module()])
    #expect(unused.diagnostics.map(\.severity) == [.error])
    // A warning that one environment has by itself is an error in a check of that environment.
    let deprecated = entry.replacing("CDI0702", with: "CDI0705").replacing(
      #""p": 1"#, with: #""p": {"value": 1, "deprecated": "d"}"#)
    let one = check(deprecated, environments: ["prod"], files: ["prod.json": prod])
    #expect(one.diagnostics.map { "\($0.severity) \($0.code)" } == ["error CDI0705"])
  }

  @Test func `an unused suppression is reported if it is certain`() throws {
    let idle = #""services": {"a": {"type": "A", "suppress": {"CDI0701": "why"}}}"#
    let found = check(idle)
    #expect(found.diagnostics.map(\.path) == ["services.a.suppress.CDI0701"])
    #expect(try #require(found.diagnostics.first).fixes.map(\.text) == [""])
    #expect(
      check(#""diagnostics": {"CDI0701": {"severity": "ignore", "reason": "r"}}"#).diagnostics.map(\.path) == [
        "diagnostics.CDI0701"
      ])
    // The finding is not reported if an environment was left out, or beside an error.
    let environments = idle + #", "environments": {"dev": [], "prod": []}"#
    #expect(check(environments).diagnostics.map(\.code) == [.idleSuppression])
    #expect(check(environments, environments: ["dev"]).diagnostics.isEmpty)
    #expect(check(environments, environments: ["dev", "prod"]).diagnostics.map(\.code) == [.idleSuppression])
    #expect(check(idle + #", "bindings": {"A": "b"}"#).diagnostics.map(\.code) == [.unknownTarget])
    // A suppression that one environment needs is not idle in another.
    let text = #""services": {"a": {"type": "A", "values": {"v": "b"}, "suppress": {"CDI0707": "a word"}}}"#
    let layer = module(#""services": {"b": {"type": "B"}}"#)
    let some = check(text + #", "environments": {"dev": [], "prod": ["l.json"]}"#, files: ["l.json": layer])
    #expect(some.diagnostics.isEmpty && some.suppressed.map(\.environments) == [["prod"]])
  }

  @Test(arguments: [("CDI0705", true), ("CDI0706", true), ("CDI0707", false)])
  func `an unused suppression of a type check depends on known types`(code: String, needsTypes: Bool) {
    let text = #""services": {"a": {"type": "A", "suppress": {"\#(code)": "why"}}}"#
    let types = CheckedModule(
      text.replacing(#""\#(code)""#, with: (needsTypes ? "«CDI0710»" : "") + #""\#(code)""#),
      types: [TypeDescriptor(name: "A", provides: ["A"])])
    let none = CheckedModule(text.replacing(#""\#(code)""#, with: (needsTypes ? "" : "«CDI0710»") + #""\#(code)""#))
    #expect(types.findings.count + none.findings.count == 1)
  }

  @Test func `a secret on the line of an unused suppression is not shown`() {
    let found = check(
      #""parameters": {"s": {"value": "hunter2", "secret": true}, "t": {"value": "${s}", "suppress": {"CDI0706": "why"}}}, "services": {"a": {"type": "A", "values": {"s": "${t}"}, "suppress": {"CDI0701": "r"}}}"#
    )
    #expect(found.diagnostics.map(\.code) == [.idleSuppression])
    #expect(!found.renderer().text(of: found.diagnostics).contains("hunter2"))
  }

  @Test func `a load fails for errors, and not for suppressed warnings`() throws {
    final class A: Sendable {}
    var registry = Registry()
    registry.add("A", as: A.self) { A() }
    let text = #""services": {"a": {"type": "A"}, "b": {"type": "A", SUPPRESS}}"#
    func load(_ members: String) throws { _ = try Container(text: module(members), registry: registry) }
    let plain = text.replacing(", SUPPRESS", with: "")
    try load(plain)
    let error = try #require(throws: LoadError.self) {
      try load(plain + #", "diagnostics": {"CDI0706": {"severity": "error"}}"#)
    }
    #expect(error.diagnostics.map { "\($0.severity) \($0.code)" } == ["error CDI0706"])
    #expect(error.description.hasPrefix("error[CDI0706]") && error.description.hasSuffix("\n1 error\n"))
    try load(
      plain
        + #", "diagnostics": {"CDI0706": {"severity": "error"}}, "suppress": {"CDI0706": "both are asked for by id"}"#)
  }

  @Test func `one service suppresses the warning for all providers of its type`() {
    func services(_ ids: String..., suppressing: String) -> String {
      let services = ids.map { id in
        #""\#(id)": {"type": "A", "provides": ["P"]"#
          + (id == suppressing ? #", "suppress": {"CDI0706": "all are wanted"}}"# : "}")
      }
      return #""services": {"# + services.joined(separator: ", ") + "}"
    }
    let alone = check(services("b", "c", suppressing: "c"))
    #expect(alone.diagnostics.isEmpty && alone.suppressed.map(\.path) == ["services.b"])
    // The suppression also applies if a layer adds a service with a smaller id.
    let layer = module(services("a", suppressing: ""))
    let layered = check(
      services("b", "c", suppressing: "b") + #", "environments": {"dev": [], "prod": ["l.json"]}"#,
      files: ["l.json": layer])
    #expect(layered.diagnostics.isEmpty)
    #expect(layered.suppressed.map(\.path) == ["services.b", "services.a"])
    // A suppression in a service that does not provide the type has no effect.
    let other = check(
      String(services("b", "c", suppressing: "").dropLast())
        + #", "d": {"type": "A", "provides": ["Q"], "suppress": {"CDI0706": "other"}}}"#)
    #expect(other.diagnostics.map(\.code) == [.ambiguousType])
  }

  @Test func `very many suppressed warnings do not change the counts`() {
    let parameters = (0..<3_000).map { #""p\#($0)": 1"# }.joined(separator: ", ")
    let found = check(#""parameters": {\#(parameters)}, "suppress": {"CDI0702": "shared"}"#)
    #expect(found.counts.warnings == 0 && found.diagnostics.isEmpty && found.suppressed.count == 1_000)
    let raised = check(#""parameters": {\#(parameters)}, "diagnostics": {"CDI0702": {"severity": "error"}}"#)
    #expect(raised.counts.errors == 3_000 && raised.counts.warnings == 0)
  }
}
