// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct RegisteringTests {
  /// A type that records registrations and forwards them to a container.
  private struct Listed: Registering {
    /// The container to register in.
    let container: Container
    /// The record of the registrations.
    let journal: Journal

    func register<Product>(_ service: CodeService<Product>) {
      journal.note("\(service.name ?? "\(Product.self)") at \(service.origin.line > 0)")
      container.register(service)
    }
  }

  /// A type that describes its own registration.
  private struct Made: Resolvable {
    /// The dependency.
    let node: Node

    static var injection: Injection<Made> { Injection(BuilderArgument<Node>._parameter("node")) { Made(node: $0) } }
  }

  /// A class that is not `Sendable`.
  private final class Unshared {}

  /// A service with an async initializer.
  private struct Connection: Sendable {
    let node: Node

    init(node: Node) async { self.node = node }
  }

  /// A service on the main actor.
  @MainActor private final class Navigation {}

  /// A service on the main actor, with dependencies and a run-time argument.
  @MainActor private final class Screen {
    let navigation: Navigation
    let title: String
    let connection: Connection

    init(navigation: Navigation, title: String, connection: Connection) {
      (self.navigation, self.title, self.connection) = (navigation, title, connection)
    }
  }

  /// Registers services with each registration method.
  private func fill(_ services: some Registering) {
    services.register { Node("plain") }
    services.register(named: "argument", scope: .transient) { (_, name: String, number: Int) in
      Node("\(name) \(number)")
    }
    services.register(scope: .transient) { Unshared() }
    services.register(instance: 7)
    services.register(dependency: 1.5)
    services.register((any Greeter).self, named: "awaited") { (resolver, name: String) async throws in
      Person(name: "\(name) of \(try await resolver.resolveAsync(Node.self).name)")
    }
    services.register(on: MainActor.shared, scope: .transient) { (_, letter: String) in [letter, "main"] }
    services.register(on: MainActor.shared) { Navigation() }
    services.autoregister(Person.init(name:), named: "person", arguments: String.self)
    services.autoregister(Connection.init)
    services.autoregister(on: MainActor.shared, Screen.init, scope: .transient, arguments: String.self)
    services.register(Made.self)
    services.register(Node.self, as: [.type((any Counter).self) { $0 }]) { Node("counter") }
  }

  /// Checks all services that `fill` registers.
  private func check(_ container: Container) async throws {
    let awaited = try await container.resolveAsync((any Greeter).self, named: "awaited", arguments: "a")
    #expect(awaited.name == "a of plain")
    // The connection is awaited before the initializer is called on the main actor.
    let screen = try await container.resolveAsync(Screen.self, arguments: "inbox")
    #expect(screen.connection.node.name == "plain")
    #expect(screen.title == "inbox")
    try await checkNow(container)
  }

  /// Checks the services that can be resolved without `await`.
  @MainActor private func checkNow(_ container: Container) throws {
    #expect(try container.resolve(Made.self).node.name == "plain")
    #expect(try container.resolve(Node.self, named: "argument", arguments: "n", 2).name == "n 2")
    #expect(try container.resolve(Unshared.self) !== container.resolve(Unshared.self))
    #expect(try container.resolve(Int.self) == 7)
    #expect(try container.resolve(Double.self) == 1.5)
    #expect(try container.resolve([String].self, arguments: "b") == ["b", "main"])
    #expect(try container.resolve(Person.self, named: "person", arguments: "c").name == "c")
    #expect(try container.resolve(Connection.self).node.name == "plain")
    let navigation = try container.resolve(Navigation.self)
    #expect(try container.resolve(Screen.self, arguments: "drafts").navigation === navigation)
    #expect(try (container.resolve((any Counter).self) as? Node)?.name == "counter")
  }

  @Test func `a function that takes a Registering fills a container by every form`() async throws {
    let container = Container()
    fill(container)
    try await check(container)
  }

  @Test func `a registering function works with any conforming type`() async throws {
    let container = Container()
    let services: any Registering = container
    fill(services)
    try await check(container)
  }

  @Test func `a custom Registering forwards registrations`() async throws {
    let container = Container()
    let journal = Journal()
    fill(Listed(container: container, journal: journal))
    try await check(container)
    #expect(
      journal.entries
        == [
          "Node", "argument", "Unshared", "Int", "Double", "awaited", "Array<String>", "Navigation", "person",
          "Connection", "Screen", "Made", "Node",
        ].map { "\($0) at true" })
  }
}
