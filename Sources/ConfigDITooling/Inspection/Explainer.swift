// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// Finds what is known of an id of a composed module.
package struct Explainer: Sendable {
  /// The printed form of the module.
  let module: ResolvedModule
  /// The module.
  var definition: ModuleDefinition { module.graph.definition }

  /// An explainer of a module without errors.
  package init(_ validated: ValidatedGraph) { module = ResolvedModule(validated) }

  /// What is known of an id, or nil where nothing has it.
  ///
  /// A service comes before a parameter of the same id, and that before a template; `parameters.level` names the section
  /// as well.
  package func explanation(of id: String) -> Explanation? {
    explanation(of: id, in: Section.allCases) ?? sectionAndID(id).flatMap { explanation(of: $0.id, in: [$0.section]) }
  }

  /// The ids that can be explained, for suggestions.
  package var ids: [String] {
    let names =
      definition.services.map(\.name) + definition.excluded.map(\.name) + definition.aliases.map(\.name)
      + definition.parameters.map(\.name) + definition.templates.map(\.name)
    return Set(names).map { definition.names[$0] }
  }

  /// The section and the id of a path such as `parameters.level`.
  private func sectionAndID(_ path: String) -> (section: Section, id: String)? {
    guard let dot = path.firstIndex(of: "."), let section = Section(rawValue: String(path[..<dot])) else { return nil }
    return (section, String(path[path.index(after: dot)...]))
  }

  /// What is known of an id in one of some sections.
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
    return nil
  }
}

// MARK: - Services

extension Explainer {
  /// What is known of a service.
  private func service(_ place: Int) -> Explanation {
    let graph = module.graph
    let service = definition.services[place]
    var parts = PartList(definition)
    parts.add(service.declaration)
    parts.add(graph.holders[place], at: "", module)
    for (number, decorator) in graph.decorators(of: place).enumerated() {
      parts.add("decorate[\(number)].type", decorator.typeToken.map { ($0.node, .string(decorator.typeName)) })
      parts.add(decorator, at: "decorate[\(number)].", module)
    }
    let uses = graph.edges.lazy.filter { $0.from == place }.map { graph.id(of: $0.to) }
    let users = graph.edges.lazy.filter { $0.to == place }.map { graph.id(of: $0.from) }
    return Explanation(
      id: graph.id(of: place), kind: .service, definition: module.service(place), decisions: parts.decisions(),
      condition: condition(service.declaration.condition), isExcluded: false, uses: Set(uses).ascending,
      usedBy: Set(users).ascending)
  }

  /// What is known of a service that a condition took out.
  private func excluded(_ service: ExcludedService) -> Explanation {
    Explanation(
      id: definition.names[service.name], kind: .service, definition: .map([]), decisions: [],
      condition: condition(service.condition), isExcluded: true, uses: [], usedBy: [])
  }

  /// A condition as it is written, with what it compares secrets with replaced.
  private func condition(_ condition: Condition?) -> Explanation.Decision? {
    guard let condition else { return nil }
    let written = condition.written(definition.names) { name, literal in
      let secrets = definition.parameters.first { $0.name == name }?.value.allSecrets ?? []
      return secrets.isEmpty ? literal : .string("<secret \(secrets.joined(separator: ", "))>")
    }
    var parts = PartList(definition)
    parts.add("when", (condition.node, written))
    return parts.decisions().first
  }
}

// MARK: - Aliases, parameters, templates

extension Explainer {
  /// What is known of an alias.
  private func alias(_ alias: ComposedTarget) -> Explanation {
    let graph = module.graph
    let target = alias.service.map { graph.id(of: $0) } ?? definition.names[alias.target.name]
    let id = definition.names[alias.name]
    var parts = PartList(definition)
    parts.add("target", (alias.target.node, .string(target)))
    let users = definition.services.filter { service in
      let decorators = service.declaration.decorators?.appended ?? []
      return ([service.declaration.arguments] + decorators.map(\.arguments)).flatMap(\.inject).contains {
        $0.content.refers(to: alias.name)
      }
    }.map { definition.names[$0.name] }
    return Explanation(
      id: id, kind: .alias, definition: .map([module.entry("target", .string(target))]), decisions: parts.decisions(),
      condition: nil, isExcluded: false, uses: alias.service == nil ? [] : [target], usedBy: Set(users).ascending)
  }

  /// What is known of a parameter.
  private func parameter(_ parameter: ComposedParameter) -> Explanation {
    let id = definition.names[parameter.name]
    var parts = PartList(definition)
    if parameter.isSecret || !parameter.value.allSecrets.isEmpty { parts.secret = id }
    parts.add("type", parameter.declaration.typeNode.map { ($0, .string(parameter.type)) })
    parts.add("value", parameter.declaration.source.map { ($0.node, parameter.value.printed.sorted) }, isDatum: true)
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
      id: id, kind: .parameter, definition: module.parameter(parameter), decisions: parts.decisions(), condition: nil,
      isExcluded: false, uses: uses.map { definition.names[$0] }.ascending, usedBy: Set(users).ascending)
  }

  /// What is known of a template: what it says itself.
  private func template(_ template: ComposedTemplate) -> Explanation {
    var parts = PartList(definition)
    parts.isTemplate = true
    parts.add(template.declaration)
    parts.add("extends", template.declaration.extends.map { ($0.node, .string(definition.names[$0.name])) })
    parts.addWritten(template.declaration.arguments)
    let decisions = parts.decisions()
    let extending =
      definition.services.filter { $0.declaration.extends?.name == template.name }.map(\.name)
      + definition.templates.filter { $0.declaration.extends?.name == template.name }.map(\.name)
    return Explanation(
      id: definition.names[template.name], kind: .template,
      definition: .map(decisions.map { module.entry($0.path, $0.value) }), decisions: decisions, condition: nil,
      isExcluded: false, uses: template.declaration.extends.map { [definition.names[$0.name]] } ?? [],
      usedBy: Set(extending.map { definition.names[$0] }).ascending)
  }
}

extension Reference {
  /// Whether the reference names a service or an alias by an id; a tag of the same name does not count.
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
  /// The parameters that texts of the datum name.
  fileprivate var parameters: Set<Name> {
    var found: Set<Name> = []
    forEachPlaceholder { name, _ in found.insert(name) }
    return found
  }
}
