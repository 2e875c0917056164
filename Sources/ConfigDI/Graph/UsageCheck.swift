// SPDX-License-Identifier: Apache-2.0

/// Warns of unused private services, parameters and templates, and of unused aliases of private services.
struct UsageCheck {
  let graph: WiringGraph

  func run(_ bag: inout DiagnosticBag) {
    let usage = Usage(of: graph)
    let definition = graph.definition
    // An autowired holder whose type or arguments are not known may use any service.
    let isEachUsed = graph.holders.contains { $0.traits.isSuperset(of: [.autowired, .uncheckable]) }
    for (place, service) in definition.services.enumerated() {
      let isUsed = !service.isPrivate || usage.services[place] || isEachUsed || service.isMalformed
      note(service.name, at: service.key, isUsed: isUsed, .unusedService, "private service", &bag)
    }
    for alias in definition.aliases {
      guard let target = alias.service else { continue }
      let isUsed = !definition.services[target].isPrivate || usage.aliases.contains(alias.name)
      note(alias.name, at: alias.key, isUsed: isUsed, .unusedAlias, "alias", &bag)
    }
    var extended = definition.templates.filter(\.isMalformed).compactMap { $0.declaration.extends?.name }
    if !definition.templates.isEmpty { extended += definition.services.compactMap { $0.declaration.extends?.name } }
    let templates = ComposedTemplate.reached(from: Set(extended), in: definition.templates)
    for (place, template) in definition.templates.enumerated() {
      let isUsed = template.isMalformed || templates[place]
      note(template.name, at: template.key, isUsed: isUsed, .unusedTemplate, "template", &bag)
    }
    for parameter in definition.parameters {
      let isUsed = parameter.isMalformed || usage.parameters.contains(parameter.name)
      note(parameter.name, at: parameter.key, isUsed: isUsed, .unusedParameter, "parameter", &bag)
    }
  }

  /// Reports an unused entry, or records that the entry is used.
  private func note(
    _ name: Name, at key: NodeRef, isUsed: Bool, _ code: DiagnosticCode, _ what: String, _ bag: inout DiagnosticBag
  ) {
    if isUsed {
      bag.uses.mark(key)
    } else {
      bag.report(.unused(code, what, graph.definition.names[name], at: key))
    }
  }
}

/// The entries that are in use, found by following references from public and eager services and from those with a
/// declared tag.
private struct Usage {
  /// Whether each service is used, by its number.
  private(set) var services: [Bool]
  /// The aliases that references, bindings and other aliases use.
  private(set) var aliases: Set<Name> = []
  /// The parameters that services, conditions and other used parameters use.
  private(set) var parameters: Set<Name> = []

  /// Follows the uses in a graph.
  init(of graph: WiringGraph) {
    let definition = graph.definition
    // Code can look up services by a declared tag, private ones included. The start builds an eager service, which may
    // be all that it is for.
    let declaredTags = Set(definition.declaredTags.map(\.name))
    services = definition.services.enumerated().map { place, service in
      let traits = graph.holders[place].traits
      return !traits.contains(.private) || traits.contains(.eager)
        || service.tags.contains { declaredTags.contains($0.name) }
    }
    var aliasTargets: [Name: Name] = [:]
    for alias in definition.aliases { aliasTargets[alias.name] = alias.target.name }
    // A malformed alias or binding has no service, but what its target names counts as used.
    for target in definition.aliases + definition.bindings {
      if let service = target.service ?? definition.servicePlaces[target.target.name] { services[service] = true }
      use(target.target.name, aliasTargets)
    }
    for alias in graph.usedAliases { use(alias, aliasTargets) }
    followUnlinked(graph, aliasTargets)
    followServices(graph)
    followParameters(graph)
  }

  /// Marks an alias and the aliases that it leads to as used.
  private mutating func use(_ name: Name, _ targets: [Name: Name]) {
    var name = name
    while let target = targets[name], aliases.insert(name).inserted { name = target }
  }

  /// Marks the services that used services refer to.
  private mutating func followServices(_ graph: WiringGraph) {
    guard services.contains(false) else { return }
    let uses = DirectedGraph(nodeCount: services.count, edges: graph.edges.lazy.map { (from: $0.from, to: $0.to) })
    var pending = services.indices.filter { services[$0] }
    while let service = pending.popLast() {
      for target in uses.targets(of: service) where !services[target] {
        services[target] = true
        pending.append(target)
      }
    }
  }

  /// Marks what malformed services and unsound templates name: ids, aliases and tags. They have no edges.
  private mutating func followUnlinked(_ graph: WiringGraph, _ targets: [Name: Name]) {
    let definition = graph.definition
    let unlinked =
      graph.services(being: .malformed).map { definition.services[$0].declaration }
      + definition.templates.filter { $0.isMalformed || $0.isInvalid }.map(\.declaration)
    guard !unlinked.isEmpty else { return }
    var owners = TagIndex(definition)
    for declaration in unlinked {
      for arguments in declaration.allArguments {
        for injection in arguments.inject {
          injection.content.forEachToken { token in
            use(token.name, targets)
            if let place = definition.servicePlaces[token.name] { services[place] = true }
            for member in owners.remove(token.name) { services[member.service] = true }
          }
        }
      }
    }
  }

  /// Marks the parameters that services, templates and conditions name, and those that used parameters name.
  private mutating func followParameters(_ graph: WiringGraph) {
    let definition = graph.definition
    guard !definition.parameters.isEmpty else { return }
    var pending = definition.conditionUses.map(\.parameter.name)
    pending += definition.parameters.filter(\.isMalformed).map(\.name)
    func note(_ data: [ArgumentDeclaration<Datum>]) {
      for value in data { value.content.forEachPlaceholder { name, _ in pending.append(name) } }
    }
    for holder in graph.holders { note(holder.declaredValues) }
    for template in definition.templates { note(template.declaration.arguments.values) }
    for service in graph.services(being: .malformed) {
      let decorators = definition.services[service].declaration.decorators?.appended ?? []
      for decorator in decorators { note(decorator.arguments.values) }
    }
    var literals: [Name: Datum] = [:]
    for parameter in definition.parameters { literals[parameter.name] = parameter.declaration.source?.literal }
    while let name = pending.popLast() {
      guard parameters.insert(name).inserted, let literal = literals[name] else { continue }
      literal.forEachPlaceholder { name, _ in pending.append(name) }
    }
  }
}

// MARK: - Messages

extension Finding {
  /// Returns the finding for an unused entry.
  fileprivate static func unused(_ code: DiagnosticCode, _ what: String, _ id: String, at node: NodeRef) -> Finding {
    Finding(code, "\(what) \"\(id)\" is never used", at: node, help: "remove it")
  }
}
