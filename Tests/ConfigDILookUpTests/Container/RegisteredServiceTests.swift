// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct RegisteredServiceTests {
  /// Creates a container from a plan with services of different lifetimes, an alias and a binding.
  private func container() throws -> Container {
    var plan = PlanFixture(scopes: "request")
    plan.add("base", "Leaf", .value("base"))
    plan.add("user", "Link", .value("user"), plan.service("base"), lifetime: .scope(0))
    plan.add("hidden", "Leaf", .value("hidden"), lifetime: .weak, private: true)
    plan.add(
      "wrapped", "Leaf", .value("leaf"), lifetime: .transient, provides: ["Greeter"],
      decorators: [plan.decorator("Wrap", .value("wrap"), .decorated)])
    plan.alias("alias", "hidden")
    plan.bind("Node", "user")
    return try plan.container(.nodes())
  }

  /// Returns the error that the body throws. Fails the test if it throws none.
  private func error(_ body: () throws -> Void) throws -> ResolutionError {
    try #require(throws: ResolutionError.self, performing: body)
  }

  @Test func `a service of a module has a source location, a lifetime and types`() throws {
    let container = try container()
    let user = try #require(try container.registration(of: Node.self))
    #expect(user.id == "user")
    #expect(user.origin == Origin(file: "app.json", line: 2))
    #expect(user.isFromModule)
    #expect(!user.isPrivate)
    #expect(user.scope == .scope("request"))
    #expect("\(user.scope)" == "request")
    #expect(user.typeNames == ["Node", "Greeter"])
    #expect(user.argumentTypeNames == [])
    #expect("\(user)" == "service \"user\" at app.json:2")
    let wrapped = try #require(try container.registration(of: (any Greeter).self, named: "wrapped"))
    #expect(wrapped.typeNames == ["Greeter"])
    #expect(wrapped.scope == .transient)
    #expect("\(wrapped.scope)" == "transient")
    #expect(try container.registration(of: Node.self, named: "alias")?.id == "hidden")
    #expect(try container.registration(of: Node.self, named: "hidden") == nil)
    #expect(try container.registration(of: Person.self) == nil)
    #expect(try container.registration(of: Node.self, named: "nobody") == nil)
  }

  @Test func `registration(of:) shows whether code or the module provides a service`() throws {
    let container = try container()
    let line = #line + 1
    container.register(named: "base") { Node("code") }
    let named = try #require(try container.registration(of: Node.self, named: "base"))
    #expect(!named.isFromModule)
    #expect(named.origin.line == line)
    #expect(named.origin.file.hasSuffix("RegisteredServiceTests.swift"))
    #expect(try container.registration(of: Node.self)?.isFromModule == true)
    container.register { Node("by type") }
    #expect(try container.registration(of: Node.self)?.isFromModule == false)
    #expect(try container.registration(of: Node.self)?.id == "Node")
    let child = Container(parent: container)
    #expect(try child.registration(of: Node.self, named: "base")?.origin == named.origin)
    child.register(named: "base", scope: .graph) { Node("child's") }
    #expect(try child.registration(of: Node.self, named: "base")?.scope == .graph)
    #expect(try container.registration(of: Node.self, named: "base")?.scope == .shared)
  }

  @Test func `a child lists a parent's service with the types that its own of that name does not provide`() throws {
    let parent = Container()
    parent.register(Person.self, as: [.itself, .type((any Greeter).self) { $0 }], named: "x") {
      Person(name: "parent's")
    }
    parent.register(named: "y") { Node("parent's") }
    let child = Container(parent: parent)
    child.register((any Greeter).self, named: "x") { Person(name: "child's") }
    child.register(named: "y") { Node("child's") }
    #expect(child.registrations.map(\.id) == ["x", "x", "y"])
    #expect(Set(child.registrations.map(\.typeNames)) == [["Person"], ["Greeter"], ["Node"]])
    #expect(try child.resolve(Person.self).name == "parent's")
    #expect(try child.resolve((any Greeter).self).name == "child's")
    parent.register(named: "broken") { () throws -> Node in throw CancellationError() }
    child.register(named: "broken") { Person(name: "child's") }
    #expect(throws: VerificationError.self) { try child.verify() }
  }

  @Test func `an ambiguous type is an error, as in a look-up`() throws {
    let container = try container()
    #expect(try error { _ = try container.registration(of: (any Greeter).self) }.code == .ambiguous)
    container.register(named: "one") { (_, _: Int) in Person(name: "one") }
    #expect(try container.registration(of: Person.self)?.argumentTypeNames == ["Int"])
    container.register(named: "two") { (_, _: String) in Person(name: "two") }
    #expect(try error { _ = try container.registration(of: Person.self) }.code == .wrongArguments)
    container.dispose()
    #expect(try error { _ = try container.registration(of: Node.self) }.code == .closed)
    #expect(container.registrations.isEmpty)
  }

  @Test func `a registered service reports whether it is built`() throws {
    let container = try container()
    /// Returns whether a service is built.
    func isBuilt(_ name: String) throws -> Bool {
      try #require(try container.registration(of: Node.self, named: name)).isBuilt
    }
    for name in ["base", "alias"] { #expect(try !isBuilt(name)) }
    var weak: Node? = try container.resolve(Node.self, named: "alias")
    _ = try container.resolve(Node.self, named: "base")
    for name in ["base", "alias"] { #expect(try isBuilt(name)) }
    #expect(weak?.name == "hidden")
    weak = nil
    #expect(try !isBuilt("alias"))
    container.reset()
    #expect(try !isBuilt("base"))
    container.register(named: "made", scope: .transient) { Node("made") }
    _ = try container.resolve(Node.self, named: "made")
    #expect(try !isBuilt("made"))
  }

  @Test func `all services are listed by id, without replaced ones and those that a child hides`() throws {
    let container = try container()
    #expect(container.registrations.map(\.id) == ["base", "hidden", "user", "wrapped"])
    #expect(container.registrations.filter(\.isPrivate).map(\.id) == ["hidden"])
    container.register(named: "base") { Node("code") }
    container.register(named: "base") { Node("code again") }
    container.register(named: "a") { Person(name: "a") }
    let listed = container.registrations
    #expect(listed.map { "\($0.id) \($0.typeNames)" }.first == "a [\"Person\"]")
    // The module's service remains listed with the type that the code does not provide.
    #expect(listed.filter { $0.id == "base" }.map(\.typeNames) == [["Node"], ["Greeter"]])
    #expect(listed.filter(\.isFromModule).map(\.id) == ["base", "hidden", "user", "wrapped"])
    let child = Container(parent: container)
    child.register(named: "user") { Node("child's") }
    #expect(child.registrations.map(\.id) == ["a", "base", "base", "hidden", "user", "user", "wrapped"])
    // As within the container, the module's service remains listed with the type that the child's does not provide.
    let users = child.registrations.filter { $0.id == "user" }
    #expect(users.first(where: \.isFromModule)?.typeNames == ["Greeter"])
    #expect(users.first { !$0.isFromModule }?.typeNames == ["Node"])
    #expect(container.registrations.first { $0.id == "user" }?.isFromModule == true)
  }
}
