// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct TypeCheckTests {
  /// Two types, one with a required argument.
  private let types = [
    TypeDescriptor(name: "ConsoleLogger", provides: ["Logger"]),
    TypeDescriptor(
      name: "Mailer", provides: ["Mailer"],
      arguments: [ArgumentDescriptor(key: "host", kind: .value(.string))]),
  ]

  @Test func `an unknown type is reported at its string, without findings about its arguments`() throws {
    let finding = try CheckedModule(
      #""services": { "a": { "type": «CDI0601»"ConsolLogger", "values": { "x": 1 }, "inject": { "y": "a2" } }, "a2": { "type": "ConsoleLogger" } }"#,
      types: types
    ).finding()
    #expect(finding.message == #"service "a" has unknown type "ConsolLogger""#)
    #expect(finding.help == #"did you mean "ConsoleLogger"?"#)
    #expect(finding.fixes.map(\.text) == [#""ConsoleLogger""#])
  }

  @Test func `without similar types the help describes the next step`() throws {
    let finding = try CheckedModule(#""services": { "a": { "type": «CDI0601»"Clock" } }"#, types: types).finding()
    #expect(finding.help == "register the type, or export the catalog again")
  }

  @Test func `references of a service of an unknown type are followed`() {
    _ = CheckedModule(
      #""services": { "a": { "type": «CDI0601»"Clock", "inject": { "x": «CDI0501»"gone" } } }"#, types: types)
  }

  @Test func `a malformed service has no finding about its type`() {
    _ = CheckedModule(#""services": { "a": { "type": "Clock", «CDI0201»"colour": 1 } }"#, types: types)
  }

  @Test func `the type from a layer is checked`() {
    _ = CheckedModule(
      """
      "environments": { "dev": [], "prod": ["prod.json"] },
      "services": { "a": { "type": "ConsoleLogger" } }
      """,
      files: [
        "prod.json":
          #"{"configdi": 1, "module": "p", "override": {"services": {"a": {"type": «CDI0601@prod»"Gone"}}}}"#
      ], types: types)
  }

  @Test func `an empty catalog knows no type`() {
    _ = CheckedModule(#""services": { "a": { "type": «CDI0601»"ConsoleLogger" } }"#, types: [])
  }
}
