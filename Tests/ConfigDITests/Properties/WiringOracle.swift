// SPDX-License-Identifier: Apache-2.0

/// Answers about random services, found by trying everything, without any of the library's searches.
struct WiringOracle {
  /// One way in which a service holds another.
  struct Edge {
    var from: Int
    var to: Int
    var access: RandomWiring.Access
    /// The path of the string that names it.
    var path: String
  }

  private let wiring: RandomWiring
  /// The places of the services, ascending by id.
  private let ascending: [Int]
  /// All edges.
  let edges: [Edge]
  /// The services that each needs to be built.
  private var needs: [[Int]]

  init(_ wiring: RandomWiring) {
    self.wiring = wiring
    ascending = wiring.ids.indices.sorted { WiringOracle.precedes(wiring.ids[$0], wiring.ids[$1]) }
    var edges: [Edge] = []
    for (from, service) in wiring.services.enumerated() {
      for reference in service.references {
        var path = "services.\(wiring.ids[from])."
        if let decorator = reference.decorator { path += "decorate[\(decorator)]." }
        path += "inject.\(reference.key)"
        func add(_ to: Int, _ step: String) {
          edges.append(Edge(from: from, to: to, access: reference.access, path: path + step))
        }
        switch reference.target {
        case .one(let to): add(to, "")
        case .optional(let to): add(to, ".service")
        case .list(let targets): for (place, to) in targets.enumerated() { add(to, "[\(place)]") }
        case .map(let targets): for (place, to) in targets.enumerated() { add(to, ".map.k\(place)") }
        case .tagged(let tag), .taggedMap(let tag):
          for to in WiringOracle.members(of: tag, in: wiring, except: from) { add(to, ".tagged") }
        }
      }
    }
    self.edges = edges
    needs = Array(repeating: [], count: wiring.ids.count)
    for edge in edges where edge.access == .immediate { needs[edge.from].append(edge.to) }
  }

  /// Whether an id comes before another.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    Array(left.unicodeScalars).lexicographicallyPrecedes(Array(right.unicodeScalars)) { $0.value < $1.value }
  }

  /// The services that bear a tag in their order: again and again the one that no other comes before.
  static func members(of tag: Int, in wiring: RandomWiring, except consumer: Int) -> [Int] {
    var rest = wiring.services.indices.filter { $0 != consumer && wiring.services[$0].tags[tag] != nil }
    var members: [Int] = []
    func order(_ place: Int) -> Int { wiring.services[place].tags[tag] ?? 0 }
    while var next = rest.first {
      for other in rest {
        if order(other) < order(next) || (order(other) == order(next) && precedes(wiring.ids[other], wiring.ids[next]))
        {
          next = other
        }
      }
      members.append(next)
      rest.removeAll { $0 == next }
    }
    return members
  }
}

// MARK: - Cycles

extension WiringOracle {
  /// For each group of services that need one another the cycle that is shown, closed, and the members that are not on it.
  func cycles() -> [(shown: [String], others: [String])] {
    let reached = needs.indices.map { reachable(from: $0) }
    var told: Set<Int> = []
    var cycles: [(shown: [String], others: [String])] = []
    for start in ascending where reached[start][start] && !told.contains(start) {
      let group = ascending.filter { reached[start][$0] && reached[$0][start] }
      told.formUnion(group)
      let cycle = smallestWayBack(to: start)
      cycles.append((cycle.map { wiring.ids[$0] }, group.filter { !cycle.contains($0) }.map { wiring.ids[$0] }))
    }
    return cycles
  }

  /// The services that one needs, over however many others.
  private func reachable(from start: Int) -> [Bool] {
    var isReached = Array(repeating: false, count: needs.count)
    var pending = needs[start]
    while let place = pending.popLast() {
      if !isReached[place] { pending += needs[place] }
      isReached[place] = true
    }
    return isReached
  }

  /// The smallest of the shortest ways from a service to itself: each round keeps the smallest way to each service.
  private func smallestWayBack(to start: Int) -> [Int] {
    var ways = [start: [start]]
    for _ in needs.indices {
      var longer: [Int: [Int]] = [:]
      for (end, way) in ways {
        for next in needs[end] {
          let candidate = way + [next]
          if longer[next].map({ isSmaller(candidate, $0) }) ?? true { longer[next] = candidate }
        }
      }
      if let closed = longer[start] { return closed }
      ways = longer
    }
    return []
  }

  private func isSmaller(_ left: [Int], _ right: [Int]) -> Bool {
    left.lexicographicallyPrecedes(right) { WiringOracle.precedes(wiring.ids[$0], wiring.ids[$1]) }
  }
}

// MARK: - Order

extension WiringOracle {
  /// The eager services and all that they need.
  var started: Set<Int> {
    let eager = wiring.services.indices.filter { wiring.services[$0].isEager }
    var started = Set(eager)
    for place in eager {
      for (other, isReached) in reachable(from: place).enumerated() where isReached { started.insert(other) }
    }
    return started
  }

  /// Some services in the order of building: again and again the smallest of which all needs stand there.
  func order(of wanted: Set<Int>) -> [String] {
    var isDone = Array(repeating: false, count: needs.count)
    var order: [String] = []
    while let next = ascending.first(where: { place in
      wanted.contains(place) && !isDone[place] && needs[place].allSatisfy { isDone[$0] }
    }) {
      isDone[next] = true
      order.append(wiring.ids[next])
    }
    return order
  }
}

// MARK: - Captives

extension WiringOracle {
  /// What must be told at the path of one reference: all paths that may be shown.
  struct Captive {
    /// The paths: from the service that lives longer, over one edge of the reference, by a shortest way to a service of the
    /// shortest life that can be reached.
    var ways: Set<[String]> = []
  }

  /// The captives, by the path of the reference, with every way that may be shown for it.
  func captives() -> [String: Captive] {
    var held: [Int: [Int]] = [:]
    for edge in edges where edge.access != .provider { held[edge.from, default: []].append(edge.to) }
    var captives: [String: Captive] = [:]
    for edge in edges where edge.access != .provider {
      guard let rank = wiring.services[edge.from].rank else { continue }
      // Round by round all ways of one length, through services that belong to their holder.
      var ways = [[edge.from, edge.to]]
      var best: (rank: Int, ways: [[Int]]) = (rank, [])
      var seen: Set<Int> = [edge.to]
      while !ways.isEmpty {
        var longer: [[Int]] = []
        var met: Set<Int> = []
        for way in ways {
          let end = way[way.count - 1]
          if let reached = wiring.services[end].rank {
            if reached > best.rank { best = (reached, []) }
            let isShortest = best.ways.first.map { $0.count == way.count } ?? true
            if reached == best.rank, reached > rank, isShortest { best.ways.append(way) }
          } else {
            for next in Set(held[end] ?? []) where !seen.contains(next) {
              longer.append(way + [next])
              met.insert(next)
            }
          }
        }
        seen.formUnion(met)
        ways = longer
      }
      guard best.rank > rank else { continue }
      captives[edge.path, default: Captive()].ways.formUnion(best.ways.map { $0.map { wiring.ids[$0] } })
    }
    return captives
  }
}
