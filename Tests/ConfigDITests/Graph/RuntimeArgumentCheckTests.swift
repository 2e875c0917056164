// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct RuntimeArgumentCheckTests {
  /// Types with run-time arguments, and types that refer to them.
  private let types = [
    TypeDescriptor(
      name: "Cart", provides: ["Cart"],
      arguments: [ArgumentDescriptor(key: "user", kind: .runtime(type: "UserID", isHashable: true))]),
    TypeDescriptor(
      name: "Visit", provides: ["Visit"],
      arguments: [
        ArgumentDescriptor(key: "user", kind: .runtime(type: "User", isHashable: false)),
        ArgumentDescriptor(key: "page", kind: .runtime(type: "Page", isHashable: false)),
        ArgumentDescriptor(key: "day", kind: .runtime(type: "Int", isHashable: true)),
      ]),
    TypeDescriptor(name: "Plain", provides: ["Cart"]),
    TypeDescriptor(
      name: "Traced", provides: ["Cart"],
      arguments: [
        ArgumentDescriptor(key: "inner", kind: .decorated(type: "Cart")),
        ArgumentDescriptor(key: "trace", kind: .runtime(type: "Trace", isHashable: false)),
      ]),
    TypeDescriptor(
      name: "Shop", provides: ["Shop"],
      arguments: [("one", .direct), ("later", .lazy), ("often", .provider), ("all", .list), ("named", .map)].map {
        ArgumentDescriptor(key: $0, kind: .service(type: "Cart", wrapper: $1), isOptional: true)
      }),
    TypeDescriptor(
      name: "Needy", provides: ["Needy"],
      arguments: ["a", "b"].map { ArgumentDescriptor(key: $0, kind: .service(type: "Cart", wrapper: .direct)) }),
  ]

  @Test func `only a provider can pass run-time arguments`() {
    let module = CheckedModule(
      """
      "services": {
        "cart": { "type": "Cart", "tags": ["t"] },
        "shop": { "type": "Shop", "inject": {
          "one": «CDI0615»"cart", "later": «CDI0615»"cart", "often": "cart", "all": { "tagged": «CDI0615»"t" },
          "named": { "map": { "k": «CDI0615»"cart" } } } } }
      """, types: types)
    #expect(
      module.findings[0].message
        == #"argument "one" of service "shop" refers to service "cart", which requires run-time arguments "user""#)
  }

  @Test func `an argument that is not known may be a provider`() {
    _ = CheckedModule(
      """
      "services": {
        "cart": { "type": "Cart" },
        "shop": { "type": "Shop", "inject": { «CDI0602»"ofen": "cart" } },
        "shop2": { "type": «CDI0601»"Shoop", "inject": { "often": "cart" } },
        "shop3": { "type": "Shop", "extends": «CDI0505»"gone", "inject": { "one": "cart" } } },
      "bindings": { "Shop": "shop" }
      """, types: types)
  }

  @Test func `arguments bound by type are reported at the service's key, each separately`() {
    let module = CheckedModule(
      #""autowire": true, "services": { "cart": { "type": "Cart" }, «CDI0615»«CDI0615»"needy": { "type": "Needy" } }"#,
      types: types)
    #expect(module.findings.map { $0.message.prefix(12) } == [#"argument "a""#, #"argument "b""#])
  }

  @Test func `cached services need hashable arguments, reported at the scope or the service's key`() {
    let module = CheckedModule(
      """
      "scopes": ["request"],
      "services": {
        «CDI0610»«CDI0610»"a": { "type": "Visit" }, "b": { "type": "Visit", "scope": «CDI0610»«CDI0610»"weak" },
        "c": { "type": "Visit", "scope": «CDI0610»«CDI0610»"request" }, "d": { "type": "Visit", "scope": "transient" },
        "e": { "type": "Visit", "scope": "graph" } },
      "bindings": { "Visit": "a" }
      """, types: types)
    #expect(module.findings[0].message.contains(#"its run-time argument "user" of type "User" is not Hashable"#))
    #expect(module.findings[1].message.contains(#""page""#))
  }

  @Test func `run-time arguments of decorators belong to the service`() {
    _ = CheckedModule(
      """
      "services": {
        "shop": { "type": "Shop", "inject": { "one": «CDI0615»"p", "often": "p" } },
        «CDI0610»"p": { "type": "Plain", "decorate": [{ "type": "Traced" }] } }
      """, types: types)
  }

  @Test func `eager services cannot have run-time arguments`() throws {
    let finding = try CheckedModule(
      #""services": { "cart": { "type": "Cart", «CDI0615»"eager": true } }"#, types: types
    ).finding()
    #expect(finding.message == #"service "cart" is eager, but requires run-time arguments "user""#)
  }

  @Test func `malformed services, and those of unknown scopes, are not checked`() {
    _ = CheckedModule(
      """
      "services": {
        "a": { "type": "Visit", «CDI0201»"colour": 1 }, "b": { "type": "Visit", "scope": «CDI0507»"requests" },
        "shop": { "type": "Shop", "inject": { "one": "c" } }, "c": { "type": "Cart", «CDI0201»"colour": 1 } }
      """, types: types)
  }
}
