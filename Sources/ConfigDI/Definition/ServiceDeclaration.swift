// SPDX-License-Identifier: Apache-2.0

/// What a service or a template says. A template has no more than `extends`, `type`, `provides`, `scope` and arguments.
@dynamicMemberLookup
package struct ServiceDeclaration: Sendable {
  /// The registered type's name.
  package var type: Token?
  /// The lifetime's word.
  package var scope: Token?
  /// What its arguments receive.
  package var arguments = ArgumentDeclarations()
  /// What few services say: nothing or one. Apart, as a large module holds many services.
  private var rest: [Rest] = []

  /// What few services say.
  package struct Rest: Sendable {
    /// The template that says the rest.
    package var extends: Token?
    /// The names by which the service is looked up, or nil where it says nothing.
    package var provides: ListChange<Token>?
    /// Tags, each name once.
    package var tags: [TagDeclaration] = []
    /// What wraps the instance, innermost first, or nil where the service says nothing.
    package var decorators: ListChange<DecoratorDeclaration>?
    /// When the service is there.
    package var condition: Condition?
    /// Whether the service is built when the container starts.
    package var isEager: FlagToken?
    /// The key `eager`.
    package var eagerKey: NodeRef?
    /// Whether code may not look the service up.
    package var isPrivate: FlagToken?
    /// Whether arguments that the service does not name are bound by their types.
    package var isAutowired: FlagToken?
    /// Whether they are where the service does not say it: what the file says that defines the service.
    package var isAutowiredByFile = false
    /// What to use instead.
    package var deprecated: Token?
    /// Paths that an override removes.
    package var unset: [Token] = []
    /// Paths that overrides remove from what the template says.
    package var unsetInTemplate: [Token] = []
  }

  /// Something that few services say.
  package subscript<Part>(dynamicMember part: WritableKeyPath<Rest, Part>) -> Part {
    @inline(__always) get { rest.isEmpty ? Rest()[keyPath: part] : rest[0][keyPath: part] }
    @inline(__always) _modify {
      if rest.isEmpty { rest = [Rest()] }
      yield &rest[0][keyPath: part]
    }
  }
}

extension ServiceDeclaration {
  /// Whether an override with this body says nothing.
  var isEmpty: Bool {
    type == nil && scope == nil && arguments.isEmpty && rest.allSatisfy(\.isEmpty)
  }
}

extension ServiceDeclaration.Rest {
  /// Whether an override with this says nothing.
  fileprivate var isEmpty: Bool {
    extends == nil && provides == nil && tags.isEmpty && decorators == nil && condition == nil && isEager == nil
      && isPrivate == nil && isAutowired == nil && deprecated == nil && unset.isEmpty
  }
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

  /// Whether nothing is put at the ends of an older list.
  var isEmpty: Bool { prepended.isEmpty && appended.isEmpty }

  /// Puts elements at the ends of the list.
  mutating func extend(by change: ListChange<Element>) {
    node = change.node
    if !change.prepended.isEmpty { appended.insert(contentsOf: change.prepended, at: 0) }
    appended += change.appended
  }
}

/// A tag of a service.
package struct TagDeclaration: Sendable {
  /// The tag's name, and the string or key that says it.
  package var name: Token
  /// What the tag says as a whole: the string, or the map under the key.
  package var node: NodeRef
  /// Its place among those that bear the tag, or nil.
  package var order: OrderToken?
  /// The key in a map of those that bear the tag, or nil.
  package var key: Token?
}

/// The place of a service among those that bear a tag, and the number that says it.
package struct OrderToken: Hashable, Sendable {
  /// The number; smaller ones come first.
  package var value: Int64
  /// The token.
  package var node: NodeRef
}

/// What wraps the instance of a service.
package struct DecoratorDeclaration: Sendable {
  /// The opening bracket.
  package var node: NodeRef
  /// The registered type's name.
  package var type: Token
  /// What its arguments receive.
  package var arguments = ArgumentDeclarations()
}

/// What the arguments of a service, a template or a decorator receive. A key stands in one of the two.
package struct ArgumentDeclarations: Sendable {
  /// References by argument key.
  package var inject: [ArgumentDeclaration<Reference>] = []
  /// Data by argument key.
  package var values: [ArgumentDeclaration<Datum>] = []

  /// Whether no argument receives anything.
  var isEmpty: Bool { inject.isEmpty && values.isEmpty }

  /// The names of all arguments, each with the token of what it receives.
  var tokens: [(name: Name, node: NodeRef)] {
    inject.map { ($0.name, $0.content.node) } + values.map { ($0.name, $0.content.node) }
  }
}

/// What one argument receives.
package struct ArgumentDeclaration<Content: Sendable>: Sendable {
  /// The argument key.
  package var name: Name
  /// The key's token.
  package var key: NodeRef
  /// The reference or datum.
  package var content: Content
}

// MARK: - Writing

extension ServiceDeclaration {
  /// What a service says, as a file writes it, each part with its token; tags with what they are by default. `extends` and
  /// `unset` are left out, as a composed service has neither.
  func datum(of service: Token, _ names: NameTable) -> Datum {
    func map(_ entries: [Datum.Entry]) -> Datum? { entries.isEmpty ? nil : Datum(.map(entries), at: service.node) }
    let tags = self.tags.map { tag in
      let key = tag.name.node.value
      let said: KeyValuePairs<Keyword, Datum?> = [
        .order: Datum(.scalar(.integer(tag.order?.value ?? 0)), at: tag.order?.node ?? key),
        .key: Datum(tag.key ?? Token(name: service.name, node: key), names),
      ]
      return Datum.Entry(key: names[tag.name.name], value: Datum(said, at: key))
    }
    return Datum(
      [
        .type: type.map { Datum($0, names) },
        .provides: self.provides.map { Datum(.list($0.appended.map { Datum($0, names) }), at: $0.node) },
        .scope: scope.map { Datum($0, names) },
        .inject: map(arguments.injectEntries(names)), .values: map(arguments.valueEntries(names)), .tags: map(tags),
        .decorate: self.decorators.map { Datum(.list($0.appended.map { $0.datum(names) }), at: $0.node) },
        .when: self.condition?.datum(names), .eager: self.isEager.map { Datum($0) },
        .private: self.isPrivate.map { Datum($0) },
        .autowire: self.isAutowired.map { Datum($0) }, .deprecated: self.deprecated.map { Datum($0, names) },
      ], at: service.node)
  }
}

extension DecoratorDeclaration {
  /// What the decorator says, as a file writes it, each part with its token.
  fileprivate func datum(_ names: NameTable) -> Datum {
    func map(_ entries: [Datum.Entry]) -> Datum? { entries.isEmpty ? nil : Datum(.map(entries), at: node) }
    return Datum(
      [
        .type: Datum(type, names), .inject: map(arguments.injectEntries(names)),
        .values: map(arguments.valueEntries(names)),
      ], at: node)
  }
}

extension ArgumentDeclarations {
  /// The references by argument key, as a file writes them.
  fileprivate func injectEntries(_ names: NameTable) -> [Datum.Entry] {
    inject.map { Datum.Entry(key: names[$0.name], value: $0.content.datum(names)) }
  }

  /// The data by argument key.
  fileprivate func valueEntries(_ names: NameTable) -> [Datum.Entry] {
    values.map { Datum.Entry(key: names[$0.name], value: $0.content) }
  }
}
