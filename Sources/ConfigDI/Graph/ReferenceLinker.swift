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
  private(set) var bag = DiagnosticBag()

  /// What each id stands for: a service's number, or -1 for an alias that stands for none.
  private var targets: [Int32]
  /// The ids of all services and aliases, for suggestions. Made when the first is needed.
  private lazy var candidates = SuggestionIndex(
    definition.services.map { definition.names[$0.name] } + definition.aliases.map { definition.names[$0.name] })

  /// How many ids were compared with the candidates.
  private var questionCount = 0
  /// The key that defines each id, for suggestions. Made when the first is needed.
  private lazy var places = definingKeys()

  /// The mark of an id that nothing bears.
  private static let unknown: Int32 = -2

  /// A linker that has followed nothing yet.
  init(_ definition: ModuleDefinition, _ types: RegisteredTypes?) {
    self.definition = definition
    self.types = types
    targets = Array(repeating: ReferenceLinker.unknown, count: definition.names.count)
    for (place, service) in definition.services.enumerated() { targets[Int(service.name.index)] = Int32(place) }
    for alias in definition.aliases { targets[Int(alias.name.index)] = Int32(alias.service ?? -1) }
  }

  /// The references of one service.
  mutating func link(_ service: ComposedService, at place: Int) -> [LinkedInjection] {
    guard !service.declaration.arguments.inject.isEmpty else { return [] }
    let type = service.declaration.type.flatMap { types?[$0.name] }
    return service.declaration.arguments.inject.map { injection in
      let argument = type?.arguments.first { $0.key.utf8.elementsEqual(definition.names[injection.name].utf8) }
      var link = Link(service: place, argument: injection.name, wrapperKind: nil, wanted: nil)
      if case .service(let wanted, let wrapper)? = argument?.kind {
        link.wanted = wanted
        link.wrapperKind = wrapper == .lazy ? .lazy : wrapper == .provider ? .provider : nil
      }
      return LinkedInjection(
        name: injection.name, key: injection.key, reference: follow(injection.datum, link, kind: .direct))
    }
  }

  /// What is known of the reference being followed.
  private struct Link {
    /// The service that holds it.
    var service: Int
    /// The argument key.
    var argument: Name
    /// The kind of edge where the argument is lazy or a provider.
    var wrapperKind: WiringGraph.EdgeKind?
    /// The provided name that the argument wants.
    var wanted: String?
  }

  /// What a reference leads to.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func follow(_ datum: Datum, _ link: Link, kind: WiringGraph.EdgeKind) -> LinkedReference {
    if case .node(let node) = datum, definition.documents[node].kind == .string {
      return follow(id: node, link, kind, isOptional: false)
    }
    if let (elements, node) = definition.documents.elements(of: datum) {
      return .list(elements.map { follow($0, link, kind: .list) }, node)
    }
    return followMap(definition.documents.entries(of: datum) ?? [], link, kind)
  }

  /// What a reference in the form of a map leads to.
  private mutating func followMap(
    _ entries: [Datum.Entry], _ link: Link, _ kind: WiringGraph.EdgeKind
  ) -> LinkedReference {
    if let map = entries.first(where: { $0.text == "map" }) {
      let inner = definition.documents.entries(of: map.datum) ?? []
      let followed = inner.map {
        LinkedReference.Entry(key: $0.text, reference: follow($0.datum, link, kind: .map))
      }
      return .map(followed, map.datum.place)
    }
    guard let service = entries.first(where: { $0.text == "service" }), case .node(let node) = service.datum else {
      return .broken
    }
    let optional = entries.first { $0.text == "optional" }?.datum.place
    let isOptional = optional.map { definition.documents[$0].payload != 0 } ?? false
    return follow(id: node, link, kind == .direct && isOptional ? .optional : kind, isOptional: isOptional)
  }

  /// What an id leads to.
  private mutating func follow(
    id node: NodeRef, _ link: Link, _ kind: WiringGraph.EdgeKind, isOptional: Bool
  ) -> LinkedReference {
    let id = definition.documents.text(of: node)
    let target = definition.names.existingName(id).map { targets[Int($0.index)] } ?? ReferenceLinker.unknown
    if target >= 0 {
      edges.append(
        WiringGraph.Edge(
          from: link.service, to: Int(target), argument: link.argument, kind: link.wrapperKind ?? kind, node: node))
      return .service(Int(target), node)
    }
    if target == ReferenceLinker.unknown && isOptional { return .absent }
    if target == ReferenceLinker.unknown { reportUnknown(id, link, at: node) }
    return .broken
  }

  /// Tells a reference to a service that is not there.
  private mutating func reportUnknown(_ id: String, _ link: Link, at node: NodeRef) {
    let own = definition.names[definition.services[link.service].name]
    let bare = String(id.drop { !$0.isLetter && $0 != "_" })
    let isKnown = definition.names.existingName(bare).map { targets[Int($0.index)] != ReferenceLinker.unknown } ?? false
    var near: [String] = []
    if isKnown && bare != own {
      near = [bare]
    } else if questionCount < candidates.greatestQuestionCount {
      near = candidates.suggestions(for: bare, excluding: own, preferring: preference(for: link.wanted))
      questionCount += 1
    }
    bag.report(.unknownService(own, id, near: near, place: near.first.flatMap { place(of: $0) }, at: node))
  }

  /// Tells of an id whether its service provides a name; nil where no name is wanted.
  private func preference(for wanted: String?) -> ((String) -> Bool)? {
    guard let wanted, let types else { return nil }
    return { [definition, targets] id in
      guard let name = definition.names.existingName(id), targets[Int(name.index)] >= 0,
        let type = definition.services[Int(targets[Int(name.index)])].declaration.type
      else { return false }
      return types[type.name]?.provides.contains(wanted) ?? false
    }
  }

  /// The key that defines an id.
  private mutating func place(of id: String) -> NodeRef? {
    definition.names.existingName(id).flatMap { places[$0] }
  }

  /// The keys that define services and aliases.
  private func definingKeys() -> [Name: NodeRef] {
    let services = definition.services.map { ($0.name, $0.key) }
    let aliases = definition.aliases.map { ($0.name, $0.key) }
    return Dictionary(services + aliases) { service, _ in service }
  }
}

// MARK: - Messages

extension Finding {
  /// A reference to a service that is not there.
  fileprivate static func unknownService(
    _ service: String, _ id: String, near: [String], place: NodeRef?, at node: NodeRef
  ) -> Finding {
    var finding = Finding(.unknownService, "service \"\(service)\" injects unknown service \"\(id)\"", at: node)
    finding.label = "no service or alias has this id"
    if let place { finding.related = [Finding.Related(.node(place), "a similar id is defined here")] }
    finding.suggest(near)
    return finding
  }
}
