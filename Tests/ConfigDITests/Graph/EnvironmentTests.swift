// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct EnvironmentTests {
  /// Returns a layer in which service `a` refers to an id.
  private func layer(_ reference: String) -> String {
    #"{"configdi": 1, "module": "layer", "override": {"services": {"a": {"inject": {"x": \#(reference)}}}}}"#
  }

  private let module = """
    "environments": { "dev": ["dev.json"], "prod": ["prod.json"], "test": [] },
    "services": { "a": { "type": "T" }, "b": { "type": "T" } }
    """

  @Test func `a finding of every environment names none, one of some names them in the order of declaration`() {
    _ = CheckedModule(
      module.replacing(#""a": { "type": "T" }"#, with: #""a": { "type": "T", "inject": { "y": «CDI0501»"gone" } }"#),
      files: ["dev.json": layer("«CDI0501@dev»\"lost\""), "prod.json": layer("\"b\"")])
  }

  @Test func `equal findings of some environments are one, in the words of the first`() throws {
    let module = CheckedModule(
      """
      "environments": { "one": ["one.json"], "two": ["two.json"], "three": ["three.json"] },
      "services": {
        "s": { "type": "T", "inject": { "x": «CDI0501@one,two»"ab" } } }
      """,
      files: [
        "one.json": #"{"configdi": 1, "module": "one", "services": {"ac": {"type": "T"}}}"#,
        "two.json": #"{"configdi": 1, "module": "two", "services": {"ad": {"type": "T"}}}"#,
        "three.json": #"{"configdi": 1, "module": "three", "services": {"ab": {"type": "T"}}}"#,
      ])
    #expect(try module.finding().help == #"did you mean "ac"?"#)
  }

  @Test func `only the chosen environments are checked, each once and in the order of declaration`() {
    let files = ["dev.json": layer("\"b\""), "prod.json": layer("«CDI0501@prod»\"lost\"")]
    #expect(
      CheckedModule(module, files: files, environments: ["prod", "dev", "prod"]).check.environments == ["dev", "prod"])
    let alone = ["dev.json": layer("\"b\""), "prod.json": layer("«CDI0501»\"lost\"")]
    #expect(CheckedModule(module, files: alone, environments: ["prod"]).check.environments == ["prod"])
  }

  @Test func `the module without layers is checked if no environment is requested`() {
    let files = ["dev.json": layer("\"lost\""), "prod.json": layer("\"lost\"")]
    let check = CheckedModule(module, files: files, environments: []).check
    #expect(check.environments.isEmpty)
    #expect(check.compositions.map(\.environment) == [nil])
  }

  @Test func `findings are ordered by file in composition order, then by position`() {
    let module = CheckedModule(
      """
      "imports": ["z.json", "b.json"], "environments": { "dev": ["a.json"] },
      "services": { "s": { "type": "T", "inject": { "x": «CDI0501»"gone", "y": «CDI0501»"gone" } } }
      """,
      files: [
        "z.json":
          #"{"configdi": 1, "module": "z", "services": {"z": {"type": "T", "inject": {"x": «CDI0501»"gone"}}}}"#,
        "b.json":
          #"{"configdi": 1, "module": "b", "services": {"b": {"type": "T", "inject": {"x": «CDI0501»"gone"}}}}"#,
        "a.json":
          #"{"configdi": 1, "module": "a", "services": {"a": {"type": "T", "inject": {"x": «CDI0501»"gone"}}}}"#,
      ])
    #expect(module.findings.map(\.location.file) == ["z.json", "b.json", "app.json", "app.json", "a.json"])
    #expect(
      module.findings.map(\.path).suffix(3) == ["services.s.inject.x", "services.s.inject.y", "services.a.inject.x"])
  }

  @Test func `a cycle that a layer closes is reported at the layer's token for its environment`() throws {
    let finding = try CheckedModule(
      """
      "environments": { "dev": ["dev.json"], "prod": [] },
      "services": { "a": { "type": "T" }, "b": { "type": "T", "inject": { "x": "a" } } }
      """, files: ["dev.json": layer("«CDI0508@dev»\"b\"")]
    ).finding()
    #expect(finding.path == "override.services.a.inject.x")
  }

  @Test func `edges of different environments form no cycle`() {
    _ = CheckedModule(
      """
      "environments": { "dev": ["dev.json"], "prod": ["prod.json"] },
      "services": { "a": { "type": "T" }, "b": { "type": "T" } }
      """,
      files: [
        "dev.json": layer("\"b\""),
        "prod.json": #"{"configdi": 1, "module": "p", "override": {"services": {"b": {"inject": {"x": "a"}}}}}"#,
      ])
  }
}
