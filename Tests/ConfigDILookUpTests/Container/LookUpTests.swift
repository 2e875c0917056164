// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct LookUpTests {
  /// Returns a registry of persons and nodes, both of which are greeters.
  private func registry() -> Registry {
    var registry = Registry()
    registry.add("Person", as: { ($0, $0 as any Greeter) }, Person.init, .value("name"))
    registry.add("Node", as: { ($0, $0 as any Greeter) }, { (name: String) in Node(name) }, .value("name"))
    registry.add("Failing", as: (any Counter).self) { throw TestError() }
    return registry
  }

  /// Returns the error that the look-up throws. Fails the test if it throws none.
  private func error(_ lookUp: () throws -> Void) throws -> ResolutionError {
    try #require(throws: ResolutionError.self, performing: lookUp)
  }

  @Test func `a service is found by its name and its aliases`() throws {
    var plan = PlanFixture()
    plan.add("logger.audit", "Person", .value("Ann"))
    plan.alias("audit", "logger.audit")
    let container = try plan.container(registry())
    let greeter: any Greeter = try container.resolve(named: "audit")
    #expect(greeter.name == "Ann")
    #expect(try container.resolve(Person.self, named: "logger.audit").name == "Ann")
    #expect(try container.resolveOptional(Person.self, named: "audit")?.name == "Ann")
    #expect(try container.resolveOptional(Person.self, named: "other") == nil)
  }

  @Test func `names compare by Unicode scalars`() throws {
    var plan = PlanFixture()
    plan.add("caf\u{E9}", "Person", .value("Ann"))
    let container = try plan.container(registry())
    #expect(try container.resolveOptional(Person.self, named: "cafe\u{301}") == nil)
    #expect(try container.resolve(Person.self, named: "caf\u{E9}").name == "Ann")
  }

  @Test func `the error for an unknown name suggests similar names`() throws {
    var plan = PlanFixture()
    plan.add("logger", "Person", .value("Ann"))
    let container = try plan.container(registry())
    let error = try error { _ = try container.resolve(Person.self, named: "loger") }
    #expect(error.code == .notRegistered)
    #expect(error.name == "loger")
    #expect(error.candidates == ["logger"])
    #expect(error.description == "service \"loger\" is not registered\n  did you mean \"logger\"?")
  }

  @Test func `the error for a wrong type of a named service lists its provided types`() throws {
    var plan = PlanFixture()
    plan.add("a", "Person", .value("Ann"))
    plan.add("narrow", "Person", .value("Bob"), provides: ["Greeter"])
    let container = try plan.container(registry())
    let wrong = try error { _ = try container.resolve(Node.self, named: "a") }
    #expect(wrong.code == .notProvided)
    #expect(wrong.candidates == ["Greeter", "Person"])
    #expect(wrong.origin == Origin(file: "app.json", line: 1))
    let narrowed = try error { _ = try container.resolve(Person.self, named: "narrow") }
    #expect(narrowed.candidates == ["Greeter"])
    #expect(try container.resolve((any Greeter).self, named: "narrow").name == "Bob")
  }

  @Test func `several providers are an error that lists them, unless a binding chooses one`() throws {
    var plan = PlanFixture()
    plan.add("b", "Node", .value("B"))
    plan.add("a", "Person", .value("A"))
    let error = try error { _ = try plan.container(registry()).resolve((any Greeter).self) }
    #expect(error.code == .ambiguous)
    #expect(error.candidates == ["a", "b"])
    #expect(
      error.description
        == "2 services provide \"Greeter\", and no binding selects one\n  candidates: a, b")
    #expect(throws: ResolutionError.self) { try plan.container(registry()).resolveOptional((any Greeter).self) }
    plan.bind("Greeter", "b")
    #expect(try plan.container(registry()).resolve((any Greeter).self).name == "B")
    #expect(try plan.container(registry()).resolve(Person.self).name == "A")
  }

  @Test func `a service is no candidate for types that it does not provide`() throws {
    var plan = PlanFixture()
    plan.add("b", "Node", .value("B"))
    plan.add("a", "Person", .value("A"), provides: ["Person"])
    #expect(try plan.container(registry()).resolve((any Greeter).self).name == "B")
  }

  @Test func `a private service is found only by an alias or a binding`() throws {
    var plan = PlanFixture()
    plan.add("a", "Person", .value("A"), private: true)
    let container = try plan.container(registry())
    let byType = try error { _ = try container.resolve(Person.self) }
    #expect(byType.code == .isPrivate)
    #expect(byType.description.contains("only service \"a\" provides \"Person\", and it is private"))
    #expect(try error { _ = try container.resolve(Person.self, named: "a") }.code == .isPrivate)
    #expect(try container.resolveOptional(Person.self) == nil)
    #expect(try container.resolveOptional(Person.self, named: "a") == nil)
    plan.alias("ann", "a")
    plan.bind("Person", "a")
    let open = try plan.container(registry())
    #expect(try open.resolve(Person.self, named: "ann").name == "A")
    #expect(try open.resolve(Person.self).name == "A")
    #expect(try open.resolveOptional(Person.self)?.name == "A")
  }

  @Test func `a private service does not make a look-up ambiguous`() throws {
    var plan = PlanFixture()
    plan.add("a", "Person", .value("A"), private: true)
    plan.add("b", "Person", .value("B"))
    #expect(try plan.container(registry()).resolve(Person.self).name == "B")
    #expect(try plan.container(registry()).resolve([Person].self).map(\.name) == ["B"])
  }

  @Test func `an array type contains all providers of its element, by id`() throws {
    var plan = PlanFixture()
    plan.add("c", "Node", .value("C"))
    plan.add("a", "Person", .value("A"))
    plan.add("b", "Node", .value("B"), lifetime: .transient)
    let container = try plan.container(registry())
    #expect(try container.resolve([any Greeter].self).map(\.name) == ["A", "B", "C"])
    let people: [Person] = try container.resolve()
    #expect(people.map(\.name) == ["A"])
    #expect(try container.resolve([any Counter].self).isEmpty)
  }

  @Test func `an optional type is nil without a provider`() throws {
    var plan = PlanFixture()
    plan.add("a", "Person", .value("A"))
    let container = try plan.container(registry())
    let person: Person? = try container.resolve()
    #expect(person?.name == "A")
    let node: Node? = try container.resolve()
    #expect(node == nil)
    #expect(try container.resolve((any Counter)?.self) == nil)
    #expect(try container.resolveOptional((any Counter).self) == nil)
  }

  @Test func `an optional look-up throws if building fails`() throws {
    var plan = PlanFixture()
    plan.add("r", "Failing")
    let container = try plan.container(registry())
    #expect(try error { _ = try container.resolveOptional((any Counter).self) }.code == .builderFailed)
  }

  @Test func `the error for an unprovided type suggests similar types`() throws {
    struct Greter {}
    var plan = PlanFixture()
    plan.add("a", "Person", .value("A"))
    // Suggestions are searched when the message is read, which requires a live container.
    let container = try plan.container(registry())
    let error = try error { _ = try container.resolve(Greter.self) }
    #expect(error.code == .notRegistered)
    #expect(error.typeName == "Greter")
    #expect(error.candidates == ["Greeter"])
    #expect(error.description == "no service provides \"Greter\"\n  did you mean \"Greeter\"?")
    withExtendedLifetime(container) {}
  }

  @Test func `types with the same short name do not collide`() throws {
    enum A { struct Config: Sendable { let text = "A" } }
    enum B { struct Config: Sendable { let text = "B" } }
    var registry = Registry()
    registry.add("AConfig") { A.Config() }
    registry.add("BConfig") { B.Config() }
    var plan = PlanFixture()
    plan.add("a", "AConfig")
    plan.add("b", "BConfig")
    let container = try plan.container(registry)
    #expect(try container.resolve(A.Config.self).text == "A")
    #expect(try container.resolve(B.Config.self).text == "B")
  }

  @Test func `the subscript stops with the complete message`() async {
    await #expect(processExitsWith: .failure) {
      let container = try PlanFixture().container(Registry())
      _ = container[Person.self]
    }
  }

  @Test func `a list has no name of its elements, and takes no arguments`() throws {
    var plan = PlanFixture()
    plan.add("a", "Person", .value("Ann"))
    let container = try plan.container(registry())
    let named = try error { _ = try container.resolve([Person].self, named: "a") }
    #expect(named.description.hasPrefix(#"service "a" does not provide "Array<Person>""#))
    #expect(named.candidates == ["Greeter", "Person"])
    let lazy = try error { _ = try container.resolve(Lazy<[String: Person]>.self, named: "a") }
    #expect(lazy.description.hasPrefix(#"service "a" does not provide "Lazy<Dictionary<String, Person>>""#))
    let arguments = try error { _ = try container.resolve([Person].self, arguments: 1) }
    #expect(arguments.description.hasPrefix(#"no service provides "Array<Person>""#))
  }
}
