// SPDX-License-Identifier: Apache-2.0

@testable import ConfigDI

extension Registry {
  /// Types of nodes that tell their building and their end.
  ///
  /// `Leaf` needs nothing, `Link` and `Pair` need nodes, `Wrap` decorates one; `LazyLink` and `ProviderLink` need one later,
  /// and `Opening` needs one lazily and uses it at once.
  static func nodes(_ journal: Journal = Journal()) -> Registry {
    var registry = Registry()
    let types: @Sendable (Node) -> (Node, any Greeter) = { ($0, $0) }
    registry.add("Leaf", as: types, { (name: String) in Node(name, journal: journal) }, .value("name"))
    registry.add(
      "Link", as: types, { (name: String, next: Node) in Node(name, needs: [next], journal: journal) },
      .value("name"), .service("next"))
    registry.add(
      "Pair", as: types,
      { (name: String, left: Node, right: Node) in Node(name, needs: [left, right], journal: journal) },
      .value("name"), .service("left"), .service("right"))
    registry.add(
      "Wrap", as: types,
      { (name: String, inner: Node) in Node("\(name)(\(inner.name))", needs: [inner], journal: journal) },
      .value("name"), .decorated("inner"))
    registry.add(
      "LazyLink", as: types, { (name: String, next: Lazy<Node>) in Node(name, needs: [next], journal: journal) },
      .value("name"), .service("next"))
    registry.add(
      "ProviderLink", as: types,
      { (name: String, next: Provider<Node>) in Node(name, needs: [next], journal: journal) },
      .value("name"), .service("next"))
    registry.add(
      "Opening", as: types,
      { (name: String, next: Lazy<Node>) in Node(name, needs: [try next.get()], journal: journal) },
      .value("name"), .service("next"))
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
