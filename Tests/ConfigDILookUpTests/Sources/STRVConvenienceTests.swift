// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// What STRV's container promises beyond registering and resolving: initializers, property wrappers, awaiting.
@Suite struct STRVConvenienceTests {
  /// What the others manage with.
  private final class Manager: Sendable {}

  /// Needs a manager.
  private final class Dependency: Sendable {
    /// The manager.
    let manager: Manager

    /// A dependency with its manager.
    init(manager: Manager) { self.manager = manager }
  }

  /// Needs a number that is known late, before what is looked up.
  private final class First: Sendable {
    /// The number.
    let number: Int
    /// The manager.
    let manager: Manager

    /// A dependency with a number.
    init(number: Int, manager: Manager) {
      self.number = number
      self.manager = manager
    }
  }

  /// Needs a number that is known late, after what is looked up.
  private final class Last: Sendable {
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

  /// Needs two numbers and a text that are known late, around what is looked up.
  private final class Around: Sendable {
    /// All that is known late.
    let text: String

    /// A dependency with two numbers and a text.
    init(left: Int, manager: Manager, text: String, right: Int) { self.text = "\(left)\(text)\(right)" }
  }

  /// A container of its own, as a program may have one for all.
  private enum Singletons {
    /// The container.
    static let container = {
      let container = Container()
      container.register { Manager() }
      container.register { Dependency(manager: try $0.resolve()) }
      return container
    }()
  }

  /// Has a property that is looked up from a container of the program's.
  private final class Object {
    /// What is looked up when the object is made.
    @Injected(from: Singletons.container) var dependency: Dependency
    /// What is looked up when it is first used.
    @LazyInjected(from: Singletons.container) var later: Dependency
  }

  /// Has properties that are looked up where the task says.
  private final class CurrentObject {
    /// What is looked up when the object is made.
    @Injected var manager: Manager
    /// What is looked up when it is first used.
    @LazyInjected var dependency: Dependency
  }

  /// A container with a manager.
  private func managed() -> Container {
    let container = Container()
    container.register { Manager() }
    return container
  }

  @Test func `an initializer is enough`() throws {
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

  @Test func `an initializer takes several arguments, in the order in which they are named`() throws {
    let container = managed()
    container.autoregister(Around.init, scope: .transient, arguments: String.self, Int.self, Int.self)
    #expect(try container.resolve(Around.self, arguments: "-", 1, 2).text == "1-2")
  }

  @Test func `an injected property is looked up when its owner is made`() throws {
    let object = Object()
    #expect(try object.dependency === Singletons.container.resolve(Dependency.self))
    #expect(object.later === object.dependency)
  }

  @Test func `a lazily injected property is looked up at the first access, and the same afterwards`() throws {
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

  @Test func `without a container the shared one answers`() async {
    await #expect(processExitsWith: .success) {
      Container.shared.register { Manager() }
      Container.shared.autoregister(Dependency.init)
      let object = CurrentObject()
      precondition(object.dependency.manager === object.manager)
    }
  }

  @Test func `an injected property that is not registered stops`() async {
    await #expect(processExitsWith: .failure) { _ = withContainer(Container()) { CurrentObject() } }
  }

  @Test func `asynchronous builders are awaited, and find others of both kinds`() async throws {
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

  @Test(.ends)
  func `look-ups at the same time share one construction`() async throws {
    let container = Container()
    let made = Tally()
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

  @Test func `a look-up that does not await an asynchronous service throws and names it`() async throws {
    let container = Container()
    container.register(named: "slow") { () async in
      await Task.yield()
      return Manager()
    }
    /// Looks up without waiting, which an asynchronous function does not.
    func look() throws -> Manager { try container.resolve(Manager.self, named: "slow") }
    let error = #expect(throws: ResolutionError.self) { try look() }
    #expect(error?.code == .needsAwait)
    #expect(error?.description.contains("slow") == true)
    let manager = try await container.resolveAsync(Manager.self, named: "slow")
    #expect(try look() === manager)
  }
}
