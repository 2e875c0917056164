// SPDX-License-Identifier: Apache-2.0

@testable import ConfigDI

/// Counts from 1, on any thread.
final class Tally: Sendable {
  /// The number so far.
  private let number = Guarded(0)

  /// How often `next` was called.
  var count: Int { number.withLock { $0 } }

  /// The next number.
  func next() -> Int {
    number.withLock {
      $0 += 1
      return $0
    }
  }
}
