// SPDX-License-Identifier: Apache-2.0

#if Tracing
  public import ConfigDI
  internal import Synchronization
  public import Tracing

  /// Makes a span for each builder that a container calls.
  ///
  /// The span is named `build ID`. It is a child of the span of the service for which it is built, and the outermost one of that
  /// of the task. Spans that a builder makes by itself are children of the task's, not of the build's.
  ///
  /// ```swift
  /// let container = try Container(module: "Configs/app.json", registry: registry, observers: [TracingObserver()])
  /// ```
  public final class TracingObserver: ContainerObserver {
    /// Makes the spans.
    private let tracer: any Tracer
    /// The spans of the builders at work, by the number of the call.
    private let spans = Mutex<[Int: any Span]>([:])

    /// An observer.
    ///
    /// - Parameter tracer: Makes the spans; nil: that of the process when the observer is made.
    public init(tracer: (any Tracer)? = nil) { self.tracer = tracer ?? InstrumentationSystem.tracer }

    public func willBuild(_ build: ObservedBuild) {
      let parent = build.parent.flatMap { parent in spans.withLock { $0[parent.number] } }
      let span = tracer.startAnySpan(
        "build \(build.id)", context: parent?.context ?? ServiceContext.current ?? .topLevel, ofKind: .internal)
      span.attributes["configdi.service"] = build.id
      span.attributes["configdi.type"] = build.typeName
      span.attributes["configdi.origin"] = "\(build.origin)"
      if let decorator = build.decorator { span.attributes["configdi.decorator"] = decorator }
      spans.withLock { $0[build.number] = span }
    }

    public func didBuild(_ build: ObservedBuild, in duration: Duration, error: (any Error)?) {
      guard let span = spans.withLock({ $0.removeValue(forKey: build.number) }) else { return }
      if let error {
        // The type alone: the text of an error may hold a secret.
        span.attributes["error.type"] = "\(type(of: error))"
        span.setStatus(SpanStatus(code: .error))
      }
      span.end()
    }
  }
#endif
