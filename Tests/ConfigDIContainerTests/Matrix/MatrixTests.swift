// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Synchronization
import Testing
import _ConfigDITestSupport

/// Every kind of service with every kind of look-up, concurrently with every operation that can end its instances.
@Suite struct MatrixTests {
  /// The operation that runs concurrently with the look-ups.
  enum Company: String, CaseIterable, Sendable {
    case alone, dispose, reset, register
    case closeScope = "closing the scope"
    case disposeParent = "disposing of the parent"
    case cancel = "cancelling"
  }

  /// One combination.
  struct Cell: CustomStringConvertible, Sendable {
    let form: Form
    let source: Source
    let kind: Kind
    let company: Company

    var description: String { "\(form.rawValue), \(source), \(kind), \(company.rawValue)" }

    /// The reason why the combination is not run, or `nil` if it is run.
    var reasonToLeaveOut: String? {
      if company == .cancel, form == .sync {
        return "a look-up that does not await belongs to no task that could be cancelled"
      }
      return nil
    }

    /// The errors of look-ups that the concurrent operation may cause.
    var allowed: Set<ResolutionError.Code> {
      switch company {
      case .alone, .reset, .register: []
      case .dispose, .closeScope, .disposeParent: [.closed]
      case .cancel: [.cancelled]
      }
    }

    /// All combinations, including those that are not run.
    static var all: [Cell] {
      Form.allCases.flatMap { form in
        Source.allCases.flatMap { source in
          Kind.allCases.flatMap { kind in
            Company.allCases.map { Cell(form: form, source: source, kind: kind, company: $0) }
          }
        }
      }
    }
  }

  /// The time for which each combination is repeated, in seconds. Each is run at least once.
  private static let secondsPerCell = LongTests.isSelected ? 0.3 : 0.015

  /// In each combination, look-ups end with correct instances or documented errors, nothing hangs, and each cached
  /// instance is disposed of once.
  @Test func everyCombination() async throws {
    try await aheadOfOthers {
      let cells = Cell.all.filter { $0.reasonToLeaveOut == nil }
      var runs = 0
      var problems: [String] = []
      for cell in cells {
        let end = ContinuousClock.now + .seconds(MatrixTests.secondsPerCell)
        var round = 0
        repeat {
          let number = round
          let found = try await withAsyncWatchdog { try await MatrixTests.run(cell, round: number) }
          problems += (found ?? ["did not end"]).map { "\(cell), round \(number): \($0)" }
          round += 1
        } while ContinuousClock.now < end && problems.count < 20
        runs += round
      }
      #expect(problems.isEmpty, "\(problems.prefix(20).joined(separator: "\n"))")
      print("Matrix: \(cells.count) cells, \(Cell.all.count - cells.count) left out, \(runs) runs")
    }
  }

  /// The context of a look-up.
  enum Looker: Hashable, Sendable {
    /// A thread.
    case thread
    /// A task, with asynchronous look-ups.
    case task
    /// A task on the main actor, with synchronous look-ups.
    case mainActor
  }

  /// The outcome of a look-up in a context.
  private struct Finding: Sendable {
    let looker: Looker
    let outcome: World.Outcome
  }

  /// Runs a combination once.
  ///
  /// - Returns: The problems found.
  private static func run(_ cell: Cell, round: Int) async throws -> [String] {
    var random = SeededRandom(seed: UInt64(round))
    let world = try World(cell.form, cell.source, cell.kind, isInChild: !round.isMultiple(of: 2))
    let ledger = world.ledger
    let start = StartingLine()
    let lookers: [Looker] =
      switch cell.form {
      case .sync: [.thread, .thread, .task]
      case .await: [.task, .task, .thread]
      case .mainActor: [.mainActor, .task, .thread]
      }
    var tasks: [Task<[Finding], Never>] = []
    for (index, looker) in lookers.enumerated() {
      let pause = Int.random(in: 0..<400, using: &random)
      let isForUser = Bool.random(using: &random)
      let name = "\(looker) \(index)"
      tasks.append(
        Task.detached(priority: .beforeOthers) {
          await look(world, looker, name, forUser: isForUser, after: pause, start)
        })
    }
    let pause = Int.random(in: 0..<1_500, using: &random)
    let cancelled = Int.random(in: 0..<tasks.count, using: &random)
    let isForUser = Bool.random(using: &random)
    let looking = tasks
    await onThread {
      start.go()
      spin(pause)
      switch cell.company {
      case .alone: break
      case .dispose: world.container.dispose()
      case .reset:
        world.parent.reset()
        spin(pause / 2)
        world.container.reset()
      case .register: world.register(generation: 1)
      case .closeScope: world.scope.close()
      case .disposeParent: world.parent.dispose()
      case .cancel:
        looking[cancelled].cancel()
        spin(pause / 2)
        looking[(cancelled + 1) % looking.count].cancel()
      }
    }
    var findings: [Finding] = []
    for task in tasks { findings += await task.value }
    check(findings, cell, ledger)
    await checkAfterwards(world, cell, forUser: isForUser)
    await onThread { world.end() }
    await onThread { ledger.checkEnd(isDisposable: cell.kind.isDisposable) }
    return ledger.problems
  }

  /// Looks up the service twice: directly and through a `User`, in random order.
  private static func look(
    _ world: World, _ looker: Looker, _ name: String, forUser isForUser: Bool, after pause: Int, _ start: StartingLine
  ) async -> [Finding] {
    var findings: [Finding] = []
    switch looker {
    case .thread:
      findings = await onThread {
        start.wait()
        spin(pause)
        return [isForUser, !isForUser].map { Finding(looker: looker, outcome: world.look(forUser: $0, by: name)) }
      }
    case .task:
      await start.pass()
      spin(pause)
      for isForUser in [isForUser, !isForUser] {
        findings.append(Finding(looker: looker, outcome: await world.lookAsync(forUser: isForUser, by: name)))
      }
    case .mainActor:
      await start.pass()
      findings = await MainActor.run {
        spin(pause)
        return [isForUser, !isForUser].map { Finding(looker: looker, outcome: world.look(forUser: $0, by: name)) }
      }
    }
    return findings
  }

  /// Checks the outcomes of the look-ups.
  private static func check(_ findings: [Finding], _ cell: Cell, _ ledger: Ledger) {
    for finding in findings {
      switch finding.outcome {
      case .instance: break
      case .refused: ledger.report("a builder has failed")
      case .failed(let code):
        var allowed = cell.allowed
        if finding.looker == .thread, cell.form == .await { allowed.insert(.needsAwait) }
        if finding.looker == .thread, cell.form == .mainActor { allowed.insert(.needsMainActor) }
        if !allowed.contains(code) { ledger.report("\(finding.looker): \(code)") }
      }
    }
    // Without a concurrent change, a cached service has one instance, and another service a new one for each look-up.
    guard cell.company == .alone || cell.company == .cancel else { return }
    let found = findings.compactMap { if case .instance(let number, _) = $0.outcome { number } else { nil } }
    if cell.company == .alone, cell.kind.isDisposable, ledger.built != 1 {
      ledger.report("built \(ledger.built) times")
    }
    if cell.company == .alone, cell.kind.isDisposable, Set(found).count != 1 { ledger.report("found \(found)") }
    if !cell.kind.isDisposable, cell.kind != .weak, Set(found).count != found.count { ledger.report("found \(found)") }
  }

  /// Checks a look-up after all concurrent operations have ended.
  private static func checkAfterwards(_ world: World, _ cell: Cell, forUser isForUser: Bool) async {
    let ledger = world.ledger
    let last = await world.lookAsync(forUser: isForUser, by: "the last look-up")
    switch (last, cell.company) {
    case (.failed(.closed), .dispose), (.failed(.closed), .closeScope), (.failed(.closed), .disposeParent): break
    case (.instance, .alone), (.instance, .reset), (.instance, .cancel): break
    case (.instance(_, generation: 1), .register): break
    default: ledger.report("the last look-up: \(last)")
    }
    // At most one instance is cached.
    guard cell.kind.isDisposable, cell.company != .closeScope else { return }
    await onThread { ledger.checkThatOneIsKept() }
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
final class StartingLine: Sendable {
  /// Whether they may start.
  private let isOpen = Atomic(false)

  /// Starts the waiting threads and tasks.
  func go() { isOpen.store(true, ordering: .releasing) }

  /// Keeps the thread busy until `go` is called.
  func wait() {
    while !isOpen.load(ordering: .acquiring) { sched_yield() }
  }

  /// Keeps the task busy until `go` is called.
  func pass() async {
    while !isOpen.load(ordering: .acquiring) { await Task.yield() }
  }
}
