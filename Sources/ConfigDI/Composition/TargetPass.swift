// SPDX-License-Identifier: Apache-2.0

/// Finds the service that each alias and binding refers to.
struct TargetPass {
  /// The aliases, ascending by id.
  private(set) var aliases: [ComposedTarget] = []
  /// The bindings, ascending by provided name.
  private(set) var bindings: [ComposedTarget] = []
  /// The findings.
  private(set) var bag = DiagnosticBag()

  /// The names of the load.
  private let names: NameTable
  /// The index of each enabled service.
  private let services: NamePlaces
  /// The index of each service that a condition disables.
  private var excluded: NamePlaces
  /// The index of each alias.
  private var places: NamePlaces

  /// Resolves the aliases and bindings of a module.
  init(_ module: MergedModule, _ pass: ServicePass) {
    let names = module.names
    self.names = names
    services = pass.places
    excluded = NamePlaces(of: names)
    places = NamePlaces(of: names)
    let aliasEntries = Array(module.aliases.ascending(by: names))
    let bindingEntries = Array(module.bindings.ascending(by: names))
    guard !aliasEntries.isEmpty || !bindingEntries.isEmpty else { return }
    for (place, service) in pass.excluded.enumerated() { excluded[service.name] = place }
    for (place, alias) in aliasEntries.enumerated() { places[alias.name] = place }
    follow(aliasEntries)
    for binding in bindingEntries {
      bindings.append(target(of: binding, "binding \"\(names[binding.name])\""))
    }
    bag.suggest(
      among: (pass.services.map(\.name) + pass.excluded.map(\.name) + aliasEntries.map(\.name)).map { names[$0] },
      for: .unknownTarget, removal: { module.history.removal(of: $0, in: [.services, .aliases], names) })
  }

  /// Resolves aliases, which may refer to other aliases. Reports cycles and unknown targets.
  private mutating func follow(_ entries: [Declaration<Token>]) {
    var edges: [(from: Int, to: Int)] = []
    for (place, entry) in entries.enumerated() {
      if let next = places[entry.body.name] { edges.append((place, next)) }
    }
    let graph = DirectedGraph(nodeCount: entries.count, edges: edges)
    aliases = entries.map { ComposedTarget(name: $0.name, key: $0.key, target: $0.body) }
    for group in graph.stronglyConnectedComponents() {
      if graph.isCyclic(group) {
        let cycle = graph.shortestCycle(in: group)
        let ids = cycle.map { names[entries[$0].name] }
        if !group.contains(where: { entries[$0].isMalformed }) {
          bag.report(.aliasCycle(ids + [ids[0]], at: entries[cycle[0]].body.node))
        }
      } else {
        let place = group[0]
        let id = names[entries[place].name]
        aliases[place] = target(of: entries[place], "alias \"\(id)\"", excludedSuggestion: id)
      }
    }
  }

  /// Resolves an alias or a binding. If its target is an alias, that must have been resolved.
  private mutating func target(
    of entry: Declaration<Token>, _ owner: String, excludedSuggestion: String? = nil
  ) -> ComposedTarget {
    var target = ComposedTarget(name: entry.name, key: entry.key, target: entry.body)
    guard !entry.isMalformed else { return target }
    if let service = services[entry.body.name] {
      target.service = service
    } else if let excluded = excluded[entry.body.name] {
      target.excluded = excluded
    } else if let alias = places[entry.body.name] {
      target.service = aliases[alias].service
      target.excluded = aliases[alias].excluded
    } else {
      bag.report(
        .unknownTarget(owner, names[entry.body.name], excludedSuggestion: excludedSuggestion, at: entry.body.node))
    }
    return target
  }
}

// MARK: - Messages

extension Finding {
  /// Aliases that refer to one another in a cycle.
  fileprivate static func aliasCycle(_ ids: [String], at node: NodeRef) -> Finding {
    Finding(.aliasCycle, "alias cycle: \(ids.chain)", at: node, help: "make one of them refer to a service")
  }

  /// An alias or binding with an unknown target.
  fileprivate static func unknownTarget(
    _ owner: String, _ id: String, excludedSuggestion: String?, at node: NodeRef
  ) -> Finding {
    Finding(
      .unknownTarget, "\(owner) refers to unknown service \"\(id)\"", at: node,
      label: "no service or alias has this id", subject: id, excludedSuggestion: excludedSuggestion)
  }
}
