// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The instances that a container or an open scope keeps, until it is closed.
@usableFromInline final class InstanceStore: @unchecked Sendable {
  // Unchecked for the neighbours, which are read and changed under the lock of a container.

  /// The place of the scope in the list of scopes, the outermost 0; -1 for the container.
  let level: Int
  /// The store around this one; nil for the container's, and for that of a scope which stands in none.
  let enclosing: InstanceStore?
  /// Where the store stands among those of a container's open scopes.
  var neighbours = ScopeList.Neighbours()

  /// What changes.
  private struct State: ~Copyable {
    /// How far the instances are, by slot.
    var stages = StageTable()
    /// The instances with run-time arguments, by slot.
    var tables: [SlotKey: ArgumentTable] = [:]
    /// All instances.
    var instances = KeptInstances()
  }

  /// What changes.
  private let state = Guarded(State())
  /// Whether the store was closed. Written under the lock of `state`.
  private let isClosed = Atomic(false)

  /// A store without instances.
  init(level: Int, in enclosing: InstanceStore?) {
    self.level = level
    self.enclosing = enclosing
  }

  /// Whether this store was closed.
  var wasClosed: Bool { isClosed.load(ordering: .acquiring) }

  /// Whether neither this store nor one around it was closed.
  var isOpen: Bool {
    if wasClosed { return false }
    // Not by recursion, as a module may name any number of scopes.
    var store = enclosing
    while let current = store {
      if current.wasClosed { return false }
      store = current.enclosing
    }
    return true
  }

  /// This store or the one around it that is at a level; nil where there is none.
  func store(at level: Int) -> InstanceStore? {
    var store = self
    while store.level > level, let enclosing = store.enclosing { store = enclosing }
    return store.level == level ? store : nil
  }

  /// The instance of a slot, or nil where there is none.
  func found(_ slot: SlotKey) -> Found? { state.withLock { $0.stages[slot].kept?.found } }

  /// Hands on the instance of a slot, if it is there.
  ///
  /// - Parameter receive: runs under the lock, so it must not call user code.
  /// - Returns: whether it is.
  func hand(_ slot: SlotKey, to receive: (KeptInstance) -> Void) -> Bool {
    state.withLock { state in
      guard let kept = state.stages[slot].kept else { return false }
      receive(kept)
      return true
    }
  }

  /// Whether there is an instance of a slot.
  func has(_ slot: SlotKey) -> Bool { state.withLock { $0.stages[slot].isBuilt } }

  /// Keeps the instance of a slot, which is held, and takes it over.
  ///
  /// - Returns: false where the store was closed meanwhile, and nothing is done.
  func keep(_ kept: KeptInstance, of slot: SlotKey) -> Bool {
    state.withLock { state in
      guard !isClosed.load(ordering: .relaxed) else { return false }
      state.stages.place(of: slot).pointee = .built(kept)
      state.instances.add(kept)
      return true
    }
  }

  /// Keeps an instance alive that is found elsewhere; it is held, and taken over.
  ///
  /// - Returns: false where the store was closed meanwhile, and nothing is done.
  func keepAlive(_ kept: KeptInstance) -> Bool {
    state.withLock { state in
      guard !isClosed.load(ordering: .relaxed) else { return false }
      state.instances.add(kept)
      return true
    }
  }

  /// The instances of a slot with run-time arguments.
  func table(of slot: SlotKey) -> ArgumentTable {
    state.withLock { state in
      if let table = state.tables[slot] { return table }
      let table = ArgumentTable()
      if !isClosed.load(ordering: .relaxed) { state.tables[slot] = table }
      return table
    }
  }

  /// Forgets the instances of a slot, which stay alive until the store is emptied.
  func forget(_ slot: SlotKey) {
    let old = state.withLock { state in
      let stage = state.stages.place(of: slot)
      if stage.pointee.isBuilt { stage.pointee = .none }
      return Hold(state.tables.removeValue(forKey: slot))
    }
    withExtendedLifetime(old) {}
  }

  /// Takes all instances out.
  ///
  /// - Parameter isLast: whether no more are taken afterwards.
  func empty(closing isLast: Bool) -> KeptInstances {
    var tables: [SlotKey: ArgumentTable] = [:]
    let instances = state.withLock { state in
      if isLast { isClosed.store(true, ordering: .releasing) }
      swap(&tables, &state.tables)
      state.stages.removeBuilt()
      return state.instances.take()
    }
    withExtendedLifetime(tables) {}
    return instances
  }

  /// Lets all instances go, the last built first, each after it has given back what it holds, and takes no more.
  func close() {
    var instances = empty(closing: true)
    // Each is released before it is the turn of the next.
    while let kept = instances.removeLast() { kept.end() }
  }
}

extension InstanceStore {
  /// What a thread finds that would build an instance by itself.
  enum Beginning {
    /// The instance, which was handed on.
    case handed
    /// Nothing: the claim stands, until `end` or `giveUp`.
    case claimed
    /// That somebody else builds it, something has to be built before it, or the store was closed.
    case refused
  }

  /// What a thread finds that has built an instance by itself.
  enum Ending {
    /// The instance is kept.
    case kept
    /// The store was closed meanwhile.
    case closed
    /// The claim was adopted, and nothing is done yet.
    case adopted
  }

  /// Claims the building of an instance, unless it is there.
  ///
  /// - Parameters:
  ///   - receive: takes the instance that is there. Runs under the lock, so it must not call user code.
  ///   - isReady: whether all is there that the instance needs. Runs under the lock, with what tells whether this store has
  ///     the instance of another slot.
  func begin(
    _ claim: UnsafePointer<BriefClaim>, handing receive: (KeptInstance) -> Void, isReady: ((SlotKey) -> Bool) -> Bool
  ) -> Beginning {
    state.withLock { state in
      let stage = state.stages.place(of: claim.pointee.slot)
      if let kept = stage.pointee.kept {
        receive(kept)
        return .handed
      }
      guard stage.pointee == .none, !isClosed.load(ordering: .relaxed), isReady({ state.stages[$0].isBuilt }) else {
        return .refused
      }
      stage.pointee = .claimed(claim)
      return .claimed
    }
  }

  /// Ends what a claim began, with an instance.
  ///
  /// - Parameters:
  ///   - kept: the instance, which is held. Taken over where the store keeps it.
  ///   - isFound: whether the instance is to be found from here on.
  func end(_ claim: UnsafePointer<BriefClaim>, _ kept: KeptInstance, isFound: Bool) -> Ending {
    state.withLock { state in
      let stage = state.stages.place(of: claim.pointee.slot)
      guard stage.pointee == .claimed(claim) else { return .adopted }
      let isOpen = !isClosed.load(ordering: .relaxed)
      stage.pointee = isFound && isOpen ? .built(kept) : .none
      guard isOpen else { return .closed }
      state.instances.add(kept)
      return .kept
    }
  }

  /// Ends what a claim began, without an instance.
  ///
  /// - Returns: whether the claim was adopted.
  func giveUp(_ claim: UnsafePointer<BriefClaim>) -> Bool {
    state.withLock { state in
      let stage = state.stages.place(of: claim.pointee.slot)
      guard stage.pointee == .claimed(claim) else { return true }
      stage.pointee = .none
      return false
    }
  }

  /// Has the instance of a slot be built with a `Work` from here on.
  ///
  /// - Parameter adopt: takes a claim over that stands. Runs under the lock.
  /// - Returns: the instance, where it is there.
  func note(_ slot: SlotKey, adopt: (BriefClaim) -> Void) -> Found? {
    state.withLock { state in
      let stage = state.stages.place(of: slot)
      if let kept = stage.pointee.kept { return kept.found }
      if let claim = stage.pointee.claim { adopt(claim.pointee) }
      stage.pointee = .noted
      return nil
    }
  }
}
