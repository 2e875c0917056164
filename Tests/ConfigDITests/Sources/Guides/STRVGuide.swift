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
    container.register(lifetime: .transient) { Manager() }
    container.register(dependency: SimpleDependency())
    _ = try container.resolve(SimpleDependency.self)
    container.register(Dependency.self, lifetime: .shared) { resolver in
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
    container.register(lifetime: .transient) { (resolver, number: Int) in
      Numbered(manager: try resolver.resolve(), number: number)
    }
    let numbered = try container.resolve(Numbered.self, arguments: 42)
    #expect(numbered.number == 42)
    #expect(try container.resolve(Dependency.self).manager === numbered.manager)

    container.register(lifetime: .transient) { (_, user: String, key: String) in [user, key] }
    let texts: [String] = try container.resolve(arguments: "user123", "key456")
    #expect(texts == ["user123", "key456"])
  }
}
