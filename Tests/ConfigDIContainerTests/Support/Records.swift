// SPDX-License-Identifier: Apache-2.0

import _ConfigDITestSupport

/// Entries in the order in which they were noted, from any thread.
final class Journal<Entry: Sendable>: Sendable {
  /// The entries so far.
  private let noted = Locked<[Entry]>([])

  /// The entries so far.
  var entries: [Entry] { noted.withLock { $0 } }

  /// Notes an entry.
  func note(_ entry: Entry) { noted.withLock { $0.append(entry) } }
}

/// Counts the objects that are alive.
final class LiveCount: Sendable {
  /// How many objects there are.
  private let count = Locked(0)

  /// How many objects there are.
  var value: Int { count.withLock { $0 } }

  /// Makes an object that counts until it is released.
  func object() -> Counted { Counted(self) }

  /// Changes the number.
  fileprivate func add(_ number: Int) { count.withLock { $0 += number } }
}

/// An object that counts as long as it lives.
final class Counted: Sendable {
  /// Where it counts.
  private let count: LiveCount

  /// A further object.
  fileprivate init(_ count: LiveCount) {
    self.count = count
    count.add(1)
  }

  deinit { count.add(-1) }
}
