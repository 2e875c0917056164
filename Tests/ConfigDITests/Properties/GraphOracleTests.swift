// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigDI

/// Cycles and orders of random graphs, compared with a slow search that tries everything.
struct GraphOracleTests {
  @Test(arguments: [2, 5, 12, 40, 120, 300])
  func `cycles are those that trying everything finds`(size: Int) {
    for seed in UInt64(1)...(size > 100 ? 4 : 30) {
      let graph = RandomGraph(size: size, seed: seed &+ UInt64(size) << 32, isAcyclic: false)
      let module = graph.check()
      let told = module.diagnostics.filter { $0.code == .dependencyCycle }
      let expected = SlowSearch(graph).cycles()
      #expect(
        told.map(\.message).sorted()
          == expected.map { "dependency cycle: \($0.shown.joined(separator: " -> "))" }.sorted(),
        "size \(size), seed \(seed)")
      let notes = expected.map { cycle in
        cycle.others.isEmpty
          ? []
          : [
            "further services that need one another with these: "
              + cycle.others.map { "\"\($0)\"" }.joined(separator: ", ")
          ]
      }
      #expect(
        told.map(\.notes).sorted { "\($0)" < "\($1)" } == notes.sorted { "\($0)" < "\($1)" },
        "size \(size), seed \(seed)")
    }
  }

  @Test(arguments: [1, 3, 8, 40, 120, 300])
  func `the start and the plan are in the order that trying everything finds`(size: Int) throws {
    for seed in UInt64(1)...(size > 100 ? 4 : 30) {
      let graph = RandomGraph(size: size, seed: seed &+ UInt64(size) << 32, isAcyclic: true)
      let validated = try #require(graph.check().compositions.first?.graph, "size \(size), seed \(seed)")
      let search = SlowSearch(graph)
      let start = validated.startOrder.map(validated.graph.id(of:))
      #expect(start == search.order(of: search.reachable(from: graph.eager)), "size \(size), seed \(seed)")
      let plan = CompiledPlan(compiling: validated)
      #expect(plan.slots.map(\.id) == search.order(of: Set(graph.edges.keys)), "size \(size), seed \(seed)")
      #expect(plan.start.map { plan.slots[$0].id } == start, "size \(size), seed \(seed)")
    }
  }
}

/// A random graph of services.
private struct RandomGraph {
  /// What each service needs, in the order of its arguments.
  var edges: [String: [String]] = [:]
  /// The services that are eager.
  var eager: Set<String> = []

  init(size: Int, seed: UInt64, isAcyclic: Bool) {
    var random = SeededRandom(seed: seed)
    let ids = (0..<size).map { "s\($0)" }.shuffled(using: &random)
    let density = Int.random(in: 1...3, using: &random)
    for (place, id) in ids.enumerated() {
      let targets = isAcyclic ? Array(ids[..<place]) : ids
      let count = targets.isEmpty ? 0 : Int.random(in: 0...density, using: &random)
      edges[id] = (0..<count).map { _ in targets[Int.random(in: targets.indices, using: &random)] }
      if Int.random(in: 0..<6, using: &random) == 0 { eager.insert(id) }
    }
  }

  /// Checks the graph as a module.
  func check() -> ModuleCheck {
    let services = edges.map { id, needs in
      let inject = needs.enumerated().map { #""a\#($0)": "\#($1)""# }.joined(separator: ", ")
      return #""\#(id)": {"type": "T", "eager": \#(eager.contains(id)), "inject": {\#(inject)}}"#
    }
    let text = #"{"configdi": 1, "module": "m", "services": {\#(services.joined(separator: ",\n"))}}"#
    return ModuleCheck(
      checking: ModuleRequest(entry: .file("m.json")), environments: nil, files: MemoryFiles(texts: ["m.json": text]))
  }
}

/// Answers about a graph, found by trying everything.
private struct SlowSearch {
  private let edges: [String: [String]]
  private let ids: [String]

  init(_ graph: RandomGraph) {
    edges = graph.edges
    ids = graph.edges.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// All that some services need, and themselves.
  func reachable(from start: Set<String>) -> Set<String> {
    var found = start
    while true {
      let next = found.union(found.flatMap { edges[$0] ?? [] })
      if next == found { return found }
      found = next
    }
  }

  /// For each group its cycle, closed, and the members that are not on it.
  func cycles() -> [(shown: [String], others: [String])] {
    let reached = edges.mapValues { reachable(from: Set($0)) }
    var told: Set<String> = []
    var cycles: [(shown: [String], others: [String])] = []
    for id in ids where reached[id]?.contains(id) == true && !told.contains(id) {
      let group = ids.filter { reached[id]?.contains($0) == true && reached[$0]?.contains(id) == true }
      told.formUnion(group)
      let cycle = shortestPathBack(to: id)
      cycles.append((cycle, group.filter { !cycle.contains($0) }))
    }
    return cycles
  }

  /// The smallest of the shortest paths from a service to itself: each round keeps the smallest path to each service.
  private func shortestPathBack(to id: String) -> [String] {
    var paths: [String: [String]] = [id: [id]]
    for _ in ids {
      var longer: [String: [String]] = [:]
      for (end, path) in paths {
        for next in edges[end] ?? [] {
          let candidate = path + [next]
          if longer[next].map({ isSmaller(candidate, $0) }) ?? true { longer[next] = candidate }
        }
      }
      if let closed = longer[id] { return closed }
      paths = longer
    }
    return []
  }

  private func isSmaller(_ left: [String], _ right: [String]) -> Bool {
    left.map { Array($0.utf8) }.lexicographicallyPrecedes(right.map { Array($0.utf8) }) {
      $0.lexicographicallyPrecedes($1)
    }
  }

  /// Some services in order: again and again the smallest of which all needs stand there.
  func order(of wanted: Set<String>) -> [String] {
    var order: [String] = []
    while let next = ids.first(where: { id in
      wanted.contains(id) && !order.contains(id) && (edges[id] ?? []).allSatisfy(order.contains)
    }) {
      order.append(next)
    }
    return order
  }
}
