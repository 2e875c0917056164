// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The wiring of a composed module for drawings: its services and the references between them.
///
/// The references are those of the graph: aliases are resolved, and absent references left out.
package struct WiringDiagram: Hashable, Sendable {
  /// A service.
  package struct Node: Hashable, Sendable {
    /// The id.
    package var id: String
    /// The name of the registered type.
    package var type: String
    /// The lifetime as a word.
    package var scope: String
    /// The names of the tags, ascending.
    package var tags: [String]
  }

  /// A reference from one service to another.
  package struct Edge: Hashable, Sendable {
    /// The id of the service that holds the reference.
    package var from: String
    /// The id of the service that the reference leads to.
    package var to: String
    /// The argument key.
    package var argument: String
    /// The kind of the reference.
    package var kind: WiringGraph.EdgeKind
  }

  /// The module's name.
  package var module: String
  /// The services, ascending by id.
  package var nodes: [Node]
  /// The references, ascending by `from`, `to`, `argument` and `kind`; no two are the same.
  package var edges: [Edge]

  /// Creates the diagram of a module.
  ///
  /// - Complexity: linear in services, n log n in references.
  package init(of resolved: ResolvedModule) {
    let graph = resolved.graph
    module = graph.definition.module
    nodes = (resolved.value.member("services")?.entries ?? []).map { service in
      Node(
        id: service.key, type: service.value.member("type")?.text ?? "",
        scope: service.value.member("scope")?.text ?? "",
        tags: service.value.member("tags")?.entries.map(\.key) ?? [])
    }
    // The services are in ascending order of ids, so sorting by their indices sorts by id.
    var found = graph.edges.map { NumberedEdge($0, argument: graph.argument(of: $0)) }
    found.sort()
    var last: NumberedEdge?
    edges = []
    edges.reserveCapacity(found.count)
    for edge in found where edge != last {
      edges.append(
        Edge(from: nodes[edge.from].id, to: nodes[edge.to].id, argument: edge.argument, kind: edge.kind))
      last = edge
    }
  }
}

/// A reference between services that are identified by index. Argument keys are compared by Unicode scalars.
private struct NumberedEdge: Comparable {
  /// The index of the service that holds the reference.
  let from: Int
  /// The index of the service that the reference leads to.
  let to: Int
  /// The argument key.
  let argument: String
  /// The kind of the reference.
  let kind: WiringGraph.EdgeKind

  /// Creates a reference from an edge of a graph.
  init(_ edge: WiringGraph.Edge, argument: String) {
    from = edge.from
    to = edge.to
    self.argument = argument
    kind = edge.kind
  }

  static func == (left: Self, right: Self) -> Bool {
    left.from == right.from && left.to == right.to && left.kind == right.kind
      && left.argument.utf8.elementsEqual(right.argument.utf8)
  }

  static func < (left: Self, right: Self) -> Bool {
    if left.from != right.from { return left.from < right.from }
    if left.to != right.to { return left.to < right.to }
    if !left.argument.utf8.elementsEqual(right.argument.utf8) {
      return left.argument.utf8.lexicographicallyPrecedes(right.argument.utf8)
    }
    return left.kind.rawValue < right.kind.rawValue
  }
}

// MARK: - JSON

extension WiringDiagram {
  /// The diagram in the form of `graph --format json`.
  package var value: Value {
    [
      "nodes": .list(
        nodes.map { node in
          [
            "id": .string(node.id), "type": .string(node.type), "scope": .string(node.scope),
            "tags": .list(node.tags.map(Value.string)),
          ]
        }),
      "edges": .list(
        edges.map { edge in
          [
            "from": .string(edge.from), "to": .string(edge.to), "argument": .string(edge.argument),
            "kind": .string(edge.kind.rawValue),
          ]
        }),
    ]
  }
}
