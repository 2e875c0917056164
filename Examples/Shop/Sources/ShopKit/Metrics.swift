// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A set of named counters.
package protocol Metrics: Sendable {
  /// Adds 1 to the counter with a name.
  func count(_ name: String)
  /// The counters by name.
  var counts: [String: Int] { get }
}

/// Counters in memory.
package final class CountingMetrics: Metrics {
  /// The counters; see `counts`.
  private let counted = Mutex<[String: Int]>([:])

  /// Creates an empty set of counters.
  package init() {}

  package func count(_ name: String) { counted.withLock { $0[name, default: 0] += 1 } }
  package var counts: [String: Int] { counted.withLock { $0 } }
}
