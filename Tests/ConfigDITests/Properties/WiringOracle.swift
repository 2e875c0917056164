// SPDX-License-Identifier: Apache-2.0

/// Answers about random services, found by exhaustive search, without the algorithms of the library.
struct WiringOracle {
  /// A reference from one service to another.
  struct Edge {
    var from: Int
    var to: Int
    var access: RandomWiring.Access
    /// The path of the string that names the target.
    var path: String
  }

  private let wiring: RandomWiring
  /// The indices of the services, in ascending order of their ids.
  private let ascending: [Int]
  /// All edges.
  let edges: [Edge]
  /// The services that each service needs to be built.
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

  /// Returns whether an id comes before another.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    Array(left.unicodeScalars).lexicographicallyPrecedes(Array(right.unicodeScalars)) { $0.value < $1.value }
  }

  /// Returns the services with a tag in their order, by repeatedly selecting the first of the remaining ones.
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
  /// Returns, for each group of services that depend on each other, the reported cycle with its first service repeated
  /// at the end, and the members that are not on it.
  func cycles() -> [(shown: [String], others: [String])] {
    let reached = needs.indices.map { reachable(from: $0) }
    var reported: Set<Int> = []
    var cycles: [(shown: [String], others: [String])] = []
    for start in ascending where reached[start][start] && !reported.contains(start) {
      let group = ascending.filter { reached[start][$0] && reached[$0][start] }
      reported.formUnion(group)
      let cycle = shortestPathBack(to: start)
      cycles.append((cycle.map { wiring.ids[$0] }, group.filter { !cycle.contains($0) }.map { wiring.ids[$0] }))
    }
    return cycles
  }

  /// Returns, for each service, whether `start` needs it directly or indirectly.
  private func reachable(from start: Int) -> [Bool] {
    var isReached = Array(repeating: false, count: needs.count)
    var pending = needs[start]
    while let place = pending.popLast() {
      if !isReached[place] { pending += needs[place] }
      isReached[place] = true
    }
    return isReached
  }

  /// Returns the smallest of the shortest paths from a service back to itself. Each round keeps the smallest path to
  /// each service.
  private func shortestPathBack(to start: Int) -> [Int] {
    var paths = [start: [start]]
    for _ in needs.indices {
      var longer: [Int: [Int]] = [:]
      for (end, path) in paths {
        for next in needs[end] {
          let candidate = path + [next]
          if longer[next].map({ isSmaller(candidate, $0) }) ?? true { longer[next] = candidate }
        }
      }
      if let closed = longer[start] { return closed }
      paths = longer
    }
    return []
  }

  private func isSmaller(_ left: [Int], _ right: [Int]) -> Bool {
    left.lexicographicallyPrecedes(right) { WiringOracle.precedes(wiring.ids[$0], wiring.ids[$1]) }
  }
}

// MARK: - Order

extension WiringOracle {
  /// The eager services and all services that they need.
  var started: Set<Int> {
    let eager = wiring.services.indices.filter { wiring.services[$0].isEager }
    var started = Set(eager)
    for place in eager {
      for (other, isReached) in reachable(from: place).enumerated() where isReached { started.insert(other) }
    }
    return started
  }

  /// Returns some services in build order, by repeatedly selecting the smallest id whose dependencies are all built.
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
  /// The expected report of a captive dependency at one reference: all paths that may be shown.
  struct Captive {
    /// The paths. Each leads from the longer-lived service, over one edge of the reference, by a shortest path to a
    /// service with the shortest reachable lifetime.
    var paths: Set<[String]> = []
  }

  /// Returns the captive dependencies by the path of the reference, with all paths that may be shown.
  func captives() -> [String: Captive] {
    var held: [Int: [Int]] = [:]
    for edge in edges where edge.access != .provider { held[edge.from, default: []].append(edge.to) }
    var captives: [String: Captive] = [:]
    for edge in edges where edge.access != .provider {
      guard let rank = wiring.services[edge.from].rank else { continue }
      // Each round extends all paths by one edge, through services that live as long as their holder.
      var paths = [[edge.from, edge.to]]
      var best: (rank: Int, paths: [[Int]]) = (rank, [])
      var seen: Set<Int> = [edge.to]
      while !paths.isEmpty {
        var longer: [[Int]] = []
        var met: Set<Int> = []
        for path in paths {
          let end = path[path.count - 1]
          if let reached = wiring.services[end].rank {
            if reached > best.rank { best = (reached, []) }
            let isShortest = best.paths.first.map { $0.count == path.count } ?? true
            if reached == best.rank, reached > rank, isShortest { best.paths.append(path) }
          } else {
            for next in Set(held[end] ?? []) where !seen.contains(next) {
              longer.append(path + [next])
              met.insert(next)
            }
          }
        }
        seen.formUnion(met)
        paths = longer
      }
      guard best.rank > rank else { continue }
      captives[edge.path, default: Captive()].paths.formUnion(best.paths.map { $0.map { wiring.ids[$0] } })
    }
    return captives
  }
}
