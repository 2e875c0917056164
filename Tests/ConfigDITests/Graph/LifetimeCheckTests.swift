// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct LifetimeCheckTests {
  @Test func `an unknown scope is reported at its string, with similar or all scopes`() throws {
    let near = try CheckedModule(#""services": { "a": { "type": "T", "scope": «CDI0507»"Shard" } }"#).finding()
    #expect(near.message == #"service "a" has unknown scope "Shard""#)
    #expect(near.help == #"did you mean "shared"?"#)
    #expect(near.fixes.map(\.text) == [#""shared""#])
    let far = try CheckedModule(#""services": { "a": { "type": "T", "scope": «CDI0507»"request" } }"#).finding()
    #expect(far.help == #"known scopes: "shared", "weak", "transient", "graph""#)
  }

  @Test func `an eager service must be shared in the final module, reported at its eager key`() throws {
    let finding = try CheckedModule(
      #""services": { "a": { "type": "T", «CDI0207»"eager": true, "scope": "transient" } }"#
    ).finding()
    #expect(finding.message.contains(#""transient""#))
    #expect(finding.path == "services.a.eager")
  }

  @Test func `eager false is valid for every scope, eager true for shared and the default`() {
    _ = CheckedModule(
      """
      "services": {
        "a": { "type": "T", "eager": false, "scope": "transient" },
        "b": { "type": "T", "eager": true, "scope": "shared" },
        "c": { "type": "T", "eager": true } }
      """)
  }

  @Test func `an eager service of an unknown scope has one finding`() {
    _ = CheckedModule(#""services": { "a": { "type": "T", "eager": true, "scope": «CDI0507»"forever" } }"#)
  }

  @Test func `the location is the eager key even if a layer decides the scope`() {
    _ = CheckedModule(
      """
      "environments": { "dev": ["dev.json"], "prod": [] },
      "services": { "a": { "type": "T", «CDI0207@dev»"eager": true } }
      """,
      files: [
        "dev.json":
          #"{"configdi": 1, "module": "dev", "override": {"services": {"a": {"scope": "transient"}}}}"#
      ])
  }

  @Test func `a scope that may come from an unknown template is not assumed`() {
    let types = [TypeDescriptor(name: "Loose", provides: [], isSendable: false)]
    _ = CheckedModule(
      #""services": { "a": { "type": "Loose", "extends": «CDI0505»"gone", "eager": true } }"#, types: types)
  }
}
