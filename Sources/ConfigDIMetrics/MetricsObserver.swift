// SPDX-License-Identifier: Apache-2.0

#if Metrics
  public import ConfigDI
  public import CoreMetrics

  /// Measures what a container builds.
  ///
  /// | metric | kind | dimensions |
  /// |---|---|---|
  /// | `configdi_build_duration` | timer | `service`: the id; `decorator`: its type name, where it is one |
  /// | `configdi_build_failures` | counter | the same |
  /// | `configdi_lookup_failures` | counter | `reason`: the code of the error, such as `notRegistered` |
  ///
  /// ```swift
  /// let container = try Container(module: "Configs/app.json", registry: registry, observers: [MetricsObserver()])
  /// ```
  public struct MetricsObserver: ContainerObserver {
    /// What the names of the metrics begin with.
    private let prefix: String
    /// Makes the metrics.
    private let factory: any MetricsFactory

    /// An observer.
    ///
    /// - Parameters:
    ///   - prefix: What the names of the metrics begin with.
    ///   - factory: Makes the metrics; nil: that of the process when the observer is made.
    public init(prefix: String = "configdi_", factory: (any MetricsFactory)? = nil) {
      self.prefix = prefix
      self.factory = factory ?? MetricsSystem.factory
    }

    public func didBuild(_ build: ObservedBuild, in duration: Duration, error: (any Error)?) {
      var dimensions = [("service", build.id)]
      if let decorator = build.decorator { dimensions.append(("decorator", decorator)) }
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
