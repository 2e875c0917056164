// SPDX-License-Identifier: Apache-2.0

/// Reports captive dependencies: services that hold a service of a named scope that ends before they do.
///
/// The path between the two may lead through `transient`, `graph` and `weak` services, which live as long as their
/// holder. A provider holds nothing.
struct CaptiveDependencyCheck {
  let graph: WiringGraph
  /// The rank of each service's lifetime: 0 for `shared`, the index of the scope plus 1 for a named scope, outermost
  /// first. `nil` if the service lives as long as its holder, or its lifetime is not known. Empty if the module has no
  /// named scopes.
  private let ranks: [Int?]
  /// The shortest path from each service without a rank to a service with the highest rank that it reaches.
  private var ways: [Int: Way] = [:]

  /// A shortest path from a service to a service of a named scope, as a link to the next service.
  private struct Way {
    /// The next service on the path.
    let next: Int
    /// The last service on the path.
    let end: Int
    /// The number of edges.
    let length: Int
  }

  /// Creates a check of a graph and finds the paths.
  ///
  /// - Complexity: Linear in services and references.
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

  /// Runs the check. Reports each reference from a service to one that ends earlier, or to a path that leads to one.
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

  /// Returns the word for the lifetime of a service.
  private func word(of service: Int) -> String { graph.lifetime(of: service)?.word(in: graph.scopes) ?? "" }

  /// The maximum number of services of a path that a message shows.
  private static let shownServices = 32

  /// Returns the ids on the path over an edge to the captive service. A long path is shortened to its first ids, the
  /// number of omitted ones, and the last.
  private func path(along edge: WiringGraph.Edge) -> [String] {
    var path = [graph.id(of: edge.from), graph.id(of: edge.to)]
    var place = edge.to
    while let way = ways[place] {
      if path.count == CaptiveDependencyCheck.shownServices {
        return path + (way.length > 1 ? ["(\(way.length - 1) more)"] : []) + [graph.id(of: way.end)]
      }
      path.append(graph.id(of: way.next))
      place = way.next
    }
    return path
  }

  /// Finds the paths by breadth-first searches from their ends, those of the innermost scope first.
  private mutating func findWays() {
    var incoming: [(from: Int, to: Int)] = []
    for edge in graph.edges where edge.isHeld && ranks[edge.from] == nil && graph.lifetime(of: edge.from) != nil {
      incoming.append((from: edge.to, to: edge.from))
    }
    let holders = DirectedGraph(nodeCount: ranks.count, edges: incoming)
    var members = [[Int]](repeating: [], count: graph.scopes.count + 1)
    for (place, rank) in ranks.enumerated() { if let rank { members[rank].append(place) } }
    for rank in stride(from: graph.scopes.count, to: 0, by: -1) {
      // Each ring is sorted, so that of several shortest paths the one with the smallest ids is found.
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
  /// Returns the finding for a service that holds a service with a shorter lifetime.
  fileprivate static func captive(
    _ holder: String, _ held: String, _ longer: String, _ shorter: String, path: [String], argument: String,
    at node: NodeRef
  ) -> Finding {
    Finding(
      .captiveDependency,
      "service \"\(holder)\" in scope \"\(longer)\" holds service \"\(held)\" in scope \"\(shorter)\", which ends "
        + "earlier, through argument \"\(argument)\": \(path.joined(separator: " -> "))", at: node,
      label: "\"\(holder)\" holds it through this reference",
      help: "give \"\(holder)\" scope \"\(shorter)\", or declare the argument as a Provider", subject: argument,
      owner: holder)
  }
}
