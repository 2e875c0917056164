// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// A generator of unique ids.
package protocol IDs: Sendable {
  /// Returns an id that was not returned before.
  func next() -> String
}

/// A generator of consecutive ids: `order-1`, `order-2`, ... It starts again when the program is restarted.
package final class CountingIDs: IDs {
  /// The text in front of each number.
  private let prefix: String
  /// The next number.
  private let number: Atomic<Int>

  /// Creates a generator that starts at a number.
  package init(prefix: String, first: Int) {
    self.prefix = prefix
    number = Atomic(first)
  }

  package func next() -> String {
    "\(prefix)-\(number.wrappingAdd(1, ordering: .relaxed).oldValue)"
  }
}

/// A generator of ids from the time in milliseconds, which differ from those of earlier runs: `order-1768467600000`.
package final class ClockIDs: IDs {
  /// The text in front of each number.
  private let prefix: String
  /// The source of the current time.
  private let clock: any ShopClock
  /// The last number that was used.
  private let last = Mutex(0)

  /// Creates a generator with a clock.
  package init(prefix: String, clock: any ShopClock) {
    self.prefix = prefix
    self.clock = clock
  }

  package func next() -> String {
    let now = Int(clock.now().timeIntervalSince1970 * 1_000)
    let number = last.withLock { last in
      last = max(now, last + 1)
      return last
    }
    return "\(prefix)-\(number)"
  }
}
