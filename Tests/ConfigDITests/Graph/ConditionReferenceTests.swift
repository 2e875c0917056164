// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// References to services that their condition removes.
struct ConditionReferenceTests {
  /// A service that is present only in `prod`.
  private let metrics = #""metrics": { "type": "T", "when": { "environment": "prod" } }"#
  private let environments = #""environments": { "dev": [], "prod": [] },"#

  @Test func `a reference to a disabled service is reported in every form, with the condition's location`() {
    let module = CheckedModule(
      environments + """
        "aliases": { "stats": "metrics" },
        "services": { \(metrics), "a": { "type": "T", "inject": {
          "x": «CDI0502@dev»"metrics", "y": [«CDI0502@dev»"stats"], "z": { "map": { "k": { "service": «CDI0502@dev»"metrics" } } } },
          "decorate": [{ "type": "D", "inject": { "w": «CDI0502@dev»"metrics" } }] } }
        """)
    #expect(
      module.findings[0].message == #"service "a" injects "metrics", which is disabled here by its condition"#)
    #expect(module.findings[0].related.map(\.message) == ["this condition does not hold"])
    #expect(module.findings[0].related[0].location.start?.line == 3)
    #expect(module.findings[3].help == #"make the reference optional, or give "a" the same condition"#)
  }

  @Test func `the fix makes the reference optional, and the module loads`() throws {
    let text = module(environments + #""services": {\#(metrics), "a": {"type": "T", "inject": {"x": "metrics"}}}"#)
    let finding = try #require(LoadedModule(["app.json": text]).check.diagnostics.first)
    let fix = try #require(finding.fixes.first)
    #expect(fix.text == #"{ "service": "metrics", "optional": true }"#)
    let column = try #require(fix.location.start?.column)
    let fixed = text.prefix(column - 1) + fix.text + text.dropFirst(column - 1 + #""metrics""#.count)
    let again = LoadedModule(["app.json": String(fixed)])
    #expect(again.check.diagnostics.isEmpty)
    #expect(again.resolved?.inject(of: "a") == [:])
  }

  @Test func `a reference with further keys has no automatic fix`() throws {
    let finding = try CheckedModule(
      environments
        + #""services": { \#(metrics), "a": { "type": "T", "inject": { "x": { "service": «CDI0502@dev»"metrics", "optional": false } } } }"#
    ).finding()
    #expect(finding.fixes.isEmpty)
  }

  @Test func `an optional reference is absent, and its element is dropped`() throws {
    let module = CheckedModule(
      environments + """
        "aliases": { "stats": "metrics" },
        "services": { \(metrics), "a": { "type": "T", "inject": {
          "x": { "service": "stats", "optional": true }, "y": [{ "service": "metrics", "optional": true }, "a2"],
          "z": { "map": { "k": { "service": "metrics", "optional": true } } } } }, "a2": { "type": "T" } }
        """)
    #expect(try module.resolved().at("services", "a", "inject") == ["y": ["a2"], "z": ["map": [:]]])
  }

  @Test func `an alias or binding to a disabled service is no finding, and is not printed`() throws {
    let module = CheckedModule(
      environments
        + #""aliases": { "s": "metrics", "s2": "s" }, "bindings": { "M": "s2" }, "services": { \#(metrics) }"#)
    #expect(try module.resolved().at("aliases") == [:])
    #expect(try module.resolved().at("bindings") == [:])
    #expect(try !module.moduleFile().contains("metrics"))
  }

  @Test func `a disabled service is not checked, and holds nothing`() {
    _ = CheckedModule(
      environments + """
        "services": {
          "a": { "type": "T", "when": { "any": [] }, "inject": { "x": "gone", "y": "a" }, "scope": "shard" },
          «CDI0701»"b": { "type": "T", "private": true } }
        """)
  }

  @Test func `an undecidable condition suppresses findings of its service, and references to it are valid`() {
    _ = CheckedModule(
      """
      "services": {
        "a": { "type": "T", "when": { "parameter": «CDI0511»"gone", "equals": 1 }, "inject": { "x": "nothing", "y": "b" } },
        "b": { "type": "T", "private": true }, "c": { "type": "T", "inject": { "x": "a" } } }
      """)
  }

  @Test func `a disabled service is suggested first if it provides the wanted type`() throws {
    let types = [
      TypeDescriptor(
        name: "T", provides: ["T"],
        arguments: [ArgumentDescriptor(key: "x", kind: .service(type: "P", wrapper: .direct))]
      ), TypeDescriptor(name: "P", provides: ["P"]), TypeDescriptor(name: "Q", provides: ["Q"]),
    ]
    let finding = try CheckedModule(
      """
      "services": {
        "sinks": { "type": "Q" }, "a": { "type": "T", "inject": { "x": «CDI0501»"sink" } },
        "synced": { "type": "P", "when": { "any": [] } }, "sins": { "type": "P", "when": { "any": [] } } }
      """, types: types
    ).finding()
    #expect(finding.help == #"did you mean "sins" or "sinks"?"#)
  }
}
