// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs a body on several new threads, starts them at the same moment, and waits until all have ended.
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

/// A gate at which threads and tasks wait until it is opened.
package final class Gate: Sendable {
  /// The state guarded by the lock.
  private struct State {
    /// Whether the gate is open.
    var isOpen = false
    /// The suspended tasks.
    var tasks: [CheckedContinuation<Void, Never>] = []
  }

  /// The guarded state.
  private let state = Locked(State())

  /// Creates a closed gate.
  package init() {}

  /// Whether the gate is open.
  package var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Opens the gate permanently.
  package func open() {
    let tasks = state.withLock { state in
      state.isOpen = true
      defer { state.tasks = [] }
      return state.tasks
    }
    for task in tasks { task.resume() }
  }

  /// Blocks the thread until the gate is open or the timeout expires.
  ///
  /// - Returns: Whether the gate is open.
  @discardableResult
  package func wait(seconds: Double = 240) -> Bool { state.wait(seconds: seconds) { $0.isOpen } }

  /// Suspends the task until the gate is open.
  package func waitAsync() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.tasks.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

/// A thread-safe counter that starts at 0.
package final class AtomicCounter: Sendable {
  /// The current count.
  private let number = Locked(0)

  /// Creates a counter.
  package init() {}

  /// The number of calls of `next` so far.
  package var count: Int { number.withLock { $0 } }

  /// Increments the count and returns it; the first result is 1.
  @discardableResult
  package func next() -> Int {
    number.withLock {
      $0 += 1
      return $0
    }
  }
}
