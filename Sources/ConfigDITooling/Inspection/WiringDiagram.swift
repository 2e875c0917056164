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
    let found = graph.edges.map { edge in
      NumberedEdge(from: edge.from, to: edge.to, argument: ScalarString(graph.argument(of: edge)), kind: edge.kind)
    }
    edges = Set(found).sorted().map { [nodes] edge in
      Edge(from: nodes[edge.from].id, to: nodes[edge.to].id, argument: edge.argument.text, kind: edge.kind)
    }
  }
}

/// A reference between services that are identified by index. The services are in ascending order of ids, so the order
/// of their indices is that of their ids.
private struct NumberedEdge: Hashable, Comparable {
  /// The index of the service that holds the reference.
  let from: Int
  /// The index of the service that the reference leads to.
  let to: Int
  /// The argument key.
  let argument: ScalarString
  /// The kind of the reference.
  let kind: WiringGraph.EdgeKind

  static func < (left: Self, right: Self) -> Bool {
    (left.from, left.to, left.argument, left.kind.rawValue)
      < (right.from, right.to, right.argument, right.kind.rawValue)
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
