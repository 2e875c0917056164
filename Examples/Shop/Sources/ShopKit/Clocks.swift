// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Synchronization

/// Tells what time it is.
package protocol ShopClock: Sendable {
  /// The time now.
  func now() -> Date
}

/// The clock of the machine.
package struct SystemClock: ShopClock {
  package func now() -> Date { Date() }
}

/// A clock that starts at a given time and goes on by a fixed step each time that it is read.
package final class FixedClock: ShopClock {
  /// What the next reading gives.
  private let next: Mutex<Date>
  /// What is added after each reading, in seconds.
  private let step: TimeInterval

  /// A clock that starts at a time such as `2026-01-15T09:00:00Z`.
  ///
  /// - Throws: An error of `Foundation` where the text is no time in ISO 8601.
  package init(start: String, step: Duration) throws {
    next = Mutex(try Date(start, strategy: .iso8601))
    self.step = step / .seconds(1)
  }

  package func now() -> Date {
    next.withLock { next in
      defer { next += step }
      return next
    }
  }
}
