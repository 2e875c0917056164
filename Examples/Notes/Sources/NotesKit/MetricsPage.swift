// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import Synchronization

/// A metrics backend that keeps all values in memory and prints them in the text format of Prometheus.
///
/// It is minimal, so that the example needs no further package. A real application uses swift-prometheus or swift-otel.
package struct MetricsPage: MetricsFactory {
  /// The values by name and dimensions, shared by all metrics.
  private final class Values: Sendable {
    let state = Mutex<[String: Double]>([:])
  }

  /// The values of all metrics.
  private let values = Values()

  package init() {}

  /// All values in the Prometheus text format: one line for each value, sorted by name.
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

  /// The handler of one metric.
  private final class Entry: CounterHandler, RecorderHandler, TimerHandler {
    /// The values of all metrics.
    private let values: Values
    /// The name of the metric.
    private let label: String
    /// The dimensions in braces; empty if the metric has none.
    private let dimensions: String

    init(_ values: Values, _ label: String, _ dimensions: [(String, String)]) {
      self.values = values
      self.label = label
      let parts = dimensions.map { "\($0)=\"\($1)\"" }
      self.dimensions = parts.isEmpty ? "" : "{\(parts.joined(separator: ","))}"
    }

    /// Adds an amount to a value. A missing value starts at 0.
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
