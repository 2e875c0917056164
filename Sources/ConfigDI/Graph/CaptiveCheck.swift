// SPDX-License-Identifier: Apache-2.0

/// Checks that no service holds one of a named scope that ends before it does.
///
/// The path may lead through services that belong to whoever holds them: `transient`, `graph` and `weak` ones. A provider
/// holds nothing.
struct CaptiveCheck {
  /// The graph.
  let graph: WiringGraph
  /// How long each service lives: 0 as long as the container, then the number of its scope from 1, the outermost; nil
  /// where it belongs to its holder, or where its lifetime is not known.
  private let ranks: [Int?]
  /// For each service that belongs to its holder, the service next on a shortest way to one of the shortest life that it
  /// leads to, and the rank of that.
  private var ways: [Int: (next: Int, rank: Int)] = [:]

  /// A check of a graph.
  ///
  /// - Complexity: linear in services and references.
  init(_ graph: WiringGraph) {
    self.graph = graph
    ranks = graph.definition.services.indices.map { place in
      switch graph.lifetime(of: place) {
      case .shared?: 0
      case .scope(let number)?: number + 1
      case .weak?, .transient?, .graph?, nil: nil
      }
    }
    if !graph.scopes.isEmpty { findWays() }
  }

  /// Runs the check: one finding for each reference at which a path leaves the service that lives longer.
  func run(_ bag: inout DiagnosticBag) {
    guard !graph.scopes.isEmpty else { return }
    for edge in graph.edges where edge.access != .provider {
      guard let rank = ranks[edge.from], let reached = ranks[edge.to] ?? ways[edge.to]?.rank, reached > rank else {
        continue
      }
      let path = [edge.from] + way(from: edge.to)
      bag.report(
        .captive(
          path.map(graph.id(of:)), lifetimes: path.map { graph.lifetime(of: $0)?.word(in: graph.scopes) ?? "" },
          at: edge.node))
    }
  }

  /// The services from one to the one of a named scope that it leads to.
  private func way(from start: Int) -> [Int] {
    var way = [start]
    while let next = ways[way[way.count - 1]]?.next { way.append(next) }
    return way
  }

  /// Finds the ways, those to the innermost scope first, each from its end.
  private mutating func findWays() {
    var incoming: [(from: Int, to: Int)] = []
    for edge in graph.edges where edge.access != .provider && ranks[edge.from] == nil {
      guard graph.lifetime(of: edge.from) != nil else { continue }
      incoming.append((from: edge.to, to: edge.from))
    }
    let holders = DirectedGraph(nodeCount: ranks.count, edges: incoming)
    var members = [[Int]](repeating: [], count: graph.scopes.count + 1)
    for (place, rank) in ranks.enumerated() { if let rank { members[rank].append(place) } }
    for rank in stride(from: graph.scopes.count, to: 0, by: -1) {
      // In rings, each ascending, so that of several shortest ways the one with the smallest ids is found.
      var ring = members[rank]
      while !ring.isEmpty {
        var outer: [Int] = []
        for place in ring {
          for holder in holders.targets(of: place) where ways[holder] == nil {
            ways[holder] = (next: place, rank: rank)
            outer.append(holder)
          }
        }
        ring = outer.sorted()
      }
    }
  }
}

// MARK: - Messages

extension Finding {
  /// How many services of a path a message shows at either end.
  private static let shownServices = 16

  /// A service that holds one of a shorter life, by way of a path.
  fileprivate static func captive(_ path: [String], lifetimes: [String], at node: NodeRef) -> Finding {
    var shown = path
    if path.count > 2 * shownServices {
      shown = path.prefix(shownServices) + ["(\(path.count - 2 * shownServices) more)"] + path.suffix(shownServices)
    }
    let (holder, held) = (path[0], path[path.count - 1])
    var finding = Finding(
      .captiveDependency,
      "service \"\(holder)\" of scope \"\(lifetimes[0])\" holds service \"\(held)\" of scope "
        + "\"\(lifetimes[path.count - 1])\", which ends earlier: \(shown.joined(separator: " -> "))", at: node)
    finding.owner = holder
    finding.label = "the way out of \"\(holder)\" begins here"
    finding.help = "give \"\(holder)\" the scope \"\(lifetimes[path.count - 1])\", or let the argument be a Provider"
    return finding
  }
}
