// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct GivenCheckTests {
  private let types = [
    TypeDescriptor(name: "Info", provides: ["Info"], kind: .struct, isGiven: true),
    TypeDescriptor(
      name: "Wrap", provides: ["Info"], arguments: [ArgumentDescriptor(key: "inner", kind: .decorated(type: "Info"))]),
    TypeDescriptor(
      name: "User", provides: ["User"],
      arguments: [ArgumentDescriptor(key: "info", kind: .service(type: "Info", wrapper: .direct))]),
  ]

  @Test func `a given service is shared or has a named scope`() throws {
    let module = CheckedModule(
      """
      "scopes": ["request"], "bindings": { "Info": "a" }, "services": {
        "a": { "type": "Info" }, "b": { "type": "Info", "scope": "request", "decorate": [{ "type": "Wrap" }] },
        "c": { "type": "Info", "scope": «CDI0617»"transient" }, "d": { "type": "Info", "scope": «CDI0617»"graph" },
        "e": { "type": "Info", "scope": «CDI0617»"weak" }, "f": { "type": "Info", "scope": «CDI0507»"requests" } }
      """, types: types)
    #expect(
      module.findings[0].message
        == #"service "c" has scope "transient", but the application gives the instance of type "Info""#)
  }

  @Test func `given services are not built at the start`() throws {
    let finding = try CheckedModule(
      #""services": { "a": { "type": "Info", «CDI0617»"eager": true } }"#, types: types
    ).finding()
    #expect(finding.message == #"service "a" is eager, but the application gives the instance of type "Info""#)
  }

  @Test func `a given service has no arguments and is no decorator`() {
    _ = CheckedModule(
      """
      "services": {
        "a": { "type": "Info", "values": { «CDI0602»"id": 1 } },
        "b": { "type": "User", "inject": { "info": "a" }, "decorate": [{ "type": «CDI0612»"Info" }] } }
      """, types: types)
  }

  @Test func `a service with a longer lifetime must not hold a given one`() {
    _ = CheckedModule(
      """
      "scopes": ["request"], "services": {
        "a": { "type": "Info", "scope": "request" }, "b": { "type": "User", "inject": { "info": «CDI0509»"a" } } }
      """, types: types)
  }
}
