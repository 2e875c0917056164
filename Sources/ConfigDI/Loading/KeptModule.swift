// SPDX-License-Identifier: Apache-2.0

/// A loaded module that is kept, so that layers can be put onto it.
final class KeptModule: Sendable {
  /// What was read.
  private let request: ModuleRequest
  /// The environment; nil for the module without layers.
  private let environment: String?
  /// The types that the module may name.
  let registry: Registry
  /// The files that were read.
  private let files: ModuleFiles
  /// The files in the order of composition.
  private let order: [FileID]
  /// What they define together.
  private let merged: MergedModule
  /// What the entries mention of one another.
  private let reach: EntryReach
  /// The registered types by name.
  private let types: [String: TypeDescriptor]
  /// Where the services are defined, by the keys that define them.
  private let origins: [NodeRef: Origin]
  /// The plan of the module without further layers.
  let base: IndexedPlan

  /// Loads a module.
  ///
  /// - Throws: `LoadError` with all findings where the module is not sound, `RegistryError` where the registry is not.
  init(loading source: ModuleSource, registry: Registry, awaits: Bool) throws {
    try registry.validate()
    request = source.request
    environment = source.environment
    self.registry = registry
    var files = ModuleFiles(request, source.files)
    base = IndexedPlan(
      try CompiledPlan(loading: request, environment, in: &files, registry: registry, awaits: awaits))
    order = EnvironmentRun(EnvironmentTarget(named: environment, in: files), in: &files, request).order.files
    self.files = files
    let merged = ModuleMerger(
      order.lazy.map { files[$0] }, names: files.names, secretParameters: files.secretParameters
    ).module
    self.merged = merged
    types = Dictionary(registry.catalogForChecks.types.map { ($0.name, $0) }) { $1 }
    reach = EntryReach(of: merged, types: types)
    var origins: [NodeRef: Origin] = [:]
    for slot in base.plan.slots {
      guard let key = merged.names.existingName(slot.id).flatMap({ merged.services[$0]?.key }) else { continue }
      origins[key] = slot.origin
    }
    self.origins = origins
  }

  /// What the module is with some layers more.
  ///
  /// The layers are composed with the part of the module that they can change. Where that has an error, or the module has
  /// something that concerns all of it, all is composed anew, which reports every finding.
  ///
  /// - Throws: `LoadError` with all findings where it is not sound.
  /// - Complexity: linear in the layers and that part; its entries are copied, and the names of the whole module.
  func adding(_ layers: [ModuleLayer], awaits: Bool) throws(LoadError) -> ChangedPlan {
    var request = request
    request.layers += layers
    var files = files
    let run = EnvironmentRun(EnvironmentTarget(named: environment, in: files), in: &files, request)
    if let part = part(run, files, request, awaits: awaits) { return part }
    let plan = try CompiledPlan(loading: request, environment, in: &files, registry: registry, awaits: awaits)
    return ChangedPlan(plan, of: base, changing: base.names)
  }

  /// The plan of the part of the module that some layers can change; nil where it is not sound.
  private func part(
    _ run: EnvironmentRun, _ files: ModuleFiles, _ request: ModuleRequest, awaits: Bool
  ) -> ChangedPlan? {
    let entry = files.entryModule
    // Settings come behind the layers, and severities may make errors of warnings, also of those about the rest.
    guard run.isReadable, request.settings.isEmpty, entry.severities.isEmpty, run.order.files.starts(with: order) else {
      return nil
    }
    let added = run.order.files.dropFirst(order.count).map { files[$0] }
    // What a service is bound to by type that was not before, its own declaration does not tell.
    let isAutowiring = added.flatMap(\.overridden.services).contains { service in
      service.body.isAutowired != nil || service.body.unset.contains { files.names[$0.name] == Keyword.autowire.text }
    }
    if isAutowiring { return nil }
    let (touched, needed) = reach.touched(by: added, files.names)
    let nodes = reach.closure(of: touched, needing: needed)
    var bag = run.bag
    let names = files.names
    let part = merged.restricted(to: nodes, names: names, secrets: added.flatMap(\.secretParameters))
    let graph = SuggestionBudget.$current.withValue(SuggestionBudget()) {
      checkedGraph(of: ModuleMerger(added, onto: part), run.order, files, request, awaits: awaits, &bag)
    }
    guard let graph = ValidatedGraph(graph, checkedInto: bag) else { return nil }
    var plan = CompiledPlan(compiling: graph, knowing: origins)
    // Of the others not all who bear them are in the part.
    plan.tags.removeAll { tag in names.existingName(tag.name).map { !nodes.contains(.tag($0)) } ?? true }
    var changing = IndexedPlan.Names()
    for node in nodes {
      switch node {
      case .id(let name): changing.ids.append(ScalarString(names[name]))
      case .type(let name): changing.bindings.append(ScalarString(name))
      case .tag, .template, .parameter: break
      }
    }
    return ChangedPlan(plan, of: base, changing: changing)
  }

  /// Composes, links and checks merged files.
  private func checkedGraph(
    of merger: ModuleMerger, _ order: CompositionOrder, _ files: ModuleFiles, _ request: ModuleRequest, awaits: Bool,
    _ bag: inout DiagnosticBag
  ) -> WiringGraph {
    let definition = ModuleDefinition(
      completing: merger, order, of: files, environment: environment, request, bag: &bag)
    let graph = WiringGraph(linking: definition, catalog: catalog(of: definition), limits: request.limits, bag: &bag)
    var isAwaited: AwaitedStartCheck.IsAwaited?
    if !awaits { isAwaited = registry.mustBeAwaitedHere(_:) }
    ModuleChecks.run(over: graph, converting: registry.mismatch(_:_:_:isSecret:), refusing: isAwaited, bag: &bag)
    return graph
  }

  /// The registered types that a composition names.
  private func catalog(of definition: ModuleDefinition) -> Catalog {
    var found: [String: TypeDescriptor] = [:]
    func add(_ token: Token?) {
      guard let name = token.map({ definition.names[$0.name] }) else { return }
      found[name] = types[name]
    }
    for service in definition.services {
      add(service.declaration.type)
      for decorator in service.decorators { add(decorator.declaration.type) }
    }
    for service in definition.excluded { add(service.type.map { Token(name: $0, node: service.key) }) }
    for template in definition.templates { add(template.declaration.type) }
    return Catalog(types: Array(found.values))
  }
}

extension EnvironmentTarget {
  /// An environment of a module that was loaded in it; nil for the module alone.
  fileprivate init(named name: String?, in files: ModuleFiles) {
    self = EnvironmentTarget.all(in: files, name.map { [$0] } ?? []).first ?? EnvironmentTarget(name: name)
  }
}

/// The plan of a module with further layers, or of the part of it that they can change, and what is not as without them.
struct ChangedPlan {
  /// The plan.
  let plan: CompiledPlan
  /// What is the same.
  private let comparison: PlanComparison
  /// The ids of the services without the layers, and the aliases, that are not found any more, or are others.
  let hidden: Set<ScalarString>

  /// Compares a plan with that without the layers.
  ///
  /// - Parameter names: What the plan may have of the names of the other one.
  init(_ plan: CompiledPlan, of base: IndexedPlan, changing names: IndexedPlan.Names) {
    let new = IndexedPlan(plan)
    // Who is found by other names than before is another service: a name leads to one container alone.
    var renamed: Set<ScalarString> = []
    func compare(_ name: ScalarString, _ slot: Int?, _ oldSlot: Int?) {
      let (id, oldID) = (slot.map(new.id), oldSlot.map(base.id))
      if id != oldID { renamed.formUnion([id, oldID].compactMap(\.self)) }
    }
    for name in names.ids + new.aliases.keys { compare(name, new.aliases[name], base.aliases[name]) }
    for name in names.bindings + new.bindings.keys { compare(name, new.bindings[name], base.bindings[name]) }
    let comparison = PlanComparison(base, plan) { slot, oldSlot in
      renamed.contains(ScalarString(slot.id)) || slot.isPrivate != oldSlot.isPrivate
        || slot.provides != oldSlot.provides
    }
    var hidden: Set<ScalarString> = []
    for id in names.ids {
      if base.slots[id] != nil, !comparison.isSame(id.text) { hidden.insert(id) }
      if let slot = base.aliases[id], new.aliases[id].map(new.id) != base.id(of: slot) { hidden.insert(id) }
    }
    self.plan = plan
    self.comparison = comparison
    self.hidden = hidden
  }

  /// Whether a service is the same with and without the layers.
  func isSame(_ id: String) -> Bool { comparison.isSame(id) }
}

extension IndexedPlan {
  /// Names by which services are found.
  struct Names: Sendable {
    /// Ids of services, and aliases.
    var ids: [ScalarString] = []
    /// Provided names.
    var bindings: [ScalarString] = []
  }

  /// All names of the plan.
  var names: Names { Names(ids: Array(slots.keys) + aliases.keys, bindings: Array(bindings.keys)) }
}
