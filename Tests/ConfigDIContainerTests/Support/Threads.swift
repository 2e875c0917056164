// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs a body on threads of their own, lets them begin at once, and waits until all are done.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
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
final class Gate: Sendable {
  /// What the lock guards.
  private struct State {
    /// Whether the gate is open.
    var isOpen = false
    /// The tasks that wait.
    var tasks: [CheckedContinuation<Void, Never>] = []
  }

  /// See `State`.
  private let state = Guarded(State())
  /// Signalled once for each thread that passes.
  private let semaphore = DispatchSemaphore(value: 0)

  /// Whether the gate is open.
  var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Opens the gate for good.
  func open() {
    let tasks = state.withLock { state in
      state.isOpen = true
      defer { state.tasks = [] }
      return state.tasks
    }
    semaphore.signal()
    for task in tasks { task.resume() }
  }

  /// Blocks the thread until the gate is open, or the time is over.
  ///
  /// - Returns: whether the gate is open.
  @discardableResult
  func wait(seconds: Double = 240) -> Bool {
    guard semaphore.wait(timeout: .now() + seconds) == .success else { return isOpen }
    // For the next one.
    semaphore.signal()
    return true
  }

  /// Suspends the task until the gate is open.
  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.tasks.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

/// A place at which some threads or tasks wait for one another, each once.
final class Meeting: Sendable {
  /// How many are still missing.
  private let missing: Guarded<Int>
  /// Opened by the last of them.
  private let gate = Gate()

  /// A meeting of the given number of threads or tasks.
  init(of count: Int) { missing = Guarded(count) }

  /// Waits for the others, but not for long where they do not come.
  func attend(seconds: Double = 10) {
    arrive()
    gate.wait(seconds: seconds)
  }

  /// Waits for the others.
  func attendAsync() async {
    arrive()
    await gate.pass()
  }

  /// Notes that one has come.
  private func arrive() {
    let isLast = missing.withLock { missing in
      missing -= 1
      return missing == 0
    }
    if isLast { gate.open() }
  }
}
