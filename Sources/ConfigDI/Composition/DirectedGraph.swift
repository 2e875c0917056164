// SPDX-License-Identifier: Apache-2.0

/// Numbered nodes and the edges between them, with the searches that checks need. Nothing here recurses.
///
/// Numbers are kept in four bytes, as searches go through the nodes of a large module in no order.
struct DirectedGraph {
  /// Where the edges of each node begin in `targets`; one entry more than there are nodes.
  private let starts: [UInt32]
  /// The nodes that edges lead to, grouped by the node they come from.
  private let targets: [UInt32]

  /// A graph of nodes with the given edges; edges of one node keep their order.
  ///
  /// - Complexity: linear in nodes and edges.
  init(nodeCount: Int, edges: some Collection<(from: Int, to: Int)>) {
    var starts = [UInt32](repeating: 0, count: nodeCount + 1)
    for edge in edges { starts[edge.from + 1] += 1 }
    for node in 0..<nodeCount { starts[node + 1] += starts[node] }
    var free = starts
    var targets = [UInt32](repeating: 0, count: Int(starts[nodeCount]))
    for edge in edges {
      targets[Int(free[edge.from])] = UInt32(edge.to)
      free[edge.from] += 1
    }
    self.starts = starts
    self.targets = targets
  }

  /// How many nodes there are.
  var nodeCount: Int { starts.count - 1 }

  /// The nodes that a node's edges lead to.
  func targets(of node: Int) -> LazyMapCollection<ArraySlice<UInt32>, Int> {
    targets[Int(starts[node])..<Int(starts[node + 1])].lazy.map { Int($0) }
  }
}

// MARK: - Groups

extension DirectedGraph {
  /// The groups of nodes that reach one another. A group stands behind all groups that it leads to.
  ///
  /// Tarjan's algorithm (SIAM Journal on Computing 1, 1972) with an explicit stack.
  ///
  /// - Complexity: linear in nodes and edges.
  func stronglyConnectedComponents() -> [[Int]] { components(areCyclic: false) }

  /// The groups that are cycles, in the same order. Takes little memory where there are few.
  ///
  /// - Complexity: linear in nodes and edges.
  func cyclicComponents() -> [[Int]] { components(areCyclic: true) }

  /// The groups of nodes that reach one another, all or those that are cycles.
  private func components(areCyclic: Bool) -> [[Int]] {
    var search = ComponentSearch(graph: self, areCyclic: areCyclic)
    for node in 0..<nodeCount { search.visit(from: node) }
    return search.components
  }

  /// Whether a group is a cycle: more than one node, or one that leads to itself.
  func isCyclic(_ component: [Int]) -> Bool {
    component.count > 1 || targets(of: component[0]).contains(component[0])
  }

  /// A shortest cycle through the smallest node of a group, beginning with that node and without its return to it.
  /// Of several the one with the smallest sequence of nodes.
  ///
  /// - Complexity: linear in the nodes and edges of the group.
  func shortestCycle(in component: [Int]) -> [Int] {
    guard let start = component.min() else { return [] }
    let distances = distancesToReach(start, within: Set(component))
    var cycle = [start]
    var node = start
    var isAtStart = true
    while isAtStart || node != start {
      let next = targets(of: node)
        .filter { distances[$0] != nil }
        .min { (distances[$0] ?? 0, $0) < (distances[$1] ?? 0, $1) }
      guard let next else { return cycle }
      if next == start { break }
      cycle.append(next)
      node = next
      isAtStart = false
    }
    return cycle
  }

  /// How many steps each node of a set is from a node.
  private func distancesToReach(_ end: Int, within nodes: Set<Int>) -> [Int: Int] {
    var sources: [Int: [Int]] = [:]
    for node in nodes {
      for target in targets(of: node) where nodes.contains(target) { sources[target, default: []].append(node) }
    }
    var distances = [end: 0]
    var queue = [end]
    var next = 0
    while next < queue.count {
      let node = queue[next]
      next += 1
      for source in sources[node] ?? [] where distances[source] == nil {
        distances[source] = (distances[node] ?? 0) + 1
        queue.append(source)
      }
    }
    return distances
  }
}

/// The state of Tarjan's search.
private struct ComponentSearch {
  /// The graph.
  let graph: DirectedGraph
  /// Whether only groups that are cycles are wanted.
  let areCyclic: Bool
  /// The groups found so far.
  var components: [[Int]] = []
  /// When each node was found, from 1; 0 where it was not.
  private var found: [UInt32]
  /// The earliest node that each node is known to reach.
  private var lowest: [UInt32]
  /// Whether a node waits for its group.
  private var isWaiting: [Bool]
  /// The nodes that wait for their group.
  private var waiting: [Int] = []
  /// The nodes being followed, and the edge to follow next.
  private var open: [(node: Int, edge: Int)] = []
  /// When the last node was found.
  private var clock: UInt32 = 0

  /// A search that has found nothing.
  init(graph: DirectedGraph, areCyclic: Bool) {
    self.graph = graph
    self.areCyclic = areCyclic
    found = Array(repeating: 0, count: graph.nodeCount)
    lowest = found
    isWaiting = Array(repeating: false, count: graph.nodeCount)
  }

  /// Finds all groups that a node leads to, and its own.
  mutating func visit(from root: Int) {
    guard found[root] == 0 else { return }
    begin(root)
    while let (node, edge) = open.last {
      let targets = graph.targets(of: node)
      if edge < targets.count {
        open[open.count - 1].edge += 1
        let target = targets[targets.startIndex + edge]
        if found[target] == 0 {
          begin(target)
        } else if isWaiting[target] {
          lowest[node] = min(lowest[node], found[target])
        }
      } else {
        finish(node)
      }
    }
  }

  /// Enters a node.
  private mutating func begin(_ node: Int) {
    clock += 1
    found[node] = clock
    lowest[node] = clock
    isWaiting[node] = true
    waiting.append(node)
    open.append((node, 0))
  }

  /// Leaves a node; where it is the first of its group, the group is complete.
  private mutating func finish(_ node: Int) {
    open.removeLast()
    if let parent = open.last?.node { lowest[parent] = min(lowest[parent], lowest[node]) }
    guard lowest[node] == found[node] else { return }
    if areCyclic, waiting.last == node, !graph.isCyclic([node]) {
      waiting.removeLast()
      isWaiting[node] = false
      return
    }
    var component: [Int] = []
    while let member = waiting.popLast() {
      isWaiting[member] = false
      component.append(member)
      if member == node { break }
    }
    components.append(component)
  }
}
