// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Testing
import _ConfigDITestSupport

/// A wait that would never end is detected and thrown as a cycle, whatever threads and tasks wait for one another.
@Suite struct CircularWaitTests {
  /// A service of a cycle.
  final class Left: Sendable {}
  /// A service of a cycle.
  final class Right: Sendable {}
  /// A service of a cycle.
  final class Third: Sendable {}

  /// A value that is set once, before it is read.
  final class Later<Value: Sendable>: @unchecked Sendable {
    // Unchecked: `value` is set before the reading threads start, or before the gate opens for which the reader waits.
    /// The value, or `nil` if it is not set.
    var value: Value?

    /// Creates an object without a value.
    init() {}

    /// Returns the value, which must be set.
    func get() throws -> Value { try #require(value) }
  }

  /// Runs look-ups on new threads. Expects that all end, at least one fails, and each failure is a cycle error.
  ///
  /// - Parameter names: The names that the message of each error must contain.
  private func expectCycle(
    naming names: [String] = [], sourceLocation: SourceLocation = #_sourceLocation,
    _ looks: (@Sendable () throws -> any Sendable)...
  ) async throws {
    let failures = try await withWatchdog(sourceLocation: sourceLocation) {
      let failures = Journal<any Error>()
      onThreads(looks.count) { index in
        do { _ = try looks[index]() } catch { failures.note(error) }
      }
      return failures.entries
    }
    check(failures, naming: names, sourceLocation)
  }

  /// Runs asynchronous look-ups in new tasks, with the same expectations.
  private func expectCycleAsync(
    naming names: [String] = [], sourceLocation: SourceLocation = #_sourceLocation,
    _ looks: (@Sendable () async throws -> any Sendable)...
  ) async throws {
    let failures = try await withAsyncWatchdog(sourceLocation: sourceLocation) {
      await withTaskGroup(of: (any Error)?.self) { group in
        for look in looks {
          group.addTask {
            do {
              _ = try await look()
              return nil
            } catch { return error }
          }
        }
        return await group.reduce(into: [any Error]()) { if let error = $1 { $0.append(error) } }
      }
    }
    check(failures, naming: names, sourceLocation)
  }

  /// Expects that the failures of look-ups are cycle errors.
  private func check(_ failures: [any Error]?, naming names: [String], _ sourceLocation: SourceLocation) {
    // `nil` means that the look-ups did not end, which the watchdog has recorded.
    guard let failures else { return }
    #expect(!failures.isEmpty, "none of the look-ups fails", sourceLocation: sourceLocation)
    for failure in failures {
      let error = failure as? ResolutionError
      #expect(error?.innermost.code == .cycle, "\(failure)", sourceLocation: sourceLocation)
      for name in names {
        #expect("\(failure)".contains(name), "\(failure)", sourceLocation: sourceLocation)
      }
    }
  }

  /// Blocks the calling thread until a task has ended, like code that bridges synchronous and asynchronous code.
  private static func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let (end, result) = (Gate(), Later<Result<Value, any Error>>())
    Task(priority: .aboveOtherTests) {
      do { result.value = .success(try await body()) } catch { result.value = .failure(error) }
      end.open()
    }
    end.wait(seconds: 600)
    return try result.get().get()
  }

  // MARK: - Threads

  /// Two services of one container depend on each other; two threads look them up.
  @Test func twoServicesOfOneContainer() async throws {
    let container = Container()
    let barrier = Barrier(count: 2)
    container.register(Left.self) { resolver in
      barrier.wait()
      _ = try resolver.resolve(Right.self)
      return Left()
    }
    container.register(Right.self) { resolver in
      barrier.wait()
      _ = try resolver.resolve(Left.self)
      return Right()
    }
    try await expectCycle(
      naming: ["Left", "Right"], { try container.resolve(Left.self) }, { try container.resolve(Right.self) })
  }

  /// Services of two containers depend on each other; two threads look them up.
  @Test func twoContainers() async throws {
    let (one, other) = (Container(), Container())
    let barrier = Barrier(count: 2)
    one.register(Left.self) { [unowned other] in
      barrier.wait()
      _ = try other.resolve(Right.self)
      return Left()
    }
    other.register(Right.self) { [unowned one] in
      barrier.wait()
      _ = try one.resolve(Left.self)
      return Right()
    }
    try await expectCycle(
      naming: ["Left", "Right"], { try one.resolve(Left.self) }, { try other.resolve(Right.self) })
  }

  /// Services of three containers form a cycle; three threads look them up.
  @Test func threeContainersAndThreeThreads() async throws {
    let (first, second, third) = (Container(), Container(), Container())
    let barrier = Barrier(count: 3)
    first.register(Left.self) { [unowned second] in
      barrier.wait()
      _ = try second.resolve(Right.self)
      return Left()
    }
    second.register(Right.self) { [unowned third] in
      barrier.wait()
      _ = try third.resolve(Third.self)
      return Right()
    }
    third.register(Third.self) { [unowned first] in
      barrier.wait()
      _ = try first.resolve(Left.self)
      return Third()
    }
    try await expectCycle(
      naming: ["Left", "Right", "Third"], { try first.resolve(Left.self) }, { try second.resolve(Right.self) },
      { try third.resolve(Third.self) })
  }

  /// A service of a parent uses a child, whose service depends on it; two threads look them up.
  @Test func aParentAndItsChild() async throws {
    let parent = Container()
    let child = Container(parent: parent)
    let barrier = Barrier(count: 2)
    parent.register(Left.self) { [unowned child] in
      barrier.wait()
      _ = try child.resolve(Right.self)
      return Left()
    }
    child.register(Right.self) { resolver in
      barrier.wait()
      _ = try resolver.resolve(Left.self)
      return Right()
    }
    try await expectCycle(
      naming: ["Left", "Right"], { try parent.resolve(Left.self) }, { try child.resolve(Right.self) })
  }

  /// Services of open scopes of two containers depend on each other; two threads look them up.
  @Test func scopesOfTwoContainers() async throws {
    let containers = [Container(scopes: ["request"]), Container(scopes: ["request"])]
    let scopes = try containers.map { try $0.openScope("request") }
    let barrier = Barrier(count: 2)
    containers[0].register(Left.self, scope: .scope("request")) { [unowned other = scopes[1]] in
      barrier.wait()
      _ = try other.resolve(Right.self)
      return Left()
    }
    containers[1].register(Right.self, scope: .scope("request")) { [unowned other = scopes[0]] in
      barrier.wait()
      _ = try other.resolve(Left.self)
      return Right()
    }
    try await expectCycle(
      naming: ["Left", "Right"], { try scopes[0].resolve(Left.self) }, { try scopes[1].resolve(Right.self) })
  }

  /// The closures of two `Lazy` values outside any container use each other; two threads use them.
  @Test func twoStandaloneLazyValues() async throws {
    let (left, right) = (Later<Lazy<Left>>(), Later<Lazy<Right>>())
    let barrier = Barrier(count: 2)
    left.value = Lazy {
      barrier.wait()
      _ = try right.get().get()
      return Left()
    }
    right.value = Lazy {
      barrier.wait()
      _ = try left.get().get()
      return Right()
    }
    try await expectCycle({ try left.get().get() }, { try right.get().get() })
  }

  /// A `Lazy` value outside any container and a service use each other, on two threads.
  @Test func aStandaloneLazyValueAndAContainer() async throws {
    let container = Container()
    let barrier = Barrier(count: 2)
    let lazy = Lazy { [unowned container] in
      barrier.wait()
      _ = try container.resolve(Left.self)
      return Right()
    }
    container.register(Left.self) {
      barrier.wait()
      _ = try lazy.get()
      return Left()
    }
    try await expectCycle(naming: ["Left"], { try lazy.get() }, { try container.resolve(Left.self) })
  }

  /// A `LazyInjected` property and a service of another container use each other, on two threads.
  @Test func aLazilyInjectedPropertyAndAContainer() async throws {
    let (one, other) = (Container(), Container())
    let barrier = Barrier(count: 2)
    let property = LazyInjected<Left>(from: one)
    one.register(Left.self) { [unowned other] in
      barrier.wait()
      _ = try other.resolve(Right.self)
      return Left()
    }
    other.register(Right.self) { [lazy = property.projectedValue] in
      barrier.wait()
      _ = try lazy.get()
      return Right()
    }
    try await expectCycle(
      naming: ["Left", "Right"], { try property.projectedValue.get() }, { try other.resolve(Right.self) })
  }

  // MARK: - Tasks

  /// Async services of two containers depend on each other; two tasks look them up.
  @Test func twoContainersInTasks() async throws {
    let (one, other) = (Container(), Container())
    let barrier = Barrier(count: 2)
    one.register(Left.self) { [unowned other] () async throws in
      await barrier.waitAsync()
      _ = try await other.resolveAsync(Right.self)
      return Left()
    }
    other.register(Right.self) { [unowned one] () async throws in
      await barrier.waitAsync()
      _ = try await one.resolveAsync(Left.self)
      return Right()
    }
    try await expectCycleAsync(
      naming: ["Left", "Right"], { try await one.resolveAsync(Left.self) }, { try await other.resolveAsync(Right.self) }
    )
  }

  /// A `LazyInjected` property of an async service and an async service of another container use each other, in two
  /// tasks.
  @Test func aLazilyInjectedPropertyInTasks() async throws {
    let (one, other) = (Container(), Container())
    let barrier = Barrier(count: 2)
    let property = LazyInjected<Left>(from: one).projectedValue
    one.register(Left.self) { [unowned other] () async throws in
      await barrier.waitAsync()
      _ = try await other.resolveAsync(Right.self)
      return Left()
    }
    other.register(Right.self) { () async throws in
      await barrier.waitAsync()
      _ = try await property.getAsync()
      return Right()
    }
    try await expectCycleAsync(
      naming: ["Left", "Right"], { try await property.getAsync() }, { try await other.resolveAsync(Right.self) })
  }

  /// A service built on a thread and an async service of another container depend on each other: both look-ups end.
  @Test func aThreadAndATask() async throws {
    let (one, other) = (Container(), Container())
    let barrier = Barrier(count: 2)
    one.register(Left.self) { [unowned other] in
      barrier.wait()
      _ = try other.resolve(Right.self)
      return Left()
    }
    other.register(Right.self) { [unowned one] () async throws in
      await barrier.waitAsync()
      _ = try await one.resolveAsync(Left.self)
      return Right()
    }
    let codes = try await withWatchdog { () -> [ResolutionError.Code?] in
      let awaited = Later<ResolutionError.Code>()
      let end = Gate()
      Task.detached(priority: .aboveOtherTests) {
        awaited.value = try? await failureAsync { try await other.resolveAsync(Right.self) }?.innermost.code
        end.open()
      }
      let code = try failure { try one.resolve(Left.self) }?.innermost.code
      end.wait(seconds: 120)
      return [code, awaited.value]
    }
    // The look-up of the thread throws instead of waiting for an async build. Then the other look-up fails, too.
    let documented: [ResolutionError.Code?] = [.needsAwait, .cycle]
    for code in codes ?? [] { #expect(documented.contains(code)) }
  }

  // MARK: - Builders that wait for tasks

  /// A builder blocks its thread until a task ends that looks up the same service in the captured container.
  @Test(arguments: [false, true])
  func aBuilderThatBlocksOnATaskThatNeedsItsService(isAwaiting: Bool) async throws {
    let container = Container()
    container.register(Left.self) { [unowned container] in
      try CircularWaitTests.wait {
        if isAwaiting { return try await container.resolveAsync(Left.self) }
        return try withoutAwaiting { try container.resolve(Left.self) }
      }
    }
    try await expectCycle(naming: ["Left"], { try container.resolve(Left.self) })
  }

  /// A builder blocks its thread until a task ends that looks up a second service, whose builder depends on the first.
  @Test(arguments: [false, true])
  func aBuilderThatBlocksOnATaskThatNeedsItsServiceIndirectly(isAwaiting: Bool) async throws {
    let container = Container()
    container.register(Left.self) { [unowned container] in
      try CircularWaitTests.wait {
        if isAwaiting {
          _ = try await container.resolveAsync(Right.self)
        } else {
          _ = try withoutAwaiting { try container.resolve(Right.self) }
        }
        return Left()
      }
    }
    container.register(Right.self) { resolver in
      _ = try resolver.resolve(Left.self)
      return Right()
    }
    try await expectCycle(naming: ["Left", "Right"], { try container.resolve(Left.self) })
  }

  /// A builder blocks on a task that uses a service of another container, whose builder depends on the first service.
  @Test func aBuilderThatBlocksOnATaskOfAnotherContainer() async throws {
    let (one, other) = (Container(), Container())
    one.register(Left.self) { [unowned other] in
      try CircularWaitTests.wait {
        _ = try withoutAwaiting { try other.resolve(Right.self) }
        return Left()
      }
    }
    other.register(Right.self) { [unowned one] in
      _ = try one.resolve(Left.self)
      return Right()
    }
    try await expectCycle(naming: ["Left", "Right"], { try one.resolve(Left.self) })
  }

  /// An async builder awaits a task that looks up the same service in the captured container.
  @Test(arguments: [false, true])
  func anAsyncBuilderThatAwaitsATaskThatNeedsItsService(isChild: Bool) async throws {
    let container = Container()
    container.register(Left.self) { [unowned container] () async throws in
      if isChild {
        async let left = container.resolveAsync(Left.self)
        return try await left
      }
      return try await Task { try await container.resolveAsync(Left.self) }.value
    }
    try await expectCycleAsync(naming: ["Left"], { try await container.resolveAsync(Left.self) })
  }

  /// An async builder awaits a task that looks up a service of another container, whose async builder awaits a task
  /// that needs the first service.
  @Test func anAsyncBuilderThatAwaitsATaskOfAnotherContainer() async throws {
    let (one, other) = (Container(), Container())
    one.register(Left.self) { [unowned other] () async throws in
      _ = try await Task { try await other.resolveAsync(Right.self) }.value
      return Left()
    }
    other.register(Right.self) { [unowned one] () async throws in
      _ = try await Task { try await one.resolveAsync(Left.self) }.value
      return Right()
    }
    try await expectCycleAsync(naming: ["Left", "Right"], { try await one.resolveAsync(Left.self) })
  }

  /// The closure of a `Lazy` value outside any container blocks on a task that uses the value.
  @Test func aLazyValueThatBlocksOnATaskThatUsesIt() async throws {
    let lazy = Later<Lazy<Left>>()
    lazy.value = Lazy {
      try CircularWaitTests.wait {
        try withoutAwaiting { try lazy.get().get() }
      }
    }
    try await expectCycle({ try lazy.get().get() })
  }

  /// A builder that blocks on a task which needs only another service is no cycle.
  @Test func aBuilderThatBlocksOnATaskThatNeedsAnotherService() async throws {
    let container = Container()
    container.register { Right() }
    container.register(Left.self) { [unowned container] in
      try CircularWaitTests.wait {
        _ = try await container.resolveAsync(Right.self)
        return Left()
      }
    }
    let isFound = try await withWatchdog {
      _ = try container.resolve(Left.self)
      return true
    }
    #expect(isFound == true)
  }
}
