// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// Tests of the behaviour that STRV's container promises.
@Suite struct STRVTests {
  /// A dependency of the other types.
  final class Manager: Sendable {}

  /// A type that depends on a manager.
  final class Dependency: Sendable {
    /// The manager.
    let manager: Manager

    /// Creates a dependency with its manager.
    init(manager: Manager) { self.manager = manager }
  }

  /// A type with a service and a run-time argument.
  final class NumberedDependency: Sendable {
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

  /// A type with two run-time arguments.
  struct AuthenticatedService: Equatable {
    /// The id of the user.
    let userID: String
    /// The key of the user.
    let apiKey: String
  }

  /// Creates a container with a manager.
  private func managed() -> Container {
    let container = Container()
    container.register { Manager() }
    return container
  }

  @Test func `a dependency is registered with a type and a scope`() throws {
    let container = managed()
    container.register(Dependency.self, scope: .shared) { resolver in
      Dependency(manager: try resolver.resolve(Manager.self))
    }
    let dependency = try container.resolve(Dependency.self)
    #expect(try container.resolve(Dependency.self) === dependency)
    #expect(try container.resolve(Manager.self) === dependency.manager)
  }

  @Test func `the type is that of the closure, and shared is the default`() throws {
    let container = managed()
    container.register { Dependency(manager: try $0.resolve()) }
    let dependency: Dependency = try container.resolve()
    #expect(try container.resolve(Dependency.self) === dependency)
  }

  @Test func `the scope new returns a new instance each time`() throws {
    let container = managed()
    container.register(scope: .transient) { Dependency(manager: try $0.resolve()) }
    let first: Dependency = try container.resolve()
    let second: Dependency = try container.resolve()
    #expect(first !== second)
    #expect(first.manager === second.manager)
  }

  @Test func `an autoclosure is enough without dependencies, and runs at the first look-up`() throws {
    let container = Container()
    let counter = AtomicCounter()
    container.register(dependency: counter.next())
    #expect(counter.count == 0)
    #expect(try container.resolve(Int.self) == 1)
    #expect(try container.resolve(Int.self) == 1)
    container.register(dependency: Manager())
    #expect(try container.resolve(Manager.self) === container.resolve(Manager.self))
  }

  @Test func `a dependency with an argument is new each time if registered so`() throws {
    let container = managed()
    container.register(scope: .transient) { (resolver, number: Int) in
      NumberedDependency(manager: try resolver.resolve(), number: number)
    }
    let dependency = try container.resolve(NumberedDependency.self, arguments: 42)
    let dependency2: NumberedDependency = try container.resolve(arguments: 42)
    #expect(dependency.number == 42)
    #expect(dependency !== dependency2)
    #expect(dependency.manager === dependency2.manager)
  }

  @Test func `a dependency takes two or three arguments`() throws {
    let container = Container()
    container.register(scope: .transient) { (_, userID: String, apiKey: String) in
      AuthenticatedService(userID: userID, apiKey: apiKey)
    }
    container.register(scope: .transient) { (_, userID: String, apiKey: String, count: Int) in
      AuthenticatedService(userID: userID, apiKey: String(repeating: apiKey, count: count))
    }
    let service: AuthenticatedService = try container.resolve(arguments: "user123", "key456")
    #expect(service == AuthenticatedService(userID: "user123", apiKey: "key456"))
    let other: AuthenticatedService = try container.resolve(arguments: "user123", "k", 3)
    #expect(other.apiKey == "kkk")
  }

  @Test func `the throwing form names the missing service`() {
    let error = #expect(throws: ResolutionError.self) { try managed().resolve(Dependency.self) }
    #expect(error?.code == .notRegistered)
  }

  @Test func `the trapping form returns the dependency, or stops`() async {
    let container = managed()
    #expect(container[Manager.self] === container[Manager.self])
    await #expect(processExitsWith: .failure) { _ = Container()[Manager.self] }
  }

  @Test func `an identifier distinguishes two services of a type`() throws {
    let container = Container()
    container.register(named: "main", scope: .shared) { Manager() }
    container.register(named: "backup") { Manager() }
    let main: Manager = try container.resolve(named: "main")
    let backup = try container.resolve(Manager.self, named: "backup")
    #expect(main !== backup)
    #expect(try container.resolve(Manager.self, named: "main") === main)
    #expect(container[Manager.self, named: "backup"] === backup)
  }

  @Test func `an identifier and an argument can be combined`() throws {
    let container = managed()
    container.register(named: "double", scope: .transient) { (resolver, number: Int) in
      NumberedDependency(manager: try resolver.resolve(), number: 2 * number)
    }
    let dependency: NumberedDependency = try container.resolve(named: "double", arguments: 21)
    #expect(dependency.number == 42)
  }

  @Test func `a child finds the services of its parent, and overrides them for itself`() throws {
    let parent = managed()
    parent.register { Dependency(manager: try $0.resolve()) }
    let child = Container(parent: parent)
    #expect(try child.resolve(Dependency.self) === parent.resolve(Dependency.self))
    child.register { Manager() }
    #expect(try child.resolve(Manager.self) !== parent.resolve(Manager.self))
    #expect(try parent.resolve(Dependency.self).manager === parent.resolve(Manager.self))
  }

  @Test func `a cycle of dependencies is reported with its path`() throws {
    let container = Container()
    container.register { Dependency(manager: try $0.resolve()) }
    container.register {
      _ = try $0.resolve(Dependency.self)
      return Manager()
    }
    let error = #expect(throws: ResolutionError.self) { try container.resolve(Dependency.self) }
    #expect(error?.code == .cycle)
    #expect(error?.path.count == 3)
    #expect(error?.path.first == error?.path.last)
  }
}
