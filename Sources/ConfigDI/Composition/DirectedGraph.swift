// SPDX-License-Identifier: Apache-2.0

/// A directed graph with numbered nodes, and the searches that checks need. No search recurses.
///
/// Node numbers are stored in four bytes, because searches access the nodes of a large module in random order.
struct DirectedGraph {
  /// The index in `targets` of the first edge of each node, and behind the last node the number of edges.
  private let starts: [UInt32]
  /// The target nodes of all edges, grouped by source node.
  private let targets: [UInt32]

  /// Creates a graph with the given edges. The edges of one node keep their order.
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

  /// The number of nodes.
  var nodeCount: Int { starts.count - 1 }

  /// Returns the target nodes of a node's edges.
  func targets(of node: Int) -> LazyMapCollection<ArraySlice<UInt32>, Int> {
    targets[Int(starts[node])..<Int(starts[node + 1])].lazy.map { Int($0) }
  }
}

// MARK: - Strongly connected components

extension DirectedGraph {
  /// Returns the strongly connected components: all of them, or only those that are cycles, which takes little memory if
  /// there are few. A component comes after all components that it has edges to.
  ///
  /// Tarjan's algorithm (SIAM Journal on Computing 1, 1972) with an explicit stack.
  ///
  /// - Complexity: linear in nodes and edges.
  func stronglyConnectedComponents(areCyclic: Bool = false) -> [[Int]] {
    var search = ComponentSearch(graph: self, areCyclic: areCyclic)
    for node in 0..<nodeCount { search.visit(from: node) }
    return search.components
  }

  /// Whether a component is a cycle: it has more than one node, or a node with an edge to itself.
  func isCyclic(_ component: [Int]) -> Bool {
    component.count > 1 || targets(of: component[0]).contains(component[0])
  }

  /// Returns a shortest cycle through the smallest node of a component. The cycle begins with that node, which is not
  /// repeated at the end. Of several shortest cycles, the one with the smallest sequence of nodes is returned.
  ///
  /// - Complexity: linear in the nodes and edges of the component.
  func shortestCycle(in component: [Int]) -> [Int] {
    guard let start = component.min() else { return [] }
    let distances = distancesToReach(start, within: Set(component))
    var cycle = [start]
    var node = start
    func isNearer(_ left: Int, _ right: Int) -> Bool { (distances[left] ?? 0, left) < (distances[right] ?? 0, right) }
    while let next = targets(of: node).filter({ distances[$0] != nil }).min(by: isNearer), next != start {
      cycle.append(next)
      node = next
    }
    return cycle
  }

  /// Returns the number of edges on a shortest path to `end` from each node that reaches it within the set.
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
  let graph: DirectedGraph
  /// Whether only components that are cycles are collected.
  let areCyclic: Bool
  /// The components found so far.
  var components: [[Int]] = []
  /// The discovery time of each node, from 1; 0 for a node that was not discovered.
  private var found: [UInt32]
  /// The low-link value of each node: the earliest discovery time that it is known to reach.
  private var lowest: [UInt32]
  /// Whether a node is in `waiting`.
  private var isWaiting: [Bool]
  /// The discovered nodes whose component is not complete, in the order of discovery.
  private var waiting: [Int] = []
  /// The nodes on the path of the depth-first search, each with the index of its next edge.
  private var open: [(node: Int, edge: Int)] = []
  /// The discovery time of the last discovered node.
  private var clock: UInt32 = 0

  /// Creates a search that has not visited any node.
  init(graph: DirectedGraph, areCyclic: Bool) {
    self.graph = graph
    self.areCyclic = areCyclic
    found = Array(repeating: 0, count: graph.nodeCount)
    lowest = found
    isWaiting = Array(repeating: false, count: graph.nodeCount)
  }

  /// Finds the component of a node and all components that it reaches.
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

  /// Pushes a newly discovered node.
  private mutating func begin(_ node: Int) {
    clock += 1
    found[node] = clock
    lowest[node] = clock
    isWaiting[node] = true
    waiting.append(node)
    open.append((node, 0))
  }

  /// Pops a node whose edges were all followed. The first discovered node of a component completes it.
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
