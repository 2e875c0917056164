// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Makes ids that no two things share.
package protocol IDs: Sendable {
  /// An id that was not given before.
  func next() -> String
}

/// Ids that count: `order-1`, `order-2`, ... They begin anew with the program.
package final class CountingIDs: IDs {
  /// Stands in front of each number.
  private let prefix: String
  /// The next number.
  private let number: Atomic<Int>

  /// Ids from a first number on.
  package init(prefix: String, first: Int) {
    self.prefix = prefix
    number = Atomic(first)
  }

  package func next() -> String {
    "\(prefix)-\(number.wrappingAdd(1, ordering: .relaxed).oldValue)"
  }
}

/// Ids of the time in milliseconds, which differ from those of earlier runs: `order-1768467600000`.
package final class ClockIDs: IDs {
  /// Stands in front of each number.
  private let prefix: String
  /// Gives the time.
  private let clock: any ShopClock
  /// The last number that was given.
  private let last = Mutex(0)

  /// Ids by a clock.
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
