// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Synchronization
import Testing
import _ConfigDITestSupport

/// Every kind of service with every kind of look-up, concurrently with every operation that can end its instances.
@Suite struct MatrixTests {
  /// The operation that runs concurrently with the look-ups.
  enum ConcurrentOperation: String, CaseIterable, Sendable {
    case alone, dispose, reset, register
    case closeScope = "closing the scope"
    case disposeParent = "disposing of the parent"
    case cancel = "cancelling"
  }

  /// One combination.
  struct Combination: CustomStringConvertible, Sendable {
    let form: Form
    let source: Source
    let kind: Kind
    let operation: ConcurrentOperation

    var description: String { "\(form.rawValue), \(source), \(kind), \(operation.rawValue)" }

    /// The reason why the combination is not run, or `nil` if it is run.
    var exclusionReason: String? {
      if operation == .cancel, form == .sync {
        return "a look-up that does not await belongs to no task that could be cancelled"
      }
      return nil
    }

    /// The errors of look-ups that the concurrent operation may cause.
    var allowed: Set<ResolutionError.Code> {
      switch operation {
      case .alone, .reset, .register: []
      case .dispose, .closeScope, .disposeParent: [.closed]
      case .cancel: [.cancelled]
      }
    }

    /// All combinations, including those that are not run.
    static var all: [Combination] {
      Form.allCases.flatMap { form in
        Source.allCases.flatMap { source in
          Kind.allCases.flatMap { kind in
            ConcurrentOperation.allCases.map { Combination(form: form, source: source, kind: kind, operation: $0) }
          }
        }
      }
    }
  }

  /// The time for which each combination is repeated, in seconds. Each is run at least once.
  private static let secondsPerCombination = LongTests.isSelected ? 0.3 : 0.004

  /// In each combination, look-ups end with correct instances or documented errors, nothing hangs, and each cached
  /// instance is disposed of once.
  @Test func everyCombination() async throws {
    try await withHighPriority {
      let combinations = Combination.all.filter { $0.exclusionReason == nil }
      var runs = 0
      var problems: [String] = []
      for combination in combinations {
        let end = ContinuousClock.now + .seconds(MatrixTests.secondsPerCombination)
        var round = 0
        repeat {
          let number = round
          let found = try await withAsyncWatchdog { try await MatrixTests.run(combination, round: number) }
          problems += (found ?? ["did not end"]).map { "\(combination), round \(number): \($0)" }
          round += 1
        } while ContinuousClock.now < end && problems.count < 20
        runs += round
      }
      #expect(problems.isEmpty, "\(problems.prefix(20).joined(separator: "\n"))")
      print(
        "Matrix: \(combinations.count) combinations, \(Combination.all.count - combinations.count) excluded, \(runs) runs"
      )
    }
  }

  /// The context of a look-up.
  enum Context: Hashable, Sendable {
    /// A thread.
    case thread
    /// A task, with asynchronous look-ups.
    case task
    /// A task on the main actor, with synchronous look-ups.
    case mainActor
  }

  /// The outcome of a look-up in a context.
  private struct Finding: Sendable {
    let context: Context
    let outcome: ContainerFixture.Outcome
  }

  /// Runs a combination once.
  ///
  /// - Returns: The problems found.
  private static func run(_ combination: Combination, round: Int) async throws -> [String] {
    var random = SeededRandom(seed: UInt64(round))
    let fixture = try ContainerFixture(
      combination.form, combination.source, combination.kind, isInChild: !round.isMultiple(of: 2))
    let log = fixture.log
    let start = StartSignal()
    let contexts: [Context] =
      switch combination.form {
      case .sync: [.thread, .thread, .task]
      case .await: [.task, .task, .thread]
      case .mainActor: [.mainActor, .task, .thread]
      }
    var tasks: [Task<[Finding], Never>] = []
    for (index, context) in contexts.enumerated() {
      let pause = Int.random(in: 0..<400, using: &random)
      let isViaConsumer = Bool.random(using: &random)
      let name = "\(context) \(index)"
      tasks.append(
        Task.detached(priority: .aboveOtherTests) {
          await lookUp(fixture, context, name, viaConsumer: isViaConsumer, after: pause, start)
        })
    }
    let pause = Int.random(in: 0..<1_500, using: &random)
    let cancelled = Int.random(in: 0..<tasks.count, using: &random)
    let isViaConsumer = Bool.random(using: &random)
    let looking = tasks
    await onThread {
      start.send()
      spin(pause)
      switch combination.operation {
      case .alone: break
      case .dispose: fixture.container.dispose()
      case .reset:
        fixture.parent.reset()
        spin(pause / 2)
        fixture.container.reset()
      case .register: fixture.register(generation: 1)
      case .closeScope: fixture.scope.close()
      case .disposeParent: fixture.parent.dispose()
      case .cancel:
        looking[cancelled].cancel()
        spin(pause / 2)
        looking[(cancelled + 1) % looking.count].cancel()
      }
    }
    var findings: [Finding] = []
    for task in tasks { findings += await task.value }
    check(findings, combination, log)
    await checkAfterwards(fixture, combination, viaConsumer: isViaConsumer)
    await onThread { fixture.end() }
    await onThread { log.checkEnd(isDisposable: combination.kind.isDisposable) }
    return log.problems
  }

  /// Looks up the service twice: directly and through a `Consumer`, in random order.
  private static func lookUp(
    _ fixture: ContainerFixture, _ context: Context, _ name: String, viaConsumer isViaConsumer: Bool, after pause: Int,
    _ start: StartSignal
  ) async -> [Finding] {
    var findings: [Finding] = []
    switch context {
    case .thread:
      findings = await onThread {
        start.wait()
        spin(pause)
        return [isViaConsumer, !isViaConsumer].map {
          Finding(context: context, outcome: fixture.lookUp(viaConsumer: $0, by: name))
        }
      }
    case .task:
      await start.waitAsync()
      spin(pause)
      for isViaConsumer in [isViaConsumer, !isViaConsumer] {
        findings.append(
          Finding(context: context, outcome: await fixture.lookUpAsync(viaConsumer: isViaConsumer, by: name)))
      }
    case .mainActor:
      await start.waitAsync()
      findings = await MainActor.run {
        spin(pause)
        return [isViaConsumer, !isViaConsumer].map {
          Finding(context: context, outcome: fixture.lookUp(viaConsumer: $0, by: name))
        }
      }
    }
    return findings
  }

  /// Checks the outcomes of the look-ups.
  private static func check(_ findings: [Finding], _ combination: Combination, _ log: InstanceLog) {
    for finding in findings {
      switch finding.outcome {
      case .instance: break
      case .builderFailed: log.report("a builder has failed")
      case .failed(let code):
        var allowed = combination.allowed
        if finding.context == .thread, combination.form == .await { allowed.insert(.needsAwait) }
        if finding.context == .thread, combination.form == .mainActor { allowed.insert(.needsMainActor) }
        if !allowed.contains(code) { log.report("\(finding.context): \(code)") }
      }
    }
    // Without a concurrent change, a cached service has one instance, and another service a new one for each look-up.
    guard combination.operation == .alone || combination.operation == .cancel else { return }
    let found = findings.compactMap { if case .instance(let number, _) = $0.outcome { number } else { nil } }
    if combination.operation == .alone, combination.kind.isDisposable, log.built != 1 {
      log.report("built \(log.built) times")
    }
    if combination.operation == .alone, combination.kind.isDisposable, Set(found).count != 1 {
      log.report("found \(found)")
    }
    if !combination.kind.isDisposable, combination.kind != .weak, Set(found).count != found.count {
      log.report("found \(found)")
    }
  }

  /// Checks a look-up after all concurrent operations have ended.
  private static func checkAfterwards(
    _ fixture: ContainerFixture, _ combination: Combination, viaConsumer isViaConsumer: Bool
  ) async {
    let log = fixture.log
    let last = await fixture.lookUpAsync(viaConsumer: isViaConsumer, by: "the last look-up")
    switch (last, combination.operation) {
    case (.failed(.closed), .dispose), (.failed(.closed), .closeScope), (.failed(.closed), .disposeParent): break
    case (.instance, .alone), (.instance, .reset), (.instance, .cancel): break
    case (.instance(_, generation: 1), .register): break
    default: log.report("the last look-up: \(last)")
    }
    // At most one instance is cached.
    guard combination.kind.isDisposable, combination.operation != .closeScope else { return }
    await onThread { log.checkThatOneIsCached() }
  }
}

/// Runs a body on a new thread while the task is suspended.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: body()) }
  }
}

/// Keeps the thread busy for a time proportional to `count`.
func spin(_ count: Int) {
  let word = Atomic(0)
  for _ in 0..<count { word.add(1, ordering: .relaxed) }
}

/// Starts threads and tasks at the same moment, by busy waiting, so that none has to be woken.
final class StartSignal: Sendable {
  /// Whether they may start.
  private let isOpen = Atomic(false)

  /// Starts the waiting threads and tasks.
  func send() { isOpen.store(true, ordering: .releasing) }

  /// Keeps the thread busy until `send` is called.
  func wait() {
    while !isOpen.load(ordering: .acquiring) { sched_yield() }
  }

  /// Keeps the task busy until `send` is called.
  func waitAsync() async {
    while !isOpen.load(ordering: .acquiring) { await Task.yield() }
  }
}
