// SPDX-License-Identifier: Apache-2.0

@testable import ConfigDI

extension Registry {
  /// Types of nodes that tell their building and their end.
  ///
  /// `Leaf` needs nothing, `Link` and `Pair` need nodes, `Wrap` decorates one; `LazyLink` and `ProviderLink` need one later,
  /// and `Opening` needs one lazily and uses it at once.
  static func nodes(_ journal: Journal = Journal()) -> Registry {
    var registry = Registry()
    let types: [ProvidedType<Node>] = [.itself, .type((any Greeter).self) { $0 }]
    registry.add("Leaf", Node.self, as: types, .value("name", String.self)) { Node($0, journal: journal) }
    registry.add("Link", Node.self, as: types, .value("name", String.self), .service("next", Node.self)) {
      (name: String, next: Node) in Node(name, needs: [next], journal: journal)
    }
    registry.add(
      "Pair", Node.self, as: types, .value("name", String.self), .service("left", Node.self),
      .service("right", Node.self)
    ) { (name: String, left: Node, right: Node) in Node(name, needs: [left, right], journal: journal) }
    registry.add("Wrap", Node.self, as: types, .value("name", String.self), .decorated("inner", Node.self)) {
      (name: String, inner: Node) in Node("\(name)(\(inner.name))", needs: [inner], journal: journal)
    }
    registry.add("LazyLink", Node.self, as: types, .value("name", String.self), .service("next", Lazy<Node>.self)) {
      (name: String, next: Lazy<Node>) in Node(name, needs: [next], journal: journal)
    }
    registry.add(
      "ProviderLink", Node.self, as: types, .value("name", String.self), .service("next", Provider<Node>.self)
    ) { (name: String, next: Provider<Node>) in Node(name, needs: [next], journal: journal) }
    registry.add("Opening", Node.self, as: types, .value("name", String.self), .service("next", Lazy<Node>.self)) {
      (name: String, next: Lazy<Node>) in Node(name, needs: [try next.get()], journal: journal)
    }
    return registry
  }
}

extension Node {
  /// The node at a place among what this one needs; nil where something else stands there.
  func need(_ place: Int = 0) -> Node? { needs[place] as? Node }

  /// What is needed later.
  var lazyNeed: Lazy<Node>? { needs.first as? Lazy<Node> }

  /// What is needed at each use.
  var providedNeed: Provider<Node>? { needs.first as? Provider<Node> }
}
