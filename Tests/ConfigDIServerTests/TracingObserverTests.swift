// SPDX-License-Identifier: Apache-2.0

#if Tracing
  import ConfigDI
  import ConfigDITracing
  import InMemoryTracing
  import Synchronization
  import Testing
  import Tracing
  import _ConfigDITestSupport

  /// A span that is not recorded, as of a request that was not sampled.
  private final class UnrecordedSpan: Span {
    let context = ServiceContext.topLevel
    let isRecording = false
    let hasAttributes = Mutex(false)
    var operationName: String {
      get { "" }
      set {}
    }
    var attributes: SpanAttributes {
      get { [:] }
      set { hasAttributes.withLock { $0 = true } }
    }
    func setStatus(_ status: SpanStatus) {}
    func addEvent(_ event: SpanEvent) {}
    func addLink(_ link: SpanLink) {}
    func recordError(
      _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> some TracerInstant
    ) {}
    func end(at instant: @autoclosure () -> some TracerInstant) {}
  }

  /// A tracer whose only span is not recorded.
  private struct UnrecordedTracer: Tracer {
    let span = UnrecordedSpan()
    func startSpan(
      _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
      at instant: @autoclosure () -> some TracerInstant, function: String, file fileID: String, line: UInt
    ) -> UnrecordedSpan { span }
    func forceFlush() {}
    func inject<Carrier, Inject: Injector>(
      _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {}
    func extract<Carrier, Extract: Extractor>(
      _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {}
  }

  @Suite struct TracingObserverTests {
    @Test func aSpanForEachBuild() throws {
      let tracer = InMemoryTracer()
      let container = Container(observers: [TracingObserver(tracer: tracer)])
      container.register { Store() }
      container.register(named: "shop") { Shop(try $0.resolve()) }
      _ = try container.resolve(Shop.self)
      let spans = tracer.finishedSpans
      #expect(spans.map(\.operationName) == ["build Store", "build shop"])
      #expect(spans[0].parentSpanID == spans[1].spanID)
      #expect(spans[0].attributes.get("configdi.type") == .string("Store"))
      #expect(tracer.activeSpans.isEmpty)
    }

    @Test func aSpanThatIsNotRecordedHasNoAttributes() throws {
      struct TestError: Error {}
      let tracer = UnrecordedTracer()
      let container = Container(observers: [TracingObserver(tracer: tracer)])
      container.register { () throws -> Store in throw TestError() }
      #expect(throws: ResolutionError.self) { try container.resolve(Store.self) }
      #expect(tracer.span.hasAttributes.withLock { !$0 })
    }

    @Test func anObserverOfAContainerAndItsChildMakesOneSpanForEachBuild() throws {
      let tracer = InMemoryTracer()
      let observer = TracingObserver(tracer: tracer)
      let child = Container(parent: Container(observers: [observer]), observers: [observer])
      child.register { Store() }
      _ = try child.resolve(Store.self)
      #expect(tracer.finishedSpans.map(\.operationName) == ["build Store"])
      #expect(tracer.activeSpans.isEmpty)
    }

    @Test(.hangLimit) func aCancelledBuildIsNoFailure() async throws {
      let tracer = InMemoryTracer()
      try await cancelBuilds(with: TracingObserver(tracer: tracer))
      let spans = tracer.finishedSpans
      #expect(Set(spans.map(\.operationName)) == ["build Store", "build Shop"])
      #expect(spans.allSatisfy { $0.status == nil && $0.attributes.get("error.type") == nil })
    }

    @Test func aFailureIsRecordedWithoutItsText() throws {
      struct TestError: Error { let secret = "sesame" }
      let tracer = InMemoryTracer()
      let container = Container(observers: [TracingObserver(tracer: tracer)])
      container.register { () throws -> Store in throw TestError() }
      #expect(throws: ResolutionError.self) { try container.resolve(Store.self) }
      let span = try #require(tracer.finishedSpans.first)
      #expect(span.status?.code == .error)
      #expect(span.attributes.get("error.type") == .string("TestError"))
      #expect(!"\(span)".contains("sesame"))
    }
  }
#endif
