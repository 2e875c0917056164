// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct ScopeShapeTests {
  @Test func `scopes are names, outermost first`() throws {
    let check = LoadedModule(["app.json": module(#""scopes": ["session", "web.request"]"#)]).check
    let definition = try #require(check.compositions[0].definition)
    #expect(check.diagnostics.isEmpty)
    #expect(definition.scopes.map { definition.names[$0.name] } == ["session", "web.request"])
  }

  @Test(arguments: [
    #"«CDI0202»"request""#, #"«CDI0202»{"request": 1}"#, #"["a", «CDI0202»1]"#, #"[«CDI0204»"a b", «CDI0204»"1"]"#,
    #"["a", "b", «CDI0202»"a"]"#, #"[«CDI0204»"shared", «CDI0204»"weak", «CDI0204»"transient", «CDI0204»"graph"]"#,
  ])
  func `a structural error in scopes is reported at its token, and no scope is unknown beside it`(scopes: String) {
    expectFindings(in: [
      "app.json": module(#""scopes": \#(scopes), "services": {"a": {"type": "A", "scope": "other"}}"#)
    ])
  }

  @Test func `a duplicate scope shows both locations`() throws {
    let module = expectFindings(in: ["app.json": module(#""scopes": ["a", «CDI0202»"a"]"#)])
    #expect(module.check.diagnostics.first?.related.map(\.message) == ["first listed here"])
  }

  @Test func `scopes and environments are valid in the entry module only, autowire in each file`() {
    expectFindings(
      in: [
        "app.json": module(#""imports": ["part.json"], "autowire": «CDI0202»1"#),
        "part.json": module(#"«CDI0206»"scopes": 5, "autowire": true"#),
        "layer.json": module(#"«CDI0206»"scopes": []"#),
      ], layers: ["layer.json"])
  }
}
