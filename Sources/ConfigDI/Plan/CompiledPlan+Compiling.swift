// SPDX-License-Identifier: Apache-2.0

extension CompiledPlan {
  /// Compiles the plan of a graph without errors, in which all types are known.
  ///
  /// - Parameter origins: The origins of services that are already known, by the key that defines the service.
  /// - Complexity: O(n log n) in services, linear in references, data, and the files of services without known origin.
  package init(compiling validated: ValidatedGraph, knowing origins: [NodeRef: Origin] = [:]) {
    let graph = validated.graph
    let order = validated.buildingOrder
    precondition(
      order.count == graph.definition.services.count,
      "validated: services that need one another have no order; the checks let a cycle pass")
    var slots = [Int32](repeating: 0, count: order.count)
    for (slot, service) in order.enumerated() { slots[service] = Int32(slot) }
    let compiler = PlanCompiler(graph: graph, slots: slots, knowing: origins)
    self.init(
      slots: order.map(compiler.slot(of:)),
      aliases: graph.definition.aliases.compactMap { alias in
        alias.service.map { KeyedSlot(key: graph.definition.names[alias.name], slot: Int(slots[$0])) }
      },
      bindings: graph.definition.bindings.compactMap { binding in
        binding.service.map { KeyedSlot(key: graph.definition.names[binding.name], slot: Int(slots[$0])) }
      },
      start: validated.startOrder(within: order).map { Int(slots[$0]) }, scopes: graph.scopes,
      tags: compiler.tags)
  }
}

/// Compiles the services of a graph to slots.
private struct PlanCompiler {
  let graph: WiringGraph
  /// The slot of each service, in four bytes, because references access it in random order.
  let slots: [Int32]
  /// The names of the load.
  private let names: NameTable
  /// The origin of each service.
  private let origins: [Origin]

  /// Creates a compiler for a graph.
  init(graph: WiringGraph, slots: [Int32], knowing known: [NodeRef: Origin]) {
    self.graph = graph
    self.slots = slots
    names = graph.definition.names
    origins = graph.definition.documents.origins(of: graph.definition.services.map(\.key), knowing: known)
  }

  /// The tags of all services, including disabled ones, and the tags that files declare.
  var tags: [CompiledPlan.Tag] {
    let index = TagIndex(graph.definition)
    let known = Set(
      index.names + graph.definition.excluded.flatMap(\.tags).map(\.name) + graph.definition.declaredTags.map(\.name))
    return known.map { name in
      CompiledPlan.Tag(
        name: names[name],
        members: index[name].map { CompiledPlan.KeyedSlot(key: $0.tag.key, slot: Int(slots[$0.service])) })
    }
  }

  /// Compiles the slot of a service.
  func slot(of place: Int) -> CompiledPlan.Slot {
    let holder = graph.holders[place]
    return CompiledPlan.Slot(
      id: holder.id,
      typeName: holder.typeName,
      lifetime: graph.lifetime(of: place) ?? .shared,
      isPrivate: holder.isPrivate,
      isEager: holder.traits.contains(.eager),
      takesSecrets: holder.takesSecrets,
      provides: holder.provides?.map { names[$0.name] },
      arguments: arguments(of: holder),
      decorators: graph.decorators(of: place).map { decorator in
        CompiledPlan.Decorator(
          typeName: decorator.type?.name ?? "", takesSecrets: decorator.takesSecrets,
          arguments: arguments(of: decorator))
      },
      origin: origins[place])
  }

  /// Compiles the arguments of a service or a decorator, in the order in which its type declares them.
  private func arguments(of holder: Holder) -> [CompiledPlan.Argument] {
    guard let type = holder.registered else { return [] }
    var arguments = type.kinds.map { kind -> CompiledPlan.Argument in
      switch kind {
      case .decorated: .decorated
      case .runtime: .runtime
      case .value, .service, .scope, .resolver: .absent
      }
    }
    for value in holder.values {
      guard let place = type.place(of: value.name), let datum = value.content.value else { continue }
      arguments[place] = .value(datum)
    }
    for injection in holder.injections {
      if let place = injection.argument { arguments[place] = argument(injection.reference) }
    }
    return arguments
  }

  private func argument(_ reference: LinkedReference) -> CompiledPlan.Argument {
    switch reference {
    case .service(let service, _): .service(Int(slots[service]))
    case .list(let elements, _): .services(elements.compactMap(slot(of:)))
    case .map(let entries, _):
      .keyedServices(
        entries.compactMap { entry in
          slot(of: entry.reference).map { CompiledPlan.KeyedSlot(key: entry.key, slot: $0) }
        })
    case .absent, .broken: .absent
    }
  }

  /// Returns the slot that a single reference leads to, or `nil` if it leads to none.
  private func slot(of reference: LinkedReference) -> Int? {
    if case .service(let service, _) = reference { Int(slots[service]) } else { nil }
  }
}

extension Holder {
  /// Whether the type declares a secret argument, or one of the values contains a secret.
  fileprivate var takesSecrets: Bool {
    registered?.isSecret.contains(true) == true || values.contains { $0.content.containsSecret }
  }
}

extension DocumentSet {
  /// Returns the origins of nodes, in the same order.
  ///
  /// - Complexity: linear in the size of the files, and O(n log n) in the number of nodes.
  fileprivate func origins(of nodes: [NodeRef], knowing known: [NodeRef: Origin]) -> [Origin] {
    var origins = nodes.map { known[$0] ?? Origin(file: name(of: $0.file), line: 0) }
    let ascending = nodes.indices.filter { known[nodes[$0]] == nil }.ascending {
      Int64(nodes[$0].file.index) << 32 | Int64(nodes[$0].node)
    }
    var start = 0
    while start < ascending.count {
      let file = nodes[ascending[start]].file
      let end = ascending[start...].firstIndex { nodes[$0].file != file } ?? ascending.count
      let part = ascending[start..<end]
      start = end
      guard self[file].hasPositions else { continue }
      let bytes = self[file].source.bytes
      let positions = LineTable(bytes).positions(of: part.map { Int(self[nodes[$0]].start) }, in: bytes)
      for (place, position) in zip(part, positions) {
        (origins[place].line, origins[place].column) = (position.line, position.column)
      }
    }
    return origins
  }
}

extension Origin {
  /// Creates an origin from the start of a location.
  package init(_ location: Diagnostic.Location) {
    self.init(file: location.file, line: location.start?.line ?? 0, column: location.start?.column ?? 0)
  }
}
