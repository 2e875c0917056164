// SPDX-License-Identifier: Apache-2.0

#if Tracing
  public import ConfigDI
  internal import Synchronization
  public import Tracing

  /// An observer that creates a span for each builder that a container calls.
  ///
  /// The span is named `build ID`. Its parent is the span of the builder that has looked the service up; if there is none,
  /// as for the arguments of a builder in an awaited look-up, the current span of the task. Spans that a builder creates
  /// itself are children of the task's span, not of the build's.
  ///
  /// The span of a failed build has the status `error`. That of a build that is cancelled with its task has no status.
  ///
  /// ```swift
  /// let container = try Container(module: "Configs/app.json", registry: registry, observers: [TracingObserver()])
  /// ```
  public final class TracingObserver: ContainerObserver {
    /// The tracer that creates the spans.
    private let tracer: any Tracer
    /// The spans of running builders, by the number of the call.
    private let spans = Mutex<[Int: any Span]>([:])

    /// Creates an observer.
    ///
    /// - Parameter tracer: The tracer that creates the spans; `nil`: the current tracer of the process.
    public init(tracer: (any Tracer)? = nil) { self.tracer = tracer ?? InstrumentationSystem.tracer }

    public func willBuild(_ build: ObservedBuild) {
      let parent = build.parent.flatMap { parent in spans.withLock { $0[parent.number] } }
      let span = tracer.startAnySpan(
        "build \(build.id)", context: parent?.context ?? ServiceContext.current ?? .topLevel, ofKind: .internal)
      if span.isRecording {
        span.attributes["configdi.service"] = build.id
        span.attributes["configdi.type"] = build.typeName
        span.attributes["configdi.origin"] = "\(build.origin)"
        if let decorator = build.decorator { span.attributes["configdi.decorator"] = decorator }
      }
      spans.withLock { $0[build.number] = span }
    }

    public func didBuild(_ build: ObservedBuild, in duration: Duration, error: (any Error)?) {
      guard let span = spans.withLock({ $0.removeValue(forKey: build.number) }) else { return }
      if let error, !error.isCancellationOfTask {
        // Only the type, since the text of an error may contain a secret.
        if span.isRecording { span.attributes["error.type"] = "\(type(of: error))" }
        span.setStatus(SpanStatus(code: .error))
      }
      span.end()
    }
  }
#endif
