// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

/// The cycles, captive dependencies and orders of random services, compared with the results of an exhaustive search.
struct GraphOracleTests {
  /// Returns the seeds to test for a number of services.
  private static func seeds(_ size: Int) -> ClosedRange<UInt64> {
    let count =
      switch size {
      case ...12: LongTests.size(20, full: 40)
      case ...100: LongTests.size(2, full: 40)
      case ...1_000: LongTests.size(1, full: 4)
      default: 1
      }
    return 1...UInt64(count)
  }

  /// The largest numbers of services. Only the long run tests them, as the exhaustive search takes quadratic time.
  private static let great = LongTests.isSelected ? [120, 300, 2_000] : []

  @Test(arguments: [2, 5, 12, 40] + great)
  func `cycles match an exhaustive search`(size: Int) {
    for seed in Self.seeds(size) {
      let wiring = RandomWiring(size: size, seed: seed &+ UInt64(size) << 32, isAcyclic: false)
      let reported = wiring.check().diagnostics.filter { $0.code == .dependencyCycle }
      let expected = WiringOracle(wiring).cycles().map { cycle -> [String] in
        let message = "dependency cycle: \(cycle.shown.joined(separator: " -> "))"
        if cycle.others.isEmpty { return [message] }
        return [message, "further services that depend on these, and these on them: " + cycle.others.quotedList]
      }
      let found = reported.map { [$0.message] + $0.notes }
      #expect(found.sorted { $0[0] < $1[0] } == expected.sorted { $0[0] < $1[0] }, "size \(size), seed \(seed)")
    }
  }

  @Test(arguments: [2, 5, 12, 40] + great)
  func `captives match an exhaustive search, by a shortest path`(size: Int) throws {
    var count = 0
    for seed in Self.seeds(size) {
      let wiring = RandomWiring(size: size, seed: seed &+ UInt64(size) << 32, isAcyclic: false)
      let reported = wiring.check().diagnostics.filter { $0.code == .captiveDependency }
      let expected = WiringOracle(wiring).captives()
      #expect(reported.map(\.path).sorted() == expected.keys.sorted(), "size \(size), seed \(seed)")
      for finding in reported {
        let shown = try #require(finding.message.split(separator: ": ").last).split(separator: " -> ").map(String.init)
        #expect(
          expected[finding.path]?.paths.contains(shown) == true, "size \(size), seed \(seed): \(finding.message)")
      }
      count += reported.count
    }
    #expect(size < 12 || count > 0)
  }

  @Test(arguments: [1, 3, 8, 40] + great)
  func `the order of the start and the plan matches an exhaustive search`(size: Int) throws {
    for seed in Self.seeds(size) {
      let wiring = RandomWiring(size: size, seed: seed &+ UInt64(size) << 32, isAcyclic: true)
      let check = wiring.check()
      let validated = try #require(check.compositions.first?.graph, "size \(size), seed \(seed): \(check.diagnostics)")
      let oracle = WiringOracle(wiring)
      let start = validated.startOrder.map(validated.graph.id(of:))
      #expect(start == oracle.order(of: oracle.started), "size \(size), seed \(seed)")
      let plan = CompiledPlan(compiling: validated)
      #expect(plan.slots.map(\.id) == oracle.order(of: Set(wiring.ids.indices)), "size \(size), seed \(seed)")
      #expect(plan.start.map { plan.slots[$0].id } == start, "size \(size), seed \(seed)")
    }
  }

  @Test(arguments: [8, 40, 300])
  func `the order of tags matches an exhaustive search`(size: Int) throws {
    var longest = 0
    for seed in Self.seeds(size) {
      let wiring = RandomWiring(size: size, seed: seed &+ UInt64(size) << 32, isAcyclic: true)
      let graph = try #require(wiring.check().compositions.first?.graph)
      let resolved = ResolvedModule(graph).value
      for (place, service) in wiring.services.enumerated() {
        for reference in service.references where reference.decorator == nil {
          guard case .tagged(let tag) = reference.target else { continue }
          let members = WiringOracle.members(of: tag, in: wiring, except: place).map { wiring.ids[$0] }
          longest = max(longest, members.count)
          #expect(
            resolved.at("services", wiring.ids[place], "inject", reference.key) == .list(members.map(Value.string)),
            "size \(size), seed \(seed)")
        }
      }
    }
    #expect(longest > 1)
  }
}
