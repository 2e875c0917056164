// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// Tests of the behaviour that STRV's container promises for initializers, property wrappers and `await`.
@Suite struct STRVConvenienceTests {
  /// A dependency of the other types.
  private final class Manager: Sendable {}

  /// A type that depends on a manager.
  private final class Dependency: Sendable {
    /// The manager.
    let manager: Manager

    /// Creates a dependency with its manager.
    init(manager: Manager) { self.manager = manager }
  }

  /// A type whose first parameter is a run-time argument.
  private final class First: Sendable {
    /// The run-time argument.
    let number: Int
    /// The manager.
    let manager: Manager

    /// Creates a dependency with a number.
    init(number: Int, manager: Manager) {
      self.number = number
      self.manager = manager
    }
  }

  /// A type whose last parameter is a run-time argument.
  private final class Last: Sendable {
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

  /// A type with run-time arguments before and after a service.
  private final class Around: Sendable {
    /// The run-time arguments as one text.
    let text: String

    /// Creates a dependency with two numbers and a text.
    init(left: Int, manager: Manager, text: String, right: Int) { self.text = "\(left)\(text)\(right)" }
  }

  /// A holder of a container for the whole program.
  private enum Singletons {
    /// The container.
    static let container = {
      let container = Container()
      container.register { Manager() }
      container.register { Dependency(manager: try $0.resolve()) }
      return container
    }()
  }

  /// A type whose properties are resolved from an explicit container.
  private final class Object {
    /// A service that is resolved when the object is created.
    @Injected(from: Singletons.container) var dependency: Dependency
    /// A service that is resolved at the first use.
    @LazyInjected(from: Singletons.container) var later: Dependency
  }

  /// A type whose properties are resolved from the task's current container.
  private final class CurrentObject {
    /// A service that is resolved when the object is created.
    @Injected var manager: Manager
    /// A service that is resolved at the first use.
    @LazyInjected var dependency: Dependency
  }

  /// Creates a container with a manager.
  private func managed() -> Container {
    let container = Container()
    container.register { Manager() }
    return container
  }

  @Test func `a service is registered by its initializer alone`() throws {
    let container = managed()
    container.autoregister(Dependency.init)
    let dependency: Dependency = try container.resolve()
    #expect(try container.resolve(Dependency.self) === dependency)
    #expect(try container.resolve(Manager.self) === dependency.manager)
  }

  @Test func `an initializer takes an argument in any position`() throws {
    let container = managed()
    container.autoregister(First.init, scope: .transient, arguments: Int.self)
    container.autoregister(Last.init, scope: .transient, arguments: Int.self)
    let first = try container.resolve(First.self, arguments: 42)
    let last: Last = try container.resolve(arguments: 43)
    #expect(first.number == 42)
    #expect(last.number == 43)
    #expect(first.manager === last.manager)
    #expect(try container.resolve(First.self, arguments: 42) !== first)
  }

  @Test func `an initializer takes several arguments, in the order of the registration`() throws {
    let container = managed()
    container.autoregister(Around.init, scope: .transient, arguments: String.self, Int.self, Int.self)
    #expect(try container.resolve(Around.self, arguments: "-", 1, 2).text == "1-2")
  }

  @Test func `an injected property is looked up when its owner is created`() throws {
    let object = Object()
    #expect(try object.dependency === Singletons.container.resolve(Dependency.self))
    #expect(object.later === object.dependency)
  }

  @Test func `a lazily injected property is looked up at the first access and kept`() throws {
    let journal = Journal()
    let container = Container()
    container.register(scope: .transient) {
      journal.note("Manager")
      return Manager()
    }
    container.register(scope: .transient) {
      journal.note("Dependency")
      return Dependency(manager: try $0.resolve())
    }
    let object = withContainer(container) { CurrentObject() }
    #expect(journal.entries == ["Manager"])
    let dependency = object.dependency
    #expect(journal.entries == ["Manager", "Dependency", "Manager"])
    #expect(object.dependency === dependency)
    #expect(journal.entries.count == 3)
  }

  @Test func `without a current container the shared one is used`() async {
    await #expect(processExitsWith: .success) {
      Container.shared.register { Manager() }
      Container.shared.autoregister(Dependency.init)
      let object = CurrentObject()
      precondition(object.dependency.manager === object.manager)
    }
  }

  @Test func `an injected property of an unregistered type stops the program`() async {
    await #expect(processExitsWith: .failure) { _ = withContainer(Container()) { CurrentObject() } }
  }

  @Test func `async builders are awaited, and find services of both kinds`() async throws {
    let container = managed()
    container.register {
      await Task.yield()
      return Dependency(manager: try await $0.resolveAsync())
    }
    container.register { [try await $0.resolveAsync(Dependency.self)] }
    let dependencies = try await container.resolveAsync([Dependency].self)
    let dependency = try await container.resolveAsync(Dependency.self)
    #expect(dependency === dependencies.first)
    let manager = try await container.resolveAsync(Manager.self)
    #expect(manager === dependency.manager)
  }

  @Test(.hangLimit)
  func `concurrent look-ups share one construction`() async throws {
    let container = Container()
    let made = AtomicCounter()
    container.register {
      try await Task.sleep(for: .milliseconds(20))
      return made.next()
    }
    let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<16 { group.addTask { try await container.resolveAsync(Int.self) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(numbers == Array(repeating: 1, count: 16))
    #expect(made.count == 1)
  }

  @Test func `a sync look-up of an async service throws and names it`() async throws {
    let container = Container()
    container.register(named: "slow") { () async in
      await Task.yield()
      return Manager()
    }
    /// Resolves the service without `await`.
    func look() throws -> Manager { try container.resolve(Manager.self, named: "slow") }
    let error = #expect(throws: ResolutionError.self) { try look() }
    #expect(error?.code == .needsAwait)
    #expect(error?.description.contains("slow") == true)
    let manager = try await container.resolveAsync(Manager.self, named: "slow")
    #expect(try look() === manager)
  }
}
