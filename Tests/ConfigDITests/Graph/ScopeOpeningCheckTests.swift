// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct ScopeOpeningCheckTests {
  private let types = [
    TypeDescriptor(
      name: "Server", provides: ["Server"],
      arguments: [
        ArgumentDescriptor(key: "request", kind: .scope("request")),
        ArgumentDescriptor(key: "services", kind: .resolver),
      ])
  ]

  @Test func `a scope argument requires a declared scope`() {
    _ = CheckedModule(#""scopes": ["request"], "services": { "a": { "type": "Server" } }"#, types: types)
  }

  @Test func `an undeclared scope is reported at the type, with similar names`() throws {
    let near = try CheckedModule(
      #""scopes": ["requests"], "services": { "a": { "type": «CDI0507»"Server" } }"#, types: types
    ).finding()
    #expect(
      near.message == #"service "a" has type "Server", which opens scope "request", but the module does not declare it"#
    )
    #expect(near.help == #"did you mean "requests"?"#)
    let none = try CheckedModule(#""services": { "a": { "type": «CDI0507»"Server" } }"#, types: types).finding()
    #expect(none.help == #"add "request" to "scopes""#)
  }

  @Test func `a file cannot set a scope argument`() throws {
    let finding = try CheckedModule(
      #""scopes": ["request"], "services": { "a": { "type": "Server", "values": { «CDI0602»"request": "request" } } }"#,
      types: types
    ).finding()
    #expect(finding.notes == [#"the container passes "request" by itself"#])
  }
}
