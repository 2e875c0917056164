// SPDX-License-Identifier: Apache-2.0

#if Metrics
  import ConfigDI
  import ConfigDIMetrics
  import MetricsTestKit
  import Testing

  @Suite struct MetricsObserverTests {
    @Test func buildsAndFailuresAreMeasured() throws {
      struct Failure: Error {}
      let metrics = TestMetrics()
      let container = Container(observers: [MetricsObserver(factory: metrics)])
      container.register(named: "seven", scope: .transient) { 7 }
      container.register(named: "bad") { () throws -> String in throw Failure() }
      for _ in 0..<3 { _ = try container.resolve(Int.self) }
      for _ in 0..<2 { #expect(throws: ResolutionError.self) { try container.resolve(String.self) } }
      #expect(throws: ResolutionError.self) { try container.resolve(Double.self) }
      #expect(try metrics.expectTimer("configdi_build_duration", [("service", "seven")]).values.count == 3)
      #expect(try metrics.expectCounter("configdi_build_failures", [("service", "bad")]).totalValue == 2)
      #expect(try metrics.expectCounter("configdi_lookup_failures", [("reason", "notRegistered")]).totalValue == 1)
    }
  }
#endif
