// SPDX-License-Identifier: Apache-2.0

/// A loaded module that is kept, so that layers can be put onto it.
struct KeptModule: Sendable {
  /// What was read.
  private let request: ModuleRequest
  /// The environment; nil for the module without layers.
  private let environment: String?
  /// The types that the module may name.
  let registry: Registry
  /// The files that were read.
  private let files: ModuleFiles
  /// The plan of the module without further layers.
  let base: IndexedPlan

  /// Loads a module.
  ///
  /// - Throws: `LoadError` with all findings where the module is not sound, `RegistryError` where the registry is not.
  init(loading source: ModuleSource, registry: Registry, awaits: Bool) throws {
    try registry.validate()
    var files = ModuleFiles(source.request, source.files)
    let plan = try CompiledPlan(
      loading: source.request, source.environment, in: &files, registry: registry, awaits: awaits)
    request = source.request
    environment = source.environment
    self.registry = registry
    self.files = files
    base = IndexedPlan(plan)
  }

  /// What the module is with some layers more.
  ///
  /// - Throws: `LoadError` with all findings where it is not sound.
  func adding(_ layers: [ModuleLayer], awaits: Bool) throws(LoadError) -> ChangedPlan {
    var request = request
    request.layers += layers
    var files = files
    let plan = try CompiledPlan(loading: request, environment, in: &files, registry: registry, awaits: awaits)
    return ChangedPlan(plan, of: base)
  }
}

/// The plan of a module with further layers, and what of it is not as in the plan without them.
struct ChangedPlan {
  /// The plan.
  let plan: CompiledPlan
  /// What is the same.
  private let comparison: PlanComparison
  /// The ids of the services without the layers, and the aliases, that are not found any more, or are others.
  let hidden: Set<ScalarString>

  /// Compares a plan with that without the layers.
  init(_ plan: CompiledPlan, of base: IndexedPlan) {
    let new = IndexedPlan(plan)
    // Who is found by other names than before is another service: a name leads to one container alone.
    var renamed: Set<ScalarString> = []
    for (names, oldNames) in [(new.aliases, base.aliases), (new.bindings, base.bindings)] {
      for (name, slot) in names where oldNames[name].map(base.id) != new.id(of: slot) { renamed.insert(new.id(of: slot)) }
      for (name, slot) in oldNames where names[name].map(new.id) != base.id(of: slot) { renamed.insert(base.id(of: slot)) }
    }
    comparison = PlanComparison(base, plan) { slot, oldSlot in
      renamed.contains(ScalarString(slot.id)) || slot.isPrivate != oldSlot.isPrivate || slot.provides != oldSlot.provides
    }
    self.plan = plan
    var hidden: Set<ScalarString> = []
    for id in base.slots.keys where !comparison.isSame(id.text) { hidden.insert(id) }
    for (alias, slot) in base.aliases where new.aliases[alias].map(new.id) != base.id(of: slot) { hidden.insert(alias) }
    self.hidden = hidden
  }

  /// Whether a service is the same with and without the layers.
  func isSame(_ id: String) -> Bool { comparison.isSame(id) }
}
