// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Synchronization
import Testing
import _ConfigDITestSupport

/// A service with an asynchronous disposal.
private final class Pool: AsyncDisposable {
  struct Failure: Error {}
  /// The way in which the disposal ends.
  enum Ending { case success, failure, delay, never }

  let name: String
  let journal: Journal
  let ending: Ending

  init(_ name: String, _ journal: Journal, _ ending: Ending = .success) {
    (self.name, self.journal, self.ending) = (name, journal, ending)
  }

  func disposeAsync() async throws {
    journal.note("close \(name)")
    switch ending {
    case .success: await Task.yield()
    case .failure: throw Failure()
    case .delay:
      do { try await Task.sleep(for: .seconds(600)) } catch {
        journal.note("cancelled \(name)")
        throw error
      }
    case .never: await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    journal.note("closed \(name)")
  }

  deinit { journal.note("gone \(name)") }
}

/// Calls a closure on a new thread. Returns a task that ends with it.
private func onOwnThread(_ body: @escaping @Sendable () throws -> Void) -> Task<Void, any Error> {
  let (results, continuation) = AsyncThrowingStream<Void, any Error>.makeStream()
  Thread.detachNewThread {
    do {
      try body()
      continuation.finish()
    } catch { continuation.finish(throwing: error) }
  }
  return Task { for try await _ in results {} }
}

@Suite struct ShutdownTests {
  private let journal = Journal()

  /// Creates a container with the pools `p0`, `p1` and so on, built in this order.
  private func container(_ endings: [Pool.Ending]) throws -> Container {
    let container = Container(scopes: ["request"])
    for (number, ending) in endings.enumerated() {
      container.register(named: "p\(number)", onDispose: { [journal] in journal.note("dispose \($0.name)") }) {
        [journal] in Pool("p\(number)", journal, ending)
      }
      _ = try container.resolve(Pool.self, named: "p\(number)")
    }
    return container
  }

  @Test(arguments: [false, true])
  func `shutdown waits for a scope that another thread is closing, until the deadline`(isLate: Bool) async throws {
    let container = try container([.success, .success])
    let (begun, finish) = (Gate(), Gate())
    container.register(
      named: "request", scope: .scope("request"),
      onDispose: { _ in
        begun.open()
        finish.wait()
      }
    ) { [journal] in Pool("request", journal) }
    let scope = try container.openScope("request")
    _ = try scope.resolve(Pool.self, named: "request")
    Thread.detachNewThread { scope.close() }
    await begun.waitAsync()
    if isLate {
      // The thread that closes the scope disposes of the remaining instances without `await`.
      let error = await #expect(throws: ShutdownError.self) {
        try await container.shutdown(within: .milliseconds(20))
      }
      let failures = (error?.failures ?? []).map { "\($0.id): \($0.reason)" }
      #expect(failures == ["p1: the deadline came before its turn", "p0: the deadline came before its turn"])
      #expect(!journal.entries.contains("dispose p0"))
      finish.open()
      while !journal.entries.contains("dispose p0") { try await Task.sleep(for: .milliseconds(1)) }
      #expect(!journal.entries.contains("close p0"))
    } else {
      let shutdown = Task(priority: .high) { try await container.shutdown() }
      while (try? container.resolve(Pool.self, named: "p0")) != nil { try await Task.sleep(for: .milliseconds(1)) }
      #expect(!journal.entries.contains("close p0"))
      finish.open()
      try await shutdown.value
      #expect(journal.entries.suffix(4) == ["close p0", "closed p0", "dispose p0", "gone p0"])
    }
  }

  @Test func `a dispose action of a child may shut the parent down`() async throws {
    /// A service that shuts a container down when it is disposed of.
    final class Last: AsyncDisposable {
      let container: Container
      init(_ container: Container) { self.container = container }
      func disposeAsync() async throws { try await container.shutdown() }
    }
    let parent = try container([.success])
    let child = Container(parent: parent)
    child.register { Last(parent) }
    _ = try child.resolve(Last.self)
    try await child.shutdown()
    #expect(throws: ResolutionError.self) { try parent.resolve(Pool.self, named: "p0") }
    // The nested call leaves the rest of the shutdown to the outer call, which awaits it as well.
    #expect(journal.entries == ["close p0", "closed p0", "dispose p0", "gone p0"])
  }

  @Test(.hangLimit, arguments: [false, true])
  func `an instance whose build outlives its look-up is closed asynchronously`(isCancelled: Bool) async throws {
    /// A service that records whether the task of its disposal is cancelled.
    final class Late: AsyncDisposable {
      let journal: Journal
      init(_ journal: Journal) { self.journal = journal }
      func disposeAsync() async { journal.note("close, cancelled: \(Task.isCancelled)") }
      deinit { journal.note("gone") }
    }
    let container = Container()
    let (begun, finish) = (Gate(), Gate())
    container.register(onDispose: { [journal] (_: Late) in journal.note("dispose") }) { [journal] () async in
      begun.open()
      await finish.waitAsync()
      return Late(journal)
    }
    let lookUp = Task { try await container.resolveAsync(Late.self) }
    await begun.waitAsync()
    if isCancelled {
      lookUp.cancel()
    } else {
      let error = await #expect(throws: ShutdownError.self) {
        try await container.shutdown(within: .milliseconds(20))
      }
      #expect(error?.failures.map { "\($0.reason)" } == ["its builder had not ended at the deadline"])
    }
    let error = await #expect(throws: ResolutionError.self) { try await lookUp.value }
    #expect(error?.code == (isCancelled ? .cancelled : .closed))
    finish.open()
    while !journal.entries.contains("gone") { try await Task.sleep(for: .milliseconds(1)) }
    #expect(journal.entries == ["close, cancelled: false", "dispose", "gone"])
  }

  /// Whether a thread or a task builds an instance during a shutdown, and in the container or in a scope.
  @Test(.hangLimit, arguments: [false, true], [ServiceScope.shared, .scope("request")])
  func `a shutdown waits for running builders, and closes what they return first`(
    isAsync: Bool, scope: ServiceScope
  ) async throws {
    let container = try container([.success])
    let (begun, finish) = (Gate(), Gate())
    if isAsync {
      container.register(
        named: "late", scope: scope, onDispose: { [journal] (pool: Pool) in journal.note("dispose \(pool.name)") }
      ) {
        [journal] () async in
        begun.open()
        await finish.waitAsync()
        return Pool("late", journal, .failure)
      }
    } else {
      container.register(
        named: "late", scope: scope, onDispose: { [journal] (pool: Pool) in journal.note("dispose \(pool.name)") }
      ) {
        [journal] in
        begun.open()
        finish.wait()
        return Pool("late", journal, .failure)
      }
    }
    let request = try container.openScope("request")
    let lookUp =
      isAsync
      ? Task { _ = try await request.resolveAsync(Pool.self, named: "late") }
      : onOwnThread { _ = try request.resolve(Pool.self, named: "late") }
    await begun.waitAsync()
    let shutdown = Task { try await container.shutdown() }
    while request.isOpen { try await Task.sleep(for: .milliseconds(1)) }
    #expect(!journal.entries.contains("close p0"))
    finish.open()
    let error = await #expect(throws: ShutdownError.self) { try await shutdown.value }
    #expect(error?.failures.map(\.id) == ["late"])
    let closed = await #expect(throws: ResolutionError.self) { try await lookUp.value }
    #expect(closed?.code == .closed)
    let order = ["close late", "dispose late", "close p0", "closed p0", "dispose p0"]
    #expect(journal.entries.filter { order.contains($0) } == order)
  }

  /// The reasons why nobody waits for a build any more.
  enum Abandonment: CaseIterable { case cancelled, reset, replaced }

  @Test(.hangLimit, arguments: Abandonment.allCases)
  func `a shutdown waits for builders whose instances are not wanted any more`(reason: Abandonment) async throws {
    let container = try container([.success])
    let (begun, finish) = (Gate(), Gate())
    let isFirst = AtomicCounter()
    container.register(named: "late", onDispose: { [journal] (pool: Pool) in journal.note("dispose \(pool.name)") }) {
      [journal] () async in
      guard isFirst.next() == 1 else { return Pool("second", journal) }
      begun.open()
      await finish.waitAsync()
      return Pool("late", journal)
    }
    let lookUp = Task { try await container.resolveAsync(Pool.self, named: "late") }
    await begun.waitAsync()
    switch reason {
    case .cancelled:
      lookUp.cancel()
      await #expect(throws: ResolutionError.self) { _ = try await lookUp.value }
    case .reset:
      container.reset()
      #expect(try await lookUp.value.name == "second")
      _ = try container.resolve(Pool.self, named: "p0")
    case .replaced:
      container.register(named: "late") { [journal] in Pool("second", journal) }
      #expect(try await lookUp.value.name == "second")
    }
    let request = try container.openScope("request")
    let before = journal.entries.count
    let shutdown = Task { try await container.shutdown() }
    while request.isOpen { try await Task.sleep(for: .milliseconds(1)) }
    for _ in 0..<100 { await Task.yield() }
    #expect(!journal.entries.dropFirst(before).contains("close p0"))
    finish.open()
    try await shutdown.value
    let order = ["close late", "dispose late", "close p0", "dispose p0"]
    #expect(journal.entries.dropFirst(before).filter { order.contains($0) } == order)
  }

  @Test(.hangLimit, arguments: [false, true])
  func `a builder may shut down a parent while a shutdown waits for the builder`(isInScope: Bool) async throws {
    let parent = try container([.success])
    let child = Container(parent: parent)
    let (begun, finish) = (Gate(), Gate())
    child.register(named: "late", scope: isInScope ? .scope("request") : .shared) {
      [journal, unowned parent] () async throws in
      begun.open()
      await finish.waitAsync()
      try await parent.shutdown()
      return Pool("late", journal)
    }
    let scope = try child.openScope("request")
    let lookUp = Task { _ = try await scope.resolveAsync(Pool.self, named: "late") }
    await begun.waitAsync()
    let shutdown = Task { try await child.shutdown() }
    while scope.isOpen { try await Task.sleep(for: .milliseconds(1)) }
    finish.open()
    try await shutdown.value
    await #expect(throws: ResolutionError.self) { try await lookUp.value }
    while !journal.entries.contains("gone p0") { try await Task.sleep(for: .milliseconds(1)) }
    #expect(journal.entries.count { $0 == "dispose p0" } == 1)
  }

  @Test(.hangLimit, arguments: [false, true])
  func `a builder may shut its own container down`(isNested: Bool) async throws {
    let container = try container([.success])
    container.register(named: "inner", onDispose: { [journal] (pool: Pool) in journal.note("dispose \(pool.name)") }) {
      [journal, unowned container] () async throws in
      try await container.shutdown()
      return Pool("inner", journal)
    }
    container.register(named: "outer") { [journal] (resolver: Resolver) async throws in
      _ = try await resolver.resolveAsync(Pool.self, named: "inner")
      return Pool("outer", journal)
    }
    let error = await #expect(throws: ResolutionError.self) {
      _ = try await container.resolveAsync(Pool.self, named: isNested ? "outer" : "inner")
    }
    #expect(error?.code == .closed)
    while !journal.entries.contains("dispose inner") { try await Task.sleep(for: .milliseconds(1)) }
    #expect(journal.entries.count { $0 == "closed p0" } == 1)
    #expect(journal.entries.count { $0 == "close inner" } == 1)
  }

  @Test func `given instances are not closed by the container`() async throws {
    var registry = Registry()
    registry.given("Pool", Pool.self, onDispose: { [journal] in journal.note("dispose \($0.name)") })
    let module = #"{ "configdi": 1, "module": "m", "services": { "pool": { "type": "Pool" } } }"#
    let pool = Pool("given", journal)
    let container = try await Container(text: module, registry: registry, given: pool)
    try await container.shutdown()
    #expect(journal.entries == ["dispose given"])
  }

  @Test func instancesAreAwaitedInReverseOrder() async throws {
    let container = try container([.success, .success])
    try await container.shutdown()
    #expect(
      journal.entries == [
        "close p1", "closed p1", "dispose p1", "gone p1", "close p0", "closed p0", "dispose p0", "gone p0",
      ])
    #expect(throws: ResolutionError.self) { try container.resolve(Pool.self, named: "p0") }
  }

  @Test func disposeDoesNotAwait() async throws {
    let container = try container([.success])
    container.dispose()
    #expect(journal.entries == ["dispose p0", "gone p0"])
    try await container.shutdown()
    #expect(journal.entries == ["dispose p0", "gone p0"])
  }

  @Test func openScopesAndChildrenAreClosedFirst() async throws {
    let container = try container([.success])
    container.register(scope: .scope("request")) { [journal] in Pool("scoped", journal) }
    let scope = try container.openScope("request")
    _ = try scope.resolve(Pool.self)
    let child = Container(parent: container)
    child.register(named: "child") { [journal] in Pool("child", journal) }
    _ = try child.resolve(Pool.self, named: "child")
    try await container.shutdown()
    #expect(journal.entries.filter { $0.hasPrefix("close ") } == ["close child", "close scoped", "close p0"])
    #expect(!scope.isOpen)
    #expect(throws: ResolutionError.self) { try child.resolve(Pool.self, named: "child") }
  }

  @Test func aFailureDoesNotStopTheOtherDisposals() async throws {
    let container = try container([.success, .failure, .success])
    let error = await #expect(throws: ShutdownError.self) { try await container.shutdown() }
    #expect(error?.failures.map(\.id) == ["p1"])
    #expect(error?.description == "service \"p1\" was not disposed of: Failure()")
    #expect(journal.entries.filter { $0.hasPrefix("gone") } == ["gone p2", "gone p1", "gone p0"])
  }

  @Test(.hangLimit) func theDeadlineEndsTheWait() async throws {
    let expected = [
      "p1: it had not ended at the deadline", "p0: the deadline came before its turn", "dispose p1", "dispose p0",
    ]
    let found = try await withIncreasingLimit(from: .milliseconds(500), until: expected) { limit in
      let test = ShutdownTests()
      let error = await #expect(throws: ShutdownError.self) {
        try await test.container([.success, .delay]).shutdown(within: limit)
      }
      let failures = (error?.failures ?? []).map { "\($0.id): \($0.reason)" }
      let disposals = test.journal.entries.filter { $0.hasPrefix("dispose") }
      if failures == Array(expected[..<2]) {
        while !test.journal.entries.contains("cancelled p1") { try await Task.sleep(for: .milliseconds(1)) }
      }
      return failures + disposals
    }
    #expect(found == expected)
  }

  @Test func aDisposalThatNeverEndsIsNotWaitedFor() async throws {
    let container = try container([.never])
    let error = await #expect(throws: ShutdownError.self) { try await container.shutdown(within: .milliseconds(50)) }
    #expect(error?.failures.map(\.id) == ["p0"])
  }

  @Test(.hangLimit) func `instances behind a scope that another call is closing are reported`() async throws {
    let (closing, finish) = (Gate(), Gate())
    defer { finish.open() }
    let container = Container(scopes: ["request"])
    container.register(onDispose: { [journal] (_: Double) in journal.note("dispose shared") }) { 0.5 }
    container.register { true }
    container.register(scope: .scope("request")) {
      Closing {
        closing.open()
        await finish.waitAsync()
      }
    }
    _ = try (container.resolve(Double.self), container.resolve(Bool.self))
    let scope = try container.openScope("request")
    _ = try scope.resolve(Closing.self)
    let end = Task { try await scope.closeAsync() }
    await closing.waitAsync()
    let error = await #expect(throws: ShutdownError.self) { try await container.shutdown(within: .milliseconds(20)) }
    #expect(error?.failures.map { "\($0.reason)" } == ["the deadline came before its turn"])
    finish.open()
    try await end.value
    while !journal.entries.contains("dispose shared") { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test func lookUpsThrowDuringShutdown() async throws {
    let container = Container()
    let journal = journal
    final class LookUpOnDispose: AsyncDisposable {
      let lookUp: @Sendable () -> Void
      init(_ lookUp: @escaping @Sendable () -> Void) { self.lookUp = lookUp }
      func disposeAsync() async { lookUp() }
    }
    let lookUp: @Sendable () -> Void = { [unowned container] in
      do throws(ResolutionError) {
        _ = try container.resolve(Int.self)
        journal.note("found")
      } catch { journal.note("\(error.code)") }
    }
    container.register { LookUpOnDispose(lookUp) }
    container.register(instance: 7)
    _ = try container.resolve(LookUpOnDispose.self)
    _ = try container.resolve(Int.self)
    try await container.shutdown()
    #expect(journal.entries == ["closed"])
  }

  @Test(.hangLimit) func concurrentShutdowns() async throws {
    for _ in 0..<20 {
      let journal = Journal()
      let container = Container()
      for number in 0..<5 {
        container.register(named: "\(number)") { Pool("\(number)", journal) }
        _ = try container.resolve(Pool.self, named: "\(number)")
      }
      await withTaskGroup { group in
        for turn in 0..<6 {
          group.addTask {
            if turn.isMultiple(of: 2) { try? await container.shutdown() } else { container.dispose() }
            _ = try? container.resolve(Pool.self, named: "0")
          }
        }
      }
      // The first caller has disposed of all instances, each exactly once.
      while journal.entries.count(where: { $0.hasPrefix("gone") }) < 5 { try await Task.sleep(for: .milliseconds(1)) }
      #expect(Set(journal.entries).count == journal.entries.count)
    }
  }

  @Test func `a limit may be any duration`() async throws {
    let container = try container([.success, .success])
    try await container.shutdown(within: .seconds(Int64.max))
    #expect(journal.entries.filter { $0.hasPrefix("closed") } == ["closed p1", "closed p0"])
  }

  /// A service whose disposal runs a closure.
  private final class Closing: AsyncDisposable {
    let action: @Sendable () async throws -> Void

    init(_ action: @escaping @Sendable () async throws -> Void) { self.action = action }

    func disposeAsync() async throws { try await action() }
  }

  @Test(.hangLimit) func `a disposal may close the scope around its own and then shut the container down`() async throws
  {
    let container = Container(scopes: ["session", "request"])
    let session = try container.openScope("session")
    container.register(scope: .scope("request")) { [journal, unowned container, unowned session] in
      Closing {
        try await session.closeAsync()
        try await container.shutdown()
        journal.note("request")
      }
    }
    container.register(named: "last", onDispose: { [journal] _ in journal.note("container") }) { 7 }
    _ = try container.resolve(Int.self, named: "last")
    let request = try session.openScope("request")
    _ = try request.resolve(Closing.self)
    try await request.closeAsync()
    #expect(journal.entries == ["request", "container"])
  }

  @Test(.hangLimit) func `a scope that is released while the container shuts down is closed with await`() async throws {
    let container = Container(scopes: ["request"])
    container.register(scope: .scope("request")) { [journal] in Closing { journal.note("close") } }
    let scope = Locked<Scope?>(try container.openScope("request"))
    _ = try scope.withLock { try $0?.resolve(Closing.self) }
    try await PausePoint.$hook.withValue({ point in
      // The container is closed, and its scopes are not yet.
      if point == .taken { _ = scope.withLock { $0.take() } }
    }) { try await container.shutdown() }
    #expect(journal.entries == ["close"])
  }

  @Test(.hangLimit) func `the disposal of a product that nobody waits for may shut the container down`() async throws {
    let (container, begun, finish, ended) = (Container(), Gate(), Gate(), Gate())
    container.register { [unowned container] () async throws in
      begun.open()
      await finish.waitAsync()
      return Closing {
        try await container.shutdown()
        ended.open()
      }
    }
    let lookUp = Task { try await container.resolveAsync(Closing.self) }
    await begun.waitAsync()
    lookUp.cancel()
    _ = try? await lookUp.value
    finish.open()
    await ended.waitAsync()
  }
}
