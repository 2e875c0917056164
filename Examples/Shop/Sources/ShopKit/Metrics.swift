// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Counts what happens.
package protocol Metrics: Sendable {
  /// Counts one more of a thing.
  func count(_ name: String)
  /// The counts so far, by name.
  var counts: [String: Int] { get }
}

/// Counts in memory.
package final class CountingMetrics: Metrics {
  /// The counts so far.
  private let counted = Mutex<[String: Int]>([:])

  /// Metrics without a count.
  package init() {}

  package func count(_ name: String) { counted.withLock { $0[name, default: 0] += 1 } }
  package var counts: [String: Int] { counted.withLock { $0 } }
}
