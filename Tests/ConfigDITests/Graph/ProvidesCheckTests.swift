// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct ProvidesCheckTests {
  private let types = [
    TypeDescriptor(name: "Console", provides: ["Console", "Logger"]), TypeDescriptor(name: "Nothing", provides: []),
  ]

  @Test func `a service may claim only names that its type provides, each reported at its string`() throws {
    let module = CheckedModule(
      """
      "services": {
        "a": { "type": "Console", "provides": ["Logger", «CDI0606»"Clock", «CDI0606»"Mailer"] },
        "b": { "type": "Nothing", "provides": [«CDI0606»"Clock"] }, "c": { "type": "Console", "provides": [] } }
      """, types: types)
    #expect(
      module.findings[0].message
        == #"service "a" lists "Clock" in "provides", but type "Console" does not provide it"#)
    #expect(module.findings[0].help == #"type "Console" provides "Console", "Logger""#)
    #expect(module.findings[2].help == #"type "Nothing" provides nothing"#)
  }

  @Test func `the target of a binding must provide the name, also through aliases`() throws {
    let finding = try CheckedModule(
      """
      "aliases": { "log": "a" },
      "services": { "a": { "type": "Console" } },
      "bindings": { "Logger": "log", "Console": "a", "Clock": «CDI0606»"log" }
      """, types: types
    ).finding()
    #expect(finding.message == #""Clock" is bound to service "a", which does not provide it"#)
  }

  @Test func `narrowed names apply to bindings, and a false claim is reported once`() {
    _ = CheckedModule(
      """
      "services": { "a": { "type": "Console", "provides": ["Logger", «CDI0606»"Clock"] } },
      "bindings": { "Console": «CDI0606»"a", "Logger": "a", "Clock": "a" }
      """, types: types)
  }

  @Test func `dangling bindings, malformed services and unknown types have no such finding`() {
    _ = CheckedModule(
      """
      "services": { "a": { "type": "Console", "provides": ["Clock"], «CDI0201»"colour": 1 }, "b": { "type": «CDI0601»"Gone", "provides": ["X"] } },
      "bindings": { "Clock": «CDI0503»"zzz", "Console": "a", "Y": "b" }
      """, types: types)
  }

  @Test func `without types every claim and binding is accepted`() {
    _ = CheckedModule(
      #""services": { "a": { "type": "Console", "provides": ["Clock"] } }, "bindings": { "Mailer": "a" }"#)
  }
}
