// SPDX-License-Identifier: Apache-2.0

import _ConfigDITestSupport

/// A thread-safe list of entries.
final class Journal<Entry: Sendable>: Sendable {
  /// The guarded list.
  private let noted = Locked<[Entry]>([])

  /// The entries so far, in order.
  var entries: [Entry] { noted.withLock { $0 } }

  /// Appends an entry.
  func note(_ entry: Entry) { noted.withLock { $0.append(entry) } }
}

/// Counts live objects.
final class LiveCount: Sendable {
  /// The guarded count.
  private let count = Locked(0)

  /// The number of live objects.
  var value: Int { count.withLock { $0 } }

  /// Creates an object that is counted until it is released.
  func object() -> Counted { Counted(self) }

  /// Adds a number to the count.
  fileprivate func add(_ number: Int) { count.withLock { $0 += number } }
}

/// An object that is counted as long as it lives.
final class Counted: Sendable {
  /// The counter.
  private let count: LiveCount

  /// Creates an object and increments the count.
  fileprivate init(_ count: LiveCount) {
    self.count = count
    count.add(1)
  }

  deinit { count.add(-1) }
}
