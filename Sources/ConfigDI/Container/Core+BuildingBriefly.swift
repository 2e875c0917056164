// SPDX-License-Identifier: Apache-2.0

// The usual way to build an instance of a scope: see `BriefClaim`.

extension Core {
  /// Hands on the instance of a slot that a scope keeps, where it is there or this thread alone can build it.
  ///
  /// - Parameter receive: takes the instance. May run under a lock, so it must not call user code.
  /// - Returns: false where that will not do, and nothing was built: where no open scope keeps the instance by its slot alone,
  ///   or it is not there, and somebody else builds it, or something is being built within which this would stand, or
  ///   something has to be built before it.
  /// - Throws: as `kept` does.
  func handBriefly(
    _ slot: Slot, _ resolution: Resolution, to receive: (KeptInstance) -> Void
  ) throws(ResolutionError) -> Bool {
    guard slot.scopeLevel >= 0, let scope = resolution.unretainedScope else { return false }
    return try scope._withUnsafeGuaranteedRef { scope in
      Result { () throws(ResolutionError) in
        if scope.level == slot.scopeLevel { return try handBriefly(slot, in: scope, resolution, to: receive) }
        guard let store = scope.store(at: slot.scopeLevel) else { return false }
        return try handBriefly(slot, in: store, resolution, to: receive)
      }
    }.get()
  }

  /// Hands on the instance of a slot that a store keeps, where it is there or this thread alone can build it.
  private func handBriefly(
    _ slot: Slot, in store: InstanceStore, _ resolution: Resolution, to receive: (KeptInstance) -> Void
  ) throws(ResolutionError) -> Bool {
    guard slot.isBuiltAlone, !resolution.isWithinClaim, !resolution.isDeep, resolution.rest == nil, !builds.areRunning,
      BriefClaim.current == nil, let maker = slot.briefMaker
    else { return store.hand(slot.key, to: receive) }
    let claim = BriefClaim(
      subject: slot, slot: slot.key, store: store, builds: ObjectIdentifier(builds), thread: .current,
      address: StackExtent.here)
    return try withUnsafePointer(to: claim) { claim throws(ResolutionError) -> Bool in
      switch store.begin(claim, handing: receive, isReady: { slot.isReady(in: store, has: $0) }) {
      case .handed: return true
      case .refused: return false
      case .claimed:
        try build(claim, slot, maker, in: store, handing: receive)
        return true
      }
    }
  }

  /// The same, for who wants to hold the instance.
  func foundBriefly(_ slot: Slot, _ resolution: Resolution) throws(ResolutionError) -> Found? {
    var found: Found?
    _ = try handBriefly(slot, resolution) { found = $0.found }
    return found
  }

  /// Builds an instance under a claim that stands, and hands it on.
  ///
  /// - Throws: `ResolutionError` where the builder fails, or the scope is closed meanwhile.
  private func build(
    _ claim: UnsafePointer<BriefClaim>, _ slot: Slot, _ maker: Unmanaged<HeldMaker<KeptInstance>>,
    in store: InstanceStore, handing receive: (KeptInstance) -> Void
  ) throws(ResolutionError) {
    let kept: KeptInstance
    do {
      BriefClaim.current = claim
      defer { BriefClaim.current = nil }
      kept = try maker._withUnsafeGuaranteedRef { try $0.make(Resolution(scope: store, isWithinClaim: true)) }
    } catch {
      let error = failure(error, of: slot)
      if store.giveUp(claim) { builds.finishAdopted(claim.pointee, error) }
      throw error
    }
    receive(kept)
    // Another service may have taken the slot's place meanwhile, as though just after this one was built.
    switch store.end(claim, kept, isFound: slot.firstCell.belongs(to: slot)) {
    case .kept: break
    case .closed:
      kept.end()
      throw .closed(slot)
    case .adopted:
      let found = kept.found
      try builds.finishAdopted(
        claim.pointee, found, keep: { _ in keep(kept, of: slot, in: store) },
        closed: { found in
          if case .built(let built) = found { built.dispose() }
          return .closed(slot)
        })
    }
  }
}

extension Slot {
  /// Whether all that the slot needs is there for an instance in a store, as far as that can be told at a glance.
  ///
  /// - Parameter has: whether the store has the instance of a slot.
  fileprivate func isReady(in store: InstanceStore, has: (SlotKey) -> Bool) -> Bool {
    for dependency in dependencies {
      let isThere = dependency.unretainedSlot._withUnsafeGuaranteedRef { need in
        need.isThere { level in
          level == store.level ? has(need.key) : store.enclosing?.store(at: level)?.has(need.key)
        }
      }
      guard isThere == true else { return false }
    }
    return true
  }
}
