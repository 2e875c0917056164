// SPDX-License-Identifier: Apache-2.0

/// Checks that no service needs itself to be built, directly or through others.
struct CycleCheck {
  let graph: WiringGraph

  /// Runs the check. Reports each strongly connected component of services once.
  func run(_ bag: inout DiagnosticBag) {
    let edges = graph.edges.lazy.filter { $0.isNeededToBuild }
    let search = DirectedGraph(
      nodeCount: graph.definition.services.count, edges: edges.map { (from: $0.from, to: $0.to) })
    let cycles = search.stronglyConnectedComponents(areCyclic: true).map { group in
      (cycle: search.shortestCycle(in: group), group: group)
    }
    let nodes = firstEdges(edges, of: cycles.map(\.cycle))
    for (cycle, group) in cycles {
      guard let node = nodes[cycle[0]] else { continue }
      let others = Set(group).subtracting(cycle).sorted()
      bag.report(
        .dependencyCycle((cycle + [cycle[0]]).map(graph.id(of:)), others: others.map(graph.id(of:)), at: node))
    }
  }

  /// Returns the node of the first reference from the first service of each cycle to the second, by the first service.
  private func firstEdges(_ edges: some Sequence<WiringGraph.Edge>, of cycles: [[Int]]) -> [Int: NodeRef] {
    guard !cycles.isEmpty else { return [:] }
    var seconds: [Int: Int] = [:]
    for cycle in cycles { seconds[cycle[0]] = cycle.count > 1 ? cycle[1] : cycle[0] }
    var nodes: [Int: NodeRef] = [:]
    for edge in edges where nodes[edge.from] == nil && seconds[edge.from] == edge.to { nodes[edge.from] = edge.node }
    return nodes
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for a dependency cycle. `others` are the further services of the component.
  fileprivate static func dependencyCycle(_ ids: [String], others: [String], at node: NodeRef) -> Finding {
    Finding(
      .dependencyCycle, "dependency cycle: \(ids.chain)", at: node,
      notes: others.isEmpty ? [] : ["further services that depend on these, and these on them: " + others.quotedList],
      help: "move the shared part into another service, or declare one of the arguments as Lazy or Provider")
  }
}
