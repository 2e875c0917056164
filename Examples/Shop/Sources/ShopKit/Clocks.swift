// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Synchronization

/// A source of the current time.
package protocol ShopClock: Sendable {
  /// Returns the current time.
  func now() -> Date
}

/// The clock of the operating system.
package struct SystemClock: ShopClock {
  package func now() -> Date { Date() }
}

/// A clock that starts at a given time and advances by a fixed step after each reading.
package final class FixedClock: ShopClock {
  /// The time that the next reading returns.
  private let next: Mutex<Date>
  /// The time added after each reading, in seconds.
  private let step: TimeInterval

  /// Creates a clock from a start time such as `2026-01-15T09:00:00Z`.
  ///
  /// - Throws: An error of Foundation if the text is not a time in ISO 8601.
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
