// SPDX-License-Identifier: Apache-2.0

import _ConfigDITestSupport

/// A barrier at which a number of threads or tasks wait for one another once.
final class Barrier: Sendable {
  /// The number of threads and tasks that have not arrived.
  private let missing: Locked<Int>
  /// Opened when the last one arrives.
  private let gate = Gate()

  /// Creates a barrier for the given number of threads or tasks.
  init(count: Int) { missing = Locked(count) }

  /// Blocks the thread until all have arrived or the timeout expires.
  func wait(seconds: Double = 10) {
    arrive()
    gate.wait(seconds: seconds)
  }

  /// Suspends the task until all have arrived, without a timeout.
  func waitAsync() async {
    arrive()
    await gate.waitAsync()
  }

  /// Records an arrival, and opens the gate after the last one.
  private func arrive() {
    let isLast = missing.withLock { missing in
      missing -= 1
      return missing == 0
    }
    if isLast { gate.open() }
  }
}
