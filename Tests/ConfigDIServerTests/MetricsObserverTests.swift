// SPDX-License-Identifier: Apache-2.0

#if Metrics
  import ConfigDI
  import ConfigDIMetrics
  import MetricsTestKit
  import Testing
  import _ConfigDITestSupport

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
      let builds = try metrics.expectTimer("configdi_build_duration", [("service", "seven"), ("decorator", "")])
      #expect(builds.values.count == 3)
      let failures = try metrics.expectCounter("configdi_build_failures", [("service", "bad"), ("decorator", "")])
      #expect(failures.totalValue == 2)
      #expect(try metrics.expectCounter("configdi_lookup_failures", [("reason", "notRegistered")]).totalValue == 1)
    }

    @Test(.hangLimit) func aCancelledBuildIsNoFailure() async throws {
      let metrics = TestMetrics()
      try await cancelBuilds(with: MetricsObserver(factory: metrics))
      #expect(metrics.counters.isEmpty && metrics.timers.isEmpty)
    }

    @Test func allMetricsOfANameHaveTheSameDimensions() throws {
      let metrics = TestMetrics()
      var registry = Registry()
      registry.add("Seven", { 7 })
      registry.add("Doubled", { (inner: Int) in inner * 2 }, .decorated("inner"))
      let container = try Container(
        text: """
          { "configdi": 1, "module": "m", "services": {
              "seven": { "type": "Seven", "decorate": [{ "type": "Doubled" }] } } }
          """, registry: registry, observers: [MetricsObserver(factory: metrics)])
      #expect(try container.resolve(Int.self) == 14)
      let dimensions = metrics.timers.map(\.dimensions)
      #expect(dimensions.allSatisfy { $0.map(\.0) == ["service", "decorator"] })
      #expect(Set(dimensions.map { $0.map(\.1) }) == [["seven", ""], ["seven", "Doubled"]])
    }
  }
#endif
