// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A source of the current time.
package protocol NoteClock: Sendable {
  /// Returns the current time.
  func now() -> Date
}

/// The clock of the operating system.
package struct SystemClock: NoteClock {
  package func now() -> Date { Date() }
}

/// A clock that always returns the same time, for tests.
package struct FixedClock: NoteClock {
  /// The time that the clock returns.
  private let time: Date

  /// Creates a clock from a time such as `2026-01-15T09:00:00Z`.
  package init(time: String) throws { self.time = try Date(time, strategy: .iso8601) }

  package func now() -> Date { time }
}
