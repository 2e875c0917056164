// SPDX-License-Identifier: Apache-2.0

/// A graph without errors. Only such a graph can be compiled to a plan.
package struct ValidatedGraph: Sendable {
  /// The graph, which all checks have passed.
  package let graph: WiringGraph

  /// Creates a validated graph from a graph that was checked; `nil` if `bag` has errors.
  package init?(_ graph: WiringGraph, checkedInto bag: DiagnosticBag) {
    guard !bag.hasErrors else { return nil }
    self.graph = graph
  }

  /// The services in building order: each comes after all that it needs, and of several possible next ones the one with
  /// the smallest id comes first.
  ///
  /// - Complexity: O(n log n) in the number of services, linear in the number of references.
  package var buildingOrder: [Int] {
    let count = graph.definition.services.count
    let users = DirectedGraph(nodeCount: count, edges: neededEdges.map { (from: $0.to, to: $0.from) })
    var missing = [Int32](repeating: 0, count: count)
    for edge in neededEdges { missing[edge.from] += 1 }
    var ready = SmallestFirst()
    for service in missing.indices where missing[service] == 0 { ready.insert(service) }
    var order: [Int] = []
    order.reserveCapacity(count)
    while let service = ready.removeSmallest() {
      order.append(service)
      for user in users.targets(of: service) {
        missing[user] -= 1
        if missing[user] == 0 { ready.insert(user) }
      }
    }
    return order
  }

  /// The eager services and all services that they need, in building order.
  package var startOrder: [Int] { startOrder(within: buildingOrder) }

  /// Returns the eager services and all services that they need, in the order that they have in `order`.
  func startOrder(within order: [Int]) -> [Int] {
    var isNeeded = Array(repeating: false, count: graph.definition.services.count)
    var pending = Array(graph.services(being: .eager))
    guard !pending.isEmpty else { return [] }
    let needs = DirectedGraph(nodeCount: isNeeded.count, edges: neededEdges.map { (from: $0.from, to: $0.to) })
    while let service = pending.popLast() {
      guard !isNeeded[service] else { continue }
      isNeeded[service] = true
      pending += needs.targets(of: service)
    }
    return order.filter { isNeeded[$0] }
  }

  /// The edges to services that must be built before the services that need them.
  private var neededEdges: some Collection<WiringGraph.Edge> { graph.edges.lazy.filter { $0.isNeededToBuild } }
}

/// A priority queue of numbers, smallest first, as a binary heap.
private struct SmallestFirst {
  /// The heap in array form: no element is smaller than its parent, which for index `i` is at `(i - 1) / 2`.
  private var numbers: [Int] = []

  mutating func insert(_ number: Int) {
    numbers.append(number)
    var place = numbers.count - 1
    while place > 0, numbers[(place - 1) / 2] > numbers[place] {
      numbers.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Removes and returns the smallest number; `nil` if there is none.
  mutating func removeSmallest() -> Int? {
    guard let smallest = numbers.first, let last = numbers.popLast() else { return nil }
    guard !numbers.isEmpty else { return smallest }
    numbers[0] = last
    var place = 0
    while true {
      let children = (2 * place + 1)..<min(2 * place + 3, max(numbers.count, 2 * place + 1))
      guard let child = children.min(by: { numbers[$0] < numbers[$1] }), numbers[child] < numbers[place] else {
        return smallest
      }
      numbers.swapAt(place, child)
      place = child
    }
  }
}
