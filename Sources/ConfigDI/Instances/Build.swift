// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// One instance that is being built.
final class Build: Sendable {
  let key: any InstanceKey
  /// The service for which a `Lazy` stands; nil for others.
  private let target: Registration?
  /// The build whose builder asked for this one, directly or by way of services that are not kept; nil where there is none.
  let parent: Build?
  /// Whether the builder is awaited. A look-up that does not await never waits for such a build.
  let isAsync: Bool
  /// How many builds this one is nested in.
  let depth: Int
  /// Whether the builder has ended.
  private let ended = Atomic(false)
  /// The task that awaits the builder; nil where none does.
  private let task: TaskHandle?

  /// The build for which the running code works: that of the innermost builder, in its thread and in the tasks that it begins.
  @TaskLocal static var current: Build?

  /// A build that begins.
  ///
  /// A task may go on after the build that began it; what it asks for later is not part of that build any more.
  init(of key: any InstanceKey, for target: Registration? = nil, isAsync: Bool) {
    self.key = key
    self.target = target
    self.isAsync = isAsync
    task = isAsync ? TaskHandle() : nil
    parent = Build.running
    depth = parent.map { $0.depth + 1 } ?? 0
  }

  /// The service; nil for the value of a `Lazy` that stands alone.
  var registration: Registration? { target ?? key.registration }

  /// The innermost build that the running code works for and that has not ended.
  static var running: Build? {
    var build = current
    while let candidate = build, candidate.ended.load(ordering: .acquiring) { build = candidate.parent }
    return build
  }

  /// Notes that the builder has ended.
  func end() { ended.store(true, ordering: .releasing) }

  /// Notes which task awaits the builder.
  func setTask(_ task: Task<Void, Never>) { self.task?.set(task) }

  /// Cancels the task that awaits the builder.
  func cancel() { task?.cancel() }

  /// Gives the task that awaits the builder at least the priority of somebody who waits for it.
  func raisePriority(to priority: TaskPriority) { task?.raisePriority(to: priority) }

  /// This build and those that wait for it, outwards to another one; nil where that is not among them.
  func path(from outermost: Build) -> [Build]? {
    var path: [Build] = []
    var build: Build? = self
    while let current = build {
      path.append(current)
      if current === outermost { return path.reversed() }
      build = current.parent
    }
    return nil
  }
}

/// The task that awaits a builder, which may be cancelled before it is known.
private final class TaskHandle: Sendable {
  /// The task, and whether it is cancelled.
  private let state = Guarded<(task: Task<Void, Never>?, isCancelled: Bool)>((nil, false))

  func set(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  func raisePriority(to priority: TaskPriority) {
    #if compiler(>=6.2)
      guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
      state.withLock { $0.task }?.escalatePriority(to: priority)
    #endif
  }
}

/// What came of a build, as those who waited for it receive it.
enum Outcome: Sendable {
  case product(AnyInstance)
  /// The builder failed.
  case failed(ResolutionError)
  /// The instance was not kept, because of a `reset` or another registration: look up again.
  case superseded
  /// The container or scope was closed.
  case closed
  /// The task that waited was cancelled.
  case cancelled
}

/// Somebody who waits for a build: a thread or a task.
final class Waiter: Sendable {
  /// How the wait ends: with the build, or by being given up.
  private let outcome = FirstResult<Outcome>()
  /// What a thread waits at; nil for a task.
  private let semaphore: DispatchSemaphore?

  /// A thread or a task that is about to wait.
  init(blocksThread: Bool) { semaphore = blocksThread ? DispatchSemaphore(value: 0) : nil }

  /// Ends the wait. Only the first call has an effect.
  func resume(_ outcome: Outcome) {
    LockOrder.willCallUserCode()
    self.outcome.offer(outcome)
    semaphore?.signal()
  }

  /// Blocks the thread until the wait ends.
  func wait() -> Outcome {
    semaphore?.wait()
    return outcome.known ?? .superseded
  }

  /// Suspends the task until the wait ends, or the task is cancelled.
  func suspend(isolation: isolated (any Actor)?) async -> Outcome {
    await withTaskCancellationHandler {
      PausePoint.reach(.suspending)
      return await outcome.value(isolation: isolation)
    } onCancel: {
      resume(.cancelled)
    }
  }
}

/// Who waits for whom, in the whole process, so that a circular wait is found wherever it runs.
///
/// Only waits on behalf of a build are entered: nothing waits for a look-up that builds nothing.
struct BuildCoordinator: Sendable {
  /// A build that cannot go on before another one has ended.
  private struct Wait {
    /// The build that cannot go on.
    let waiting: Build
    /// The build that has to end.
    let target: Build
  }

  /// The waits that are under way: few, as each stands for a blocked thread or a suspended task.
  private static let waits = Guarded<[ObjectIdentifier: Wait]>([:], rank: .coordinator)

  /// Enters a wait. Called under the lock of the store in which the target is, so that the target cannot end meanwhile.
  ///
  /// - Returns: the circle, beginning and ending with the same service, where the wait could never end; it is not entered then.
  static func enter(_ waiter: Waiter, of waiting: Build?, for target: Build) -> [Build]? {
    guard let waiting else { return nil }
    if let own = waiting.path(from: target) { return own + [target] }
    return waits.withLock { waits in
      if let circle = circle(of: waiting, for: target, in: waits) { return circle }
      waits[ObjectIdentifier(waiter)] = Wait(waiting: waiting, target: target)
      return nil
    }
  }

  /// Removes a wait that has ended.
  static func leave(_ waiter: Waiter, of waiting: Build?) {
    guard waiting != nil else { return }
    let removed = waits.withLock { Hold($0.removeValue(forKey: ObjectIdentifier(waiter))) }
    withExtendedLifetime(removed) {}
  }

  /// The circle that a wait would close; nil where it closes none.
  ///
  /// Follows the waits from the target: a build is held up by each wait on behalf of itself or of a build below it.
  private static func circle(of waiting: Build, for target: Build, in waits: [ObjectIdentifier: Wait]) -> [Build]? {
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(target)]
    var open: [(build: Build, path: [Build])] = [(target, [])]
    while let (build, path) = open.popLast() {
      for wait in waits.values {
        guard let held = wait.waiting.path(from: build) else { continue }
        if let own = waiting.path(from: wait.target) { return own + path + held + [wait.target] }
        guard seen.insert(ObjectIdentifier(wait.target)).inserted else { continue }
        open.append((wait.target, path + held))
      }
    }
    return nil
  }
}
