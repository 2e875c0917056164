// SPDX-License-Identifier: Apache-2.0

import _ConfigDITestSupport

/// A place at which some threads or tasks wait for one another, each once.
final class Meeting: Sendable {
  /// How many are still missing.
  private let missing: Locked<Int>
  /// Opened by the last of them.
  private let gate = Gate()

  /// A meeting of the given number of threads or tasks.
  init(of count: Int) { missing = Locked(count) }

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
