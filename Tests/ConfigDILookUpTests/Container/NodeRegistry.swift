// SPDX-License-Identifier: Apache-2.0

@testable import ConfigDI

extension Registry {
  /// Returns a registry of node types that record their creation and deinitialization.
  ///
  /// `Leaf` has no dependencies, `Link` and `Pair` depend on nodes, and `Wrap` decorates a node. `LazyLink` and
  /// `ProviderLink` use their dependency later. `Opening` has a lazy dependency, which its builder uses.
  static func nodes(_ journal: Journal = Journal()) -> Registry {
    var registry = Registry()
    let types: @Sendable (Node) -> (Node, any Greeter) = { ($0, $0) }
    registry.add("Leaf", as: types, { (name: String) in Node(name, journal: journal) }, .value("name"))
    registry.add(
      "Link", as: types, { (name: String, next: Node) in Node(name, dependencies: [next], journal: journal) },
      .value("name"), .service("next"))
    registry.add(
      "Pair", as: types,
      { (name: String, left: Node, right: Node) in Node(name, dependencies: [left, right], journal: journal) },
      .value("name"), .service("left"), .service("right"))
    registry.add(
      "Wrap", as: types,
      { (name: String, inner: Node) in Node("\(name)(\(inner.name))", dependencies: [inner], journal: journal) },
      .value("name"), .decorated("inner"))
    registry.add(
      "LazyLink", as: types, { (name: String, next: Lazy<Node>) in Node(name, dependencies: [next], journal: journal) },
      .value("name"), .service("next"))
    registry.add(
      "ProviderLink", as: types,
      { (name: String, next: Provider<Node>) in Node(name, dependencies: [next], journal: journal) },
      .value("name"), .service("next"))
    registry.add(
      "Opening", as: types,
      { (name: String, next: Lazy<Node>) in Node(name, dependencies: [try next.get()], journal: journal) },
      .value("name"), .service("next"))
    return registry
  }
}

extension Node {
  /// Returns the dependency at an index; `nil` if it is not a node.
  func dependency(_ place: Int = 0) -> Node? { dependencies[place] as? Node }

  /// The first dependency; `nil` if it is not lazy.
  var lazyDependency: Lazy<Node>? { dependencies.first as? Lazy<Node> }

  /// The first dependency; `nil` if it is not a provider.
  var providerDependency: Provider<Node>? { dependencies.first as? Provider<Node> }
}
