// SPDX-License-Identifier: Apache-2.0

/// What keeps the instance of one slot for one look-up.
enum Keeper {
  /// In the slot's cells.
  case cells(InstanceStore)
  /// In the store of a scope.
  case scope(InstanceStore)
  /// Among what the look-up shares within itself.
  case lookUp(GraphInstances)
  /// With its users; the look-up keeps it alive while it runs.
  case users(SoleInstance, GraphInstances?)
  /// In a place of its own among those with other run-time arguments; the store keeps it alive.
  case argument(SoleInstance, InstanceStore)

  /// What tells the keeper from others of the same slot.
  var identity: ObjectIdentifier {
    switch self {
    case .cells(let store), .scope(let store): ObjectIdentifier(store)
    case .lookUp(let graph): ObjectIdentifier(graph)
    case .users(let place, _), .argument(let place, _): ObjectIdentifier(place)
    }
  }
}

extension Container {
  /// What keeps the instance of a slot for a look-up.
  ///
  /// - Throws: `ResolutionError` where the scope that keeps it is not open, or the run-time arguments are no key.
  func keeper(of slot: Int, _ resolution: borrowing Resolution) throws(ResolutionError) -> Keeper {
    let hasArguments = !slots[slot].parameters.isEmpty
    let store: InstanceStore
    switch slots[slot].keeping {
    case .nobody, .lookUp: return .lookUp(resolution.graph ?? GraphInstances())
    case .container, .users: store = self.store
    case .scope(let level): store = try openStore(at: level, of: slot, resolution.scope)
    }
    if hasArguments {
      guard let key = resolution.arguments?.key else { throw .argumentsAreNoKey(slots[slot]) }
      let place = store.table(of: slot).place(for: key)
      return slots[slot].keeping == .users ? .users(place, resolution.graph) : .argument(place, store)
    }
    if slots[slot].isInCells { return .cells(store) }
    if let place = slots[slot].place { return .users(place, resolution.graph) }
    return .scope(store)
  }

  /// The store of the open scope that keeps the instances of a slot.
  ///
  /// - Throws: `ResolutionError` where there is none.
  func openStore(at level: Int, of slot: Int, _ scope: InstanceStore?) throws(ResolutionError) -> InstanceStore {
    guard let store = scope?.store(at: level) else { throw .notOpen(slots[slot], scope: scopeNames[level]) }
    return store
  }

  /// The instance that a keeper has, or nil where it has none. May be called under a lock.
  func found(_ slot: Int, in keeper: Keeper) -> Found? {
    switch keeper {
    case .cells: cells[slots[slot].firstCell].isReady ? .inCells : nil
    case .scope(let store): store.found(slot)
    case .lookUp(let graph): graph.found(slot)
    case .users(let place, let graph): graph?.found(slot) ?? place.found
    case .argument(let place, _): place.found
    }
  }

  /// Has a new instance kept. May be called under a lock.
  ///
  /// - Returns: false where it cannot be kept, as what keeps it was closed.
  func keep(_ built: Built, of slot: Int, in keeper: Keeper) -> Bool {
    switch keeper {
    case .cells(let store):
      guard store.keepAlive(built) else { return false }
      // The first cell last: it stands for all.
      for (index, instance) in built.instances.enumerated().reversed() {
        cells[slots[slot].firstCell + index].publish(instance: instance)
      }
      return true
    case .scope(let store): return store.keep(built, of: slot)
    case .lookUp(let graph):
      graph.keep(built, of: slot)
      return true
    case .users(let place, let graph):
      place.know(built)
      graph?.keep(built, of: slot)
      return true
    case .argument(let place, let store):
      guard store.keepAlive(built) else { return false }
      place.keep(built)
      return true
    }
  }

  /// An instance that was found, as each of the types that its slot provides; none where the cells hold it.
  ///
  /// Calls the application's conversions, so no lock may be held.
  func instances(_ found: Found, of slot: Int, in graph: GraphInstances?) -> [AnyInstance] {
    switch found {
    case .inCells: return []
    case .built(let built): return built.instances
    case .object(let object):
      // Only the slot's own builder made what its place knows.
      let instances = workplaces[slot].builder.instances(of: object) ?? []
      graph?.keep(Built(instances: instances, object: object), of: slot)
      return instances
    }
  }

  /// The kept instance of a slot as each of the types that it provides, built where it is not there.
  ///
  /// - Throws: `ResolutionError` where it cannot be kept or built.
  func kept(_ slot: Int, _ resolution: borrowing Resolution) throws(ResolutionError) -> [AnyInstance] {
    let isOutermost = slots[slot].opensGraph && resolution.graph == nil
    if !isOutermost || slots[slot].keeping != .lookUp {
      let keeper = try self.keeper(of: slot, resolution)
      if let found = found(slot, in: keeper) { return instances(found, of: slot, in: resolution.graph) }
    }
    guard isOutermost else { return instances(try build(slot, resolution), of: slot, in: resolution.graph) }
    let graph = GraphInstances()
    defer { graph.end() }
    return try kept(slot, resolution.preparing(nil, graph: graph))
  }
}
