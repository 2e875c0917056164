// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// Explains the ids of a composed module.
package struct Explainer: Sendable {
  /// The module as `resolve` prints it.
  let module: ResolvedModule
  /// The module.
  var definition: ModuleDefinition { module.graph.definition }

  /// Creates an explainer of a module without errors.
  package init(_ validated: ValidatedGraph) { self.init(ResolvedModule(validated)) }

  /// Creates an explainer of a module.
  private init(_ module: ResolvedModule) { self.module = module }

  /// Returns the explanation of an id, or `nil` if no entry has it.
  ///
  /// The sections are searched in the order services, aliases, parameters, templates, bindings. `parameters.level`
  /// names the section as well.
  package func explanation(of id: String) -> Explanation? {
    let named = sectionAndID(id)
    return explanation(of: id, in: Section.allCases) ?? named.flatMap { explanation(of: $0.id, in: [$0.section]) }
      ?? removedEntry(id, in: Section.allCases) ?? named.flatMap { removedEntry($0.id, in: [$0.section]) }
  }

  /// Returns the explanation of an id with the difference from the module without an environment, or `nil` if unknown.
  package func explanation(of id: String, since base: ValidatedGraph) -> Explanation? {
    guard var explanation = explanation(of: id) else { return nil }
    let base = ResolvedModule(base)
    let isRegistered = explanation.isRegistered
    let wasRegistered = Explainer(base).explanation(of: id)?.isRegistered ?? false
    switch (wasRegistered, isRegistered) {
    // A difference in a template that is in use shows in the services that extend it.
    case (true, true) where explanation.section == .templates: break
    case (true, true):
      let section = ModuleDifference.SectionName(rawValue: explanation.section.rawValue)
      let changed = section.map(ModuleDifference(from: base, to: module).changes(in:))
      explanation.sinceBase = .changed(changed?.first { $0.id.utf8.elementsEqual(explanation.id.utf8) }?.changes ?? [])
    case (false, true): explanation.sinceBase = .added
    case (true, false): explanation.sinceBase = .removed
    case (false, false): break
    }
    return explanation
  }

  /// The ids of all entries, for suggestions.
  package var ids: [String] {
    let names =
      definition.services.map(\.name) + definition.excluded.map(\.name) + definition.aliases.map(\.name)
      + definition.parameters.map(\.name) + definition.templates.map(\.name) + definition.bindings.map(\.name)
    return Set(names).map { definition.names[$0] }
  }

  /// Returns the section and the id of a path such as `parameters.level`, or `nil` if it does not begin with a section.
  private func sectionAndID(_ path: String) -> (section: Section, id: String)? {
    guard let dot = path.firstIndex(of: "."), let section = Section(rawValue: String(path[..<dot])) else { return nil }
    return (section, String(path[path.index(after: dot)...]))
  }

  /// Returns the explanation of an id in one of the sections, or `nil` if none has it.
  private func explanation(of id: String, in sections: [Section]) -> Explanation? {
    guard let name = definition.names.existingName(id) else { return nil }
    if sections.contains(.services) {
      if let place = definition.services.firstIndex(where: { $0.name == name }) { return service(place) }
      if let excluded = definition.excluded.first(where: { $0.name == name }) { return self.excluded(excluded) }
    }
    if sections.contains(.aliases), let alias = definition.aliases.first(where: { $0.name == name }) {
      return self.alias(alias)
    }
    if sections.contains(.parameters), let parameter = definition.parameters.first(where: { $0.name == name }) {
      return self.parameter(parameter)
    }
    if sections.contains(.templates), let template = definition.templates.first(where: { $0.name == name }) {
      return self.template(template)
    }
    if sections.contains(.bindings), let binding = definition.bindings.first(where: { $0.name == name }) {
      return target(binding, in: .bindings, usedBy: [])
    }
    return nil
  }

  /// Returns the explanation of an entry that a file removes from one of the sections, or `nil` if there is none.
  private func removedEntry(_ id: String, in sections: [Section]) -> Explanation? {
    guard let name = definition.names.existingName(id) else { return nil }
    for section in sections {
      guard let removal = definition.history.removal(of: name, in: section) else { continue }
      return Explanation(
        id: id, section: section, definition: .map([]),
        removals: [PartList.removal(removal, in: definition)])
    }
    return nil
  }
}

extension Explanation {
  /// Whether the entry exists in the composed module.
  fileprivate var isRegistered: Bool { !isExcluded && !isRemoved }
}

// MARK: - Services

extension Explainer {
  /// Returns the explanation of an enabled service.
  private func service(_ place: Int) -> Explanation {
    let graph = module.graph
    let service = definition.services[place]
    var parts = PartList(definition)
    parts.addService(place, of: module)
    parts.addDoc(of: service.name, in: .services)
    let uses = graph.edges.lazy.filter { $0.from == place }.map { graph.id(of: $0.to) }
    let users = users(of: place)
    let (decisions, removals) = parts.resolved(removedFrom: service.name, in: .services)
    return Explanation(
      id: graph.id(of: place), section: .services, definition: module.service(place), decisions: decisions,
      bound: bound(place), removals: removals, condition: condition(service.declaration.condition, of: service.name),
      environment: definition.environment,
      uses: Set(uses).ascending, usedBy: Set(users.map(\.id)).ascending, users: users, names: names(of: place))
  }

  /// Returns the explanation of a service that a condition disables.
  private func excluded(_ service: ExcludedService) -> Explanation {
    var parts = PartList(definition)
    parts.addDoc(of: service.name, in: .services)
    return Explanation(
      id: definition.names[service.name], section: .services, definition: .map([]), decisions: parts.decisions(),
      condition: condition(service.condition, of: service.name), isExcluded: true, environment: definition.environment)
  }

  /// Returns the condition of a service as written, with the values that it compares with secrets masked.
  private func condition(_ condition: Condition?, of service: Name) -> Explanation.Decision? {
    guard let condition else { return nil }
    var parts = PartList(definition)
    parts.add(condition, shown: module.printed(condition, module.secretsInParameters))
    return parts.resolved(removedFrom: service, in: .services).decisions.first
  }

  /// Returns the arguments of a service and its decorators that are bound by type.
  private func bound(_ place: Int) -> [Value.Entry] {
    ([module.graph.holders[place]] + module.graph.decorators(of: place)).flatMap { holder in
      holder.injections.filter(\.isAutowired).compactMap { injection in
        module.printed(injection.reference).map { module.entry(path(of: injection, in: holder), $0) }
      }
    }
  }

  /// Returns the path of an argument, such as `inject.log` or `decorate[0].inject.log`.
  private func path(of injection: LinkedInjection, in holder: Holder) -> String {
    let path = PathStep.path("inject", appending: injection.key)
    return if case .decorator(_, let number) = holder.kind { "decorate[\(number)].\(path)" } else { path }
  }

  /// Returns the references to a service, ascending by the service that has the reference, then by argument.
  private func users(of place: Int) -> [Explanation.User] {
    let graph = module.graph
    let tags = Set(graph.referencedTags.map(\.node))
    let users = graph.edges.lazy.filter { $0.to == place }.map { edge in
      let holder = graph.holders[edge.holder]
      return Explanation.User(
        id: graph.id(of: edge.from), argument: path(of: holder.injections[edge.injection], in: holder),
        kind: kind(of: edge, to: place, tags))
    }
    return users.sorted { left, right in
      (ScalarString(left.id), ScalarString(left.argument)) < (ScalarString(right.id), ScalarString(right.argument))
    }
  }

  /// Returns how a reference leads to a service.
  ///
  /// - Parameter tags: The references by tag. A tag may have the name of a service.
  private func kind(
    of edge: WiringGraph.Edge, to place: Int, _ tags: Set<NodeRef>
  ) -> Explanation.User.ReferenceKind {
    let holder = module.graph.holders[edge.holder]
    let injection = holder.injections[edge.injection]
    if injection.isAutowired {
      let argument = holder.type?.arguments.first { $0.key.utf8.elementsEqual(injection.key.utf8) }
      if case .service(let type, _)? = argument?.kind { return .type(type) }
      return .type("")
    }
    let text = definition.documents.text(of: edge.node)
    if tags.contains(edge.node) { return .tag(text) }
    if text.utf8.elementsEqual(module.graph.id(of: place).utf8) { return .id }
    let name = definition.names.existingName(text)
    let isAlias = definition.aliases.contains { $0.name == name && $0.service == place }
    return isAlias ? .alias(text) : .tag(text)
  }

  /// Returns the aliases and bindings whose target is a service.
  private func names(of place: Int) -> [Explanation.Decision] {
    var parts = PartList(definition)
    for (section, targets) in [("aliases", definition.aliases), ("bindings", definition.bindings)] {
      for target in targets where target.service == place {
        let path = PathStep.path(section, appending: definition.names[target.name])
        parts.add(path, (target.target.node, .string(definition.names[target.target.name])))
      }
    }
    return parts.decisions()
  }
}

// MARK: - Aliases, parameters, templates

extension Explainer {
  /// Returns the explanation of an alias.
  private func alias(_ alias: ComposedTarget) -> Explanation {
    let users = definition.services.filter { service in
      let decorators = service.declaration.decorators?.appended ?? []
      return ([service.declaration.arguments] + decorators.map(\.arguments)).flatMap(\.inject).contains {
        $0.content.refers(to: alias.name)
      }
    }.map { definition.names[$0.name] }
    return target(alias, in: .aliases, usedBy: Set(users).ascending)
  }

  /// Returns the explanation of an alias or a binding.
  private func target(_ target: ComposedTarget, in section: Section, usedBy users: [String]) -> Explanation {
    let service = target.service.map { module.graph.id(of: $0) }
    let id = service ?? definition.names[target.target.name]
    var parts = PartList(definition)
    parts.add("target", (target.target.node, .string(definition.names[target.target.name])))
    if service != nil { parts.addAliases(from: target.target.name) }
    return Explanation(
      id: definition.names[target.name], section: section, definition: ["target": .string(id)],
      decisions: parts.decisions(), uses: service.map { [$0] } ?? [], usedBy: users)
  }

  /// Returns the explanation of a parameter.
  private func parameter(_ parameter: ComposedParameter) -> Explanation {
    let id = definition.names[parameter.name]
    var parts = PartList(definition)
    parts.add(parameter)
    parts.addDoc(of: parameter.name, in: .parameters)
    let (decisions, removals) = parts.resolved(removedFrom: parameter.name, in: .parameters)
    let uses = parameter.declaration.source?.literal?.parameters ?? []
    let holders = module.graph.holders.lazy.filter { holder in
      holder.declaredValues.contains { $0.content.parameters.contains(parameter.name) }
    }
    let parameters = definition.parameters.lazy.filter { other in
      other.declaration.source?.literal?.parameters.contains(parameter.name) ?? false
    }
    let conditions = definition.conditionUses.lazy.filter { $0.parameter.name == parameter.name }.map(\.service)
    let users =
      holders.map(\.id) + parameters.map { definition.names[$0.name] } + conditions.map { definition.names[$0] }
    return Explanation(
      id: id, section: .parameters, definition: module.parameter(parameter), decisions: decisions, removals: removals,
      uses: uses.map { definition.names[$0] }.ascending, usedBy: Set(users).ascending)
  }

  /// Returns the explanation of a template: what the template itself declares.
  private func template(_ template: ComposedTemplate) -> Explanation {
    var parts = PartList(definition)
    parts.isTemplate = true
    parts.add(template.declaration)
    parts.add("extends", template.declaration.extends.map { ($0.node, .string(definition.names[$0.name])) })
    parts.addWritten(template.declaration.arguments)
    parts.addDoc(of: template.name, in: .templates)
    let (decisions, removals) = parts.resolved(removedFrom: template.name, in: .templates)
    let extending =
      definition.services.filter { $0.declaration.extends?.name == template.name }.map(\.name)
      + definition.templates.filter { $0.declaration.extends?.name == template.name }.map(\.name)
    return Explanation(
      id: definition.names[template.name], section: .templates,
      definition: .map(decisions.filter { $0.path != Keyword.doc.text }.map { module.entry($0.path, $0.value) }),
      decisions: decisions,
      removals: removals, uses: template.declaration.extends.map { [definition.names[$0.name]] } ?? [],
      usedBy: Set(extending.map { definition.names[$0] }).ascending)
  }
}

extension PartList {
  /// Adds the targets of the aliases that lead from a name to a service.
  fileprivate mutating func addAliases(from name: Name) {
    let targets = Dictionary(definition.aliases.map { ($0.name, $0.target) }) { first, _ in first }
    var next = name
    while let target = targets[next] {
      add(
        PathStep.path("aliases", appending: definition.names[next]),
        (target.node, .string(definition.names[target.name])))
      next = target.name
    }
  }
}

extension Reference {
  /// Returns whether the reference names a service or an alias by an id. A tag of the same name does not count.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  fileprivate func refers(to id: Name) -> Bool {
    switch self {
    case .id(let token), .service(let token, _, _): token.name == id
    case .tagged: false
    case .list(let elements, _): elements.contains { $0.refers(to: id) }
    case .map(let entries, _, _): entries.contains { $0.reference.refers(to: id) }
    }
  }
}

extension Datum {
  /// The parameters that placeholders in the datum name.
  fileprivate var parameters: Set<Name> {
    var found: Set<Name> = []
    forEachPlaceholder { name, _ in found.insert(name) }
    return found
  }
}
