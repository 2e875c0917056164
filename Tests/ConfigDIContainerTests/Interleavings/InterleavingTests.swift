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
      case look, lookAsync = "look up with await", lookOnMainActor = "look up on the main actor"
      /// A look-up of a `User`, which depends on the service.
      case lookForUser = "look up for a user", lookForUserAsync = "look up for a user with await"
      case dispose, reset, register
      case closeScope = "close the scope"
      case disposeParent = "dispose of the parent"
      case openScope = "open a scope"
      /// Cancels the task of the paused operation.
      case cancel

      /// Whether the operation is a look-up.
      var isLookUp: Bool {
        switch self {
        case .look, .lookAsync, .lookOnMainActor, .lookForUser, .lookForUserAsync: true
        default: false
        }
      }
      /// Whether the operation is asynchronous.
      var isAsync: Bool { self == .lookAsync || self == .lookForUserAsync }
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
      var isSensible: Bool {
        if first == .cancel { return false }
        // Only for builders on the main actor does a look-up on it differ from one on another thread.
        if first == .lookOnMainActor, form != .mainActor { return false }
        // No look-up can wait for a build that is not cached, or that belongs to another look-up.
        if stage == .building, kind == .transient || kind == .graph { return false }
        // A look-up that needs the main actor cannot begin while the other build blocks it.
        if stage == .building, form == .mainActor, first == .lookOnMainActor || first.isAsync { return false }
        if stage == .failing, !first.isLookUp { return false }
        if source == .module, isInChild { return false }
        return true
      }

      /// Whether the usual run includes the scenario.
      var isUsual: Bool {
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
        return all.filter(\.isSensible)
      }
    }

    /// A pause point of an operation, and the number of times that the operation has reached it.
    struct Place: Hashable, CustomStringConvertible, Sendable {
      let point: PausePoint
      let occurrence: Int

      var description: String { occurrence == 1 ? "\(point)" : "\(point) (\(occurrence))" }
    }

    /// The result of a scenario.
    private struct Count: Sendable {
      var problems: [String] = []
      var places: Set<PausePoint> = []
      var runs = 0
      /// The number of runs in which the first operation did not reach its pause point.
      var missed = 0

      /// Runs a scenario with all pause points and all second operations.
      init(_ scenario: Scenario) throws {
        let rehearsal = Run(scenario, stopAt: nil, second: nil)
        problems += try rehearsal.problems().map { "\(scenario), alone: \($0)" }
        for place in rehearsal.reached where LongTests.isSelected || place.occurrence == 1 {
          places.insert(place.point)
          for second in Operation.allCases {
            if second == .cancel, !scenario.first.isAsync { continue }
            let run = Run(scenario, stopAt: place, second: second)
            problems += try run.problems().map { "\(scenario), at \(place), beside \(second.rawValue): \($0)" }
            runs += 1
            if !run.wasStopped { missed += 1 }
            if problems.count >= 20 { return }
          }
        }
      }
    }

    /// Every pause point that an operation reaches, combined with every operation.
    @Test func everyInterruptionPointWithEveryOperation() async throws {
      try await aheadOfOthers {
        let scenarios = Scenario.all.filter { LongTests.isSelected || $0.isUsual }
        // The usual run is cut short on a busy machine; the long run is always complete.
        let end = ContinuousClock.now + .seconds(240)
        var (runs, missed) = (0, 0)
        var places: Set<PausePoint> = []
        var problems: [String] = []
        for scenario in scenarios where problems.count < 20 && (LongTests.isSelected || ContinuousClock.now < end) {
          let count = try await withWatchdog(seconds: 400) { try Count(scenario) }
          problems += count?.problems ?? ["\(scenario): did not end"]
          places.formUnion(count?.places ?? [])
          runs += count?.runs ?? 0
          missed += count?.missed ?? 0
        }
        #expect(problems.isEmpty, "\(problems.prefix(20).joined(separator: "\n"))")
        // The order of two tasks varies in rare cases.
        #expect(missed * 20 <= runs, "\(missed) of \(runs) did not reach their point")
        let neverReached = PausePoint.allCases.filter {
          !places.contains($0) && !InterleavingTests.elsewhere.contains($0)
        }
        #expect(neverReached.isEmpty, "never reached: \(neverReached)")
        print(
          "Interleavings: \(places.count) points x \(Operation.allCases.count) operations in \(scenarios.count) cases = \(runs) runs,",
          "\(missed) missed their point")
      }
    }

    /// Points that other tests reach: waits that are given up, comparisons of arguments, and concurrent closings.
    private static let elsewhere: Set<PausePoint> = [.gaveUp, .argumentsCompared, .postponing]
  }

  /// One run: an operation is paused at a point, another one runs, and the first continues.
  final class Run: Sendable {
    typealias Operation = InterleavingTests.Operation
    typealias Place = InterleavingTests.Place

    /// The state guarded by the lock.
    private struct State {
      /// The number of times that the first operation has reached each point.
      var counts: [PausePoint: Int] = [:]
      /// The points, in the order in which they were reached.
      var reached: [Place] = []
      /// Whether the first operation is paused, or was.
      var isStopped = false
      /// Whether it is paused on the main actor.
      var isOnMainActor = false
      /// Whether it may continue.
      var isReleased = false
      /// Whether the first operation has ended.
      var firstHasEnded = false
      /// Whether the second operation has ended.
      var secondHasEnded = false
      /// Whether the second operation waits for another caller's build.
      var secondWaits = false
      /// Whether the bystander, the build beside the first operation, may end.
      var mayBuild = false
      /// Whether the builder of the bystander was called.
      var isBuilding = false
    }

    /// The scenario.
    private let scenario: InterleavingTests.Scenario
    /// The point at which the first operation is paused, or `nil` for none.
    private let place: Place?
    /// The operation that runs during the pause.
    private let second: Operation?
    /// The guarded state.
    private let state = Locked(State())
    /// Opened when `mayBuild` is set.
    private let gate = Gate()

    /// Creates a run.
    init(_ scenario: InterleavingTests.Scenario, stopAt place: Place?, second: Operation?) {
      self.scenario = scenario
      self.place = place
      self.second = second
    }

    /// The points that the first operation has reached.
    var reached: [Place] { state.withLock { $0.reached } }
    /// Whether the first operation has reached its pause point.
    var wasStopped: Bool { state.withLock { $0.isStopped } }

    /// Performs the run and waits for its end on this thread, and so needs no thread of the cooperative pool itself.
    ///
    /// - Returns: The problems found.
    func problems() throws -> [String] {
      let world = try World(scenario.form, scenario.source, scenario.kind, isInChild: scenario.isInChild) { [state] in
        // Pauses only the bystander.
        guard Run.isBystander else { return }
        state.withLock { $0.isBuilding = true }
        _ = state.wait(seconds: 150) { $0.mayBuild }
      } onAwait: { [state, gate] in
        guard Run.isBystander else { return }
        state.withLock { $0.isBuilding = true }
        await gate.pass()
      }
      var bystander: Ending?
      switch scenario.stage {
      case .unbuilt: break
      case .failing: world.ledger.failNext(1)
      case .built: begin(.lookAsync) { [self] in _ = await find($0, world, by: "the look-up before") }.wait()
      case .building:
        let operation = world.form == .sync ? Operation.look : .lookAsync
        bystander = Run.$isBystander.withValue(true) {
          begin(operation) { [self] in
            // The outcome is not checked, since the operations under test can cancel this look-up or make it fail.
            _ = await find($0, world, by: "the bystander")
          } onThread: { [self] in
            _ = findNow($0, world, by: "the bystander")
          }
        }
        wait { $0.isBuilding }
      }
      let first = PausePoint.$hook.withValue({ [self] in stop(at: $0) }) {
        begin(scenario.first, world, by: "the first") { [state] in state.withLock { $0.firstHasEnded = true } }
      }
      if scenario.stage == .building {
        // If the first operation waits for the bystander before it reaches its point, the bystander has to continue.
        let isLastBeforeWait = place?.point == .suspending
        wait { state in
          state.isStopped || state.firstHasEnded
            || !isLastBeforeWait && state.reached.contains { $0.point == .joined }
        }
        if !state.withLock({ $0.isStopped }) { letBuild() }
      }
      wait { $0.isStopped || $0.firstHasEnded }
      if let second { begin(second, beside: first, world).wait() }
      first.wait()
      bystander?.wait()
      letBuild()
      begin(.lookAsync) { [self] in checkAfterwards(await find($0, world, by: "the last look-up"), world) }.wait()
      if scenario.kind.isDisposable, !closes { world.ledger.checkThatOneIsKept() }
      world.end()
      world.ledger.checkEnd(isDisposable: scenario.kind.isDisposable)
      return world.ledger.problems
    }

    /// Begins the second operation, and resumes the first one when the second has ended or waits for a build.
    private func begin(_ second: Operation, beside first: Ending, _ world: World) -> Ending {
      let ending = PausePoint.$hook.withValue({ [state] point in
        if point == .joined { state.withLock { $0.secondWaits = true } }
      }) {
        if second == .cancel { first.task?.cancel() }
        return begin(second, world, by: "the second") { [state] in state.withLock { $0.secondHasEnded = true } }
      }
      // A look-up that needs the main actor cannot run while a paused operation or the bystander blocks it.
      let isHeldUp =
        scenario.form == .mainActor && second.isLookUp
        && (scenario.stage == .building || state.withLock { $0.isStopped && $0.isOnMainActor })
      if isHeldUp || second == .lookOnMainActor {
        _ = state.wait(seconds: 0.002) { $0.secondHasEnded || $0.secondWaits }
      } else {
        wait { $0.secondHasEnded || $0.secondWaits }
      }
      state.withLock { $0.isReleased = true }
      letBuild()
      return ending
    }

    /// Lets the bystander end.
    private func letBuild() {
      state.withLock { $0.mayBuild = true }
      gate.open()
    }

    /// An operation that has begun.
    private struct Ending {
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
    ) -> Ending {
      let hasEnded = Locked(false)
      if operation.isAsync || operation == .lookOnMainActor {
        let task = Task(priority: .beforeOthers) {
          await inTask(operation)
          hasEnded.withLock { $0 = true }
        }
        return Ending(task: task, hasEnded: hasEnded)
      }
      let (hook, isBystander) = (PausePoint.hook, Run.isBystander)
      Thread.detachNewThread {
        PausePoint.$hook.withValue(hook) { Run.$isBystander.withValue(isBystander) { onThread(operation) } }
        hasEnded.withLock { $0 = true }
      }
      return Ending(task: nil, hasEnded: hasEnded)
    }

    /// Begins an operation, and checks the outcome of a look-up.
    private func begin(
      _ operation: Operation, _ world: World, by name: String, onEnd: @escaping @Sendable () -> Void
    ) -> Ending {
      begin(operation) { [self] in
        check(await find($0, world, by: name), $0, world, name)
        onEnd()
      } onThread: { [self] in
        if $0.isLookUp { check(findNow($0, world, by: name), $0, world, name) } else { perform($0, world) }
        onEnd()
      }
    }

    /// Whether the current code belongs to the bystander.
    @TaskLocal private static var isBystander = false

    /// Called at each pause point that the first operation reaches.
    private func stop(at point: PausePoint) {
      let isOnMainActor = Run.isOnMainQueue
      let isStopped = state.withLock { state in
        state.counts[point, default: 0] += 1
        let place = Place(point: point, occurrence: state.counts[point] ?? 0)
        state.reached.append(place)
        guard place == self.place else { return false }
        state.isOnMainActor = isOnMainActor
        state.isStopped = true
        return true
      }
      guard isStopped else { return }
      if !state.wait(seconds: 150, until: { $0.isReleased }) {
        fatalError(
          "nothing releases \(point) of \(scenario), beside \(second?.rawValue ?? "-"): \(state.withLock { $0 })")
      }
    }

    /// Blocks the thread until the state fulfils a condition.
    private func wait(_ isFulfilled: (State) -> Bool) {
      if !state.wait(seconds: 150, until: isFulfilled) {
        fatalError(
          "nothing happens: \(scenario), at \(place.map { "\($0)" } ?? "no point"), beside \(second?.rawValue ?? "-"): \(state.withLock { $0 })"
        )
      }
    }

    /// Looks up asynchronously, or synchronously on the main actor.
    private func find(_ operation: Operation, _ world: World, by name: String) async -> World.Outcome {
      if operation == .lookOnMainActor { return await MainActor.run { world.look(forUser: false, by: name) } }
      return await world.lookAsync(forUser: operation == .lookForUserAsync, by: name)
    }

    /// Looks up synchronously on this thread.
    private func findNow(_ operation: Operation, _ world: World, by name: String) -> World.Outcome {
      world.look(forUser: operation == .lookForUser, by: name)
    }

    /// Performs an operation that is not a look-up.
    private func perform(_ operation: Operation, _ world: World) {
      switch operation {
      case .dispose: world.container.dispose()
      case .reset:
        world.parent.reset()
        world.container.reset()
      case .register:
        // In a disposed container, `register` would stop the program.
        if !endsHome { world.register(generation: 1) }
      case .closeScope: world.scope.close()
      case .disposeParent: world.parent.dispose()
      case .openScope:
        let scope = try? world.container.openScope("request")
        _ = try? scope?.resolve(Leaf.self)
        scope?.close()
      default: break
      }
    }

    /// The operations of the run.
    private var operations: [Operation] { [scenario.first] + (second.map { [$0] } ?? []) }
    /// Whether the run disposes of the container in which the service is registered.
    private var endsHome: Bool {
      operations.contains(.disposeParent) || (scenario.isInChild && operations.contains(.dispose))
    }
    /// Whether the run closes something that look-ups need.
    private var closes: Bool {
      operations.contains(.disposeParent) || operations.contains(.dispose) || operations.contains(.closeScope)
    }

    /// Checks the outcome of a look-up.
    private func check(_ outcome: World.Outcome, _ operation: Operation, _ world: World, _ name: String) {
      guard case .failed(let code) = outcome else {
        if case .refused = outcome, scenario.stage != .failing { world.ledger.report("\(name): refused") }
        return
      }
      var allowed: Set<ResolutionError.Code> = closes ? [.closed] : []
      if second == .cancel, name == "the first" { allowed.insert(.cancelled) }
      if scenario.form == .await, !operation.isAsync { allowed.insert(.needsAwait) }
      if scenario.form == .mainActor, operation == .look || operation == .lookForUser {
        allowed.insert(.needsMainActor)
      }
      if !allowed.contains(code) { world.ledger.report("\(name): \(code)") }
    }

    /// Checks a look-up after all operations have ended.
    private func checkAfterwards(_ outcome: World.Outcome, _ world: World) {
      switch outcome {
      case .failed(.closed): if !closes { world.ledger.report("the last look-up: closed") }
      case .instance(_, let generation):
        if closes { world.ledger.report("the last look-up finds what is closed") }
        if operations.contains(.register), generation != 1 {
          world.ledger.report("the last look-up finds what was replaced")
        }
      case .refused:
        // No earlier look-up called the builder, so the failure is left for this one.
        if scenario.stage != .failing { world.ledger.report("the last look-up: refused") }
      case .failed(let code): world.ledger.report("the last look-up: \(code)")
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
