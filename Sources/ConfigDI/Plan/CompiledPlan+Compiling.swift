// SPDX-License-Identifier: Apache-2.0

extension CompiledPlan {
  /// The plan of a graph without errors. Every type of it is known.
  ///
  /// - Parameter origins: Where some services are defined, by the keys that define them.
  /// - Complexity: n log n in services, linear in references, data and the files of the services whose origins are not known.
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
        alias.service.map { Alias(id: graph.definition.names[alias.name], slot: Int(slots[$0])) }
      },
      bindings: graph.definition.bindings.compactMap { binding in
        binding.service.map { Binding(provided: graph.definition.names[binding.name], slot: Int(slots[$0])) }
      },
      start: validated.startOrder(within: order).map { Int(slots[$0]) }, scopes: graph.scopes,
      tags: compiler.tags)
  }
}

/// Turns the services of a graph into slots.
private struct PlanCompiler {
  /// The graph.
  let graph: WiringGraph
  /// The slot of each service. Small, as references lead to services in any order.
  let slots: [Int32]
  /// The names of the load.
  private let names: NameTable
  /// Where each service is defined.
  private let origins: [Origin]

  /// A compiler of a graph.
  init(graph: WiringGraph, slots: [Int32], knowing known: [NodeRef: Origin]) {
    self.graph = graph
    self.slots = slots
    names = graph.definition.names
    origins = graph.definition.documents.origins(of: graph.definition.services.map(\.key), knowing: known)
  }

  /// The tags that a service bears, or would if it were present, and those that files declare.
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

  /// The slot of a service.
  func slot(of place: Int) -> CompiledPlan.Slot {
    let holder = graph.holders[place]
    return CompiledPlan.Slot(
      id: holder.id,
      typeName: holder.typeName,
      lifetime: graph.lifetime(of: place) ?? .shared,
      isPrivate: holder.isPrivate,
      provides: holder.provides?.map { names[$0.name] },
      arguments: arguments(of: holder),
      decorators: graph.decorators(of: place).map { decorator in
        CompiledPlan.Decorator(typeName: decorator.type?.name ?? "", arguments: arguments(of: decorator))
      },
      origin: origins[place])
  }

  /// What the arguments of a service or a decorator receive, in the order of its type.
  private func arguments(of holder: Holder) -> [CompiledPlan.Argument] {
    guard let type = holder.registered else { return [] }
    var arguments = type.roles.map { role -> CompiledPlan.Argument in
      switch role {
      case .decorated: .decorated
      case .runtime: .runtime
      case .value, .service, .container: .absent
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

  /// What an argument receives by a reference.
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

  /// The slot that a single reference leads to, or nil where it leads to nothing.
  private func slot(of reference: LinkedReference) -> Int? {
    if case .service(let service, _) = reference { Int(slots[service]) } else { nil }
  }
}

extension DocumentSet {
  /// Where nodes stand, in the same order.
  ///
  /// - Complexity: linear in the size of the files and n log n in the nodes.
  fileprivate func origins(of nodes: [NodeRef], knowing known: [NodeRef: Origin]) -> [Origin] {
    var origins = nodes.map { known[$0] ?? Origin(file: name(of: $0.file), line: 0) }
    let ascending = nodes.indices.filter { known[nodes[$0]] == nil }.sorted {
      (nodes[$0].file.index, nodes[$0].node) < (nodes[$1].file.index, nodes[$1].node)
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
  /// The beginning of a place in a file.
  package init(_ location: Diagnostic.Location) {
    self.init(file: location.file, line: location.start?.line ?? 0, column: location.start?.column ?? 0)
  }
}
