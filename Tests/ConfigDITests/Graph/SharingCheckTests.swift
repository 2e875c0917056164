// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct SharingCheckTests {
  private let types = [
    TypeDescriptor(name: "Unsafe", provides: ["Unsafe"], isSendable: false),
    TypeDescriptor(name: "Safe", provides: ["Safe"]),
  ]

  @Test func `an unsendable shared type is reported at the scope or at the key of the service`() throws {
    let module = CheckedModule(
      """
      "services": {
        «CDI0609»"a": { "type": "Unsafe", "provides": [] },
        "b": { "type": "Unsafe", "provides": [], "scope": «CDI0609»"shared" },
        "c": { "type": "Unsafe", "scope": "transient" }, "d": { "type": "Safe" } }
      """, types: types)
    #expect(
      module.findings[0].message == #"service "a" is shared across threads, but type "Unsafe" is not safe to share"#)
  }

  @Test func `only the unknown scope is reported`() {
    _ = CheckedModule(
      #""services": { "a": { "type": "Unsafe", "scope": «CDI0507»"session" } }"#, types: types)
  }

  @Test func `weak instances count as shared, and so do instances of decorators`() {
    let types = [
      TypeDescriptor(name: "Loose", provides: ["T"], isSendable: false), TypeDescriptor(name: "Safe", provides: ["T"]),
      TypeDescriptor(
        name: "Wrap", provides: ["T"], isSendable: false,
        arguments: [ArgumentDescriptor(key: "inner", kind: .decorated(type: "T"))]),
    ]
    _ = CheckedModule(
      """
      "scopes": ["request"], "bindings": { "T": "a" },
      "services": {
        "a": { "type": "Loose", "scope": «CDI0609»"weak" }, "b": { "type": "Loose", "scope": "request" },
        "c": { "type": "Loose", "scope": "graph" }, «CDI0609»"d": { "type": "Safe", "decorate": [{ "type": "Wrap" }] },
        "e": { "type": "Safe", "scope": "transient", "decorate": [{ "type": "Wrap" }] } }
      """, types: types)
  }

  @Test func `a finding about types that differ between environments is one finding, decorators have their own`() {
    let types =
      ["A", "B"].map { TypeDescriptor(name: $0, provides: ["T"], isSendable: false) }
      + [
        TypeDescriptor(
          name: "Wrap", provides: ["T"], isSendable: false,
          arguments: [ArgumentDescriptor(key: "inner", kind: .decorated(type: "T"))])
      ]
    let module = CheckedModule(
      """
      "environments": { "a": [], "b": ["b.json"] },
      "services": { «CDI0609»«CDI0609»«CDI0609»"s": { "type": "A", "provides": ["T"], "decorate": [{ "type": "Wrap" }, { "type": "Wrap" }] } }
      """,
      files: ["b.json": #"{ "configdi": 1, "module": "b", "override": { "services": { "s": { "type": "B" } } } }"#],
      types: types, environments: ["a", "b"])
    #expect(module.findings.count == 3)
  }
}
