// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// Collects the data of a page about a module in one environment.
struct WiringPageBuilder {
  /// The module.
  let module: ResolvedModule
  /// The index of the environment.
  let environment: Int
  /// The graph.
  private var graph: WiringGraph { module.graph }
  /// The composed module.
  private var definition: ModuleDefinition { module.graph.definition }

  /// Adds the data of the environment to that of other environments.
  ///
  /// - Complexity: n log n in the module.
  func add(to data: inout WiringPageData) {
    for service in definition.services.indices {
      let number = data.services.number(of: graph.id(of: service))
      data.services.record(number, in: environment)
      data.services.add(facts(of: service), to: .facts, of: number, in: environment)
    }
    for parameter in definition.parameters {
      data.parameters.record(data.parameters.number(of: module.text(parameter.name)), in: environment)
    }
    addEdges(&data.services)
    addHistories(&data)
  }

  /// Returns the facts in the box of a service.
  private func facts(of service: Int) -> [Value.Entry] {
    let tags = definition.services[service].tags.map { Value.string(module.text($0.name).visible) }
    let decorators = graph.decorators(of: service).map { Value.string($0.typeName.visible) }
    return Value([
      "type": .string(graph.holders[service].typeName.visible),
      "scope": .string((graph.lifetime(of: service)?.word(in: graph.scopes) ?? "").visible),
      "tags": Value.list(tags).unlessEmpty, "decorators": Value.list(decorators).unlessEmpty,
    ]).entries
  }

  /// Adds the references. Those of a decorator have its index, counted from the innermost.
  private func addEdges(_ services: inout WiringPageSection) {
    for edge in graph.edges {
      let holder = graph.holders[edge.holder]
      let injection = holder.injections[edge.injection]
      let decorator: Value? = if case .decorator(_, let place) = holder.kind { .integer(Int64(place)) } else { nil }
      let link = Value([
        "to": .integer(Int64(services.number(of: graph.id(of: edge.to)))),
        "argument": .string(injection.key.visible), "kind": .string(edge.kind.rawValue), "decorator": decorator,
      ])
      services.add(link.entries, to: .edges, of: services.number(of: graph.id(of: edge.from)), in: environment)
    }
  }
}

// MARK: - Histories

extension WiringPageBuilder {
  /// An entry whose history is added.
  private struct Entry {
    /// The id.
    let id: String
    /// The services or the parameters, which it belongs to.
    let section: WritableKeyPath<WiringPageData, WiringPageSection>
    /// The parts and removals.
    let subject: PartList.Subject
    /// The arguments bound by type, which no token decided.
    var bound: [LinkedInjection] = []
  }

  /// Adds the decisions about the parts of services and parameters, and the removals.
  private func addHistories(_ data: inout WiringPageData) {
    var list = PartList(definition)
    var entries = serviceEntries(&list) + excludedEntries(&list)
    for parameter in definition.parameters {
      list.add(parameter)
      let removals = definition.history.removals(of: parameter.name, in: .parameters).filter { !$0.path.isEmpty }
      let subject = list.takeSubject(removals: removals)
      entries.append(Entry(id: module.text(parameter.name), section: \.parameters, subject: subject))
    }
    entries += removedEntries(&list)
    for (entry, outcome) in zip(entries, list.outcomes(of: entries.map(\.subject))) {
      add(entry, outcome, to: &data)
    }
  }

  /// Returns the enabled services with their parts, and with the aliases and bindings that have them as their target.
  private func serviceEntries(_ list: inout PartList) -> [Entry] {
    var names: [Int: [(path: String, target: ComposedTarget)]] = [:]
    for (section, targets) in [("aliases", definition.aliases), ("bindings", definition.bindings)] {
      for target in targets {
        guard let service = target.service else { continue }
        names[service, default: []].append((PathStep.path(section, appending: module.text(target.name)), target))
      }
    }
    let secrets = module.secretsInParameters
    var entries: [Entry] = []
    for place in definition.services.indices {
      let service = definition.services[place]
      list.addService(place, of: module)
      if let condition = service.declaration.condition {
        list.add(condition, shown: module.printed(condition, secrets))
      }
      for name in names[place] ?? [] {
        list.add(name.path, (name.target.target.node, .string(module.text(name.target.target.name))))
      }
      let removals = definition.history.removals(of: service.name, in: .services).filter { !$0.path.isEmpty }
      entries.append(
        Entry(
          id: graph.id(of: place), section: \.services, subject: list.takeSubject(removals: removals),
          bound: graph.holders[place].injections.filter(\.isAutowired)))
    }
    return entries
  }

  /// Returns the disabled services, each with its condition.
  private func excludedEntries(_ list: inout PartList) -> [Entry] {
    let secrets = module.secretsInParameters
    var entries: [Entry] = []
    for service in definition.excluded {
      list.add(service.condition, shown: module.printed(service.condition, secrets))
      let subject = list.takeSubject(removals: [])
      entries.append(Entry(id: module.text(service.name), section: \.services, subject: subject))
    }
    return entries
  }

  /// Returns the services and parameters that a file removes, ascending, each with its removal.
  private func removedEntries(_ list: inout PartList) -> [Entry] {
    let services = Set(definition.services.map(\.name) + definition.excluded.map(\.name))
    let parameters = Set(definition.parameters.map(\.name))
    var entries: [Entry] = []
    for (section, there) in [(Section.services, services), (.parameters, parameters)] {
      let removed = definition.history.removedEntries(in: section).filter { !there.contains($0.name) }
        .map { (id: module.text($0.name), removal: $0.removal) }.ascending(by: \.id)
      for (id, removal) in removed {
        let subject = list.takeSubject(removals: [removal])
        entries.append(Entry(id: id, section: section == .services ? \.services : \.parameters, subject: subject))
      }
    }
    return entries
  }

  /// Adds the decisions and removals of one entry.
  private func add(_ entry: Entry, _ outcome: PartList.Outcome, to data: inout WiringPageData) {
    func add(_ path: String, _ entries: [Value.Entry], comparedAs compared: String) {
      let head = [Value.Entry(key: "path", value: .string(path.visible))]
      let number = data[keyPath: entry.section].number(of: entry.id)
      data[keyPath: entry.section]
        .addPart(path, head + entries, comparedAs: compared, of: number, in: environment)
    }
    for (part, decision) in outcome.parts {
      let entries = data.entries(of: decision)
      let links = part.placeholders.map { Value.integer(Int64(data.parameters.number(of: module.text($0)))) }
      add(
        part.path, entries + Value(["from": Value.list(links).unlessEmpty]).entries,
        comparedAs: decision.value.line + "\n" + (part.compared?.real.line ?? ""))
    }
    for injection in entry.bound {
      guard let value = module.printed(injection.reference) else { continue }
      let entries = (["value": .string(value.excerpt), "verb": "by type"] as Value).entries
      add("inject" + PartList.step(injection.key), entries, comparedAs: value.line)
    }
    for removal in outcome.removals {
      add(removal.path, data.entries(of: removal), comparedAs: "")
    }
  }
}
