// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct RegistryTests {
  /// A class that is not `Sendable`.
  private final class Unsafe { init() {} }

  /// An actor.
  private actor Worker {}

  /// An enumeration.
  private enum Mode: Sendable { case on }

  /// A generic type.
  private struct Cache<Key: Sendable, Entry: Sendable>: Sendable {}

  /// Returns the descriptor of the only type in a registry.
  private func descriptor(_ fill: (inout Registry) -> Void) throws -> TypeDescriptor {
    var registry = Registry()
    fill(&registry)
    try registry.validate()
    return try #require(registry.catalog.types.first)
  }

  @Test func `a type without provided types provides itself`() throws {
    let type = try descriptor { $0.add("node") { Person(name: "a") } }
    #expect(type.name == "node")
    #expect(type.provides == ["Person"])
    #expect(type.kind == .struct)
    #expect(type.isSendable)
    #expect(type.source == "ConfigDILookUpTests/RegistryTests.swift")
  }

  @Test func `the catalog has line numbers only on request`() throws {
    var registry = Registry()
    registry.add("node", line: 12) { Person(name: "a") }
    #expect(registry.catalog.types.map(\.source) == ["ConfigDILookUpTests/RegistryTests.swift"])
    #expect(registry.catalogWithLines.types.map(\.source) == ["ConfigDILookUpTests/RegistryTests.swift:12"])
  }

  @Test func `the catalog marks given and container-provided types`() throws {
    let given = try descriptor { $0.given("node", Person.self, as: [.type(String.self) { $0.name }, .itself]) }
    #expect(given.isGiven && given.isSendable)
    #expect(given.provides == ["Person", "String"])
    #expect(given.arguments == [])
    let opening = try descriptor { $0.add("node", .scope("request"), .resolver("services")) { _, _ in 1 } }
    #expect(opening.arguments.map(\.key) == ["request", "services"])
    #expect(opening.arguments.map(\.kind) == [.scope("request"), .resolver])
  }

  @Test func `a type may provide a protocol`() throws {
    let type = try descriptor { $0.add("node", as: (any Greeter).self) { Node("a") } }
    #expect(type.provides == ["Greeter"])
    #expect(type.kind == .any)
  }

  @Test func `a type may provide several protocols, which the catalog sorts`() throws {
    let type = try descriptor {
      $0.add(
        "node", as: { ($0, $0 as any Greeter, $0 as any Counter) },
        { (name: String) in Node(name.uppercased()) }, .value("name"))
    }
    #expect(type.provides == ["Counter", "Greeter", "Node"])
    #expect(type.kind == .class)
  }

  @Test func `the catalog distinguishes an actor from other classes`() throws {
    #expect(try descriptor { $0.add("worker") { Worker() } }.kind == .actor)
  }

  @Test func `the kind and the name of a type are reported`() {
    #expect(TypeDescriptor.Kind(of: Node.self) == .class)
    #expect(TypeDescriptor.Kind(of: Worker.self) == .actor)
    #expect(TypeDescriptor.Kind(of: Mode.self) == .enum)
    #expect(TypeDescriptor.Kind(of: Int?.self) == .enum)
    #expect(TypeDescriptor.Kind(of: Int.self) == .struct)
    #expect(TypeDescriptor.Kind(of: (any Greeter & Counter).self) == .any)
    #expect(TypeDescriptor.Kind(of: (any Collection<Int>).self) == .any)
    #expect(TypeName.name(of: (any Greeter).self) == "Greeter")
    #expect(TypeName.name(of: Cache<String, [UInt8]>.self) == "Cache<String, Array<UInt8>>")
  }

  @Test func `an unsendable type is marked as unsafe to share, unless the registration says otherwise`() throws {
    #expect(try !descriptor { $0.add("unsafe") { Unsafe() } }.isSendable)
    #expect(try descriptor { $0.add("unsafe", sharedSafely: true) { Unsafe() } }.isSendable)
    #expect(try !descriptor { $0.add("unsafe", as: { ($0, $0 as AnyObject) }) { Unsafe() } }.isSendable)
    #expect(try descriptor { $0.add("worker") { Worker() } }.isSendable)
    #expect(try !descriptor { $0.add("unsafe", .value("a", Int.self)) { _ in Unsafe() } }.isSendable)
    #expect(
      try descriptor { $0.add("unsafe", .value("a", Int.self), sharedSafely: true) { _ in Unsafe() } }.isSendable)
    #expect(try descriptor { $0.add("person", .value("a", Int.self)) { _ in Person(name: "") } }.isSendable)
  }

  @Test func `the catalog shows each kind of argument`() throws {
    enum Level: String, CaseIterable, Codable { case low, high }
    enum Rank: Int { case first = 1 }
    struct Options: Codable, Sendable { var depth: Int }
    let type = try descriptor {
      $0.add(
        "all",
        .value("port", UInt16.self, default: 25), .value("pass", String.self, secret: true),
        .value("zone", String?.self), .value("level", Level.self, default: .low), .value("rank", Rank.self),
        .value("options", Options.self, default: Options(depth: 1)), .value("list", [Options]?.self),
        .value("wait", Duration.self, default: .milliseconds(1_500)),
        .value("room", ByteCount.self, default: ByteCount(bytes: 1 << 20)), .value("key", [UInt8].self),
        .service("one", (any Greeter).self), .service("perhaps", (any Greeter)?.self),
        .service("many", [any Greeter].self), .service("named", [String: any Greeter].self)
      ) { _, _, _, _, _, _, _, _, _, _, _, _, _, _ in Person(name: "") }
    }
    #expect(
      type.arguments == [
        ArgumentDescriptor(key: "port", kind: .value(.integer(.UInt16)), defaultValue: 25),
        ArgumentDescriptor(key: "pass", kind: .value(.string), isSecret: true),
        ArgumentDescriptor(key: "zone", kind: .value(.optional(.string)), isOptional: true),
        ArgumentDescriptor(key: "level", kind: .value(.oneOf(["low", "high"])), defaultValue: "low"),
        ArgumentDescriptor(key: "rank", kind: .value(.named("Rank"))),
        ArgumentDescriptor(key: "options", kind: .value(.named("Options")), hasDefault: true),
        ArgumentDescriptor(key: "list", kind: .value(.optional(.list(.named("Options")))), isOptional: true),
        ArgumentDescriptor(key: "wait", kind: .value(.duration), defaultValue: .duration("1500ms")),
        ArgumentDescriptor(key: "room", kind: .value(.size), defaultValue: .size("1MiB")),
        ArgumentDescriptor(key: "key", kind: .value(.bytes)),
        ArgumentDescriptor(key: "one", kind: .service(type: "Greeter", wrapper: .direct)),
        ArgumentDescriptor(key: "perhaps", kind: .service(type: "Greeter", wrapper: .direct), isOptional: true),
        ArgumentDescriptor(key: "many", kind: .service(type: "Greeter", wrapper: .list)),
        ArgumentDescriptor(key: "named", kind: .service(type: "Greeter", wrapper: .map)),
      ])
  }

  @Test func `a description of the catalog does not show the default of a secret`() throws {
    var registry = Registry()
    registry.add(
      "Client", .value("user", String.self, default: "plugh"),
      .value("key", String.self, default: "xyzzy", secret: true)
    ) { (user: String, key: String) in user + key }
    #expect(registry.catalog.types[0].arguments[1].defaultValue == "xyzzy")
    var dumped = ""
    dump(registry, to: &dumped)
    for text in ["\(registry.catalog)", dumped] {
      #expect(text.contains("plugh") && !text.contains("xyzzy"), "\(text)")
    }
  }

  @Test func `a literal can be the default of every numeric type`() throws {
    let type = try descriptor {
      $0.add(
        "numbers", .value("a", Int8.self, default: -1), .value("b", UInt64.self, default: 1),
        .value("c", Double.self, default: 2), .value("d", Float.self, default: 0.5),
        .value("e", Float.self, default: 3),
        .value("f", Double.self, default: 0.25)
      ) { (_: Int8, _: UInt64, _: Double, _: Float, _: Float, _: Double) in Person(name: "") }
    }
    #expect(type.arguments.map(\.defaultValue) == [-1, 1, 2.0, 0.5, 3.0, 0.25])
  }

  @Test func `a literal that its type cannot represent stops the program`() async {
    await #expect(processExitsWith: .failure) { _ = BuilderArgument.value("port", UInt8.self, default: 256 as Int) }
  }

  @Test func `two types of one name are reported with both locations when the registry is used`() throws {
    var registry = Registry()
    registry.add("node", line: 1) { Person(name: "first") }
    registry.add("node", line: 2) { Node("second") }
    let error = try #require(throws: RegistryError.self) { try registry.validate() }
    #expect(error.mistakes.map(\.code) == [.duplicateName])
    #expect("\(error.mistakes[0].code)" == "duplicateName")
    #expect(error.mistakes[0].places.map(\.line) == [1, 2])
    #expect(error.description.contains("type \"node\" is registered twice"))
    #expect(registry.catalog.types.map(\.provides) == [["Person"]])
  }

  @Test func `duplicate argument keys are reported`() throws {
    var registry = Registry()
    registry.add("node", .value("a", Int.self), .value("a", Int.self)) { _, _ in Person(name: "") }
    let error = try #require(throws: RegistryError.self) { try registry.validate() }
    #expect(error.mistakes.map(\.code) == [.duplicateArgument])
  }

  @Test func `a name that is invalid in module files is reported`() throws {
    var registry = Registry()
    registry.add("two words") { Person(name: "") }
    let error = try #require(throws: RegistryError.self) { try registry.validate() }
    #expect(error.mistakes.map(\.code) == [.invalidName])
  }

  @Test func `a merged registry adds its types and errors`() throws {
    var library = Registry()
    library.add("a") { Person(name: "a") }
    library.add("b") { Person(name: "b") }
    library.add("b") { Person(name: "b") }
    var registry = Registry()
    registry.add("a") { Person(name: "mine") }
    registry.merge(library)
    #expect(registry.catalog.types.map(\.name) == ["a", "b"])
    let error = try #require(throws: RegistryError.self) { try registry.validate() }
    #expect(error.mistakes.count == 2)
  }

  @Test func `a value can be checked for an argument before wiring`() {
    struct Options: Codable, Sendable { var depth: Int }
    var registry = Registry()
    registry.add("node", .value("options", Options.self)) { _ in Person(name: "") }
    #expect(registry.mismatch(ofType: "node", argument: 0, value: ["depth": 1]) == nil)
    let mismatch = registry.mismatch(ofType: "node", argument: 0, value: ["depth": "1"])
    #expect(mismatch?.path == [.key("depth")])
    #expect(mismatch?.description == "expected an integer, found \"1\"")
    #expect(mismatch?.message(isSecret: true) == "expected an integer, found a string that does not fit")
    #expect(registry.mismatch(ofType: "other", argument: 0, value: 1) == nil)
    #expect(registry.mismatch(ofType: "node", argument: 1, value: 1) == nil)
  }

  /// The text of an error that a decoder or the application throws may contain the value.
  @Test func `error texts of user code are not shown for a secret value`() throws {
    enum Mode: String, Codable, Sendable { case red }
    struct Failure: Error { let text: String }
    struct Failing: Decodable, Sendable {
      init(from decoder: any Decoder) throws { throw Failure(text: try String(from: decoder)) }
    }
    struct Own: ModuleValue {
      static var moduleValueType: ValueType { .named("Own") }
      init(moduleValue: Value) throws(ValueMismatch) {
        throw ValueMismatch(expected: "anything but \(moduleValue)", found: moduleValue)
      }
    }
    var registry = Registry()
    registry.add("modes", .value("v", [Mode].self)) { _ in Person(name: "") }
    registry.add("mode", .value("v", Mode?.self)) { _ in Person(name: "") }
    registry.add("failing", .value("v", Failing.self)) { _ in Person(name: "") }
    registry.add("own", .value("v", Own.self)) { _ in Person(name: "") }
    let values: [(String, Value)] = [
      ("modes", ["hunter2"]), ("mode", "hunter2"), ("failing", "hunter2"), ("own", "hunter2"),
    ]
    for (type, value) in values {
      let mismatch = try #require(registry.mismatch(ofType: type, argument: 0, value: value))
      #expect(mismatch.description.contains("hunter2"))
      #expect(!mismatch.message(isSecret: true).contains("hunter2"), "\(type)")
    }
  }

  @Test func `a value that a type of the application refuses is reported at its innermost part`() throws {
    struct Step: Decodable, Sendable { let count: Int }
    struct Plan: Decodable, Sendable {
      let steps: [Step]
      let limits: [String: Int]
    }
    var registry = Registry()
    registry.add("plan", .value("v", Plan.self)) { _ in Person(name: "") }
    let columns = [
      #"{ "steps": [{ "count": 1 }, { "count": "x" }], "limits": {} }"#: 57,
      #"{ "steps": [], "limits": { "a": 1, "b": true } }"#: 58,
      // The part at which the conversion fails does not exist.
      #"{ "steps": [{}], "limits": {} }"#: 30,
    ]
    for (value, column) in columns {
      let text = """
        { "configdi": 1, "module": "m", "services": { "s": { "type": "plan",
        "values": { "v": \(value) } } } }
        """
      let error = try #require(throws: LoadError.self) { try Container(text: text, registry: registry) }
      let diagnostics = error.diagnostics.filter { $0.code == .valueMismatch }
      #expect(diagnostics.map(\.location.start) == [SourcePosition(line: 2, column: column)])
      #expect(diagnostics.allSatisfy { $0.message.hasPrefix("argument \"v\" of service \"s\": ") })
    }
  }
}
