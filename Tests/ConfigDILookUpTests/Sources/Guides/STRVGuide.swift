// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing

/// The new lines of the guide for those who come from STRV's dependency injection.
@Suite struct STRVGuide {
  /// What the others manage with.
  private final class Manager: Sendable {}

  /// Needs nothing.
  private struct SimpleDependency {}

  /// Needs a manager.
  private final class Dependency: Sendable {
    /// The manager.
    let manager: Manager

    /// A dependency with its manager.
    init(manager: Manager) { self.manager = manager }
  }

  /// Needs a number that is known late.
  private final class Numbered: Sendable {
    /// The manager.
    let manager: Manager
    /// The number.
    let number: Int

    /// A dependency with a number.
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

  /// Takes its time to begin.
  private final class Service: Sendable {
    /// The client.
    let client: Client

    /// A service that has begun.
    init(client: Client) async { self.client = client }
  }

  /// A container of its own.
  private enum Singletons {
    /// The container.
    static let container = {
      let container = Container()
      container.register { Manager() }
      container.autoregister(Dependency.init)
      return container
    }()
  }

  /// Says where to look up.
  private final class ExplicitObject {
    @Injected(from: Singletons.container) var dependency: Dependency
  }

  /// Looks up in the current container.
  private final class EarlyObject {
    @Injected var dependency: Dependency
  }

  /// Looks up in the current container, at the first use.
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

  @Test func `awaiting`() async throws {
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
