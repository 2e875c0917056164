// SPDX-License-Identifier: Apache-2.0

#if DEBUG

  import ConfigDI
  import Foundation
  import Testing
  import _ConfigDITestSupport

  /// Runs every operation while another one is paused between two of its steps, so that a race fails deterministically.
  @Suite struct InterleavingTests {
    /// An operation on the services.
    enum Operation: String, CaseIterable, Sendable {
      /// A look-up of the service.
      case lookUp, lookUpAsync = "look up with await", lookUpOnMainActor = "look up on the main actor"
      /// A look-up of a `Consumer`, which depends on the service.
      case lookUpConsumer = "look up the consumer", lookUpConsumerAsync = "look up the consumer with await"
      case dispose, reset, register
      case closeScope = "close the scope"
      case disposeParent = "dispose of the parent"
      case openScope = "open a scope"
      /// Cancels the task of the paused operation.
      case cancel

      /// Whether the operation is a look-up.
      var isLookUp: Bool {
        switch self {
        case .lookUp, .lookUpAsync, .lookUpOnMainActor, .lookUpConsumer, .lookUpConsumerAsync: true
        default: false
        }
      }
      /// Whether the operation is asynchronous.
      var isAsync: Bool { self == .lookUpAsync || self == .lookUpConsumerAsync }
    }

    /// The state of the service when the first operation begins.
    enum Stage: String, CaseIterable, Sendable {
      /// Not built.
      case unbuilt
      /// Built by an earlier look-up.
      case built
      /// The first builder call will throw.
      case failing
      /// Being built by another thread or task, until the first operation has reached its pause point.
      case building
    }

    /// A service, and an operation on it that is paused.
    struct Scenario: CustomStringConvertible, Sendable {
      let form: Form
      let source: Source
      let kind: Kind
      let stage: Stage
      let isInChild: Bool
      let first: Operation

      var description: String {
        "\(form.rawValue), \(source)\(isInChild ? " of the child" : ""), \(kind), \(stage): \(first.rawValue)"
      }

      /// Whether the combination is possible.
      var isPossible: Bool {
        if first == .cancel { return false }
        // Only for builders on the main actor does a look-up on it differ from one on another thread.
        if first == .lookUpOnMainActor, form != .mainActor { return false }
        // No look-up can wait for a build that is not cached, or that belongs to another look-up.
        if stage == .building, kind == .transient || kind == .graph { return false }
        // A look-up that needs the main actor cannot begin while the other build blocks it.
        if stage == .building, form == .mainActor, first == .lookUpOnMainActor || first.isAsync { return false }
        if stage == .failing, !first.isLookUp { return false }
        if source == .module, isInChild { return false }
        return true
      }

      /// Whether the usual run includes the scenario.
      var isInShortRun: Bool {
        guard source == .code else { return false }
        if isInChild { return kind == .shared && stage == .unbuilt && first == .dispose }
        return switch (stage, form) {
        case (.unbuilt, .sync): kind == .shared || kind == .scope || kind == .weak
        case (.unbuilt, .await): kind == .shared || kind == .graph
        case (.unbuilt, .mainActor): kind == .shared
        case (.failing, _): kind == .shared && form != .mainActor
        case (.built, .sync), (.building, .sync), (.building, .await): kind == .shared
        default: false
        }
      }

      /// All possible scenarios.
      static var all: [Scenario] {
        var all: [Scenario] = []
        for form in Form.allCases {
          for source in Source.allCases {
            for kind in Kind.allCases {
              for stage in Stage.allCases {
                for isInChild in [false, true] {
                  for first in Operation.allCases {
                    all.append(
                      Scenario(
                        form: form, source: source, kind: kind, stage: stage, isInChild: isInChild, first: first))
                  }
                }
              }
            }
          }
        }
        return all.filter(\.isPossible)
      }
    }

    /// A pause point of an operation, and the number of times that the operation has reached it.
    struct PointOccurrence: Hashable, CustomStringConvertible, Sendable {
      let point: PausePoint
      let occurrence: Int

      var description: String { occurrence == 1 ? "\(point)" : "\(point) (\(occurrence))" }
    }

    /// The result of a scenario.
    private struct ScenarioResult: Sendable {
      var problems: [String] = []
      var points: Set<PausePoint> = []
      var runs = 0
      /// The number of runs in which the first operation did not reach its pause point.
      var missed = 0

      /// Runs a scenario with all pause points and all second operations.
      init(_ scenario: Scenario) throws {
        let dryRun = Run(scenario, pauseAt: nil, second: nil)
        problems += try dryRun.problems().map { "\(scenario), alone: \($0)" }
        let reached = dryRun.reached.filter { LongTests.isSelected || $0.occurrence == 1 }
        for (index, pausePoint) in reached.enumerated() {
          points.insert(pausePoint.point)
          // The usual run takes one third of the operations at each point, and the next third at the next point.
          let seconds = Array(Operation.allCases.dropFirst(index % 3) + Operation.allCases.prefix(index % 3))
          for second in LongTests.sample(seconds, every: 3) {
            if second == .cancel, !scenario.first.isAsync { continue }
            let run = Run(scenario, pauseAt: pausePoint, second: second)
            problems += try run.problems().map { "\(scenario), at \(pausePoint), beside \(second.rawValue): \($0)" }
            runs += 1
            if !run.wasPaused { missed += 1 }
            if problems.count >= 20 { return }
          }
        }
      }
    }

    /// Every pause point that an operation reaches, combined with every operation.
    @Test func everyInterruptionPointWithEveryOperation() async throws {
      try await withHighPriority {
        let scenarios = Scenario.all.filter { LongTests.isSelected || $0.isInShortRun }
        // The usual run is cut short on a busy machine; the long run is always complete.
        let end = ContinuousClock.now + .seconds(240)
        var (runs, missed) = (0, 0)
        var points: Set<PausePoint> = []
        var problems: [String] = []
        for scenario in scenarios where problems.count < 20 && (LongTests.isSelected || ContinuousClock.now < end) {
          let count = try await withWatchdog(seconds: 400) { try ScenarioResult(scenario) }
          problems += count?.problems ?? ["\(scenario): did not end"]
          points.formUnion(count?.points ?? [])
          runs += count?.runs ?? 0
          missed += count?.missed ?? 0
        }
        #expect(problems.isEmpty, "\(problems.prefix(20).joined(separator: "\n"))")
        // The order of two tasks varies in rare cases.
        #expect(missed * 20 <= runs, "\(missed) of \(runs) did not reach their point")
        let neverReached = PausePoint.allCases.filter {
          !points.contains($0) && !InterleavingTests.pointsOfOtherTests.contains($0)
        }
        #expect(neverReached.isEmpty, "never reached: \(neverReached)")
        print(
          "Interleavings: \(points.count) points x \(Operation.allCases.count) operations in \(scenarios.count) cases = \(runs) runs,",
          "\(missed) missed their point")
      }
    }

    /// Points that other tests reach: waits that are given up, comparisons of arguments, concurrent closings, and
    /// reloads.
    private static let pointsOfOtherTests: Set<PausePoint> = [.withdrawn, .argumentsCompared, .postponing, .passing]
  }

  /// One run: an operation is paused at a point, another one runs, and the first continues.
  final class Run: Sendable {
    typealias Operation = InterleavingTests.Operation
    typealias PointOccurrence = InterleavingTests.PointOccurrence

    /// The state guarded by the lock.
    private struct State {
      /// The number of times that the first operation has reached each point.
      var counts: [PausePoint: Int] = [:]
      /// The points, in the order in which they were reached.
      var reached: [PointOccurrence] = []
      /// Whether the first operation is paused, or was.
      var isPaused = false
      /// Whether it is paused on the main actor.
      var isOnMainActor = false
      /// Whether it may continue.
      var mayContinue = false
      /// Whether the first operation has ended.
      var firstHasEnded = false
      /// Whether the second operation has ended.
      var secondHasEnded = false
      /// Whether the second operation waits for another caller's build.
      var secondWaits = false
      /// Whether the build beside the first operation may end.
      var mayFinishBuild = false
      /// Whether the builder of the concurrent build was called.
      var isBuilding = false
    }

    /// The scenario.
    private let scenario: InterleavingTests.Scenario
    /// The point at which the first operation is paused, or `nil` for none.
    private let pausePoint: PointOccurrence?
    /// The operation that runs during the pause.
    private let second: Operation?
    /// The guarded state.
    private let state = Locked(State())
    /// Opened when `mayFinishBuild` is set.
    private let gate = Gate()

    /// Creates a run.
    init(_ scenario: InterleavingTests.Scenario, pauseAt pausePoint: PointOccurrence?, second: Operation?) {
      self.scenario = scenario
      self.pausePoint = pausePoint
      self.second = second
    }

    /// The points that the first operation has reached.
    var reached: [PointOccurrence] { state.withLock { $0.reached } }
    /// Whether the first operation has reached its pause point.
    var wasPaused: Bool { state.withLock { $0.isPaused } }

    /// Performs the run and waits for its end on this thread, and so needs no thread of the cooperative pool itself.
    ///
    /// - Returns: The problems found.
    func problems() throws -> [String] {
      let fixture = try ContainerFixture(scenario.form, scenario.source, scenario.kind, isInChild: scenario.isInChild) {
        [state] in
        // Pauses only the concurrent build.
        guard Run.isConcurrentBuild else { return }
        state.withLock { $0.isBuilding = true }
        _ = state.wait(seconds: 150) { $0.mayFinishBuild }
      } onAwait: { [state, gate] in
        guard Run.isConcurrentBuild else { return }
        state.withLock { $0.isBuilding = true }
        await gate.waitAsync()
      }
      var concurrentBuild: RunningOperation?
      switch scenario.stage {
      case .unbuilt: break
      case .failing: fixture.log.failNext(1)
      case .built: begin(.lookUpAsync) { [self] in _ = await lookUpAsync($0, fixture, by: "the look-up before") }.wait()
      case .building:
        let operation = fixture.form == .sync ? Operation.lookUp : .lookUpAsync
        concurrentBuild = Run.$isConcurrentBuild.withValue(true) {
          begin(operation) { [self] in
            // The outcome is not checked, since the operations under test can cancel this look-up or make it fail.
            _ = await lookUpAsync($0, fixture, by: "the concurrent build")
          } onThread: { [self] in
            _ = lookUp($0, fixture, by: "the concurrent build")
          }
        }
        wait { $0.isBuilding }
      }
      let first = PausePoint.$hook.withValue({ [self] in pause(at: $0) }) {
        begin(scenario.first, fixture, by: "the first") { [state] in state.withLock { $0.firstHasEnded = true } }
      }
      if scenario.stage == .building {
        // If the first operation waits for the concurrent build before it reaches its point, that build has to continue.
        let isLastBeforeWait = pausePoint?.point == .suspending
        wait { state in
          state.isPaused || state.firstHasEnded
            || !isLastBeforeWait && state.reached.contains { $0.point == .joined }
        }
        if !state.withLock({ $0.isPaused }) { finishConcurrentBuild() }
      }
      wait { $0.isPaused || $0.firstHasEnded }
      if let second { begin(second, beside: first, fixture).wait() }
      first.wait()
      concurrentBuild?.wait()
      finishConcurrentBuild()
      begin(.lookUpAsync) { [self] in checkAfterwards(await lookUpAsync($0, fixture, by: "the last look-up"), fixture) }
        .wait()
      if scenario.kind.isDisposable, !closes { fixture.log.checkThatOneIsCached() }
      fixture.end()
      fixture.log.checkEnd(isDisposable: scenario.kind.isDisposable)
      return fixture.log.problems
    }

    /// Begins the second operation, and resumes the first one when the second has ended or waits for a build.
    private func begin(_ second: Operation, beside first: RunningOperation, _ fixture: ContainerFixture)
      -> RunningOperation
    {
      let operation = PausePoint.$hook.withValue({ [state] point in
        if point == .joined { state.withLock { $0.secondWaits = true } }
      }) {
        if second == .cancel { first.task?.cancel() }
        return begin(second, fixture, by: "the second") { [state] in state.withLock { $0.secondHasEnded = true } }
      }
      // A look-up that needs the main actor cannot run while a paused operation or the concurrent build blocks it.
      let isBlocked =
        scenario.form == .mainActor && second.isLookUp
        && (scenario.stage == .building || state.withLock { $0.isPaused && $0.isOnMainActor })
      if isBlocked || second == .lookUpOnMainActor {
        _ = state.wait(seconds: 0.002) { $0.secondHasEnded || $0.secondWaits }
      } else {
        wait { $0.secondHasEnded || $0.secondWaits }
      }
      state.withLock { $0.mayContinue = true }
      finishConcurrentBuild()
      return operation
    }

    /// Lets the concurrent build end.
    private func finishConcurrentBuild() {
      state.withLock { $0.mayFinishBuild = true }
      gate.open()
    }

    /// An operation that has begun.
    private struct RunningOperation {
      /// The task, or `nil` for a thread.
      let task: Task<Void, Never>?
      /// Whether the operation has ended.
      let hasEnded: Locked<Bool>

      /// Blocks the thread until the operation has ended.
      func wait() { if !hasEnded.wait(seconds: 300, until: { $0 }) { fatalError("an operation does not end") } }
    }

    /// Begins an operation with the task-local values of this thread: in a task if it is asynchronous or on the main
    /// actor, else on a new thread.
    private func begin(
      _ operation: Operation, inTask: @escaping @Sendable (Operation) async -> Void,
      onThread: @escaping @Sendable (Operation) -> Void = { _ in }
    ) -> RunningOperation {
      let hasEnded = Locked(false)
      if operation.isAsync || operation == .lookUpOnMainActor {
        let task = Task(priority: .aboveOtherTests) {
          await inTask(operation)
          hasEnded.withLock { $0 = true }
        }
        return RunningOperation(task: task, hasEnded: hasEnded)
      }
      let (hook, isConcurrentBuild) = (PausePoint.hook, Run.isConcurrentBuild)
      Thread.detachNewThread {
        PausePoint.$hook.withValue(hook) { Run.$isConcurrentBuild.withValue(isConcurrentBuild) { onThread(operation) } }
        hasEnded.withLock { $0 = true }
      }
      return RunningOperation(task: nil, hasEnded: hasEnded)
    }

    /// Begins an operation, and checks the outcome of a look-up.
    private func begin(
      _ operation: Operation, _ fixture: ContainerFixture, by name: String, onEnd: @escaping @Sendable () -> Void
    ) -> RunningOperation {
      begin(operation) { [self] in
        check(await lookUpAsync($0, fixture, by: name), $0, fixture, name)
        onEnd()
      } onThread: { [self] in
        if $0.isLookUp { check(lookUp($0, fixture, by: name), $0, fixture, name) } else { perform($0, fixture) }
        onEnd()
      }
    }

    /// Whether the current code belongs to the concurrent build.
    @TaskLocal private static var isConcurrentBuild = false

    /// Called at each pause point that the first operation reaches.
    private func pause(at point: PausePoint) {
      let isOnMainActor = Run.isOnMainQueue
      let isPaused = state.withLock { state in
        state.counts[point, default: 0] += 1
        let pausePoint = PointOccurrence(point: point, occurrence: state.counts[point] ?? 0)
        state.reached.append(pausePoint)
        guard pausePoint == self.pausePoint else { return false }
        state.isOnMainActor = isOnMainActor
        state.isPaused = true
        return true
      }
      guard isPaused else { return }
      if !state.wait(seconds: 150, until: { $0.mayContinue }) {
        fatalError(
          "nothing releases \(point) of \(scenario), beside \(second?.rawValue ?? "-"): \(state.withLock { $0 })")
      }
    }

    /// Blocks the thread until the state fulfils a condition.
    private func wait(_ isFulfilled: (State) -> Bool) {
      if !state.wait(seconds: 150, until: isFulfilled) {
        fatalError(
          "nothing happens: \(scenario), at \(pausePoint.map { "\($0)" } ?? "no point"), beside \(second?.rawValue ?? "-"): \(state.withLock { $0 })"
        )
      }
    }

    /// Looks up asynchronously, or synchronously on the main actor.
    private func lookUpAsync(_ operation: Operation, _ fixture: ContainerFixture, by name: String) async
      -> ContainerFixture.Outcome
    {
      if operation == .lookUpOnMainActor { return await MainActor.run { fixture.lookUp(viaConsumer: false, by: name) } }
      return await fixture.lookUpAsync(viaConsumer: operation == .lookUpConsumerAsync, by: name)
    }

    /// Looks up synchronously on this thread.
    private func lookUp(_ operation: Operation, _ fixture: ContainerFixture, by name: String)
      -> ContainerFixture.Outcome
    {
      fixture.lookUp(viaConsumer: operation == .lookUpConsumer, by: name)
    }

    /// Performs an operation that is not a look-up.
    private func perform(_ operation: Operation, _ fixture: ContainerFixture) {
      switch operation {
      case .dispose: fixture.container.dispose()
      case .reset:
        fixture.parent.reset()
        fixture.container.reset()
      case .register:
        // In a disposed container, `register` would stop the program.
        if !disposesOfOwner { fixture.register(generation: 1) }
      case .closeScope: fixture.scope.close()
      case .disposeParent: fixture.parent.dispose()
      case .openScope:
        let scope = try? fixture.container.openScope("request")
        _ = try? scope?.resolve(Leaf.self)
        scope?.close()
      default: break
      }
    }

    /// The operations of the run.
    private var operations: [Operation] { [scenario.first] + (second.map { [$0] } ?? []) }
    /// Whether the run disposes of the container in which the service is registered.
    private var disposesOfOwner: Bool { operations.contains(scenario.isInChild ? .dispose : .disposeParent) }
    /// Whether the run closes something that look-ups need.
    private var closes: Bool {
      operations.contains(.disposeParent) || operations.contains(.dispose) || operations.contains(.closeScope)
    }

    /// Checks the outcome of a look-up.
    private func check(
      _ outcome: ContainerFixture.Outcome, _ operation: Operation, _ fixture: ContainerFixture, _ name: String
    ) {
      guard case .failed(let code) = outcome else {
        if case .builderFailed = outcome, scenario.stage != .failing {
          fixture.log.report("\(name): the builder failed")
        }
        return
      }
      var allowed: Set<ResolutionError.Code> = closes ? [.closed] : []
      if second == .cancel, name == "the first" { allowed.insert(.cancelled) }
      if scenario.form == .await, !operation.isAsync { allowed.insert(.needsAwait) }
      if scenario.form == .mainActor, operation == .lookUp || operation == .lookUpConsumer {
        allowed.insert(.needsMainActor)
      }
      if !allowed.contains(code) { fixture.log.report("\(name): \(code)") }
    }

    /// Checks a look-up after all operations have ended.
    private func checkAfterwards(_ outcome: ContainerFixture.Outcome, _ fixture: ContainerFixture) {
      switch outcome {
      case .failed(.closed): if !closes { fixture.log.report("the last look-up: closed") }
      case .instance(_, let generation):
        if closes { fixture.log.report("the last look-up finds an instance of a closed container") }
        if operations.contains(.register), generation != 1 {
          fixture.log.report("the last look-up finds the replaced service")
        }
      case .builderFailed:
        // No earlier look-up called the builder, so the failure is left for this one.
        if scenario.stage != .failing { fixture.log.report("the last look-up: the builder failed") }
      case .failed(let code): fixture.log.report("the last look-up: \(code)")
      }
    }

    /// Whether the current code runs on the main queue.
    private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mark) != nil }
    /// The key that identifies the main queue.
    private static let mark = {
      let mark = DispatchSpecificKey<Void>()
      DispatchQueue.main.setSpecific(key: mark, value: ())
      return mark
    }()
  }

#endif
