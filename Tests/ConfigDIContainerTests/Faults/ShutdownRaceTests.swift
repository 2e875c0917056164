// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Testing
import _ConfigDITestSupport

/// A shutdown beside look-ups, cancellations, resets and registrations.
@Suite struct ShutdownRaceTests {
  /// A service that is closed with `await`.
  final class Session: AsyncDisposable {
    let counts: Locked<Counts>
    init(_ counts: Locked<Counts>) { self.counts = counts }
    func disposeAsync() async { await Task.yield() }
  }

  /// The numbers of builder calls and of disposals.
  struct Counts: Equatable {
    var begun = 0
    var ended = 0
    var disposed = 0
  }

  private static func register(in container: Container, isAsync: Bool, pause: Int, _ counts: Locked<Counts>) {
    let onDispose: @Sendable (Session) -> Void = { $0.counts.withLock { $0.disposed += 1 } }
    if isAsync {
      container.register(onDispose: onDispose) { () async -> Session in
        counts.withLock { $0.begun += 1 }
        for _ in 0..<pause { await Task.yield() }
        counts.withLock { $0.ended += 1 }
        return Session(counts)
      }
    } else {
      container.register(onDispose: onDispose) {
        counts.withLock { $0.begun += 1 }
        for _ in 0..<pause { sched_yield() }
        counts.withLock { $0.ended += 1 }
        return Session(counts)
      }
    }
  }

  @Test(.hangLimit, arguments: [false, true])
  func `when a shutdown returns, all builders have ended, and their instances are disposed of`(
    isAsync: Bool
  ) async throws {
    var remaining: [Counts] = []
    for round in 0..<LongTests.size(100, full: 20_000) {
      let container = Container()
      let counts = Locked(Counts())
      let pause = round % 7 * 3
      Self.register(in: container, isAsync: isAsync, pause: pause, counts)
      let lookUps = (0..<3).map { _ in Task { _ = try await container.resolveAsync(Session.self) } }
      let change = Task {
        for _ in 0..<round % 11 { await Task.yield() }
        switch round % 3 {
        case 0: for lookUp in lookUps { lookUp.cancel() }
        case 1: container.reset()
        default: Self.register(in: container, isAsync: isAsync, pause: pause, counts)
        }
      }
      // A shutdown does not wait for a reset. To register in a container that was shut down would stop the program.
      if round % 3 != 0 { await change.value }
      for _ in 0..<round % 13 { await Task.yield() }
      try await container.shutdown()
      let atEnd = counts.withLock { $0 }
      if atEnd.begun != atEnd.ended || atEnd.disposed != atEnd.ended { remaining.append(atEnd) }
      await change.value
      for lookUp in lookUps { _ = await lookUp.result }
      #expect(counts.withLock { $0 } == atEnd)
    }
    #expect(remaining == [])
  }
}
