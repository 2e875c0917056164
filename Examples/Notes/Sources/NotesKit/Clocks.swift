// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Tells what time it is.
package protocol NoteClock: Sendable {
  /// The time now.
  func now() -> Date
}

/// The clock of the machine.
package struct SystemClock: NoteClock {
  package func now() -> Date { Date() }
}

/// A clock that stands still: for tests.
package struct FixedClock: NoteClock {
  /// The time.
  private let time: Date

  /// A clock that stands at a time such as `2026-01-15T09:00:00Z`.
  package init(time: String) throws { self.time = try Date(time, strategy: .iso8601) }

  package func now() -> Date { time }
}
