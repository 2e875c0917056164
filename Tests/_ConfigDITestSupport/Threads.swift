// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs a body on threads of their own, lets them begin at once, and waits until all are done.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let start = Gate()
  let group = DispatchGroup()
  for index in 0..<count {
    group.enter()
    Thread.detachNewThread {
      start.wait()
      body(index)
      group.leave()
    }
  }
  start.open()
  group.wait()
}

/// Lets threads and tasks through once it is open.
package final class Gate: Sendable {
  /// What the lock guards.
  private struct State {
    /// Whether the gate is open.
    var isOpen = false
    /// The tasks that wait.
    var tasks: [CheckedContinuation<Void, Never>] = []
  }

  /// See `State`.
  private let state = Locked(State())

  /// A closed gate.
  package init() {}

  /// Whether the gate is open.
  package var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Opens the gate for good.
  package func open() {
    let tasks = state.withLock { state in
      state.isOpen = true
      defer { state.tasks = [] }
      return state.tasks
    }
    for task in tasks { task.resume() }
  }

  /// Blocks the thread until the gate is open, or the time is over.
  ///
  /// - Returns: whether the gate is open.
  @discardableResult
  package func wait(seconds: Double = 240) -> Bool { state.wait(seconds: seconds) { $0.isOpen } }

  /// Suspends the task until the gate is open.
  package func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.tasks.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

/// Counts from 1, on any thread.
package final class Tally: Sendable {
  /// The number so far.
  private let number = Locked(0)

  /// A count that begins.
  package init() {}

  /// How often `next` was called.
  package var count: Int { number.withLock { $0 } }

  /// The next number.
  @discardableResult
  package func next() -> Int {
    number.withLock {
      $0 += 1
      return $0
    }
  }
}
