// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

/// References that `autowire` adds by type.
struct BindingByTypeTests {
  /// Loggers, and types that need one logger, several, an optional one, or one by `Lazy` or `Provider`.
  private let types = [
    TypeDescriptor(name: "Console", provides: ["Console", "Logger"]),
    TypeDescriptor(name: "File", provides: ["Logger"]),
    Self.type("App", ("log", "Logger", .direct)),
    Self.type("Later", ("log", "Logger", .lazy)),
    Self.type("Often", ("log", "Logger", .provider)),
    Self.type("Hub", ("named", "Logger", .map), ("all", "Logger", .list)),
    Self.type("Many", ("b", "Console", .direct), ("a", "Console", .direct), ("c", "Console", .direct)),
    TypeDescriptor(
      name: "Relay", provides: ["Logger"],
      arguments: [ArgumentDescriptor(key: "next", kind: .service(type: "Logger", wrapper: .direct))]),
    TypeDescriptor(
      name: "Free", provides: ["Free"],
      arguments: [
        ArgumentDescriptor(key: "a", kind: .service(type: "Logger", wrapper: .direct), isOptional: true),
        ArgumentDescriptor(key: "b", kind: .service(type: "Logger", wrapper: .list), isOptional: true),
      ]),
    TypeDescriptor(
      name: "Stamped", provides: ["Console", "Logger"],
      arguments: [
        ArgumentDescriptor(key: "inner", kind: .decorated(type: "Logger")),
        ArgumentDescriptor(key: "out", kind: .service(type: "Logger", wrapper: .direct)),
      ]),
  ]

  /// Returns a type with the given service arguments.
  private static func type(_ name: String, _ needs: (String, String, ArgumentDescriptor.Wrapper)...) -> TypeDescriptor {
    TypeDescriptor(
      name: name, provides: [name],
      arguments: needs.map { ArgumentDescriptor(key: $0.0, kind: .service(type: $0.1, wrapper: $0.2)) })
  }

  /// Checks a module whose services are autowired.
  private func check(
    _ services: String, _ more: String = "", files: [String: String] = [:], environments: [String]? = nil,
    location: SourceLocation = #_sourceLocation
  ) -> CheckedModule {
    CheckedModule(
      #""autowire": true, \#(more.isEmpty ? "" : more + ",") "services": { \#(services) }"#, files: files, types: types,
      environments: environments, location: location)
  }

  @Test(arguments: ["App", "Later", "Often"])
  func `the only service that provides the type is bound, private or not`(type: String) throws {
    let module = check(#""a": { "type": "\#(type)" }, "c": { "type": "Console", "private": true }"#)
    #expect(try module.resolved().at("services", "a", "inject") == ["log": "c"])
  }

  @Test func `the binding is used, also through an alias`() throws {
    let module = check(
      #""a": { "type": "App" }, "c": { "type": "Console" }, "f": { "type": "File" }"#,
      #""aliases": { "out": "f" }, "bindings": { "Logger": "out" }"#)
    #expect(try module.resolved().at("services", "a", "inject") == ["log": "f"])
  }

  @Test func `explicit arguments, in either map, and optional ones are not bound`() throws {
    let module = check(
      """
      "a": { "type": "App", "inject": { "log": "f" } }, "b": { "type": "App", "values": { «CDI0611»"log": 1 } },
      "free": { "type": "Free" }, «CDI0603»"d": { "type": "App", "autowire": false },
      «CDI0603»"e": { "type": "App", "inject": { "log": { "service": "gone", "optional": true } } },
      «CDI0706»"c": { "type": "Console" }, "f": { "type": "File" }, "odd": { "type": "App", "inject": { "log": «CDI0501»"gone" } }
      """, #""bindings": { "App": "a" }"#)
    #expect(module.findings.count == 5)
    #expect(
      module.findings.filter { $0.code == .missingArgument }.map(\.help) == [
        #"add "log" to "inject""#,
        "the service of its optional reference does not exist; define it, or reference another one",
      ])
  }

  @Test func `lists and maps receive all providers of the type, by id, and may be empty`() throws {
    let hub = #""hub": { "type": "Hub" }"#
    let module = check(hub + #", "c": { "type": "File" }, "B": { "type": "Console" }, "a": { "type": "File" }"#)
    #expect(
      try module.resolved().at("services", "hub", "inject") == [
        "all": ["B", "a", "c"], "named": ["map": ["B": "B", "a": "a", "c": "c"]],
      ])
    #expect(try check(hub).resolved().at("services", "hub", "inject") == ["all": [], "named": ["map": [:]]])
  }

  @Test func `no provider and several are reported at the service's key, each argument separately`() {
    let several = check(#"«CDI0607»"a": { "type": "App" }, "c": { "type": "Console" }, "f": { "type": "File" }"#)
    #expect(
      several.findings[0].message
        == #"argument "log" of service "a" requires "Logger", which several services provide: "c", "f""#)
    let none = check(#"«CDI0608»«CDI0608»«CDI0608»"m": { "type": "Many" }"#)
    #expect(
      none.findings.map(\.message).sorted()
        == ["a", "b", "c"].map { #"argument "\#($0)" of service "m" requires "Console", which no service provides"# })
  }

  @Test func `a service is never bound to itself`() throws {
    let chain = check(#""r": { "type": "Relay" }, "c": { "type": "Console" }"#, #""bindings": { "Logger": "r" }"#)
    #expect(try chain.resolved().at("services", "r", "inject") == ["next": "c"])
    _ = check(#"«CDI0608»"r": { "type": "Relay" }"#)
  }

  @Test func `"provides" narrows what may be bound`() throws {
    let module = check(
      #""a": { "type": "App" }, "c": { "type": "Console", "provides": ["Console"] }, "f": { "type": "File" }"#)
    #expect(try module.resolved().at("services", "a", "inject") == ["log": "f"])
  }

  @Test func `a disabled service is no candidate, and a binding to it is reported`() throws {
    let services = #"""
      "c": { "type": "Console", "when": { "environment": "prod" } }, "f": { "type": "File" }
      """#
    let environments = #""environments": { "dev": [], "prod": [] }"#
    let bound = check(
      #"«CDI0502@dev»"a": { "type": "App" }, "# + services, environments + #", "bindings": { "Logger": "c" }"#)
    #expect(
      try bound.finding().message
        == #"argument "log" of service "a" requires "Logger", which is bound to "c", which is disabled here by its condition"#
    )
    _ = check(#"«CDI0607@prod»"a": { "type": "App" }, "# + services, environments)
  }

  @Test func `services hidden by an error are not reported as missing`() {
    // Possible candidates with errors: a misspelt type, an unknown key, an unreadable type, a wrong provided name; and
    // a binding with an error. A type that resembles none is no candidate.
    _ = check(#""a": { "type": "App" }, "c": { "type": «CDI0601»"Consol" }"#)
    _ = check(#"«CDI0608»"a": { "type": "App" }, "c": { "type": «CDI0601»"Teleporter" }"#)
    _ = check(#""a": { "type": "App" }, "c": { "type": "Console", «CDI0201»"colour": 1 }"#)
    _ = check(#""a": { "type": "App" }, "c": { "type": «CDI0202»1 }"#)
    _ = check(#""a": { "type": "Many" }, "c": { "type": "File", "provides": [«CDI0606»"Console"] }"#)
    _ = check(#""a": { "type": "App" }"#, #""bindings": { "Logger": «CDI0503»"gone" }"#)
  }

  @Test func `nothing is bound if the type, the template or the structure is unknown`() {
    _ = check(
      """
      "a": { "type": "App", "extends": «CDI0505»"gone" }, "b": { "type": «CDI0601»"Quux" },
      "c": { "type": "App", «CDI0201»"colour": 1 }
      """)
  }

  @Test func `without types a private service may be bound`() {
    _ = CheckedModule(
      #""autowire": true, "services": { "a": { "type": "App" }, "c": { "type": "Console", "private": true } }"#)
    _ = CheckedModule(
      #""services": { "a": { "type": "App" }, «CDI0701»"c": { "type": "Console", "private": true } }"#)
  }

  @Test func `decorators are bound like their service, and never to it`() throws {
    let module = check(
      #""c": { "type": "Console", "decorate": [{ "type": "Stamped" }] }, "f": { "type": "File" }"#,
      #""bindings": { "Logger": "c" }"#)
    #expect(
      try module.resolved().at("services", "c", "decorate") == [
        ["type": "Stamped", "inject": ["out": "f"], "values": [:]]
      ])
  }

  @Test func `a cycle of bound services is located at the service's key`() {
    _ = check(
      #""c": { "type": "Console" }, «CDI0508»"r": { "type": "Relay" }, "s": { "type": "Relay", "inject": { "next": "r" } }"#,
      #""bindings": { "Logger": "s" }"#)
  }

  @Test func `very many candidates are counted, not listed, in linear time`() {
    let count = 900
    let services = (0..<count).map { #"«CDI0607»"a\#($0)": { "type": "App" }, "l\#($0)": { "type": "File" }"# }
    let module = check(services.joined(separator: ", "), #""bindings": { "App": "a0" }"#)
    #expect(module.findings.first?.message.hasSuffix(#""l110", "l111" and 884 more"#) == true)
  }

  @Test func `lists of all services for all services are limited, reported once`() {
    let count = LongTests.size(500, full: 1_500)
    let services = (0..<count).map { #""h\#($0)": { "type": "Hub" }, "l\#($0)": { "type": "File" }"# }
    let texts = [
      "app.json": module(#""autowire": true, "services": {\#(services.joined(separator: ","))}"#),
      "types.json": Catalog(types: types).json,
    ]
    let limits = Limits(fileSize: LongTests.size(2 << 20, full: 16 << 20))
    let check = ModuleCheck(
      checking: ModuleRequest(entry: .file("app.json"), limits: limits), environments: nil,
      files: MemoryFiles(texts: texts), catalog: "types.json")
    #expect(check.diagnostics.map(\.code) == [.tooLarge])
  }
}
