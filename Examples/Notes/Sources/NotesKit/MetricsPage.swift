// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import Synchronization

/// Keeps all metrics in memory, as a page in the format of Prometheus.
///
/// A small one, so that the example needs no further package: an application takes swift-prometheus or swift-otel.
package struct MetricsPage: MetricsFactory {
  /// The values by their names with dimensions.
  private final class Values: Sendable {
    let state = Mutex<[String: Double]>([:])
  }

  /// The values.
  private let values = Values()

  package init() {}

  /// The page: a line for each value, in the order of their names.
  package var text: String {
    values.state.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
  }

  package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    Entry(values, label, dimensions)
  }

  package func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    Entry(values, label, dimensions)
  }

  package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    Entry(values, label, dimensions)
  }

  package func destroyCounter(_ handler: any CounterHandler) {}
  package func destroyRecorder(_ handler: any RecorderHandler) {}
  package func destroyTimer(_ handler: any TimerHandler) {}

  /// A metric of the page.
  private final class Entry: CounterHandler, RecorderHandler, TimerHandler {
    /// The values of the page.
    private let values: Values
    /// The name.
    private let label: String
    /// The dimensions, with braces; empty where there are none.
    private let dimensions: String

    init(_ values: Values, _ label: String, _ dimensions: [(String, String)]) {
      self.values = values
      self.label = label
      let parts = dimensions.map { "\($0)=\"\($1)\"" }
      self.dimensions = parts.isEmpty ? "" : "{\(parts.joined(separator: ","))}"
    }

    /// Adds to a value.
    private func add(_ amount: Double, to name: String) {
      values.state.withLock { $0[name, default: 0] += amount }
    }

    func increment(by amount: Int64) { add(Double(amount), to: "\(label)_total\(dimensions)") }
    func reset() {}
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
      add(1, to: "\(label)_count\(dimensions)")
      add(value, to: "\(label)_sum\(dimensions)")
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
  }
}
