// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct ContainerAwaitingTests {
  /// A service with an asynchronous builder.
  private final class Database: Sendable {}

  /// A thread-safe counter.
  private final class Counter: Sendable {
    /// The count; see `value`.
    private let count = Atomic(0)

    /// The current count.
    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    /// Increments the count, and returns it.
    @discardableResult func add() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }
  }

  /// A service that depends on a database.
  private struct Session: Sendable {
    /// The database.
    let database: Database
  }

  /// A type on the main actor.
  @MainActor private final class Window {
    /// Creates a window. Fails if it does not run on the main actor.
    init() { MainActor.assertIsolated() }
  }

  /// Waits until a condition is true.
  private func wait(until isSo: () -> Bool) async throws {
    while !isSo() { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test func `a shared service is built once for all concurrent look-ups`() async throws {
    let container = Container()
    let built = Counter()
    container.register {
      built.add()
      try await Task.sleep(for: .milliseconds(20))
      return Database()
    }
    let databases = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
      for _ in 0..<50 { group.addTask { ObjectIdentifier(try await container.resolveAsync(Database.self)) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(databases.count == 1)
    #expect(built.value == 1)
  }

  @Test func `a builder awaits its dependencies through its resolver`() async throws {
    let container = Container()
    container.register(scope: .transient) { await Task { Database() }.value }
    container.register { resolver in Session(database: try await resolver.resolveAsync()) }
    let session = try await container.resolveAsync(Session.self)
    #expect(try await container.resolveAsync(Session.self).database === session.database)
    #expect(try await container.resolveAsync(Database.self) !== session.database)
    #expect(try await container.resolveAsync([Database].self).count == 1)
    #expect(try await container.resolveOptionalAsync(Session.self)?.database === session.database)
    #expect(try await container.resolveOptionalAsync(Int.self) == nil)
  }

  @Test func `a sync look-up of an unbuilt async service throws an error that names it`() async throws {
    let container = Container()
    container.register { await Task { Database() }.value }
    container.register { Session(database: try $0.resolve()) }
    func session() throws -> Session { try container.resolve() }
    let error = #expect(throws: ResolutionError.self) { try session() }
    #expect(error?.code == .needsAwait)
    #expect(error?.name == "Database")
    #expect(error?.chain.first == "Session")
    _ = try await container.resolveAsync(Database.self)
    _ = try session()
  }

  @Test func `a cancelled look-up does not affect the others`() async throws {
    let container = Container()
    let begun = Counter()
    let (gate, key) = AsyncStream<Void>.makeStream()
    container.register {
      begun.add()
      for await _ in gate { break }
      try Task.checkCancellation()
      return Database()
    }
    let first = Task { try await container.resolveAsync(Database.self) }
    let second = Task { try await container.resolveAsync(Database.self) }
    try await wait {
      container.waiterCounts == [2]
    }
    first.cancel()
    let error = await #expect(throws: ResolutionError.self) { try await first.value }
    #expect(error?.code == .cancelled)
    key.yield()
    _ = try await second.value
    #expect(begun.value == 1)
  }

  /// A service that only others retain.
  final class Part: Sendable {}

  /// A service that retains a deferred look-up.
  final class Whole: Sendable {
    let part: Lazy<Part>

    init(_ part: Lazy<Part>) { self.part = part }
  }

  @Test(arguments: [ServiceScope.shared, .weak], [ServiceScope.weak, .graph])
  func `what is built after the first look-up was cancelled is not retained`(
    whole: ServiceScope, part: ServiceScope
  ) async throws {
    let container = Container()
    let gate = Gate()
    let (wholeReference, partReference) = (WeakReference<Whole>(), WeakReference<Part>())
    container.register(scope: part) { Part() }
    container.register(scope: whole) { (resolver: Resolver) async throws in
      await gate.waitAsync()
      partReference.object = try resolver.resolve(Part.self)
      return Whole(try resolver.resolve())
    }
    let first = Task { try await container.resolveAsync(Whole.self) }
    try await wait { container.waiterCounts == [1] }
    let second = Task { wholeReference.object = try await container.resolveAsync(Whole.self) }
    try await wait { container.waiterCounts == [2] }
    first.cancel()
    _ = await first.result
    gate.open()
    try await second.value
    // The task of the builder may end a little later.
    func wasReleased() -> Bool { partReference.object == nil && (whole == .shared || wholeReference.object == nil) }
    for _ in 0..<1_000 where !wasReleased() { try await Task.sleep(for: .milliseconds(2)) }
    #expect(wasReleased())
  }

  @Test(.hangLimit)
  func `a builder gets the priority of a task that waits for it, directly or for another builder`() async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let container = Container()
    let gate = Gate()
    let priority = Locked(TaskPriority.background)
    container.register { () async throws in
      await gate.waitAsync()
      // Another task raises the priority.
      for _ in 0..<2_000 where Task.currentPriority < .high { try await Task.sleep(for: .milliseconds(1)) }
      priority.withLock { $0 = Task.currentPriority }
      return Database()
    }
    container.register { (resolver: Resolver) async throws in Session(database: try await resolver.resolveAsync()) }
    let low = Task.detached(priority: .medium) { try await container.resolveAsync(Session.self) }
    try await wait { container.waiterCounts == [1, 1] }
    let high = Task.detached(priority: .high) { try await container.resolveAsync(Session.self) }
    try await wait { container.waiterCounts.sorted() == [1, 2] }
    gate.open()
    _ = try await (low.value, high.value)
    #expect(priority.withLock { $0 } >= .high)
  }

  @Test(.hangLimit) func `a task of a build has a priority to which it was raised before it was set`() async {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    final class Key: InstanceKey {
      var registration: Registration? { nil }
    }
    let build = Build(of: Key(), in: nil, isAsync: true)
    build.task?.raisePriority(to: .high)
    let (gate, priority) = (Gate(), Locked(TaskPriority.background))
    let task = Task.detached(priority: .medium) {
      await gate.waitAsync()
      priority.withLock { $0 = Task.currentPriority }
    }
    build.task?.set(task)
    gate.open()
    await task.value
    #expect(priority.withLock { $0 } >= .high)
  }

  @Test func `cancelling the last waiting look-up cancels the builder, and a later one retries`() async throws {
    let container = Container()
    let (begun, cancelled) = (Counter(), Counter())
    container.register {
      if begun.add() == 1 {
        do { try await Task.sleep(for: .seconds(60)) } catch {
          cancelled.add()
          throw error
        }
      }
      return Database()
    }
    let task = Task { try await container.resolveAsync(Database.self) }
    try await wait { begun.value == 1 }
    task.cancel()
    _ = await task.result
    try await wait { cancelled.value == 1 }
    _ = try await container.resolveAsync(Database.self)
    #expect(begun.value == 2)
  }

  @Test func `a failing builder leaves no instance behind`() async throws {
    let container = Container()
    let tries = Counter()
    container.register {
      await Task.yield()
      if tries.add() == 1 { throw CancellationError() }
      return Database()
    }
    let error = await #expect(throws: ResolutionError.self) { try await container.resolveAsync(Database.self) }
    #expect(error?.code == .builderFailed)
    #expect(error?.underlyingError is CancellationError)
    _ = try await container.resolveAsync(Database.self)
  }

  @Test(arguments: [ServiceScope.shared, .transient])
  func `async services that need each other throw a cycle with its path`(lifetime: ServiceScope) async throws {
    let container = Container()
    container.register(Int.self, named: "a", scope: lifetime) { resolver in
      try await resolver.resolveAsync(Int.self, named: "b")
    }
    container.register(Int.self, named: "b", scope: lifetime) { resolver in
      await Task.yield()
      return try await resolver.resolveAsync(Int.self, named: "a")
    }
    let error = await #expect(throws: ResolutionError.self) { try await container.resolveAsync(Int.self, named: "a") }
    #expect(error?.code == .cycle)
    #expect(error?.path == ["a", "b", "a"])
  }

  @Test func `tasks that build dependencies of each other throw a cycle instead of deadlocking`() async throws {
    for _ in 0..<20 {
      let container = Container()
      for (name, other) in [("a", "b"), ("b", "a")] {
        container.register(Int.self, named: name) { _ in
          try await Task.sleep(for: .milliseconds(2))
          // Uses the container, not the resolver: a task-local value identifies the build.
          return try await container.resolveAsync(Int.self, named: other)
        }
      }
      async let first = Task { try await container.resolveAsync(Int.self, named: "a") }.result
      async let second = Task { try await container.resolveAsync(Int.self, named: "b") }.result
      for result in await [first, second] {
        let error = #expect(throws: ResolutionError.self) { try result.get() }
        #expect(error?.code == .cycle)
      }
      container.dispose()
    }
  }

  @Test func `async builders receive run-time arguments, many concurrently`() async throws {
    let container = Container()
    container.register(String.self, scope: .transient) { (resolver, number: Int, text: String) in
      await Task.yield()
      let separator = try await resolver.resolveAsync(Character.self)
      return "\(number)\(separator)\(text)"
    }
    container.register(Character.self, scope: .transient) { await Task { "-" }.value }
    container.register(Int.self, scope: .transient) { (_, text: String) in
      try await Task.sleep(for: .microseconds(1))
      guard let number = Int(text) else { throw CancellationError() }
      return number
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          let text = try await container.resolveAsync(String.self, arguments: number, "a")
          #expect(text == "\(number)-a")
          #expect(try await container.resolveAsync(Int.self, arguments: "\(number)") == number)
          await #expect(throws: ResolutionError.self) { try await container.resolveAsync(Int.self, arguments: "x") }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a main-actor service is built on the main actor`() async throws {
    let container = Container()
    container.register(on: MainActor.shared) { _ in Window() }
    let elsewhere = Task.detached { () -> ResolutionError.Code? in
      func look() -> ResolutionError.Code? {
        do { _ = try container.resolve(Window.self) } catch { return error.code }
        return nil
      }
      return look()
    }
    #expect(await elsewhere.value == .needsMainActor)
    let window = try await container.resolveAsync(Window.self)
    #expect(try await MainActor.run { try container.resolve(Window.self) } === window)
  }

  @Test func `an initializer on the main actor is called there`() async throws {
    let container = Container()
    container.autoregister(on: MainActor.shared, Window.init)
    let elsewhere = Task.detached { #expect(throws: ResolutionError.self) { try container.resolve(Window.self) } }
    #expect(await elsewhere.value?.code == .needsMainActor)
    let window = try await container.resolveAsync(Window.self)
    #expect(try await MainActor.run { try container.resolve(Window.self) } === window)
  }

  @Test func `an async initializer awaits its dependencies, and is refused without await`() async throws {
    struct Session: Sendable {
      let database: Database

      init(database: Database) async throws { self.database = database }
    }
    let container = Container()
    let built = Counter()
    container.register {
      built.add()
      await Task.yield()
      return Database()
    }
    container.autoregister(Session.init)
    #expect { try container.resolve(Session.self) } throws: { ($0 as? ResolutionError)?.code == .needsAwait }
    #expect(built.value == 0)
    let session = try await container.resolveAsync(Session.self)
    #expect(try container.resolve(Session.self).database === session.database)
    #expect(built.value == 1)
  }

  @Test @MainActor func `a main-actor service is looked up on the main actor without waiting`() throws {
    let container = Container()
    container.register(on: MainActor.shared, scope: .transient) { _ in Window() }
    container.register { Transferred(try $0.resolve(Window.self)) }
    #expect(try container.resolve(Window.self) !== container.resolve(Window.self))
    #expect(try container.resolve(Transferred<Window>.self).value !== container.resolve(Window.self))
  }

  @Test func `services of a module and their dependents can be async`() async throws {
    var registry = Registry()
    registry.add("Database") {
      await Task.yield()
      return Database()
    }
    registry.add("Session", .service("database", Database.self)) { database in Session(database: database) }
    for lifetime in ["shared", "transient", "graph", "weak"] {
      let container = try await Container(
        text: """
          { "configdi": 1, "module": "m", "services": {
            "database": { "type": "Database", "scope": "\(lifetime)" },
            "session": { "type": "Session", "scope": "transient", "inject": { "database": "database" } },
            "kept": { "type": "Session", "inject": { "database": "database" } }
          } }
          """,
        registry: registry)
      func look() throws -> Session { try container.resolve(named: "session") }
      #expect(throws: ResolutionError.self) { try look() }
      let first = try await container.resolveAsync(Session.self, named: "session")
      let second = try await container.resolveAsync(Session.self, named: "session")
      #expect((first.database === second.database) == (lifetime == "shared" || lifetime == "weak"))
      _ = try await container.resolveAsync(Session.self, named: "kept")
    }
  }

  @Test(.hangLimit, arguments: [0, 1])
  func `a weak service is built once for all concurrent look-ups`(milliseconds: Int) async throws {
    for _ in 0..<20 {
      let made = AtomicCounter()
      let container = Container()
      container.register(scope: .weak) { () async throws -> Node in
        // With and without a delay. Without one, the task may end before another caller waits for it.
        if milliseconds > 0 { try await Task.sleep(for: .milliseconds(milliseconds)) }
        return Node("\(made.next())")
      }
      let nodes = try await withThrowingTaskGroup(of: Node.self) { group in
        for _ in 0..<8 { group.addTask { try await container.resolveAsync(Node.self) } }
        return try await group.reduce(into: [Node]()) { $0.append($1) }
      }
      #expect(nodes.map(\.name) == Array(repeating: "1", count: 8))
    }
  }

  @Test func `the error names a closure that needs the main actor`() async throws {
    final class View: Sendable {
      init(_ window: Window) {}
    }
    let container = Container()
    container.register(on: MainActor.shared) { _ in Window() }
    container.register { View(try $0.resolve()) }
    let error = await #expect(throws: ResolutionError.self) {
      try await Task.detached { try await container.resolveAsync(View.self) }.value
    }
    #expect(error?.code == .needsMainActor)
    #expect(
      error?.description.hasPrefix(
        #"service "View" needs service "Window", which is built on the main actor; register "View" on the main actor"#)
        == true)
  }

  @Test func `the error names the closure above services that declare their arguments`() async throws {
    struct Part: Sendable {}
    struct Middle: Sendable { let part: Part }
    struct Whole: Sendable { let middle: Middle }
    let container = Container()
    container.register { () async in Part() }
    container.autoregister(Middle.init)
    container.register { Whole(middle: try $0.resolve()) }
    let error = await #expect(throws: ResolutionError.self) { try await container.resolveAsync(Whole.self) }
    let message = error?.description ?? ""
    let expected =
      #"service "Whole" needs service "Part", which is built asynchronously; make the builder of "Whole" asynchronous"#
    #expect(message.hasPrefix(expected), "\(message)")
    let direct = #expect(throws: ResolutionError.self) { try container.resolve(Middle.self) }
    #expect(direct?.description.contains(#"look "Middle" up with `resolveAsync`"#) == true)
  }

  @Test func `the error of a cycle is about the first service of its path`() async throws {
    struct First: Sendable {
      init(_ second: [Second]) {}
    }
    struct Second: Sendable {
      init(_ first: First?) {}
    }
    let container = Container()
    container.autoregister(First.init)
    container.autoregister(Second.init)
    let origin = try container.registration(of: First.self)?.origin
    let error = await #expect(throws: ResolutionError.self) { try await container.resolveAsync(First.self) }
    #expect(error?.code == .cycle)
    #expect(error?.path == ["First", "Second", "First"])
    #expect(error?.name == "First")
    #expect(error?.origin == origin)
    #expect(error?.description.hasPrefix("service \"First\" depends on itself\n") == true)
  }
}
