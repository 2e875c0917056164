// SPDX-License-Identifier: Apache-2.0

// The usual way to build an instance of a scope: see `BriefClaim`.

extension Core {
  /// The instance of a slot as one of its types, built in a scope by this thread alone.
  ///
  /// - Returns: nil where that will not do, and nothing was built: where somebody else builds the instance, or something is
  ///   being built within which this would stand, or something has to be built before it.
  /// - Throws: as `kept` does.
  func builtBriefly(
    _ slot: Slot, _ index: Int, in store: InstanceStore, _ resolution: borrowing Resolution
  ) throws(ResolutionError) -> AnyInstance? {
    guard slot.isBuiltAlone, !resolution.isDeep, resolution.work == nil, !builds.areRunning, BriefClaim.current == nil,
      let workplace = slot.unretainedWorkplace, workplace._withUnsafeGuaranteedRef({ $0.preparations.isEmpty }),
      try BuildPath.needsAreMet(of: slot, store, of: self, nil)
    else { return nil }
    let claim = BriefClaim(
      subject: slot, slot: slot.key, store: store, builds: ObjectIdentifier(builds), thread: .current,
      address: StackExtent.here)
    return try withUnsafePointer(to: claim) { claim throws(ResolutionError) -> AnyInstance? in
      switch store.begin(claim, ofType: index) {
      case .built(let instance): return instance
      case .refused: return nil
      case .claimed: return try build(claim, slot, workplace, in: store)[index]
      }
    }
  }

  /// Builds an instance under a claim that stands.
  ///
  /// - Throws: `ResolutionError` where the builder fails, or the scope is closed meanwhile.
  private func build(
    _ claim: UnsafePointer<BriefClaim>, _ slot: Slot, _ workplace: Unmanaged<Workplace>, in store: InstanceStore
  ) throws(ResolutionError) -> Built {
    let built: Built
    do {
      BriefClaim.current = claim
      defer { BriefClaim.current = nil }
      built = try workplace._withUnsafeGuaranteedRef {
        try $0.builder.build(asObject: false, Resolution(scope: store))
      }
    } catch {
      let error = failure(error, of: slot)
      if store.giveUp(claim) { builds.finishAdopted(claim.pointee, error) }
      throw error
    }
    // Another service may have taken the slot's place meanwhile, as though just after this one was built.
    switch store.end(claim, built, isFound: slot.firstCell.belongs(to: slot)) {
    case .kept: break
    case .closed:
      built.dispose()
      throw .closed(slot)
    case .adopted:
      try builds.finishAdopted(
        claim.pointee, Found.built(built), keep: { _ in keep(built, of: slot, in: .scope(store)) },
        closed: { _ in
          built.dispose()
          return .closed(slot)
        })
    }
    return built
  }
}
