// SPDX-License-Identifier: Apache-2.0

/// Follows references while a graph is made: those that files write, those to tags, and those that are bound by type.
struct ReferenceLinker {
  /// The composed module.
  let definition: ModuleDefinition
  /// The registered types.
  let types: RegisteredTypes?
  /// All holders, with the references that were followed so far.
  private(set) var holders: [Holder]
  /// The edges found so far.
  private(set) var edges: [WiringGraph.Edge] = []
  /// The findings.
  var bag = DiagnosticBag()
  /// The names by which something was to be bound by type, for which several services could answer.
  var ambiguousNames: Set<String> = []
  /// The aliases that references go through.
  private(set) var usedAliases: Set<Name> = []
  /// The strings that ask for a tag; one of a template once for each service that extends it.
  var askedTags: [Token] = []
  /// Whether tags and types gave more references than a load may hold, which was reported.
  private(set) var isExhausted = false
  /// The tags of which it was reported that another service has the same key.
  var toldTags: Set<NodeRef> = []

  /// How many more references tags and types may give: they multiply what a file says.
  private var budget: Int
  /// What the ids stand for that are not of services which are there.
  private var otherTargets: [Name: Target] = [:]
  /// All aliases.
  private let aliases: Set<Name>

  /// The services that bear each tag, by order, then by id. Made when the first tag is followed.
  lazy var tags = TagIndex(definition)
  /// What answers for each provided name. Made when the first reference is bound by type.
  lazy var providers = Providers(definition, holders, types)
  /// The ids that can be suggested. Made when the first is needed.
  lazy var candidates = ReferenceCandidates(definition, types)

  /// What an id stands for.
  enum Target {
    /// A service, by its number.
    case service(Int)
    /// A service that a condition disables, by its place.
    case excluded(Int)
    /// An alias that leads nowhere, which is reported where it stands.
    case deadAlias
    /// Nothing.
    case unknown
  }

  /// A linker that has followed nothing yet.
  init(_ definition: ModuleDefinition, _ types: RegisteredTypes?, limits: Limits) {
    self.definition = definition
    self.types = types
    holders = Holder.all(of: definition, types)
    budget = limits.fileSize / 16
    aliases = Set(definition.aliases.map(\.name))
    // A guess that suits most modules. Of what others do not fill, the system gives no memory.
    edges.reserveCapacity(holders.count * 2)
    for (place, service) in definition.excluded.enumerated() { otherTargets[service.name] = .excluded(place) }
    for alias in definition.aliases {
      otherTargets[alias.name] = alias.service.map(Target.service) ?? alias.excluded.map(Target.excluded) ?? .deadAlias
    }
  }

  /// What an id stands for.
  mutating func target(of name: Name) -> Target {
    if !aliases.isEmpty, aliases.contains(name) { usedAliases.insert(name) }
    if !otherTargets.isEmpty, let target = otherTargets[name] { return target }
    return definition.servicePlaces[name].map(Target.service) ?? .unknown
  }

  /// Counts references that a tag or a type gives; false where they are too many, which is reported once.
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
  /// What is known of the reference being followed.
  struct Link {
    /// The holder of the argument, by its number.
    var holder: Int
    /// The service that holds the reference; nil for a template.
    var service: Int?
    /// Whether a decorator holds it.
    var isDecorator: Bool
    /// The place of the injection among the holder's.
    var injection = 0
    /// When the argument reaches the service.
    var access = WiringGraph.Access.immediate
    /// The type that has the argument, where it is known, and the argument's place in it.
    private var argument: (type: RegisteredType, place: Int)?

    /// The link of a holder's arguments.
    init(holder: Int, service: Int?, isDecorator: Bool) {
      self.holder = holder
      self.service = service
      self.isDecorator = isDecorator
    }

    /// The provided name that the argument wants, where its type is known.
    var wanted: String? {
      guard let argument, case .service(let wanted, _) = argument.type.descriptor.arguments[argument.place].kind else {
        return nil
      }
      return wanted
    }

    /// The link of an argument whose type is known, or is not.
    func take(_ place: Int?, of type: RegisteredType?) -> Link {
      guard let place, let type else { return self }
      var link = self
      link.argument = (type, place)
      switch type.roles[place] {
      case .service(.lazy): link.access = .lazy
      case .service(.provider): link.access = .provider
      case .service: link.access = .immediate
      case .value, .decorated, .runtime, .container: link.access = .never
      }
      return link
    }
  }

  /// Finds what the references of a holder lead to, in the ascending order of their argument keys.
  mutating func link(at number: Int) {
    var holder = holders[number]
    guard !holder.isMalformed, !isExhausted, !holder.inject.isEmpty || holder.isAutowired else { return }
    let isDecorator = if case .decorator = holder.kind { true } else { false }
    var link = Link(holder: number, service: holder.service, isDecorator: isDecorator)
    var unbound = unboundArguments(of: holder)
    holder.injections.reserveCapacity(holder.inject.count + unbound.count)
    for injection in holder.inject {
      let key = definition.names[injection.name]
      while let next = unbound.last, holder.key(of: next).utf8.lexicographicallyPrecedes(key.utf8) {
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

  /// Adds the edge to a service.
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
  /// The key of an argument of the holder's type, by its place.
  fileprivate func key(of argument: Int) -> String { self.registered?.descriptor.arguments[argument].key ?? "" }
}

// MARK: - Messages

extension Finding {
  /// References that grow beyond all measure by tags and types.
  fileprivate static func tooManyReferences(at node: NodeRef) -> Finding {
    Finding(
      .tooLarge, "references by tag and by type exceed the limit of a load", at: node,
      label: "the limit is exceeded here")
  }
}
