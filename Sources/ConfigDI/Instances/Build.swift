// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// An in-flight build of one instance.
final class Build: Sendable {
  let key: any InstanceKey
  /// The service that a `Lazy` stands for; `nil` for other builds.
  private let target: Registration?
  /// The build whose builder started this one, directly or through transient services; `nil` if no builder did.
  let parent: Build?
  /// The store in which the instance will be kept; `nil` for a transient service.
  let store: InstanceStore?
  /// Whether the builder is awaited. A look-up that does not await never waits for such a build.
  let isAsync: Bool
  /// The number of builds that this one is nested in.
  let depth: Int
  private let ended = Atomic(false)
  private let resetByItself = Atomic(false)
  /// The task that awaits the builder; `nil` for a builder that is not awaited.
  let task: TaskHandle?

  /// The build that the running code works for: that of the innermost builder. Tasks that the builder starts inherit
  /// it.
  @TaskLocal static var current: Build?

  /// Creates a build whose parent is the running one.
  ///
  /// A task can outlive the build that started it. What it looks up after that is not part of the ended build.
  init(of key: any InstanceKey, for target: Registration? = nil, in store: InstanceStore?, isAsync: Bool) {
    self.isAsync = isAsync
    task = isAsync ? TaskHandle() : nil
    parent = Build.running
    depth = parent.map { $0.depth + 1 } ?? 0
    // Last: if the parameters were in use up to here, they would be retained once more.
    self.key = key
    self.store = store
    self.target = target
  }

  /// The service; `nil` for the value of a stand-alone `Lazy`.
  var registration: Registration? { target ?? key.registration }

  /// The innermost build that the running code works for and that has not ended; `nil` if there is none.
  static var running: Build? {
    var build = current
    while let candidate = build, candidate.ended.load(ordering: .acquiring) { build = candidate.parent }
    return build
  }

  /// The builds that the running code works for, the innermost first.
  static var runningPath: [Build] { running.map { Array(sequence(first: $0, next: \.parent)) } ?? [] }

  func end() { ended.store(true, ordering: .releasing) }

  /// Whether the builder has reset the store in which its instance was to be kept. The next build would do the same.
  var isResetByItself: Bool { resetByItself.load(ordering: .acquiring) }

  /// Records that the running code, which works for this build, has reset its store.
  func setResetByItself() { resetByItself.store(true, ordering: .releasing) }

  /// Returns the builds from `outermost` to this one, each the parent of the next; `nil` if `outermost` is no ancestor.
  func path(from outermost: Build) -> [Build]? {
    var path: [Build] = []
    for build in sequence(first: self, next: \.parent) {
      path.append(build)
      if build === outermost { return path.reversed() }
    }
    return nil
  }
}

/// The task that awaits a builder. It can be cancelled, and its priority raised, before it is set.
final class TaskHandle: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isCancelled = false
    /// The priority to which the task is raised when it is set; `nil` for its own.
    var priority: TaskPriority?
  }

  private let state = Guarded(State())

  func set(_ task: Task<Void, Never>) {
    let (isCancelled, priority) = state.withLock { state in
      state.task = task
      return (state.isCancelled, state.priority)
    }
    if isCancelled { task.cancel() }
    if let priority { raisePriority(to: priority) }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  /// Raises the priority of the task to at least that of a waiting task, where the system can.
  func raisePriority(to priority: TaskPriority) {
    #if compiler(>=6.2)
      guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
      let task = state.withLock { state in
        if state.task == nil { state.priority = max(state.priority ?? priority, priority) }
        return state.task
      }
      task?.escalatePriority(to: priority)
    #endif
  }
}

/// The result of a build, as its waiters receive it.
enum Outcome: Sendable {
  case product(AnyInstance)
  case failed(ResolutionError)
  /// The instance was not kept, because of a `reset` or a replaced registration: look up again.
  case superseded
  /// The container or scope was closed.
  case closed
  /// The waiting task was cancelled.
  case cancelled
}

extension Outcome {
  /// Returns the product of the build.
  ///
  /// - Parameters:
  ///   - registration: the service; `nil` for the value of a `Lazy`.
  ///   - closedError: the error if the container or scope was closed.
  /// - Returns: `nil` if the build was superseded: look up again.
  func product(
    of registration: Registration?, closedError: @autoclosure () -> ResolutionError
  ) throws(ResolutionError) -> AnyInstance? {
    switch self {
    case .product(let product): return product
    case .superseded: return nil
    case .failed(let error): throw error
    case .closed: throw closedError()
    case .cancelled: throw .cancelled(registration)
    }
  }
}

/// The wait of a thread or a task for a build.
final class Waiter: Sendable {
  let build: Build
  /// The running build, on whose behalf the caller waits; `nil` for none.
  let waiting: Build?
  /// Whether the caller has begun the build, which runs in a task.
  private let hasBegun: Bool
  /// The result of the wait: the outcome of the build, or a cancellation.
  private let result = FirstResult<Outcome>()
  /// The semaphore that blocks a waiting thread; `nil` for a task.
  private let semaphore: DispatchSemaphore?

  init(for build: Build, of waiting: Build?, blocksThread: Bool, hasBegun: Bool = false) {
    self.build = build
    self.hasBegun = hasBegun
    self.waiting = waiting
    semaphore = blocksThread ? DispatchSemaphore(value: 0) : nil
  }

  /// Ends the wait. Only the first call has an effect.
  func resume(_ outcome: Outcome) {
    LockOrder.willCallUserCode()
    result.offer(outcome)
    semaphore?.signal()
  }

  /// Blocks the thread until the wait ends.
  ///
  /// - Returns: the outcome; `superseded` if the caller may succeed where the build has failed.
  func wait() -> Outcome {
    PausePoint.reach(.joined)
    semaphore?.wait()
    PausePoint.reach(.waited)
    BuildCoordinator.leave(self)
    guard let outcome = result.known, !failedByItsLookUp(outcome) else { return .superseded }
    return outcome
  }

  /// Suspends the task until the wait ends or the task is cancelled. A task that is cancelled withdraws from the build.
  ///
  /// - Parameter awaits: whether the caller itself would await what the builder needs.
  /// - Returns: the outcome; `superseded` if the caller may succeed where the build has failed.
  func outcome(awaits: Bool, isolation: isolated (any Actor)?) async -> Outcome {
    let outcome = await suspendRaisingPriority(isolation: isolation)
    PausePoint.reach(.waited)
    BuildCoordinator.leave(self)
    switch outcome {
    case .cancelled:
      let isAlone = build.store?.withdraw(self) ?? false
      PausePoint.reach(.withdrawn)
      if isAlone { build.task?.cancel() }
    // The build failed because its look-up does not await. This one does, so it tries again.
    case .failed(let error)
    where awaits && !build.isAsync && (error.code == .needsAwait || error.code == .needsMainActor):
      return .superseded
    case .failed where failedByItsLookUp(outcome): return .superseded
    default: break
    }
    return outcome
  }

  /// Suspends the task until the wait ends or the task is cancelled. Until then the builder has at least the priority of
  /// the task, also if that is raised meanwhile.
  private func suspendRaisingPriority(isolation: isolated (any Actor)?) async -> Outcome {
    build.task?.raisePriority(to: Task.currentPriority)
    #if compiler(>=6.2)
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        return await withTaskPriorityEscalationHandler {
          await suspend(isolation: isolation)
        } onPriorityEscalated: { _, priority in
          // In a task of its own: a long chain of builders that wait for each other would need as many nested calls.
          Task(priority: priority) { build.task?.raisePriority(to: priority) }
        }
      }
    #endif
    return await suspend(isolation: isolation)
  }

  /// Suspends the task until the wait ends or the task is cancelled.
  func suspend(isolation: isolated (any Actor)?) async -> Outcome {
    await withTaskCancellationHandler {
      PausePoint.reach(.suspending)
      return await result.value(isolation: isolation)
    } onCancel: {
      resume(.cancelled)
    }
  }

  /// Whether the build failed because of the look-up that began it, so that the caller may succeed with a build of its own.
  private func failedByItsLookUp(_ outcome: Outcome) -> Bool {
    guard !hasBegun, case .failed(let error) = outcome else { return false }
    // Look-ups in different scopes share the instance.
    if build.registration?.keeping == .weak, error.code == .notOpen || error.code == .closed { return true }
    guard !build.isAsync else { return false }
    // The builder ran in the task or thread of the look-up.
    if error.underlyingError is CancellationError { return !Task.isCancelled }
    return error.code == .tooDeep || error.code == .needsMainActor && MainActor.isCurrent
  }
}

/// The wait-for graph of all builds of the process. It finds a circular wait across containers, threads and tasks.
///
/// Only waits on behalf of a build are entered: nothing waits for a look-up outside of any build.
struct BuildCoordinator: Sendable {
  /// The waits for one build.
  private struct Waits {
    /// The build that has to end. Retained, so that its identity stays unique.
    let target: Build
    /// The builds that cannot continue before `target` has ended, by the identity of their waiter.
    var waiting: [ObjectIdentifier: Build] = [:]
  }

  /// A build that cannot end before the one that is about to wait.
  private struct Step {
    let build: Build
    /// The build for which `build` waits, and the index of the step whose build is nested in `target`, or is `target`;
    /// `nil` for the build that is about to wait.
    let wait: (target: Build, next: Int)?
  }

  /// The current waits, by the build that has to end.
  private static let waits = Guarded<[ObjectIdentifier: Waits]>([:], rank: .coordinator)

  /// Enters a wait. Called under the lock of the store that holds the build, so that the build cannot end meanwhile.
  ///
  /// - Returns: if the wait could never end, the cycle, which begins and ends with the same service; the wait is not
  ///   entered then. Otherwise `nil`.
  static func enter(_ waiter: Waiter) -> [Build]? {
    guard let waiting = waiter.waiting else { return nil }
    let target = waiter.build
    if let own = waiting.path(from: target) { return own + [target] }
    return waits.withLock { waits in
      if let cycle = cycle(of: waiting, for: target, in: waits) { return cycle }
      waits[ObjectIdentifier(target), default: Waits(target: target)].waiting[ObjectIdentifier(waiter)] = waiting
      return nil
    }
  }

  /// Removes a wait that has ended.
  static func leave(_ waiter: Waiter) {
    guard waiter.waiting != nil else { return }
    let target = ObjectIdentifier(waiter.build)
    let removed = waits.take { waits -> (Build?, Waits?) in
      let removed = waits[target]?.waiting.removeValue(forKey: ObjectIdentifier(waiter))
      return (removed, waits[target]?.waiting.isEmpty == true ? waits.removeValue(forKey: target) : nil)
    }
    withExtendedLifetime(removed) {}
  }

  /// Returns the cycle that a new wait would close; `nil` if it closes none.
  ///
  /// Searches the builds that cannot end before `waiting` does. A wait on behalf of a build also blocks the builds in
  /// which that build is nested.
  ///
  /// - Complexity: linear in the number of these builds, however many others there are.
  private static func cycle(
    of waiting: Build, for target: Build, in waits: [ObjectIdentifier: Waits]
  ) -> [Build]? {
    if waits.isEmpty { return nil }
    var steps = [Step(build: waiting, wait: nil)]
    var seen: Set<ObjectIdentifier> = []
    var index = 0
    while index < steps.count {
      for build in sequence(first: steps[index].build, next: \.parent) {
        // The builds in which a known build is nested are known as well.
        guard seen.insert(ObjectIdentifier(build)).inserted else { break }
        if build === target { return cycle(from: target, by: steps, at: index) }
        for other in (waits[ObjectIdentifier(build)]?.waiting ?? [:]).values {
          steps.append(Step(build: other, wait: (build, index)))
        }
      }
      index += 1
    }
    return nil
  }

  /// Returns the cycle of a new wait for `target`. It begins and ends with a build for which another build of the cycle
  /// waits: the build that is about to wait, or one in which that is nested.
  ///
  /// - Parameter index: the step whose build is nested in `target`, or is `target`.
  private static func cycle(from target: Build, by steps: [Step], at index: Int) -> [Build]? {
    var path: [Build] = []
    var (outermost, index) = (target, index)
    while let wait = steps[index].wait {
      path += steps[index].build.path(from: outermost) ?? []
      (outermost, index) = (wait.target, wait.next)
    }
    return steps[index].build.path(from: outermost).map { $0 + path + [outermost] }
  }
}
