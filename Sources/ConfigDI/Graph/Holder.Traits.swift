// SPDX-License-Identifier: Apache-2.0

extension Holder {
  /// Rare properties of holders, as flags. Checks filter by them instead of reading the content of every holder, which
  /// is spread over memory in a large module.
  struct Traits: OptionSet, Sendable {
    let rawValue: UInt16

    /// The declaration has a structural error.
    static let malformed = Traits(rawValue: 1 << 0)
    /// The arguments cannot be checked against the type.
    static let uncheckable = Traits(rawValue: 1 << 1)
    /// Arguments that the declaration omits are bound by type.
    static let autowired = Traits(rawValue: 1 << 2)
    /// The declaration lists the names that it provides.
    static let narrowed = Traits(rawValue: 1 << 3)
    /// The holder belongs to a deprecated service or template.
    static let deprecated = Traits(rawValue: 1 << 4)
    /// The type is not known.
    static let untyped = Traits(rawValue: 1 << 5)
    /// The type is deprecated.
    static let deprecatedType = Traits(rawValue: 1 << 6)
    /// The type is a decorator: it has a decorated argument.
    static let wrapping = Traits(rawValue: 1 << 7)
    /// The type is not safe to share across threads.
    static let unsendable = Traits(rawValue: 1 << 8)
    /// The type takes run-time arguments.
    static let parametrized = Traits(rawValue: 1 << 9)
    /// The holder is a private service, which code cannot look up.
    static let `private` = Traits(rawValue: 1 << 10)
    /// The holder is a service that is built when the container starts.
    static let eager = Traits(rawValue: 1 << 11)
    /// The holder is a service whose lifetime may differ from the default.
    static let scoped = Traits(rawValue: 1 << 12)
    /// The application supplies the instances of the type.
    static let given = Traits(rawValue: 1 << 13)
    /// The type opens a named scope.
    static let opening = Traits(rawValue: 1 << 14)
  }
}

extension Holder.Traits {
  /// Collects the traits of a holder's content and type.
  init(of said: Holder.Content) {
    self = []
    if said.isMalformed { insert(.malformed) }
    if said.isMalformed || said.hasInvalidTemplate || said.registered == nil { insert(.uncheckable) }
    if said.isAutowired { insert(.autowired) }
    if said.provides != nil { insert(.narrowed) }
    if said.isDeprecated { insert(.deprecated) }
    formUnion(said.registered?.traits ?? .untyped)
  }

  /// Collects the traits that only services have.
  init(of service: ComposedService) {
    self = []
    if service.isPrivate { insert(.private) }
    if service.isEager { insert(.eager) }
    if service.hasInvalidTemplate || service.declaration.scope != nil { insert(.scoped) }
  }
}

extension WiringGraph {
  /// Returns the holders with a trait.
  func holders(being trait: Holder.Traits) -> some Sequence<Holder> {
    holders.indices.lazy.filter { self.holders[$0].traits.contains(trait) }.map { self.holders[$0] }
  }

  /// Returns the numbers of the services with a trait, ascending.
  func services(being trait: Holder.Traits) -> some Sequence<Int> {
    definition.services.indices.lazy.filter { self.holders[$0].traits.contains(trait) }
  }
}
