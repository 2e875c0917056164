// SPDX-License-Identifier: Apache-2.0

#if Metrics
  public import ConfigDI
  public import CoreMetrics

  /// An observer that records metrics of the builds and failed look-ups of a container.
  ///
  /// | metric | kind | dimensions |
  /// |---|---|---|
  /// | `configdi_build_duration` | timer | `service`: the id; `decorator`: the type name, empty for the service itself |
  /// | `configdi_build_failures` | counter | the same |
  /// | `configdi_lookup_failures` | counter | `reason`: the code of the error, such as `notRegistered` |
  ///
  /// A build that is cancelled with its task is neither measured nor counted as a failure.
  ///
  /// ```swift
  /// let container = try Container(module: "Configs/app.json", registry: registry, observers: [MetricsObserver()])
  /// ```
  public struct MetricsObserver: ContainerObserver {
    /// The prefix of all metric names.
    private let prefix: String
    /// The factory of the metrics.
    private let factory: any MetricsFactory

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of all metric names.
    ///   - factory: The factory of the metrics; `nil`: the current factory of the process.
    public init(prefix: String = "configdi_", factory: (any MetricsFactory)? = nil) {
      self.prefix = prefix
      self.factory = factory ?? MetricsSystem.factory
    }

    public func didBuild(_ build: ObservedBuild, in duration: Duration, error: (any Error)?) {
      if error?.isCancellationOfTask == true { return }
      // Prometheus requires that all metrics of a name have the same dimensions.
      let dimensions = [("service", build.id), ("decorator", build.decorator ?? "")]
      if error != nil {
        Counter(label: "\(prefix)build_failures", dimensions: dimensions, factory: factory).increment()
      } else {
        let timer = Timer(label: "\(prefix)build_duration", dimensions: dimensions, factory: factory)
        timer.recordNanoseconds(Int64(duration / .nanoseconds(1)))
      }
    }

    public func didNotFind(_ error: ResolutionError) {
      Counter(label: "\(prefix)lookup_failures", dimensions: [("reason", "\(error.code)")], factory: factory)
        .increment()
    }
  }
#endif
