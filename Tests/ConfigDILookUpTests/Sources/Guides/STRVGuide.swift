// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing

/// The ConfigDI code of the guide for users of STRV's dependency injection.
@Suite struct STRVGuide {
  /// A dependency of the other types.
  private final class Manager: Sendable {}

  /// A type without dependencies.
  private struct SimpleDependency {}

  /// A type that depends on a manager.
  private final class Dependency: Sendable {
    /// The manager.
    let manager: Manager

    /// Creates a dependency with its manager.
    init(manager: Manager) { self.manager = manager }
  }

  /// A type with a run-time argument.
  private final class Numbered: Sendable {
    /// The manager.
    let manager: Manager
    /// The run-time argument.
    let number: Int

    /// Creates a dependency with a number.
    init(manager: Manager, number: Int) {
      self.manager = manager
      self.number = number
    }
  }

  @Test func `registering and resolving`() throws {
    let container = Container()
    container.register(scope: .transient) { Manager() }
    container.register(dependency: SimpleDependency())
    _ = try container.resolve(SimpleDependency.self)
    container.register(Dependency.self, scope: .shared) { resolver in
      Dependency(manager: try resolver.resolve())
    }
    let dependency: Dependency = try container.resolve()
    #expect(try container.resolve(Dependency.self) === dependency)
    #expect(container[Dependency.self] === dependency)

    container.register(named: "main") { Manager() }
    #expect(try container.resolve(Manager.self, named: "main") !== container.resolve(Manager.self))
  }

  @Test func `arguments`() throws {
    let container = Container()
    container.register { Manager() }
    container.register { resolver in
      Dependency(manager: try resolver.resolve())
    }
    container.register(scope: .transient) { (resolver, number: Int) in
      Numbered(manager: try resolver.resolve(), number: number)
    }
    let numbered = try container.resolve(Numbered.self, arguments: 42)
    #expect(numbered.number == 42)
    #expect(try container.resolve(Dependency.self).manager === numbered.manager)

    container.register(scope: .transient) { (_, user: String, key: String) in [user, key] }
    let texts: [String] = try container.resolve(arguments: "user123", "key456")
    #expect(texts == ["user123", "key456"])
  }

  /// A client of a server.
  private final class Client: Sendable {}

  /// A type with an asynchronous initializer.
  private final class Service: Sendable {
    /// The client.
    let client: Client

    /// Creates a service.
    init(client: Client) async { self.client = client }
  }

  /// A holder of a container for the whole program.
  private enum Singletons {
    /// The container.
    static let container = {
      let container = Container()
      container.register { Manager() }
      container.autoregister(Dependency.init)
      return container
    }()
  }

  /// A type whose property is resolved from an explicit container.
  private final class ExplicitObject {
    @Injected(from: Singletons.container) var dependency: Dependency
  }

  /// A type whose property is resolved from the current container.
  private final class EarlyObject {
    @Injected var dependency: Dependency
  }

  /// A type whose property is resolved from the current container at the first use.
  private final class LateObject {
    @LazyInjected var dependency: Dependency
  }

  @Test func `initializers and property wrappers`() throws {
    let container = Container()
    container.register { Manager() }
    container.autoregister(Dependency.init)
    container.autoregister(Numbered.init, scope: .transient, arguments: Int.self)
    #expect(try container.resolve(Numbered.self, arguments: 42).number == 42)
    let dependency = try container.resolve(Dependency.self)
    #expect(withContainer(container) { EarlyObject().dependency } === dependency)
    #expect(withContainer(container) { LateObject() }.dependency === dependency)
    #expect(ExplicitObject().dependency !== dependency)
  }

  @Test func `async builders`() async throws {
    let container = Container()
    container.register { Client() }
    container.register { resolver in
      await Service(client: try await resolver.resolveAsync())
    }
    let service: Service = try await container.resolveAsync()
    let client: Client = try await container.resolveAsync()
    #expect(service.client === client)
  }
}
