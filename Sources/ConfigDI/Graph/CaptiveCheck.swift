// SPDX-License-Identifier: Apache-2.0

/// Checks that no service holds one of a named scope that ends before it does.
///
/// The path may lead through services that belong to their holder: `transient`, `graph` and `weak` ones. A provider
/// holds nothing.
struct CaptiveCheck {
  let graph: WiringGraph
  /// How long each service lives: 0 as long as the container, then the number of its scope from 1, the outermost; nil
  /// where it belongs to its holder, or where its lifetime is not known. Empty where the module has no named scope.
  private let ranks: [Int?]
  /// The way from each service that belongs to its holder to one of the shortest life that it leads to.
  private var ways: [Int: Way] = [:]

  /// A shortest way from a service to one of a named scope.
  private struct Way {
    /// The service that is next on it.
    let next: Int
    /// The service at its end.
    let end: Int
    /// How many steps it has.
    let length: Int
  }

  /// A check of a graph.
  ///
  /// - Complexity: linear in services and references.
  init(_ graph: WiringGraph) {
    self.graph = graph
    guard !graph.scopes.isEmpty else {
      ranks = []
      return
    }
    ranks = graph.definition.services.indices.map { place in
      guard !graph.definition.services[place].isMalformed else { return nil }
      return switch graph.lifetime(of: place) {
      case .shared?: 0
      case .scope(let number)?: number + 1
      case .weak?, .transient?, .graph?, nil: nil
      }
    }
    findWays()
  }

  /// Runs the check: one finding for each reference at which a path leaves the service that lives longer.
  func run(_ bag: inout DiagnosticBag) {
    guard !graph.scopes.isEmpty else { return }
    for edge in graph.edges where edge.isHeld {
      let end = ranks[edge.to] == nil ? ways[edge.to]?.end : edge.to
      guard let rank = ranks[edge.from], let end, let reached = ranks[end], reached > rank else { continue }
      bag.report(
        .captive(
          graph.id(of: edge.from), graph.id(of: end), word(of: edge.from), word(of: end), path: path(along: edge),
          argument: graph.argument(of: edge), at: edge.node))
    }
  }

  /// The word of a service's lifetime.
  private func word(of service: Int) -> String { graph.lifetime(of: service)?.word(in: graph.scopes) ?? "" }

  /// How many services of a path a message shows.
  private static let shownServices = 32

  /// The ids on the way over an edge to what is captive; of very many the first, how many more, and the last.
  private func path(along edge: WiringGraph.Edge) -> [String] {
    var path = [graph.id(of: edge.from), graph.id(of: edge.to)]
    var place = edge.to
    while let way = ways[place] {
      if path.count == CaptiveCheck.shownServices {
        return path + (way.length > 1 ? ["(\(way.length - 1) more)"] : []) + [graph.id(of: way.end)]
      }
      path.append(graph.id(of: way.next))
      place = way.next
    }
    return path
  }

  /// Finds the ways, those to the innermost scope first, each from its end.
  private mutating func findWays() {
    var incoming: [(from: Int, to: Int)] = []
    for edge in graph.edges where edge.isHeld && ranks[edge.from] == nil && graph.lifetime(of: edge.from) != nil {
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
            let further = ways[place]
            ways[holder] = Way(next: place, end: further?.end ?? place, length: 1 + (further?.length ?? 0))
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
  /// A service that holds one of a shorter life, along a path.
  fileprivate static func captive(
    _ holder: String, _ held: String, _ longer: String, _ shorter: String, path: [String], argument: String,
    at node: NodeRef
  ) -> Finding {
    Finding(
      .captiveDependency,
      "service \"\(holder)\" in scope \"\(longer)\" holds service \"\(held)\" in scope \"\(shorter)\", which ends "
        + "earlier: \(path.joined(separator: " -> "))", at: node,
      label: "\"\(holder)\" holds it through this reference",
      help: "give \"\(holder)\" scope \"\(shorter)\", or declare the argument as a Provider", subject: argument,
      owner: holder)
  }
}
