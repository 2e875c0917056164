// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Testing
import _ConfigDITestSupport

/// A wait that cannot end is found and thrown with the circle, wherever those who wait for one another run.
@Suite struct CircularWaitTests {
  /// One of the services that need each other.
  final class Left: Sendable {}
  /// One of the services that need each other.
  final class Right: Sendable {}
  /// One of the services that need each other.
  final class Third: Sendable {}

  /// A value that is set once, before threads begin.
  final class Later<Value: Sendable>: @unchecked Sendable {
    // Unchecked: written before the threads begin that read it.
    /// The value.
    var value: Value?

    /// No value.
    init() {}

    /// The value.
    func get() throws -> Value { try #require(value) }
  }

  /// Runs look-ups on threads of their own, and expects that all end, that one fails at least, and that each that fails tells
  /// a circle.
  ///
  /// - Parameter names: what the message of each error has to name.
  private func expectCircle(
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

  /// Runs awaiting look-ups in tasks of their own, and expects the same.
  private func expectCircleAsync(
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

  /// Expects that look-ups which have ended tell a circle.
  private func check(_ failures: [any Error]?, naming names: [String], _ sourceLocation: SourceLocation) {
    // Otherwise they have not ended, which is recorded.
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

  /// Waits for a task on the calling thread, as code does that bridges two worlds.
  private static func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let (end, result) = (Gate(), Later<Result<Value, any Error>>())
    Task(priority: .beforeOthers) {
      do { result.value = .success(try await body()) } catch { result.value = .failure(error) }
      end.open()
    }
    end.wait(seconds: 600)
    return try result.get().get()
  }

  // MARK: - Threads

  /// Two services of one container that need each other, from two threads.
  @Test func twoServicesOfOneContainer() async throws {
    let container = Container()
    let meeting = Meeting(of: 2)
    container.register(Left.self) { resolver in
      meeting.attend()
      _ = try resolver.resolve(Right.self)
      return Left()
    }
    container.register(Right.self) { resolver in
      meeting.attend()
      _ = try resolver.resolve(Left.self)
      return Right()
    }
    try await expectCircle(
      naming: ["Left", "Right"], { try container.resolve(Left.self) }, { try container.resolve(Right.self) })
  }

  /// Services of two containers that need each other, from two threads.
  @Test func twoContainers() async throws {
    let (one, other) = (Container(), Container())
    let meeting = Meeting(of: 2)
    one.register(Left.self) { [unowned other] in
      meeting.attend()
      _ = try other.resolve(Right.self)
      return Left()
    }
    other.register(Right.self) { [unowned one] in
      meeting.attend()
      _ = try one.resolve(Left.self)
      return Right()
    }
    try await expectCircle(
      naming: ["Left", "Right"], { try one.resolve(Left.self) }, { try other.resolve(Right.self) })
  }

  /// Services of three containers that need each other in a ring, from three threads.
  @Test func threeContainersAndThreeThreads() async throws {
    let (first, second, third) = (Container(), Container(), Container())
    let meeting = Meeting(of: 3)
    first.register(Left.self) { [unowned second] in
      meeting.attend()
      _ = try second.resolve(Right.self)
      return Left()
    }
    second.register(Right.self) { [unowned third] in
      meeting.attend()
      _ = try third.resolve(Third.self)
      return Right()
    }
    third.register(Third.self) { [unowned first] in
      meeting.attend()
      _ = try first.resolve(Left.self)
      return Third()
    }
    try await expectCircle(
      naming: ["Left", "Right", "Third"], { try first.resolve(Left.self) }, { try second.resolve(Right.self) },
      { try third.resolve(Third.self) })
  }

  /// A service of a parent whose builder uses a child, and a service of the child that needs it, from two threads.
  @Test func aParentAndItsChild() async throws {
    let parent = Container()
    let child = Container(parent: parent)
    let meeting = Meeting(of: 2)
    parent.register(Left.self) { [unowned child] in
      meeting.attend()
      _ = try child.resolve(Right.self)
      return Left()
    }
    child.register(Right.self) { resolver in
      meeting.attend()
      _ = try resolver.resolve(Left.self)
      return Right()
    }
    try await expectCircle(
      naming: ["Left", "Right"], { try parent.resolve(Left.self) }, { try child.resolve(Right.self) })
  }

  /// Services of two open scopes of two containers that need each other, from two threads.
  @Test func scopesOfTwoContainers() async throws {
    let containers = [Container(scopes: ["request"]), Container(scopes: ["request"])]
    let scopes = try containers.map { try $0.openScope("request") }
    let meeting = Meeting(of: 2)
    containers[0].register(Left.self, scope: .scope("request")) { [unowned other = scopes[1]] in
      meeting.attend()
      _ = try other.resolve(Right.self)
      return Left()
    }
    containers[1].register(Right.self, scope: .scope("request")) { [unowned other = scopes[0]] in
      meeting.attend()
      _ = try other.resolve(Left.self)
      return Right()
    }
    try await expectCircle(
      naming: ["Left", "Right"], { try scopes[0].resolve(Left.self) }, { try scopes[1].resolve(Right.self) })
  }

  /// Two values that stand alone and use each other, from two threads.
  @Test func twoLazyValuesThatStandAlone() async throws {
    let (left, right) = (Later<Lazy<Left>>(), Later<Lazy<Right>>())
    let meeting = Meeting(of: 2)
    left.value = Lazy {
      meeting.attend()
      _ = try right.get().get()
      return Left()
    }
    right.value = Lazy {
      meeting.attend()
      _ = try left.get().get()
      return Right()
    }
    try await expectCircle({ try left.get().get() }, { try right.get().get() })
  }

  /// A value that stands alone and a service that use each other, from two threads.
  @Test func aLazyValueThatStandsAloneAndAContainer() async throws {
    let container = Container()
    let meeting = Meeting(of: 2)
    let lazy = Lazy { [unowned container] in
      meeting.attend()
      _ = try container.resolve(Left.self)
      return Right()
    }
    container.register(Left.self) {
      meeting.attend()
      _ = try lazy.get()
      return Left()
    }
    try await expectCircle(naming: ["Left"], { try lazy.get() }, { try container.resolve(Left.self) })
  }

  /// A property that is injected at its first use, and a service of another container that uses it, from two threads.
  @Test func aLazilyInjectedPropertyAndAContainer() async throws {
    let (one, other) = (Container(), Container())
    let meeting = Meeting(of: 2)
    let property = LazyInjected<Left>(from: one)
    one.register(Left.self) { [unowned other] in
      meeting.attend()
      _ = try other.resolve(Right.self)
      return Left()
    }
    other.register(Right.self) { [lazy = property.projectedValue] in
      meeting.attend()
      _ = try lazy.get()
      return Right()
    }
    try await expectCircle(
      naming: ["Left", "Right"], { try property.projectedValue.get() }, { try other.resolve(Right.self) })
  }

  // MARK: - Tasks

  /// Awaited services of two containers that need each other, from two tasks.
  @Test func twoContainersInTasks() async throws {
    let (one, other) = (Container(), Container())
    let meeting = Meeting(of: 2)
    one.register(Left.self) { [unowned other] () async throws in
      await meeting.attendAsync()
      _ = try await other.resolveAsync(Right.self)
      return Left()
    }
    other.register(Right.self) { [unowned one] () async throws in
      await meeting.attendAsync()
      _ = try await one.resolveAsync(Left.self)
      return Right()
    }
    try await expectCircleAsync(
      naming: ["Left", "Right"], { try await one.resolveAsync(Left.self) }, { try await other.resolveAsync(Right.self) }
    )
  }

  /// An awaited property that is injected at its first use, and an awaited service that uses it, from two tasks.
  @Test func aLazilyInjectedPropertyInTasks() async throws {
    let (one, other) = (Container(), Container())
    let meeting = Meeting(of: 2)
    let property = LazyInjected<Left>(from: one).projectedValue
    one.register(Left.self) { [unowned other] () async throws in
      await meeting.attendAsync()
      _ = try await other.resolveAsync(Right.self)
      return Left()
    }
    other.register(Right.self) { () async throws in
      await meeting.attendAsync()
      _ = try await property.getAsync()
      return Right()
    }
    try await expectCircleAsync(
      naming: ["Left", "Right"], { try await property.getAsync() }, { try await other.resolveAsync(Right.self) })
  }

  /// A service that a thread builds and an awaited service of another container that need each other: both look-ups end.
  @Test func aThreadAndATask() async throws {
    let (one, other) = (Container(), Container())
    let meeting = Meeting(of: 2)
    one.register(Left.self) { [unowned other] in
      meeting.attend()
      _ = try other.resolve(Right.self)
      return Left()
    }
    other.register(Right.self) { [unowned one] () async throws in
      await meeting.attendAsync()
      _ = try await one.resolveAsync(Left.self)
      return Right()
    }
    let codes = try await withWatchdog { () -> [ResolutionError.Code?] in
      let awaited = Later<ResolutionError.Code>()
      let end = Gate()
      Task.detached(priority: .beforeOthers) {
        awaited.value = try? await failureAsync { try await other.resolveAsync(Right.self) }?.innermost.code
        end.open()
      }
      let code = try failure { try one.resolve(Left.self) }?.innermost.code
      end.wait(seconds: 120)
      return [code, awaited.value]
    }
    // The look-up of the thread does not wait for what is awaited, and the other one shares its fate.
    let documented: [ResolutionError.Code?] = [.needsAwait, .cycle]
    for code in codes ?? [] { #expect(documented.contains(code)) }
  }

  // MARK: - Builders that wait for tasks

  /// A builder that blocks its thread until a task is done which looks up the very service in the captured container.
  @Test(arguments: [false, true])
  func aBuilderThatBlocksOnATaskWhichNeedsIt(isAwaiting: Bool) async throws {
    let container = Container()
    container.register(Left.self) { [unowned container] in
      try CircularWaitTests.wait {
        if isAwaiting { return try await container.resolveAsync(Left.self) }
        return try withoutAwaiting { try container.resolve(Left.self) }
      }
    }
    try await expectCircle(naming: ["Left"], { try container.resolve(Left.self) })
  }

  /// The same by way of a second service, which the task looks up and whose builder needs the first.
  @Test(arguments: [false, true])
  func aBuilderThatBlocksOnATaskWhichNeedsItByWayOfAnother(isAwaiting: Bool) async throws {
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
    try await expectCircle(naming: ["Left", "Right"], { try container.resolve(Left.self) })
  }

  /// A builder that blocks on a task, in another container than the one that the task and its builder lead back to.
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
    try await expectCircle(naming: ["Left", "Right"], { try one.resolve(Left.self) })
  }

  /// A builder that awaits a task which looks up the very service in the captured container.
  @Test(arguments: [false, true])
  func anAwaitedBuilderThatAwaitsATaskWhichNeedsIt(isChild: Bool) async throws {
    let container = Container()
    container.register(Left.self) { [unowned container] () async throws in
      if isChild {
        async let left = container.resolveAsync(Left.self)
        return try await left
      }
      return try await Task { try await container.resolveAsync(Left.self) }.value
    }
    try await expectCircleAsync(naming: ["Left"], { try await container.resolveAsync(Left.self) })
  }

  /// The same by way of a second service of another container.
  @Test func anAwaitedBuilderThatAwaitsATaskOfAnotherContainer() async throws {
    let (one, other) = (Container(), Container())
    one.register(Left.self) { [unowned other] () async throws in
      _ = try await Task { try await other.resolveAsync(Right.self) }.value
      return Left()
    }
    other.register(Right.self) { [unowned one] () async throws in
      _ = try await Task { try await one.resolveAsync(Left.self) }.value
      return Right()
    }
    try await expectCircleAsync(naming: ["Left", "Right"], { try await one.resolveAsync(Left.self) })
  }

  /// A value that stands alone, whose closure blocks on a task that uses it.
  @Test func aLazyValueThatBlocksOnATaskWhichUsesIt() async throws {
    let lazy = Later<Lazy<Left>>()
    lazy.value = Lazy {
      try CircularWaitTests.wait {
        try withoutAwaiting { try lazy.get().get() }
      }
    }
    try await expectCircle({ try lazy.get().get() })
  }

  /// A builder that blocks on a task which needs another service only, is no circle.
  @Test func aBuilderThatBlocksOnATaskWhichNeedsSomethingElse() async throws {
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
