// SPDX-License-Identifier: Apache-2.0

/// What a service says.
package struct ServiceDeclaration: Sendable {
  /// The registered type's name.
  package var type: Token?
  /// The names by which the service is looked up, or nil where it says nothing.
  package var provides: ListChange<Token>?
  /// The lifetime's word.
  package var scope: Token?
  /// References by argument key.
  package var inject: [Injection] = []
  /// Data by argument key.
  package var values: [ArgumentValue] = []
  /// Whether the service is built when the container starts.
  package var isEager: FlagToken?
  /// The key `eager`.
  package var eagerKey: NodeRef?
  /// Whether code may not look the service up.
  package var isPrivate: FlagToken?
  /// What to use instead.
  package var deprecated: Token?
  /// Paths that an override takes out.
  package var unset: [Token] = []
}

/// A list that replaces an older one, or what extends it at its ends.
package struct ListChange<Element: Sendable>: Sendable {
  /// The list's bracket, or that of the map that says what extends it.
  package var node: NodeRef
  /// Whether the old list goes.
  package var replaces: Bool
  /// The elements put in front of an older list.
  package var prepended: [Element] = []
  /// The elements put behind an older list, or the list itself.
  package var appended: [Element] = []

  /// The list that results from an older one; of none, an empty one is meant.
  package func applied(to old: ListChange<Element>?) -> ListChange<Element> {
    replaces
      ? self : ListChange(node: node, replaces: true, appended: prepended + (old?.appended ?? []) + appended)
  }
}

extension ServiceDeclaration {
  /// Whether an override with this body says nothing.
  var isEmpty: Bool {
    type == nil && provides == nil && scope == nil && inject.isEmpty && values.isEmpty && isEager == nil
      && isPrivate == nil && deprecated == nil && unset.isEmpty
  }
}

/// A reference under its argument key.
package struct Injection: Sendable {
  /// The argument key.
  package var name: Name
  /// The key's token.
  package var key: NodeRef
  /// The reference, whose shape is sound.
  package var reference: Datum
}

/// A datum under its argument key.
package struct ArgumentValue: Sendable {
  /// The argument key.
  package var name: Name
  /// The key's token.
  package var key: NodeRef
  /// The datum.
  package var datum: Datum
}

/// A datum or a reference before expansion: as it stands in one file, or put together from several.
package enum Datum: Sendable {
  /// As it stands at a node.
  case node(NodeRef)
  /// A map that was put together or of which an entry was changed; the second is the map that decided it last.
  case map([Entry], NodeRef)
  /// A list of which an element was changed; the second is the list's own node.
  case list([Datum], NodeRef)

  /// One entry of a merged map.
  package struct Entry: Sendable {
    /// The key's token.
    package var key: NodeRef
    /// The key's text.
    package var text: String
    /// The datum.
    package var datum: Datum
  }

  /// The token of the datum; for one that was put together that of the map or list that decided it last.
  package var place: NodeRef {
    switch self {
    case .node(let node), .map(_, let node), .list(_, let node): node
    }
  }
}
