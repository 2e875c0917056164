// SPDX-License-Identifier: Apache-2.0

extension CompiledPlan {
  /// The plan of a graph without errors. Every type of it is known.
  ///
  /// - Complexity: n log n in services, linear in references and data.
  package init(compiling validated: ValidatedGraph) {
    let graph = validated.graph
    let order = validated.buildingOrder
    var slots = [Int](repeating: 0, count: order.count)
    for (slot, service) in order.enumerated() { slots[service] = slot }
    let compiler = PlanCompiler(graph: graph, slots: slots)
    self.init(
      slots: order.map(compiler.slot(of:)),
      aliases: graph.definition.aliases.compactMap { alias in
        alias.service.map { Alias(id: graph.definition.names[alias.name], slot: slots[$0]) }
      },
      bindings: graph.definition.bindings.compactMap { binding in
        binding.service.map { Binding(provided: graph.definition.names[binding.name], slot: slots[$0]) }
      },
      start: validated.startOrder.map { slots[$0] }, scopes: graph.scopes)
  }
}

/// Turns the services of a graph into slots.
private struct PlanCompiler {
  /// The graph.
  let graph: WiringGraph
  /// The slot of each service.
  let slots: [Int]
  /// Where the services are defined.
  private let places: ResolvedPlaces

  /// A compiler of a graph.
  init(graph: WiringGraph, slots: [Int]) {
    self.graph = graph
    self.slots = slots
    places = ResolvedPlaces(
      of: [], and: graph.definition.services.map { .node($0.key) }, in: graph.definition.documents.documents)
  }

  /// The slot of a service.
  func slot(of place: Int) -> CompiledPlan.Slot {
    let service = graph.definition.services[place]
    let names = graph.definition.names
    return CompiledPlan.Slot(
      id: names[service.name],
      typeName: service.declaration.type.map { names[$0.name] } ?? "",
      lifetime: graph.lifetime(of: place) ?? .shared,
      isPrivate: service.declaration.isPrivate?.value ?? false,
      provides: service.declaration.provides?.appended.map { names[$0.name] },
      arguments: arguments(of: graph.holders[place]),
      decorators: graph.decorators(of: place).map { decorator in
        CompiledPlan.Decorator(typeName: decorator.type?.name ?? "", arguments: arguments(of: decorator))
      },
      origin: Origin(places.location(of: .node(service.key))))
  }

  /// What the arguments of a service or a decorator receive.
  private func arguments(of holder: Holder) -> [CompiledPlan.Argument] {
    holder.type?.arguments.map { argument($0, of: holder) } ?? []
  }

  /// What an argument of a service or a decorator receives.
  private func argument(_ argument: ArgumentDescriptor, of holder: Holder) -> CompiledPlan.Argument {
    switch argument.kind {
    case .decorated: return .decorated
    case .runtime: return .runtime
    case .value:
      let names = graph.definition.names
      let given = holder.values.first { names[$0.name].utf8.elementsEqual(argument.key.utf8) }
      return given?.value.value.map { .value($0) } ?? .absent
    case .service: break
    }
    let given = holder.injections.first { $0.key.utf8.elementsEqual(argument.key.utf8) }
    switch given?.reference {
    case .service(let service, _)?: return .service(slots[service])
    case .list(let elements, _)?: return .services(elements.compactMap(slot(of:)))
    case .map(let entries, _)?:
      return .keyedServices(
        entries.compactMap { entry in
          slot(of: entry.reference).map { CompiledPlan.KeyedSlot(key: entry.key, slot: $0) }
        })
    case .absent?, .broken?, nil: return .absent
    }
  }

  /// The slot that a single reference leads to, or nil where it leads to nothing.
  private func slot(of reference: LinkedReference) -> Int? {
    if case .service(let service, _) = reference { slots[service] } else { nil }
  }
}

extension Origin {
  /// The beginning of a place in a file.
  init(_ location: Diagnostic.Location) {
    self.init(file: location.file, line: location.start?.line ?? 0, column: location.start?.column ?? 0)
  }
}
