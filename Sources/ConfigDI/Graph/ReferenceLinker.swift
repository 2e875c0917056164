// SPDX-License-Identifier: Apache-2.0

/// Follows references while a graph is made.
struct ReferenceLinker {
  /// The composed module.
  let definition: ModuleDefinition
  /// The registered types.
  let types: RegisteredTypes?
  /// The edges found so far.
  private(set) var edges: [WiringGraph.Edge] = []
  /// The findings.
  var bag = DiagnosticBag()
  /// The names by which something was to be bound by type, for which several services could answer.
  var ambiguousNames: Set<String> = []
  /// How many more references tags and types may give: they multiply what a file says.
  var budget: Int
  /// Whether it was told that they give too many.
  private var isExhausted = false

  /// What each id stands for, as a number that `Target` explains.
  private var targets: [Int32]
  /// The services that bear each tag, by order, then by id. Made when the first tag is followed.
  private lazy var tags = TagIndex(definition)
  /// The services by the names that they provide. Made when the first reference is bound by type.
  lazy var providers = ProviderIndex(definition, types)
  /// The ids that can be suggested. Made when the first is needed.
  private lazy var candidates = ReferenceCandidates(definition, types)

  /// What an id stands for.
  private enum Target {
    /// A service, by its number.
    case service(Int)
    /// A service that a condition took out, by its place.
    case excluded(Int)
    /// An alias that leads nowhere, which is told where it stands.
    case deadAlias
    /// Nothing.
    case unknown
  }

  /// A linker that has followed nothing yet.
  init(_ definition: ModuleDefinition, _ types: RegisteredTypes?, limits: Limits) {
    self.definition = definition
    self.types = types
    budget = limits.fileSize / 16
    // From 0 on services, from -3 down services that a condition took out.
    targets = Array(repeating: -2, count: definition.names.count)
    for (place, service) in definition.services.enumerated() { targets[Int(service.name.index)] = Int32(place) }
    for (place, service) in definition.excluded.enumerated() { targets[Int(service.name.index)] = -3 - Int32(place) }
    for alias in definition.aliases {
      let target = alias.service.map { Int32($0) } ?? alias.excluded.map { -3 - Int32($0) } ?? -1
      targets[Int(alias.name.index)] = target
    }
  }

  /// What the text at a node stands for.
  private func target(of node: NodeRef) -> Target {
    guard let name = definition.names.existingName(definition.documents.text(of: node)) else { return .unknown }
    switch targets[Int(name.index)] {
    case -1: return .deadAlias
    case -2: return .unknown
    case let number: return number >= 0 ? .service(Int(number)) : .excluded(Int(-3 - number))
    }
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
    var isDecorator = false
    /// The place of the argument among the holder's injections.
    var injection: Int
    /// When the argument reaches the service.
    var access = WiringGraph.Access.immediate
    /// The provided name that the argument wants, where its type is known.
    var wanted: String?
  }

  /// Finds what the references of a holder lead to.
  mutating func link(_ holder: inout Holder, at number: Int) {
    guard !holder.isMisshapen, !holder.inject.isEmpty || holder.isAutowired else { return }
    var link = Link(holder: number, service: holder.service, injection: 0)
    if case .decorator = holder.kind { link.isDecorator = true }
    var autowired = autowiredArguments(of: holder)
    // Those that are written and those that are bound by type, together in ascending order of their keys.
    for injection in holder.inject {
      let key = definition.names[injection.name]
      while let next = autowired.last, next.key.utf8.lexicographicallyPrecedes(key.utf8) {
        autowired.removeLast()
        bind(next, of: &holder, link)
      }
      link.injection = holder.injections.count
      let argument = link.take(holder.type?.argument(key))
      holder.injections.append(
        LinkedInjection(
          key: key, node: injection.key, isAutowired: false,
          reference: follow(injection.datum, argument, holder, kind: .direct)))
    }
    for argument in autowired.reversed() { bind(argument, of: &holder, link) }
  }

  /// Adds the edge to a service.
  mutating func addEdge(to service: Int, _ link: Link, _ kind: WiringGraph.EdgeKind, at node: NodeRef) {
    guard let holder = link.service else { return }
    let shown: WiringGraph.EdgeKind =
      switch (link.isDecorator, link.access) {
      case (true, _): .decorator
      case (_, .lazy): .lazy
      case (_, .provider): .provider
      case (_, .immediate): kind
      }
    edges.append(
      WiringGraph.Edge(
        from: holder, to: service, holder: link.holder, injection: link.injection, kind: shown, access: link.access,
        node: node))
  }
}

extension ReferenceLinker.Link {
  /// The link of an argument whose type is known, or is not.
  fileprivate func take(_ argument: ArgumentDescriptor?) -> ReferenceLinker.Link {
    guard case .service(let wanted, let wrapper)? = argument?.kind else { return self }
    var link = self
    link.wanted = wanted
    link.access = wrapper == .lazy ? .lazy : wrapper == .provider ? .provider : .immediate
    return link
  }
}

// MARK: - Written references

extension ReferenceLinker {
  /// What a reference leads to.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func follow(
    _ datum: Datum, _ link: Link, _ holder: Holder, kind: WiringGraph.EdgeKind
  ) -> LinkedReference {
    if case .node(let node) = datum, definition.documents[node].kind == .string {
      return follow(id: node, link, holder, kind)
    }
    if let (elements, node) = definition.documents.elements(of: datum) {
      return .list(elements.map { follow($0, link, holder, kind: .list) }, node)
    }
    return followMap(definition.documents.entries(of: datum) ?? [], link, holder, kind)
  }

  /// What a reference in the form of a map leads to.
  private mutating func followMap(
    _ entries: [Datum.Entry], _ link: Link, _ holder: Holder, _ kind: WiringGraph.EdgeKind
  ) -> LinkedReference {
    func part(_ keyword: Keyword) -> Datum? { entries.first { $0.text == keyword.text }?.datum }
    if let map = part(.map) {
      let inner = definition.documents.entries(of: map) ?? []
      let followed = inner.map {
        LinkedReference.Entry(key: $0.text, reference: follow($0.datum, link, holder, kind: .map))
      }
      return .map(followed, map.place)
    }
    if let tag = part(.tagged), case .node(let node) = tag {
      let form = part(.as).map { definition.documents.text(of: $0.place) }
      return follow(tag: node, asMap: form == Keyword.map.text, link)
    }
    guard let service = part(.service), case .node(let node) = service else { return .broken }
    let isOptional = part(.optional).map { definition.documents[$0.place].payload != 0 } ?? false
    return follow(id: node, link, holder, kind == .direct && isOptional ? .optional : kind, isOptional: isOptional)
  }

  /// What an id leads to; `isOptional` is nil where the id stands alone, not in a map.
  private mutating func follow(
    id node: NodeRef, _ link: Link, _ holder: Holder, _ kind: WiringGraph.EdgeKind, isOptional: Bool? = nil
  ) -> LinkedReference {
    switch target(of: node) {
    case .service(let service):
      addEdge(to: service, link, kind, at: node)
      return .service(service, node)
    case .excluded, .unknown:
      if isOptional == true { return .absent }
    case .deadAlias:
      return .broken
    }
    if case .excluded(let place) = target(of: node) {
      let service = definition.excluded[place]
      let mend = isOptional == nil ? definition.documents.text(of: node) : nil
      bag.report(.excludedService(holder, definition.names[service.name], service, mend: mend, at: node))
    } else {
      let id = definition.documents.text(of: node)
      let (near, place) = candidates.nearest(to: id, excluding: holder.id, providing: link.wanted)
      bag.report(.unknownService(holder, id, near: near, place: place, at: node))
    }
    return .broken
  }

  /// What a tag leads to: all that bear it, but never the holder's own service.
  private mutating func follow(tag node: NodeRef, asMap: Bool, _ link: Link) -> LinkedReference {
    let name = definition.names.existingName(definition.documents.text(of: node))
    let members = (name.map { tags[$0] } ?? []).filter { $0.service != link.service }
    guard spend(members.count, at: node) else { return .broken }
    for member in members { addEdge(to: member.service, link, asMap ? .map : .list, at: node) }
    guard asMap else { return .list(members.map { .service($0.service, node) }, node) }
    var entries: [LinkedReference.Entry] = []
    var first: [[UInt8]: TagIndex.Member] = [:]
    for member in members.sorted(by: { $0.service < $1.service }) {
      if let other = first[Array(member.tag.key.utf8)] {
        let ids = [other, member].map { definition.names[definition.services[$0.service].name] }
        bag.report(.equalTagKeys(definition.names[member.tag.name], ids, member.tag, other.tag))
      } else {
        first[Array(member.tag.key.utf8)] = member
        entries.append(LinkedReference.Entry(key: member.tag.key, reference: .service(member.service, node)))
      }
    }
    return .map(entries, node)
  }

  /// Counts references that a tag or a type gives; false where they are too many, which is told once.
  mutating func spend(_ count: Int, at node: NodeRef) -> Bool {
    budget -= count
    if budget >= 0 { return true }
    if !isExhausted { bag.report(.tooManyReferences(at: node)) }
    isExhausted = true
    return false
  }
}

// MARK: - Messages

extension Finding {
  /// A reference to a service that is not there.
  fileprivate static func unknownService(
    _ holder: Holder, _ id: String, near: [String], place: NodeRef?, at node: NodeRef
  ) -> Finding {
    var finding = Finding(.unknownService, "\(holder.inWords) injects unknown service \"\(id)\"", at: node)
    finding.label = "no service or alias has this id"
    finding.owner = holder.id
    if let place { finding.related = [Finding.Related(.node(place), "a similar id is defined here")] }
    finding.suggest(near)
    return finding
  }

  /// A reference to a service that a condition took out; `mend` is the id where it stands alone.
  fileprivate static func excludedService(
    _ holder: Holder, _ id: String, _ service: ExcludedService, mend: String?, at node: NodeRef
  ) -> Finding {
    var finding = Finding(
      .serviceTakenOut, "\(holder.inWords) injects service \"\(id)\", which its condition takes out", at: node)
    finding.label = "the service is not there"
    finding.owner = holder.id
    finding.related = [Finding.Related(.node(service.condition), "this condition does not hold")]
    finding.help = "make the reference optional, or give \(holder.inWords) the same condition"
    finding.replacement = mend.map { .optionalReference($0) }
    return finding
  }

  /// Two services of one key in a map of those that bear a tag.
  fileprivate static func equalTagKeys(
    _ tag: String, _ ids: [String], _ member: ComposedTag, _ other: ComposedTag
  ) -> Finding {
    var finding = Finding(
      .duplicateTagKey, "services \(ids.quotedList) have the same key \"\(member.key)\" among those tagged \"\(tag)\"",
      at: member.node)
    finding.related = [Finding.Related(.node(other.node), "service \"\(ids[0])\" has the key as well")]
    finding.help = "give one of them another \"key\""
    return finding
  }

  /// References that grow beyond all measure by tags and types.
  fileprivate static func tooManyReferences(at node: NodeRef) -> Finding {
    var finding = Finding(
      .tooLarge, "tags and types give more references than a load may hold", at: node)
    finding.label = "this is the first beyond the limit"
    return finding
  }
}
