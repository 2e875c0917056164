// SPDX-License-Identifier: Apache-2.0

extension Holder {
  /// What is so of few holders, so that the checks which ask for it need not look at the others: what these say lies far
  /// apart in a large module.
  struct Traits: OptionSet, Sendable {
    let rawValue: UInt16

    /// It has an error of shape.
    static let malformed = Traits(rawValue: 1 << 0)
    /// Its arguments cannot be checked against its type.
    static let uncheckable = Traits(rawValue: 1 << 1)
    /// What it does not name is bound by type.
    static let autowired = Traits(rawValue: 1 << 2)
    /// It says by which names it is looked up.
    static let narrowed = Traits(rawValue: 1 << 3)
    /// It belongs to something deprecated.
    static let deprecated = Traits(rawValue: 1 << 4)
    /// Its type is not known.
    static let untyped = Traits(rawValue: 1 << 5)
    /// Its type is deprecated.
    static let deprecatedType = Traits(rawValue: 1 << 6)
    /// Its type wraps another service.
    static let wrapping = Traits(rawValue: 1 << 7)
    /// Its type is not safe to share across threads.
    static let unsendable = Traits(rawValue: 1 << 8)
    /// Its type takes run-time arguments.
    static let parametrized = Traits(rawValue: 1 << 9)
    /// It is a service that code may not look up.
    static let `private` = Traits(rawValue: 1 << 10)
    /// It is a service that is built when the container starts.
    static let eager = Traits(rawValue: 1 << 11)
    /// It is a service whose lifetime may be another than that of a service which says none.
    static let scoped = Traits(rawValue: 1 << 12)
    /// The application gives the instances of its type.
    static let given = Traits(rawValue: 1 << 13)
    /// Its type opens a named scope.
    static let opening = Traits(rawValue: 1 << 14)
  }
}

extension Holder.Traits {
  /// What a holder says, and what its type is.
  init(of said: Holder.Said) {
    self = []
    if said.isMalformed { insert(.malformed) }
    if said.isMalformed || said.hasUnsoundTemplate || said.registered == nil { insert(.uncheckable) }
    if said.isAutowired { insert(.autowired) }
    if said.provides != nil { insert(.narrowed) }
    if said.isDeprecated { insert(.deprecated) }
    formUnion(said.registered?.traits ?? .untyped)
  }

  /// What only a service says.
  init(of service: ComposedService) {
    self = []
    if service.isPrivate { insert(.private) }
    if service.isEager { insert(.eager) }
    if service.hasUnsoundTemplate || service.declaration.scope != nil { insert(.scoped) }
  }
}

extension WiringGraph {
  /// The holders with a trait.
  func holders(being trait: Holder.Traits) -> some Sequence<Holder> {
    holders.indices.lazy.filter { self.holders[$0].traits.contains(trait) }.map { self.holders[$0] }
  }

  /// The services with a trait, ascending.
  func services(being trait: Holder.Traits) -> some Sequence<Int> {
    definition.services.indices.lazy.filter { self.holders[$0].traits.contains(trait) }
  }
}
