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

extension Core {
  /// What keeps the instance of a slot for a look-up.
  ///
  /// - Throws: `ResolutionError` where the scope that keeps it is not open, or the run-time arguments are no key.
  func keeper(of slot: Slot, _ resolution: Resolution) throws(ResolutionError) -> Keeper {
    let store: InstanceStore
    switch slot.keeping {
    case .nobody, .lookUp: return .lookUp(resolution.graph ?? GraphInstances())
    case .container, .users: store = slot.core.store
    case .scope, .missingScope: store = try openStore(of: slot, resolution.scope)
    }
    if !slot.parameters.isEmpty {
      guard let key = resolution.arguments?.key else { throw .argumentsAreNoKey(slot) }
      let place = store.table(of: slot.key).place(for: key)
      return slot.keeping == .users ? .users(place, resolution.graph) : .argument(place, store)
    }
    if slot.isInCells { return .cells(store) }
    if let place = slot.place { return .users(place, resolution.graph) }
    return .scope(store)
  }

  /// The store of the open scope that keeps the instances of a slot.
  ///
  /// - Throws: `ResolutionError` where there is none.
  func openStore(of slot: Slot, _ scope: InstanceStore?) throws(ResolutionError) -> InstanceStore {
    let names = slot.core.scopeNames
    switch slot.keeping {
    case .missingScope(let name): throw .unknownScope(name, of: slot, near: suggestions(for: name, among: names))
    case .scope(let level):
      guard let store = scope?.store(at: level) else { throw .notOpen(slot, scope: names[level]) }
      return store
    case .nobody, .container, .users, .lookUp: return slot.core.store
    }
  }

  /// The instance that a keeper has, or nil where it has none. May be called under a lock.
  func found(_ slot: Slot, in keeper: Keeper) -> Found? {
    switch keeper {
    case .cells: slot.isBuilt ? .inCells : nil
    case .scope(let store): store.found(slot.key)
    case .lookUp(let graph): graph.found(slot.key)
    case .users(let place, let graph): graph?.found(slot.key) ?? place.found
    case .argument(let place, _): place.found
    }
  }

  /// The instance that a keeper has, or nil where it has none and somebody is about to build it. Called under the lock of
  /// the construction.
  func sought(_ slot: Slot, in keeper: Keeper, _ construction: inout Construction) -> Found? {
    guard case .scope(let store) = keeper else { return found(slot, in: keeper) }
    return store.note(slot.key) { builds.adopt($0, in: &construction) }
  }

  /// Has a new instance kept. May be called under a lock.
  func keep(_ built: Built, of slot: Slot, in keeper: Keeper) -> Builds.Keep {
    // The slots of a closed container may be gone.
    if slot.core.isClosed { return .closed }
    // Another service may have taken the slot's place meanwhile, as though just after this one was built.
    let isFound = slot.firstCell.belongs(to: slot)
    switch keeper {
    case .cells(let store):
      guard keepAlive(built, in: store) else { return .closed }
      if !isFound { return .kept }
      // The first cell last: it stands for all.
      for index in (0..<built.count).reversed() where slot.successor(ofType: index) == nil {
        slot.cell(index).publish(instance: built[index])
      }
    case .scope(let store): return keep(KeptInstance(holding: built.first), of: slot, in: store)
    case .lookUp(let graph): graph.keep(built, of: slot.key)
    case .users(let place, let graph):
      place.know(built)
      graph?.keep(built, of: slot.key)
    case .argument(let place, let store):
      guard keepAlive(built, in: store) else { return .closed }
      place.keep(built)
    }
    return .kept
  }

  /// Has a scope keep an instance, which is held and taken over. May be called under a lock.
  func keep(_ kept: KeptInstance, of slot: Slot, in store: InstanceStore) -> Builds.Keep {
    if !slot.core.isClosed,
      slot.firstCell.belongs(to: slot) ? store.keep(kept, of: slot.key) : store.keepAlive(kept)
    {
      return .kept
    }
    kept.release()
    return .closed
  }

  /// Has a store keep an instance alive.
  ///
  /// - Returns: false where it was closed.
  private func keepAlive(_ built: Built, in store: InstanceStore) -> Bool {
    let kept = KeptInstance(holding: built.first)
    if store.keepAlive(kept) { return true }
    kept.release()
    return false
  }

  /// An instance that was found; nil where the cells hold it.
  ///
  /// Calls the application's conversions, so no lock may be held.
  ///
  /// - Throws: `ResolutionError` where the container was disposed of.
  func built(_ found: Found, of slot: Slot, in graph: GraphInstances?) throws(ResolutionError) -> Built? {
    switch found {
    case .inCells: return nil
    case .built(let built): return built
    case .object(let object):
      // Only the slot's own builder made what its place or a scope knows.
      guard let built = slot.workplace?.builder.built(of: object) else { throw .closed(slot) }
      if slot.keeping == .users { graph?.keep(built, of: slot.key) }
      return built
    }
  }

  /// Hands on the kept instance of a slot as one of the types that it provides, by its place among them. It is built where it
  /// is not there.
  ///
  /// - Parameter receive: takes the instance, once. May run under a lock, so it must not call user code.
  /// - Throws: `ResolutionError` where it cannot be kept or built.
  func hand(
    _ slot: Slot, _ index: Int, _ resolution: Resolution, to receive: (KeptInstance) -> Void
  ) throws(ResolutionError) {
    // The first type has no closure of its own around the receiver, as usually it is the only one.
    let isHanded =
      index == 0
      ? try handBriefly(slot, resolution, to: receive)
      : try handBriefly(slot, resolution) { receive($0.asType(index)) }
    if isHanded { return }
    let instance = try kept(slot, index, resolution)
    withExtendedLifetime(instance) { receive(KeptInstance(unretained: $0)) }
  }

  /// The kept instance of a slot as one of the types that it provides, by its place among them, built where it is not there.
  ///
  /// - Throws: `ResolutionError` where it cannot be kept or built.
  func kept(_ slot: Slot, _ index: Int, _ resolution: Resolution) throws(ResolutionError) -> AnyInstance {
    let isOutermost = opensGraph(slot) && resolution.graph == nil
    if !isOutermost || slot.keeping != .lookUp {
      let keeper = try self.keeper(of: slot, resolution)
      if let found = found(slot, in: keeper), let built = try built(found, of: slot, in: resolution.graph) {
        return built[index]
      }
    }
    guard isOutermost else {
      let found = try build(slot, resolution)
      if let built = try built(found, of: slot, in: resolution.graph) { return built[index] }
      return try held(in: slot.cell(index), resolution)
    }
    let graph = GraphInstances()
    defer { graph.end() }
    return try kept(slot, index, resolution.with { $0.graph = graph })
  }

  /// Whether an outermost look-up of a slot shares instances within itself.
  func opensGraph(_ slot: Slot) -> Bool { slot.opensGraph || slot.looksUp && builds.areSharing }
}
