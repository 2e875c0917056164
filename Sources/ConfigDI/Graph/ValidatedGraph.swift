// SPDX-License-Identifier: Apache-2.0

/// A graph in which no check found an error: the gate between checking and building.
package struct ValidatedGraph: Sendable {
  /// The graph.
  package let graph: WiringGraph

  /// Lets a graph pass whose checks reported no error to the bag; nil where they did.
  package init?(_ graph: WiringGraph, checkedInto bag: DiagnosticBag) {
    guard !bag.hasErrors else { return nil }
    self.graph = graph
  }

  /// The services in the order of building: each behind all that it needs; of those that could come next the smallest id first.
  ///
  /// - Complexity: n log n in services, linear in references.
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

  /// The eager services and all that they need, in the order of building.
  package var startOrder: [Int] { startOrder(within: buildingOrder) }

  /// The eager services and all that they need, in the order in which `order` has them.
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

  /// The edges whose holder cannot be built before what they lead to.
  private var neededEdges: some Collection<WiringGraph.Edge> { graph.edges.lazy.filter { $0.isNeededToBuild } }
}

/// Numbers of which the smallest comes out first: a binary heap.
private struct SmallestFirst {
  /// The numbers; none is smaller than the one at half its place.
  private var numbers: [Int] = []

  /// Adds a number.
  mutating func insert(_ number: Int) {
    numbers.append(number)
    var place = numbers.count - 1
    while place > 0, numbers[(place - 1) / 2] > numbers[place] {
      numbers.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Takes the smallest number out, or nil where there is none.
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
