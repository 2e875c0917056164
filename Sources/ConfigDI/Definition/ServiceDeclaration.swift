// SPDX-License-Identifier: Apache-2.0

/// The declaration of a service or template. A template has only `extends`, `type`, `provides`, `scope` and arguments.
@dynamicMemberLookup
package struct ServiceDeclaration: Sendable {
  /// The name of the registered type.
  package var type: Token?
  /// The word of the lifetime.
  package var scope: Token?
  /// The arguments.
  package var arguments = ArgumentDeclarations()
  /// The rarely used keys, as an array of zero or one elements. Stored apart to keep services small in a large module.
  private var rest: [Rest] = []

  /// The keys that few services use.
  package struct Rest: Sendable {
    /// The template that this declaration extends.
    package var extends: Token?
    /// The names under which the service can be looked up; `nil` if the key is absent.
    package var provides: ListChange<Token>?
    /// The tags, each name once.
    package var tags: [TagDeclaration] = []
    /// The decorators, innermost first; `nil` if the key is absent.
    package var decorators: ListChange<DecoratorDeclaration>?
    /// The condition under which the service is enabled; `nil` if it is always enabled.
    package var condition: Condition?
    /// Whether the service is built when the container starts.
    package var isEager: FlagToken?
    /// The token of the key `eager`.
    package var eagerKey: NodeRef?
    /// Whether the service is private, so that code cannot look it up.
    package var isPrivate: FlagToken?
    /// Whether arguments that the service does not give are bound by type.
    package var isAutowired: FlagToken?
    /// Whether the file that defines the service has `autowire` set. Applies if `isAutowired` is `nil`.
    package var isAutowiredByFile = false
    /// The deprecation notice, which says what to use instead; `nil` if the service is not deprecated.
    package var deprecated: Token?
    /// The paths that an override removes.
    package var unset: [Token] = []
    /// What overrides remove from the content of a template, in the order of the overrides.
    package var unsetInTemplate: [UnsetInTemplate] = []

    /// The paths of one `unset` that may lead into the content of the template.
    package struct UnsetInTemplate: Sendable {
      /// The paths.
      var paths: [Token]
      /// The paths among these that have removed a part of the service itself, and need not lead into the template.
      var here: Set<Name>
      /// The template, if an override has changed `extends` since. Nothing is removed from it.
      var formerTemplate: Name?
    }

    /// The keys of a declaration that has none of them.
    fileprivate static let absent = [Rest()]
  }

  /// Accesses a rarely used key.
  package subscript<Part>(dynamicMember part: WritableKeyPath<Rest, Part>) -> Part {
    @inline(__always) get { (rest.isEmpty ? Rest.absent : rest)[0][keyPath: part] }
    @inline(__always) _modify {
      addRest()
      yield &rest[0][keyPath: part]
    }
  }

  /// Makes room for the rarely used keys. Not inlined, since the initialization of all of them is much code.
  @inline(never) private mutating func addRest() {
    if rest.isEmpty { rest = Rest.absent }
  }
}

extension ServiceDeclaration {
  /// Whether an override with this content changes nothing.
  var isEmpty: Bool {
    type == nil && scope == nil && arguments.isEmpty && rest.allSatisfy(\.isEmpty)
  }

  /// The arguments of the service or template, then those of its decorators.
  var allArguments: [ArgumentDeclarations] { [arguments] + (self.decorators?.all ?? []).map(\.arguments) }
}

extension ServiceDeclaration.Rest {
  /// Whether an override with these keys changes nothing.
  fileprivate var isEmpty: Bool {
    extends == nil && provides == nil && tags.isEmpty && decorators == nil && condition == nil && isEager == nil
      && isPrivate == nil && isAutowired == nil && deprecated == nil && unset.isEmpty
  }
}

/// A list that replaces an earlier one, or additions at its two ends.
package struct ListChange<Element: Sendable>: Sendable {
  /// The token of the list, or of the map with `append` and `prepend`.
  package var node: NodeRef
  /// Whether the earlier list, or that of the template, is replaced.
  package var replaces: Bool
  /// The elements to insert before those of an earlier list.
  package var prepended: [Element] = []
  /// The elements to append to an earlier list; if `replaces` is `true`, the whole list.
  package var appended: [Element] = []

  /// All elements.
  var all: [Element] { prepended + appended }

  /// Adds the elements of another change at the ends of this list.
  mutating func extend(by change: ListChange<Element>) {
    node = change.node
    if !change.prepended.isEmpty { appended.insert(contentsOf: change.prepended, at: 0) }
    appended += change.appended
  }
}

/// A tag of a service.
package struct TagDeclaration: Sendable {
  /// The tag's name, with the string or key that it was read from.
  package var name: Token
  /// The token of the whole tag: the string, or the map under the key.
  package var node: NodeRef
  /// The position among the services with the tag, smaller numbers first; `nil` if none is given.
  package var order: ScalarToken<Int64>?
  /// The service's key if the tagged services are injected as a map; `nil` if none is given.
  package var key: Token?
}

/// A decorator of a service.
package struct DecoratorDeclaration: Sendable {
  /// The token of the decorator's map.
  package var node: NodeRef
  /// The name of the registered type.
  package var type: Token
  /// The arguments.
  package var arguments = ArgumentDeclarations()
}

/// The arguments of a service, template or decorator. In a valid file, each key is in only one of the two lists.
package struct ArgumentDeclarations: Sendable {
  /// The references of `inject`, with their argument keys.
  package var inject: [ArgumentDeclaration<Reference>] = []
  /// The data of `values`, with their argument keys.
  package var values: [ArgumentDeclaration<Datum>] = []

  /// Whether there are no arguments.
  var isEmpty: Bool { inject.isEmpty && values.isEmpty }

  /// The names of all arguments, each with the token of its value.
  var tokens: [(name: Name, node: NodeRef)] {
    inject.map { ($0.name, $0.content.node) } + values.map { ($0.name, $0.content.node) }
  }
}

/// One argument with its value.
package struct ArgumentDeclaration<Content: Sendable>: Sendable {
  /// The argument key.
  package var name: Name
  /// The token of the argument key.
  package var key: NodeRef
  /// The value, a reference or a datum.
  package var content: Content
}

// MARK: - Writing

extension ServiceDeclaration {
  /// Returns the declaration in the form that files use, with a token for each part and the defaults of tags filled in.
  /// `extends` and `unset` are omitted, as a composed service has neither.
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
  /// Returns the decorator in the form that files use, with a token for each part.
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
  /// Returns the entries of `inject` in the form that files use.
  fileprivate func injectEntries(_ names: NameTable) -> [Datum.Entry] {
    inject.map { Datum.Entry(key: names[$0.name], value: $0.content.datum(names)) }
  }

  /// Returns the entries of `values` in the form that files use.
  fileprivate func valueEntries(_ names: NameTable) -> [Datum.Entry] {
    values.map { Datum.Entry(key: names[$0.name], value: $0.content) }
  }
}
