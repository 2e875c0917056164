// SPDX-License-Identifier: Apache-2.0

/// The linker that resolves references while a graph is made: references to ids, to tags, and those bound by type.
struct ReferenceLinker {
  /// The composed module.
  let definition: ModuleDefinition
  /// The registered types.
  let types: RegisteredTypes?
  /// All holders. Those processed so far have their linked references.
  private(set) var holders: [Holder]
  /// The edges found so far.
  private(set) var edges: [WiringGraph.Edge] = []
  /// The findings so far.
  var bag = DiagnosticBag()
  /// The names for which binding by type found several services.
  var ambiguousNames: Set<String> = []
  /// The aliases that references use.
  private(set) var usedAliases: Set<Name> = []
  /// The tokens of tag references. Those of a template occur once for each service that extends it.
  var referencedTags: [Token] = []
  /// Whether tags and types gave more references than a load may have. This has been reported.
  private(set) var isExhausted = false
  /// The tags of services for which a duplicate key has been reported.
  var reportedDuplicateTags: Set<NodeRef> = []

  /// The number of references that tags and types may still give. Limited, as they multiply the references of a file.
  private var budget: Int
  /// The targets of ids that are aliases or disabled services.
  private var otherTargets: [Name: Target] = [:]
  /// The ids of all aliases.
  private let aliases: Set<Name>

  /// The services with each tag, by order, then by id. Built on first use.
  lazy var tags = TagIndex(definition)
  /// The providers of each name. Built on first use.
  lazy var providers = Providers(definition, holders, types)
  /// The ids that can be suggested. Built on first use.
  lazy var candidates = ReferenceCandidates(definition, types)

  /// The target of an id.
  enum Target {
    /// A service, with its number.
    case service(Int)
    /// A disabled service, with its index in `ModuleDefinition.excluded`.
    case excluded(Int)
    /// An alias without a target. This is reported at the alias.
    case deadAlias
    /// No service or alias has the id.
    case unknown
  }

  /// Creates a linker that has resolved nothing yet.
  init(_ definition: ModuleDefinition, _ types: RegisteredTypes?, limits: Limits) {
    self.definition = definition
    self.types = types
    holders = Holder.all(of: definition, types)
    budget = limits.fileSize / 16
    aliases = Set(definition.aliases.map(\.name))
    // An estimate that is enough for most modules. The system does not commit memory that stays unused.
    edges.reserveCapacity(holders.count * 2)
    for (place, service) in definition.excluded.enumerated() { otherTargets[service.name] = .excluded(place) }
    for alias in definition.aliases {
      otherTargets[alias.name] = alias.service.map(Target.service) ?? alias.excluded.map(Target.excluded) ?? .deadAlias
    }
  }

  /// Returns the target of an id. Marks an alias as used.
  mutating func target(of name: Name) -> Target {
    if !aliases.isEmpty, aliases.contains(name) { usedAliases.insert(name) }
    if !otherTargets.isEmpty, let target = otherTargets[name] { return target }
    return definition.servicePlaces[name].map(Target.service) ?? .unknown
  }

  /// Takes references of a tag or type from the budget. Returns `false` if it is exceeded, and reports this once.
  mutating func spend(_ count: Int, at node: NodeRef) -> Bool {
    budget -= count
    if budget >= 0 { return true }
    if !isExhausted { bag.report(.tooManyReferences(at: node)) }
    isExhausted = true
    return false
  }
}

// MARK: - Holders

extension ReferenceLinker {
  /// The context of the reference being resolved.
  struct Link {
    /// The number of the holder that has the argument.
    var holder: Int
    /// The number of the service that the reference belongs to; `nil` for a template.
    var service: Int?
    /// Whether the holder is a decorator.
    var isDecorator: Bool
    /// The index of the reference in the holder's `injections`.
    var injection = 0
    /// The time at which the argument receives the service.
    var access = WiringGraph.Access.immediate
    /// The registered type and the index of the argument in it; `nil` if either is not known.
    var argument: (type: RegisteredType, place: Int)?

    /// The name that the argument requires; `nil` if it is not known.
    var wanted: String? {
      guard let argument, case .service(let wanted, _) = argument.type.kinds[argument.place] else { return nil }
      return wanted
    }

    /// Returns the context for an argument of a type, given its index there; `nil` if the type has no such argument.
    /// Returns this context if the type is `nil`.
    func take(_ place: Int?, of type: RegisteredType?) -> Link {
      guard let type else { return self }
      var link = self
      guard let place else {
        link.access = .never
        return link
      }
      link.argument = (type, place)
      switch type.kinds[place] {
      case .service(_, .lazy): link.access = .lazy
      case .service(_, .provider): link.access = .provider
      case .service: link.access = .immediate
      case .value, .decorated, .runtime, .scope, .resolver: link.access = .never
      }
      return link
    }
  }

  /// Links the references of a holder, in ascending order of their argument keys.
  mutating func link(at number: Int) {
    var holder = holders[number]
    guard !holder.isMalformed, !isExhausted, !holder.inject.isEmpty || holder.isAutowired else { return }
    let isDecorator = if case .decorator = holder.kind { true } else { false }
    var link = Link(holder: number, service: holder.service, isDecorator: isDecorator)
    var unbound = unboundArguments(of: holder)
    holder.injections.reserveCapacity(holder.inject.count + unbound.count)
    for injection in holder.inject {
      let key = definition.names[injection.name]
      while let next = unbound.last, ScalarString(holder.key(of: next)) < ScalarString(key) {
        unbound.removeLast()
        bind(next, of: &holder, link)
      }
      let argument = holder.registered?.place(of: injection.name)
      link.injection = holder.injections.count
      let reference = follow(injection.content, link.take(argument, of: holder.registered), holder, kind: .direct)
      holder.injections.append(
        LinkedInjection(
          key: key, node: injection.key, argument: argument, isAutowired: false, reference: reference))
    }
    for argument in unbound.reversed() { bind(argument, of: &holder, link) }
    holders[number].injections = holder.injections
  }

  /// Adds an edge to a service. Templates have no edges.
  mutating func addEdge(to service: Int, _ link: Link, _ kind: WiringGraph.EdgeKind, at node: NodeRef) {
    guard let holder = link.service else { return }
    let shown: WiringGraph.EdgeKind =
      switch (link.isDecorator, link.access) {
      case (true, _): .decorator
      case (_, .lazy): .lazy
      case (_, .provider): .provider
      case (_, .immediate), (_, .never): kind
      }
    edges.append(
      WiringGraph.Edge(
        from: holder, to: service, holder: link.holder, injection: link.injection, kind: shown, access: link.access,
        node: node))
  }
}

extension Holder {
  /// Returns the key of an argument of the holder's type, by index.
  fileprivate func key(of argument: Int) -> String { self.registered?.descriptor.arguments[argument].key ?? "" }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for too many references by tag and by type.
  fileprivate static func tooManyReferences(at node: NodeRef) -> Finding {
    Finding(
      .tooLarge, "references by tag and by type exceed the limit of a load", at: node,
      label: "the limit is exceeded here")
  }
}
