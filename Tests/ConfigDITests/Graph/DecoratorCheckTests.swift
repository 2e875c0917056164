// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct DecoratorCheckTests {
  /// Mailers, and decorators of them.
  private let types = [
    TypeDescriptor(name: "SMTP", provides: ["Mailer", "SMTP"]),
    TypeDescriptor(name: "Disk", provides: ["Store"]),
    Self.decorator("Retry", wraps: "Mailer", provides: ["Mailer", "Retry"]),
    Self.decorator("Counted", wraps: "Retry", provides: ["Mailer"]),
    Self.decorator("Veil", wraps: "Mailer", provides: ["Veil"]),
    TypeDescriptor(
      name: "Twofold", provides: ["Mailer"],
      arguments: ["one", "two"].map { ArgumentDescriptor(key: $0, kind: .decorated(type: "Mailer")) }),
    TypeDescriptor(
      name: "App", provides: ["App"],
      arguments: [
        ArgumentDescriptor(key: "mailer", kind: .service(type: "Mailer", wrapper: .direct), isOptional: true),
        ArgumentDescriptor(key: "retry", kind: .service(type: "Retry", wrapper: .direct), isOptional: true),
      ]),
  ]

  /// Returns a decorator with one wrapped argument.
  private static func decorator(_ name: String, wraps: String, provides: [String]) -> TypeDescriptor {
    TypeDescriptor(
      name: name, provides: provides,
      arguments: [ArgumentDescriptor(key: "inner", kind: .decorated(type: wraps))])
  }

  /// Checks a module with a mailer `m`, and further services.
  private func check(
    _ mailer: String, _ more: String = "", location: SourceLocation = #_sourceLocation
  ) -> CheckedModule {
    CheckedModule(
      #""services": { "m": { \#(mailer) }\#(more.isEmpty ? "" : ", " + more) }"#, types: types, location: location)
  }

  @Test func `a decorator wraps the next inner one, not only the service's own type`() {
    _ = check(#""type": "SMTP", "provides": ["Mailer"], "decorate": [{ "type": "Retry" }, { "type": "Counted" }]"#)
    _ = check(
      #""type": "SMTP", "provides": ["Mailer"], "decorate": [{ "type": «CDI0605»"Counted" }, { "type": "Retry" }]"#)
  }

  @Test func `a mismatch names the wrapped type`() throws {
    let finding = try check(#""type": "Disk", "decorate": [{ "type": «CDI0605»"Retry" }]"#).finding()
    #expect(
      finding.message
        == #"decorator "Retry" of service "m" expects to wrap "Mailer", but type "Disk" does not provide it"#)
    #expect(finding.notes == [#"type "Disk" provides "Store""#])
  }

  @Test func `a decorator provides the types of the service, narrowed or not`() throws {
    let finding = try check(#""type": "SMTP", "decorate": [{ "type": «CDI0605»"Retry" }]"#).finding()
    #expect(
      finding.message
        == #"decorator "Retry" of service "m" does not provide "SMTP", which the service provides"#)
    _ = check(#""type": "SMTP", "provides": ["Mailer"], "decorate": [{ "type": "Retry" }]"#)
    _ = check(#""type": "SMTP", "provides": [], "decorate": [{ "type": "Veil" }]"#)
    _ = check(#""type": «CDI0601»"Gone", "provides": ["Mailer"], "decorate": [{ "type": "Veil" }]"#)
  }

  @Test func `only a type with exactly one decorated argument is a decorator`() {
    let module = check(
      #"""
      "type": "SMTP", "provides": ["Mailer"],
      "decorate": [{ "type": «CDI0612»"Twofold" }, { "type": «CDI0612»"SMTP" }, { "type": "Retry" }]
      """#)
    #expect(
      module.findings.map(\.message) == [
        #"decorator "Twofold" of service "m" has 2 decorated arguments, expected one"#,
        #"decorator "SMTP" of service "m" has no decorated argument"#,
      ])
  }

  @Test func `a decorator type is invalid as the type of a service or a template`() throws {
    let module = CheckedModule(
      """
      "templates": { "t": { "type": «CDI0612»"Veil" }, «CDI0704»"loose": { "type": «CDI0612»"Retry" } },
      "services": { "a": { "type": «CDI0612»"Counted" }, "b": { "extends": "t" }, "c": { "extends": "t" } },
      "bindings": { "Veil": "b" }
      """, types: types)
    let messages = module.findings.filter { $0.code == .notADecorator }.map(\.message)
    #expect(
      messages == [
        #"service "b" has type "Veil", which is a decorator (also in "c")"#,
        #"template "loose" has type "Retry", which is a decorator"#,
        #"service "a" has type "Counted", which is a decorator"#,
      ])
  }

  @Test func `an invalid decorator is ignored without its neighbours`() {
    _ = check(
      #"""
      "type": "SMTP", "provides": ["Mailer"], "decorate": [
        { "type": «CDI0601»"Retri", "values": { "x": 1 }, "inject": { "y": «CDI0501»"gone" } }, { "type": «CDI0605»"Veil" },
        { "type": «CDI0605»"Counted" }, { "type": "Retry" }]
      """#, #""app": { "type": "App", "inject": { "mailer": "m", "retry": "m" } }"#)
    _ = check(
      #""type": "Disk", "decorate": [{ "type": «CDI0605»"Retry" }]"#,
      #""app": { "type": "App", "inject": { "mailer": «CDI0605»"m" } }"#)
  }

  @Test func `decorators of a service of an unknown type are checked for their arguments only`() {
    _ = check(
      #""type": «CDI0601»"Nope", "provides": ["Store"], "decorate": [{ "type": "Retry", "values": { «CDI0602»"x": 1 } }]"#
    )
  }

  @Test func `references receive the outermost decorator`() throws {
    let decorated = #""type": "SMTP", "provides": ["Mailer"], "decorate": [{ "type": "Retry" }, { "type": "Counted" }]"#
    let finding = try check(
      decorated, #""app": { "type": "App", "inject": { "mailer": "m", "retry": «CDI0605»"m" } }"#
    ).finding()
    #expect(finding.notes == [#"type "Counted" provides "Mailer""#])
  }

  @Test func `without types and for malformed services there are no findings`() {
    _ = CheckedModule(#""services": { "m": { "type": "SMTP", "decorate": [{ "type": "SMTP" }, { "type": "Veil" }] } }"#)
    _ = check(#""type": "SMTP", «CDI0201»"colour": 1, "decorate": [{ "type": "SMTP" }]"#)
  }
}
