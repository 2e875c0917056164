// SPDX-License-Identifier: Apache-2.0

/// A loaded module that is kept in memory, so that plans with further layers can be made without reading it again.
final class KeptModule: Sendable {
  /// The request by which the module was read.
  private let request: ModuleRequest
  /// The environment; `nil` for the module without an environment.
  private let environment: String?
  /// The types that the module may name.
  let registry: Registry
  /// The files that were read.
  private let files: ModuleFiles
  /// The files in the order of composition.
  private let order: [FileID]
  /// The entries of these files, merged.
  private let merged: MergedModule
  /// The dependency graph of the entries.
  private let reach: EntryDependencies
  /// The registered types by name.
  private let types: [String: TypeDescriptor]
  /// The origin of each service, by the key that defines the service.
  private let origins: [NodeRef: Origin]
  /// The plan of the module without further layers.
  let base: IndexedPlan

  /// Loads a module.
  ///
  /// - Throws: `LoadError` with all findings if the module has errors; `RegistryError` if the registry has errors.
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
    let merged = ModuleMerger(order, of: files).module
    self.merged = merged
    types = Dictionary(registry.catalogForChecks.types.map { ($0.name, $0) }) { $1 }
    reach = EntryDependencies(of: merged, types: types)
    var origins: [NodeRef: Origin] = [:]
    for slot in base.plan.slots {
      guard let key = merged.names.existingName(slot.id).flatMap({ merged.services[$0]?.key }) else { continue }
      origins[key] = slot.origin
    }
    self.origins = origins
  }

  /// Returns the plan of the module with further layers, or of the part of the module that the layers can change.
  ///
  /// The layers are composed with the part of the module that they can change. If that part has an error, or if the
  /// module or the layers have something that concerns the whole module, the whole module is composed again, which
  /// reports every finding.
  ///
  /// - Throws: `LoadError` with all findings if the module with the layers has errors.
  /// - Complexity: linear in the layers, the entries of that part, and the number of names of the module.
  func adding(_ layers: [ModuleLayer], awaits: Bool) throws(LoadError) -> ChangedPlan {
    var request = request
    request.layers += layers
    var files = files
    let run = EnvironmentRun(EnvironmentTarget(named: environment, in: files), in: &files, request)
    if let part = part(run, files, request, awaits: awaits) { return part }
    let plan = try CompiledPlan(loading: request, environment, in: &files, registry: registry, awaits: awaits)
    return ChangedPlan(plan, of: base, changing: base.names)
  }

  /// Returns the plan of the part of the module that some layers can change; `nil` if it has errors or is not enough.
  private func part(
    _ run: EnvironmentRun, _ files: ModuleFiles, _ request: ModuleRequest, awaits: Bool
  ) -> ChangedPlan? {
    let entry = files.entryModule
    // Settings apply after all layers. Severities may turn warnings into errors, including warnings about the rest of
    // the module.
    guard run.isReadable, request.settings.isEmpty, entry.severities.isEmpty, run.order.files.starts(with: order) else {
      return nil
    }
    let added = run.order.files.dropFirst(order.count).map { files[$0] }
    // An override of `autowire` may bind arguments by types that the service's declaration does not mention.
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
    // For all other tags, the part may lack services that have them.
    plan.tags.removeAll { tag in names.existingName(tag.name).map { !nodes.contains(.tag($0)) } ?? true }
    var changing = IndexedPlan.Names()
    for node in nodes {
      switch node {
      case .id(let name): changing.ids.append(ScalarString(names[name]))
      case .type(let name): changing.bindings.append(ScalarString(name))
      case .tag(let name): changing.tags.append(ScalarString(names[name]))
      case .template, .parameter: break
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

  /// Returns a catalog of the registered types that a composition names.
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
  /// Finds an environment of a module that was loaded with it; `nil` stands for the module alone.
  fileprivate init(named name: String?, in files: ModuleFiles) {
    self = EnvironmentTarget.all(in: files, name.map { [$0] } ?? []).first ?? EnvironmentTarget(name: name)
  }
}

/// The plan of a module with further layers, or of the part that they can change, compared with the plan without them.
struct ChangedPlan {
  /// The plan.
  let plan: CompiledPlan
  /// The comparison with the plan without the layers.
  private let comparison: PlanComparison
  /// The ids of the base's services, and its aliases, that are gone with the layers or stand for something else.
  let hidden: Set<ScalarString>
  /// The base's tags that are gone with the layers.
  let hiddenTags: Set<ScalarString>

  /// Compares a plan with the plan without the layers.
  ///
  /// - Parameter names: The names of the base that the new plan covers; all other names are unchanged.
  init(_ plan: CompiledPlan, of base: IndexedPlan, changing names: IndexedPlan.Names) {
    let new = IndexedPlan(plan)
    // A service that is found by other names than before counts as changed, since a name leads to one container only.
    var renamed: Set<ScalarString> = []
    func compare(_ name: ScalarString, _ slot: Int?, _ oldSlot: Int?) {
      let (id, oldID) = (slot.map(new.id), oldSlot.map(base.id))
      if id != oldID { renamed.formUnion([id, oldID].compactMap(\.self)) }
    }
    for name in names.ids + new.aliases.keys { compare(name, new.aliases[name], base.aliases[name]) }
    for name in names.bindings + new.bindings.keys { compare(name, new.bindings[name], base.bindings[name]) }
    let comparison = PlanComparison(base, plan) { slot, oldSlot in
      // The child starts only services of its own.
      renamed.contains(ScalarString(slot.id)) || slot.isEager && !oldSlot.isEager
        || slot.isPrivate != oldSlot.isPrivate || slot.provides != oldSlot.provides
    }
    var hidden: Set<ScalarString> = []
    for id in names.ids {
      if base.slots[id] != nil, !comparison.isSame(id.text) { hidden.insert(id) }
      if let slot = base.aliases[id], new.aliases[id].map(new.id) != base.id(of: slot) { hidden.insert(id) }
    }
    self.plan = plan
    self.comparison = comparison
    self.hidden = hidden
    hiddenTags = Set(names.tags).subtracting(plan.tags.map { ScalarString($0.name) })
  }

  /// Returns whether a service is the same with and without the layers.
  func isSame(_ id: String) -> Bool { comparison.isSame(id) }
}

extension IndexedPlan {
  /// Names by which look-ups find services.
  struct Names: Sendable {
    /// Ids of services and aliases.
    var ids: [ScalarString] = []
    /// Names of provided types.
    var bindings: [ScalarString] = []
    var tags: [ScalarString] = []
  }

  /// All names of the plan.
  var names: Names {
    Names(
      ids: Array(slots.keys) + aliases.keys, bindings: Array(bindings.keys),
      tags: plan.tags.map { ScalarString($0.name) })
  }
}
