// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// Tests of lazy services, providers and isolated uses whose builders are asynchronous.
@Suite struct LazyAwaitingTests {
  /// A type on the main actor.
  @MainActor private final class Window {
    /// Creates a window. Fails if it does not run on the main actor.
    init() { MainActor.assertIsolated() }
  }

  /// A class that is not `Sendable`.
  private final class Unshared {
    /// Mutable state.
    var count = 0
  }

  /// A type whose dependencies are injected properties.
  private struct Owner: Sendable {
    /// A service with an asynchronous builder.
    @LazyInjected(named: "later") var node: Node
    /// All services of a type, some with asynchronous builders.
    @LazyInjected var all: [Node]
    /// A service with a synchronous builder.
    @LazyInjected var person: Person
  }

  /// Creates a container with a node whose builder is asynchronous.
  private func container(_ lifetime: ServiceScope, _ journal: Journal = Journal()) -> Container {
    let container = Container(scopes: ["request"])
    container.register(
      named: "later", scope: lifetime, onDispose: { (node: Node) in journal.note("end of \(node.name)") }
    ) {
      try await Task.sleep(for: .milliseconds(10))
      return Node("later", journal: journal)
    }
    return container
  }

  /// Returns the code of the error that a use without `await` throws; `nil` if it throws none.
  private func code<Value>(_ lazy: Lazy<Value>) -> ResolutionError.Code? {
    do throws(ResolutionError) {
      _ = try lazy.get()
      return nil
    } catch {
      return error.code
    }
  }

  /// Returns the distinct nodes that 50 concurrent tasks get.
  private func nodes(_ get: @escaping @Sendable () async throws -> Node) async throws -> [ObjectIdentifier: Node] {
    try await withThrowingTaskGroup(of: Node.self) { group in
      for _ in 0..<50 { group.addTask { try await get() } }
      return try await group.reduce(into: [:]) { nodes, node in nodes[ObjectIdentifier(node)] = node }
    }
  }

  @Test(.hangLimit, arguments: [ServiceScope.shared, .weak, .transient, .graph])
  func `a lazy async service is built once for all users`(lifetime: ServiceScope) async throws {
    let journal = Journal()
    let container = container(lifetime, journal)
    let lazy = try container.resolve(Lazy<Node>.self, named: "later")
    #expect(code(lazy) == .needsAwait)
    #expect(try await nodes { try await lazy.getAsync() }.count == 1)
    #expect(journal.entries == ["+later"])
    #expect(code(lazy) == nil)
    lazy.dispose()
    let again = try await lazy.getAsync()
    #expect(again.name == "later")
  }

  @Test(.hangLimit)
  func `a provider awaits at each call, with arguments and in scopes`() async throws {
    let container = container(.transient)
    container.register(scope: .transient) { (_: Resolver, name: String, number: Int) async throws in
      await Task.yield()
      return Person(name: "\(name) \(number)")
    }
    container.register((any Greeter).self, scope: .scope("request")) {
      await Task.yield()
      return Node("scoped")
    }
    container.register((any ConfigDILookUpTests.Counter).self, scope: .scope("request")) {
      (_: Resolver, name: String) async throws in
      await Task.yield()
      return Node(name)
    }
    let nodeProvider = try await container.resolveAsync(Provider<Node>.self, named: "later")
    #expect(try await nodes { try await nodeProvider.getAsync() }.count == 50)
    let people = try await container.resolveAsync(Provider<Person>.self)
    #expect(try await people.getAsync(arguments: "n", 1).name == "n 1")
    #expect(try await people.binding(arguments: "b", 2).getAsync().name == "b 2")
    #expect(try await people.lazy(arguments: "l", 3).getAsync().name == "l 3")
    await #expect(throws: ResolutionError.self) { try await people.getAsync() }
    let greeters = try await container.resolveAsync(Provider<any Greeter>.self)
    let counters = try await container.resolveAsync(Provider<any ConfigDILookUpTests.Counter>.self)
    let scope = try container.openScope("request")
    let scoped = try await greeters.getAsync(in: scope) as? Node
    #expect(try await greeters.getAsync(in: scope) as? Node === scoped)
    let counter = try await counters.getAsync(in: scope, arguments: "c") as? Node
    #expect(counter?.name == "c")
    await #expect(throws: ResolutionError.self) { try await greeters.getAsync() }
    scope.close()
    await #expect(throws: ResolutionError.self) { try await greeters.getAsync(in: scope) }
  }

  @Test(.hangLimit)
  func `a sync use never throws if no awaiting is needed`() async throws {
    for _ in 0..<50 {
      let made = AtomicCounter()
      let container = Container()
      container.register(scope: .transient) { Node("\(made.next())") }
      let lazy = try await container.resolveAsync(Lazy<Node>.self)
      let read: @Sendable () throws -> Node = { try lazy.get() }
      let names = try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<8 { group.addTask { number % 2 == 0 ? try read().name : try await lazy.getAsync().name } }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(names == ["1"])
    }
  }

  @Test(.hangLimit, arguments: [true, false]) @MainActor
  func `getAsync returns the kept instance, not one that a reset has disposed of`(isUsedBefore: Bool) async throws {
    let (made, begun, mayEnd, ended) = (AtomicCounter(), Gate(), Gate(), Gate())
    let container = Container()
    container.register {
      let number = made.next()
      if number == 1 {
        begun.open()
        mayEnd.wait()
      }
      return Node("\(number)")
    }
    let lazy = try container.resolve(Lazy<Node>.self)
    Thread.detachNewThread {
      _ = try? container.resolve(Node.self)
      ended.open()
    }
    begun.wait()
    var isWaiting = false
    let task = Task {
      isWaiting = true
      return try await lazy.getAsync()
    }
    while !isWaiting { await Task.yield() }
    // The task cannot resume before the main actor is free.
    mayEnd.open()
    ended.wait()
    container.reset()
    let kept = try isUsedBefore ? lazy.get() : await task.value
    #expect(kept.name == "2")
    #expect(try await task.value === kept)
    #expect(try container.resolve(Node.self) === kept)
  }

  @Test(.hangLimit, arguments: [false, true])
  func `getAsync awaits a service whose instance a reset disposes of meanwhile`(isOnMainActor: Bool) async throws {
    let (made, resets) = (AtomicCounter(), AtomicCounter())
    let container = Container()
    if isOnMainActor {
      container.register(on: MainActor.shared) { Node("\(made.next())") }
    } else {
      container.register { () async in Node("\(made.next())") }
    }
    _ = try await container.resolveAsync(Node.self)
    let lazy = try container.resolve(Lazy<Node>.self)
    let node = try await PausePoint.$hook.withValue({ point in
      if point == .inputsReady, resets.next() == 1 { container.reset() }
    }) {
      try await lazy.getAsync()
    }
    #expect(node.name == "2")
    #expect(try await container.resolveAsync(Node.self) === node)
  }

  @Test(.hangLimit, arguments: ["service", "form", "list"]) @MainActor
  func `getAsync suspends while another look-up builds an argument of a transient service`(form: String) async throws {
    let (begun, mayEnd, made) = (Gate(), Gate(), AtomicCounter())
    let container = Container()
    container.register { () -> Person in
      begun.open()
      mayEnd.wait()
      return Person(name: "shared")
    }
    container.autoregister({ (person: Person) in Node("\(person.name) \(made.next())") }, scope: .transient)
    let name: @MainActor () async throws -> String? =
      switch form {
      case "service":
        { [lazy = try container.resolve(Lazy<Node>.self)] in try await lazy.getAsync().name }
      case "form":
        { [lazy = try container.resolve(Lazy<Node?>.self)] in try await lazy.getAsync()?.name }
      default:
        { [lazy = try container.resolve(Lazy<[Node]>.self)] in try await lazy.getAsync().first?.name }
      }
    Thread.detachNewThread { _ = try? container.resolve(Person.self) }
    begun.wait()
    // The builder ends only if the main actor is free meanwhile.
    Task { mayEnd.open() }
    #expect(try await name() == "shared 1")
    #expect(try await name() == "shared 1")
  }

  @Test func `a build of an injected property keeps its container alive`() async throws {
    let make: @Sendable () -> any Resolving & Sendable = {
      let container = Container()
      container.register { Node("kept") }
      return container
    }
    #expect(try Lazy<Node>(named: nil, from: make).get().name == "kept")
    #expect(try await Lazy<Node>(named: nil, from: make).getAsync().name == "kept")
    #expect(try Lazy<[Node]>(named: nil, from: make).get().map(\.name) == ["kept"])
  }

  @Test func `main-actor services are built on the main actor`() async throws {
    let container = Container()
    container.register(on: MainActor.shared, scope: .transient) { (_) in Window() }
    let lazy = try await container.resolveAsync(Lazy<Window>.self)
    #expect(code(lazy) == .needsMainActor)
    let window = try await lazy.getAsync()
    #expect(try await lazy.getAsync() === window)
    let provider = try await container.resolveAsync(Provider<Window>.self)
    #expect(try await provider.getAsync() !== provider.getAsync())
  }

  @Test @MainActor func `unsendable instances stay in the isolation domain of their user`() async throws {
    let container = Container()
    container.register(scope: .transient) { Unshared() }
    let lazy = try await container.resolveAsync(Lazy<Unshared>.self)
    let unshared = try await lazy.getAsync()
    unshared.count += 1
    #expect(try await lazy.getAsync().count == 1)
    let provider = try await container.resolveAsync(Provider<Unshared>.self)
    #expect(try await provider.getAsync().count == 0)
    let alone = Lazy { Unshared() }
    #expect(try await alone.getAsync() === alone.getAsync())
  }

  @Test(.hangLimit)
  func `the projection of an injected property awaits`() async throws {
    let container = container(.transient)
    container.register(named: "now") { Node("now") }
    container.register { Person(name: "person") }
    let owner = withContainer(container) { Owner() }
    #expect(code(owner.$node) == .needsAwait)
    #expect(try await nodes { try await owner.$node.getAsync() }.count == 1)
    #expect(owner.node.name == "later")
    #expect(try await owner.$all.getAsync().map(\.name) == ["later", "now"])
    #expect(owner.all.count == 2)
    #expect(try await owner.$person.getAsync().name == "person")
    #expect(owner.person.name == "person")
    let missing = LazyInjected<Int>(from: container)
    await #expect(throws: ResolutionError.self) { try await missing.projectedValue.getAsync() }
  }

  @Test func `an isolated use awaits its instance and disposes of it`() async throws {
    let journal = Journal()
    let container = container(.transient, journal)
    let isolated = try await container.resolveAsync(Isolated<Node>.self, named: "later")
    try await isolated.use { node in
      await Task.yield()
      #expect(node.name == "later")
      #expect(journal.entries == ["+later"])
    }
    #expect(journal.entries.contains("end of later"))
  }

  @Test(.hangLimit)
  func `async uses receive errors, cycles, cancellation and disposal`() async throws {
    let attempts = AtomicCounter()
    let container = container(.shared)
    container.register { () async throws -> Person in
      if attempts.next() == 1 { throw TestError() }
      return Person(name: "second")
    }
    let person = try await container.resolveAsync(Lazy<Person>.self)
    await #expect(throws: ResolutionError.self) { try await person.getAsync() }
    #expect(try await person.getAsync().name == "second")

    container.register { resolver async throws -> Int in
      try await resolver.resolveAsync(Lazy<Int>.self).getAsync()
    }
    let circle = try await container.resolveAsync(Lazy<Int>.self)
    let error = await #expect(throws: ResolutionError.self) { try await circle.getAsync() }
    #expect(error?.code == .cycle)

    let lazy = try await container.resolveAsync(Lazy<Node>.self, named: "later")
    let task = Task { try await lazy.getAsync() }
    task.cancel()
    let cancelled = await #expect(throws: ResolutionError.self) { try await task.value }
    #expect(cancelled?.code == .cancelled)
    #expect(try await lazy.getAsync().name == "later")

    let late = try await container.resolveAsync(Lazy<Node>.self, named: "later")
    let provider = try await container.resolveAsync(Provider<Node>.self, named: "later")
    container.dispose()
    await #expect(throws: ResolutionError.self) { try await late.getAsync() }
    await #expect(throws: ResolutionError.self) { try await provider.getAsync() }
  }

  @Test @MainActor func `a form that needs no awaiting is built where it is used`() async throws {
    let container = Container()
    container.register(scope: .transient) { MainActor.assumeIsolated { Person(name: "here") } }
    container.register(scope: .transient) { (_: Resolver) async in Node("awaited") }
    #expect(try await container.resolve(Lazy<Person>.self).getAsync().name == "here")
    #expect(try await container.resolve(Lazy<Person?>.self).getAsync()?.name == "here")
    #expect(try await container.resolve(Lazy<[Person]>.self).getAsync().map(\.name) == ["here"])
    #expect(try await container.resolve(Lazy<Node?>.self).getAsync()?.name == "awaited")
    #expect(try await container.resolve(Lazy<Int?>.self).getAsync() == nil)
  }

  @Test func `an observer is notified once of a form that cannot be looked up`() async throws {
    final class Observer: ContainerObserver {
      let journal = Journal()
      func didNotFind(_ error: ResolutionError) { journal.note("\(error.code)") }
    }
    let observer = Observer()
    let container = Container(observers: [observer])
    for name in ["a", "b"] { container.register(named: name) { Person(name: name) } }
    let lazy = try container.resolve(Lazy<Person?>.self)
    await #expect(throws: ResolutionError.self) { try await lazy.getAsync() }
    #expect(observer.journal.entries == ["ambiguous"])
  }

  @Test(.hangLimit, arguments: [false, true])
  func `a sync use waits for an async one that builds a form without awaiting`(isList: Bool) async throws {
    let container = Container()
    let (begun, finish) = (Gate(), Gate())
    container.register(scope: .transient) {
      begun.open()
      finish.wait()
      return Person(name: "slow")
    }
    let one = try container.resolve(Lazy<Person?>.self)
    let all = try container.resolve(Lazy<[Person]>.self)
    // Neither use may block a thread of the cooperative pool, which has as few threads as the machine has processors.
    let building = Task { @MainActor in
      isList ? try await all.getAsync() : [try await one.getAsync()].compactMap(\.self)
    }
    await begun.waitAsync()
    let (used, continuation) = AsyncStream<[Person]>.makeStream()
    Thread.detachNewThread {
      continuation.yield((try? isList ? all.get() : [one.get()].compactMap(\.self)) ?? [])
      continuation.finish()
    }
    for _ in 0..<100 { await Task.yield() }
    finish.open()
    #expect(await used.first { _ in true }?.map(\.name) == ["slow"])
    #expect(try await building.value.map(\.name) == ["slow"])
  }

  @Test(.hangLimit)
  func `a transient value for which nobody waits any more is disposed of`() async throws {
    let container = Container()
    let journal = Journal()
    let (begun, finish) = (Gate(), Gate())
    container.register(scope: .transient, onDispose: { (node: Node) in journal.note("end of \(node.name)") }) {
      () async -> Node in
      begun.open()
      await finish.waitAsync()
      return Node("late", journal: journal)
    }
    let lazy = try await container.resolveAsync(Lazy<Node>.self)
    let task = Task { try await lazy.getAsync() }
    await begun.waitAsync()
    task.cancel()
    let error = await #expect(throws: ResolutionError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    finish.open()
    while !journal.entries.contains("end of late") { try await Task.sleep(for: .milliseconds(1)) }
    #expect(!lazy.isBuilt)
    _ = try await lazy.getAsync()
    lazy.dispose()
    #expect(journal.entries.count { $0 == "end of late" } == 2)
  }

  @Test(.hangLimit)
  func `a service of a module awaits an indirect dependency`() async throws {
    var registry = Registry.nodes()
    registry.add("Slow", as: Node.self, .value("name", String.self)) { (name: String) async throws in
      await Task.yield()
      return Node(name)
    }
    var plan = PlanFixture()
    plan.add("slow", "Slow", .value("slow"))
    plan.add("link", "Link", .value("link"), plan.service("slow"))
    plan.add("later", "LazyLink", .value("later"), plan.service("link"))
    let container = try plan.container(registry)
    let later = try await container.resolveAsync(Node.self, named: "later")
    let lazy = try #require(later.lazyDependency)
    #expect(code(lazy) == .needsAwait)
    #expect(try await lazy.getAsync().dependency()?.name == "slow")
  }

  /// A use without `await` waits for a task that builds the value, if nothing has to be awaited for it.
  @Test(.hangLimit) func aSyncUseWaitsForATaskThatDoesNotSuspend() async throws {
    final class Part: Sendable {}
    final class Whole: Sendable {
      let part: Part
      init(part: Part) { self.part = part }
    }
    let (begun, finish, ended) = (Gate(), Gate(), Gate())
    let container = Container()
    container.register {
      begun.open()
      finish.wait()
      return Part()
    }
    container.autoregister(Whole.init)
    let lazy = try container.resolve(Lazy<Whole>.self)
    let task = Task.detached(priority: .high) { try await lazy.getAsync() }
    await begun.waitAsync()
    let found = Locked<Whole?>(nil)
    Thread.detachNewThread {
      let whole = try? lazy.get()
      found.withLock { $0 = whole }
      ended.open()
    }
    while container.waiterCounts.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    finish.open()
    await ended.waitAsync()
    let awaited = try await task.value
    #expect(found.withLock { $0 } === awaited)
  }

  #if DEBUG
    @Test(.hangLimit) func `an awaiting use tries by itself if it has joined a use that does not await`() async throws {
      let container = container(.transient)
      let lazy = try container.resolve(Lazy<Node>.self, named: "later")
      let (joined, ended) = (Gate(), Gate())
      let task = Locked<Task<Node, any Error>?>(nil)
      Thread.detachNewThread {
        PausePoint.$hook.withValue({ point in
          guard point == .ended, task.withLock({ $0 }) == nil else { return }
          let joining = PausePoint.$hook.withValue({ if $0 == .suspending { joined.open() } }) {
            Task(priority: .high) { try await lazy.getAsync() }
          }
          task.withLock { $0 = joining }
          joined.wait()
        }) { _ = try? lazy.get() }
        ended.open()
      }
      await ended.waitAsync()
      #expect(try await task.withLock { $0 }?.value.name == "later")
    }

    @Test(.hangLimit) func `awaiting uses that have joined a failing one do not repeat it`() async throws {
      let container = container(.shared)
      let (calls, joined) = (AtomicCounter(), AtomicCounter())
      let (begun, allJoined) = (Gate(), Gate())
      container.register(named: "outer", scope: .transient) { resolver in
        calls.next()
        begun.open()
        allJoined.wait()
        return try resolver.resolve(Node.self, named: "later")
      }
      let lazy = try container.resolve(Lazy<Node>.self, named: "outer")
      Thread.detachNewThread { _ = try? lazy.get() }
      await begun.waitAsync()
      let count = 20
      let tasks = PausePoint.$hook.withValue({ if $0 == .suspending, joined.next() == count { allJoined.open() } }) {
        (0..<count).map { _ in Task(priority: .high) { try await lazy.getAsync() } }
      }
      for task in tasks {
        let error = await #expect(throws: ResolutionError.self) { try await task.value }
        #expect(error?.code == .needsAwait)
      }
      #expect(calls.count == 1)
    }
  #endif
}
