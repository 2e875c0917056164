// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

/// Tests of registrations whose arguments take their types from the parameters of an initializer.
@Suite struct RegistryInitializerTests {
  /// An enumeration with raw values.
  private enum Level: String, Sendable { case low, high }

  /// A type whose values may be left out: an enumeration with raw values, one that is decodable, too, and one that
  /// converts itself.
  private struct Painted: Equatable, Sendable {
    enum Paint: String, Sendable { case red, green }
    enum Coat: String, CaseIterable, Codable, Sendable { case thin, thick }
    enum Gloss: String, ModuleValue {
      case dull, shiny
      static var moduleValueType: ValueType { .string }
      init(moduleValue: Value) throws(ValueMismatch) { self = moduleValue == "dull" ? .dull : .shiny }
      var moduleValue: Value? { .string(rawValue) }
    }

    let paint: Paint?
    let coat: Coat?
    let gloss: Gloss?
  }

  /// A decodable type.
  private struct Point: Decodable, Equatable, Sendable { var x: Int }

  /// A greeter with a parameter for each kind of argument.
  private struct Host: Greeter {
    let name: String
    let port: UInt16
    let share: Float
    let level: Level
    let point: Point
    let inner: any Greeter
    let guest: (any Greeter)?
    let guests: [any Greeter]
    let later: Lazy<any Greeter>
    let user: Int
  }

  /// A type with several initializers.
  private struct Choice: Sendable {
    let text: String

    init(a: String) { text = a }
    init(a: String, b: Int) { text = "\(a)\(b)" }
    init(c: String, d: Int) { text = "\(d)\(c)" }
  }

  /// A class that is not `Sendable`.
  private final class Unsafe { init(a: Int) {} }

  /// A type with an asynchronous initializer.
  private final class Database: Sendable {
    let url: String
    init(url: String) async throws { self.url = url }
  }

  /// A type on the main actor.
  @MainActor private final class Window {
    let title: String
    init(title: String) { self.title = title }
  }

  /// Returns the descriptor of the only type in a registry.
  private func descriptor(_ fill: (inout Registry) -> Void) throws -> TypeDescriptor {
    var registry = Registry()
    fill(&registry)
    try registry.validate()
    return try #require(registry.catalog.types.first)
  }

  /// Creates a container with the given services and types.
  private func container(_ services: String, _ fill: (inout Registry) -> Void) throws -> Container {
    var registry = Registry()
    fill(&registry)
    return try Container(
      text: #"{ "configdi": 1, "module": "m", "services": { \#(services) } }"#, registry: registry)
  }

  @Test func `arguments of each kind take the types of the parameters`() throws {
    let type = try descriptor {
      $0.add(
        "host", as: (any Greeter).self, Host.init,
        .value("name", secret: true), .value("port", default: 25), .value("share", default: 0.5),
        .value("level", default: .low), .value("point"), .decorated("inner"), .service("guest"), .service("guests"),
        .service("later"), .runtime("user"))
    }
    #expect(type.provides == ["Greeter"])
    #expect(type.isSendable)
    let arguments = type.arguments
    #expect(
      arguments.map(\.key)
        == ["name", "port", "share", "level", "point", "inner", "guest", "guests", "later", "user"])
    #expect(arguments[0] == ArgumentDescriptor(key: "name", kind: .value(.string), isSecret: true))
    #expect(arguments[1].defaultValue == .integer(25))
    #expect(arguments[2].defaultValue == .real(0.5))
    #expect(arguments[3].defaultValue == .string("low"))
    #expect(arguments[4].hasDefault == false)
    #expect(arguments[5].kind == .decorated(type: "Greeter"))
    #expect(arguments[6].kind == .service(type: "Greeter", wrapper: .direct))
    #expect(arguments[6].isOptional)
    #expect(arguments[7].kind == .service(type: "Greeter", wrapper: .list))
    #expect(arguments[8].kind == .service(type: "Greeter", wrapper: .lazy))
    #expect(arguments[9].kind == .runtime(type: "Int", isHashable: true))
  }

  @Test func `an optional enumeration argument may be omitted`() throws {
    let fill: (inout Registry) -> Void = {
      $0.add("Painted", Painted.init, .value("paint"), .value("coat"), .value("gloss", default: .dull))
    }
    let arguments = try descriptor(fill).arguments
    #expect(
      arguments == [
        ArgumentDescriptor(key: "paint", kind: .value(.optional(.named("Paint"))), isOptional: true),
        ArgumentDescriptor(key: "coat", kind: .value(.optional(.oneOf(["thin", "thick"]))), isOptional: true),
        ArgumentDescriptor(
          key: "gloss", kind: .value(.optional(.string)), isOptional: true, defaultValue: "dull", hasDefault: true),
      ])
    let container = try container(
      """
      "none": { "type": "Painted" },
      "some": { "type": "Painted", "values": { "paint": "red", "coat": "thin", "gloss": "any" } }
      """, fill)
    #expect(try container.resolve(Painted.self, named: "none") == Painted(paint: nil, coat: nil, gloss: .dull))
    #expect(try container.resolve(Painted.self, named: "some") == Painted(paint: .red, coat: .thin, gloss: .shiny))
  }

  @Test func `a parameter of an optional enumeration receives a value`() {
    let paint = BuilderArgument<Painted.Paint?>._parameter("paint")
    #expect(
      paint.descriptor
        == ArgumentDescriptor(key: "paint", kind: .value(.optional(.named("Paint"))), isOptional: true))
    let coat = BuilderArgument<Painted.Coat?>._parameter("coat", default: .thick)
    #expect(coat.descriptor.kind == .value(.optional(.oneOf(["thin", "thick"]))))
    #expect(coat.descriptor.defaultValue == "thick")
    let gloss = BuilderArgument<Painted.Gloss?>._parameter("gloss")
    #expect(gloss.descriptor.kind == .value(.optional(.string)))
  }

  @Test func `the number of arguments and the labels select an initializer`() throws {
    let container = try container(
      """
      "one": { "type": "One", "values": { "a": "x" } }, "two": { "type": "Two", "values": { "d": "x" } },
      "three": { "type": "Three", "values": { "a": "x", "b": 2 } }
      """
    ) {
      $0.add("One", Choice.init, .value("a"))
      $0.add("Two", Choice.init(c:d:), .value("d"), .value("c", default: 7))
      $0.add("Three", Choice.init(a:b:), .value("a"), .value("b"))
    }
    #expect(try container.resolve(Choice.self, named: "one").text == "x")
    #expect(try container.resolve(Choice.self, named: "two").text == "7x")
    #expect(try container.resolve(Choice.self, named: "three").text == "x2")
  }

  @Test func `a registration has its source location`() throws {
    var registry = Registry()
    registry.add("one", Choice.init, .value("a"))
    let line = #line - 1
    registry.add("two", as: { ($0, $0 as any Sendable) }, Choice.init, .value("a"))
    registry.add("three", Choice.init(a:), .value("a"))
    #expect(
      registry.catalogWithLines.types.sorted { $0.name < $1.name }.map(\.source)
        == [line, line + 3, line + 2].map { "ConfigDILookUpTests/RegistryInitializerTests.swift:\($0)" })
  }

  @Test func `an unsendable type is marked as unsafe to share, unless the registration says otherwise`() throws {
    #expect(try !descriptor { $0.add("unsafe", Unsafe.init, .value("a")) }.isSendable)
    #expect(try descriptor { $0.add("unsafe", Unsafe.init, .value("a"), sharedSafely: true) }.isSendable)
    #expect(try !descriptor { $0.add("unsafe", as: { ($0, $0 as AnyObject) }, Unsafe.init, .value("a")) }.isSendable)
    #expect(
      try descriptor {
        $0.add("unsafe", as: { ($0, $0 as AnyObject) }, Unsafe.init, .value("a"), sharedSafely: true)
      }.isSendable)
  }

  @Test func `an initializer may be async`() async throws {
    let services = #""db": { "type": "Database", "values": { "url": "x" } }"#
    let one = try container(services) { $0.add("Database", Database.init, .value("url")) }
    #expect(throws: ResolutionError.self) { try one.resolve(Database.self) }
    #expect(try await one.resolveAsync(Database.self).url == "x")
    let two = try container(services) {
      $0.add("Database", as: { ($0, $0 as any Sendable) }, Database.init, .value("url"))
    }
    #expect(try await two.resolveAsync(Database.self) === two.resolve((any Sendable).self) as AnyObject)
  }

  @Test @MainActor func `an initializer may be main-actor isolated`() throws {
    let container = try container(#""window": { "type": "Window", "values": { "title": "x" } }"#) {
      $0.add("Window", on: MainActor.shared, Window.init, .value("title"))
    }
    #expect(try container.resolve(Window.self).title == "x")
  }

  @Test(arguments: ["shared", "transient"])
  func `a service is looked up by each of its types`(scope: String) throws {
    let container = try container(
      #""node": { "type": "Node", "scope": "\#(scope)", "values": { "name": "x" } }"#
    ) {
      $0.add(
        "Node", as: { ($0 as any Greeter, $0 as any Counter, $0) }, { (name: String) in Node(name) }, .value("name"))
    }
    #expect(try container.resolve(Node.self).name == "x")
    #expect(try container.resolve((any Greeter).self) is Node)
    let isSame = try container.resolve((any Counter).self) as AnyObject === container.resolve(Node.self)
    #expect(isSame == (scope == "shared"))
  }

  @Test func `a single other type may be derived from the instance`() throws {
    let type = try descriptor { $0.add("person", as: { $0.name }, Person.init, .value("name")) }
    #expect(type.provides == ["String"])
    let container = try container(#""p": { "type": "Person", "values": { "name": "x" } }"#) {
      $0.add("Person", as: { $0.name }, Person.init, .value("name"))
    }
    #expect(try container.resolve(String.self) == "x")
  }

  @Test func `one key for two parameters is an error`() throws {
    var registry = Registry()
    registry.add("choice", Choice.init(a:b:), .value("a"), .value("a"))
    #expect(throws: RegistryError.self) { try registry.validate() }
  }
}
