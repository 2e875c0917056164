// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The instances that a container or an open scope keeps, until it is closed.
@usableFromInline final class InstanceStore: Sendable {
  /// The place of the scope in the list of scopes, the outermost 0; -1 for the container.
  let level: Int
  /// The store around this one; nil for the container's, and for that of a scope which stands in none.
  let enclosing: InstanceStore?

  /// How far the instance of a slot is, where the cells do not hold it.
  private enum Place {
    /// A thread builds it, and nobody else has asked for it. The claim stands on that thread's stack while this does.
    case claimed(UnsafePointer<BriefClaim>)
    /// Whoever builds it does so with a `Work`.
    case noted
    /// It is there, with a number in the order of building.
    case built(Int)

    /// Whether the instance is there.
    var isBuilt: Bool { if case .built = self { true } else { false } }
  }

  /// What changes.
  private struct State {
    /// How far the instances are, by slot.
    var places = SmallTable<SlotKey, Place>()
    /// The instances with run-time arguments, by slot.
    var tables: [SlotKey: ArgumentTable] = [:]
    /// All instances, in the order in which they were built.
    var order: [Built] = []

    /// Adds an instance that was built.
    mutating func add(_ built: Built) {
      if order.isEmpty { order.reserveCapacity(8) }
      order.append(built)
    }
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
    // Begins with the enclosing one, so that a store in none is neither retained nor released.
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
  func found(_ slot: SlotKey) -> Found? {
    state.withLock { state in
      guard case .built(let number) = state.places[slot] else { return nil }
      return .built(state.order[number])
    }
  }

  /// The instance of a slot as one of its types, by its place among them; nil where there is none.
  func instance(of slot: SlotKey, ofType index: Int) -> AnyInstance? {
    state.withLock { state in
      guard case .built(let number) = state.places[slot] else { return nil }
      return state.order[number][index]
    }
  }

  /// Whether there is an instance of a slot.
  func has(_ slot: SlotKey) -> Bool { state.withLock { $0.places[slot]?.isBuilt ?? false } }

  /// Keeps the instance of a slot.
  ///
  /// - Returns: false where the store was closed meanwhile.
  func keep(_ built: Built, of slot: SlotKey) -> Bool {
    state.withLock { state in
      guard !isClosed.load(ordering: .relaxed) else { return false }
      state.places[slot] = .built(state.order.count)
      state.add(built)
      return true
    }
  }

  /// Keeps an instance alive that is found elsewhere.
  ///
  /// - Returns: false where the store was closed meanwhile.
  func keepAlive(_ built: Built) -> Bool {
    state.withLock { state in
      guard !isClosed.load(ordering: .relaxed) else { return false }
      state.add(built)
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
      if state.places[slot]?.isBuilt == true { state.places[slot] = nil }
      return Hold(state.tables.removeValue(forKey: slot))
    }
    withExtendedLifetime(old) {}
  }

  /// Takes all instances out, in the order in which they were built.
  ///
  /// - Parameter isLast: whether no more are taken afterwards.
  func empty(closing isLast: Bool) -> [Built] {
    var old = state.withLock { state in
      if isLast { isClosed.store(true, ordering: .releasing) }
      let old = state
      state = State()
      state.places = old.places
      state.places.keep { !$0.isBuilt }
      return Hold(old)
    }
    old.value.tables = [:]
    return old.value.order
  }

  /// Lets all instances go, the last built first, each after it has given back what it holds, and takes no more.
  func close() {
    var instances = empty(closing: true)
    InstanceStore.dispose(of: &instances)
  }

  /// Lets instances go, the last first, each after it has given back what it holds.
  static func dispose(of instances: inout [Built]) {
    // Taken out one by one: one that is named here would outlive its turn.
    while !instances.isEmpty { instances.removeLast().dispose() }
  }
}

extension InstanceStore {
  /// What a thread finds that would build an instance by itself.
  enum Beginning {
    /// The instance.
    case built(AnyInstance)
    /// Nothing: the claim stands, until `end` or `giveUp`.
    case claimed
    /// That somebody else builds it, or the store was closed.
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

  /// Claims the building of an instance of a slot, unless it is there.
  func begin(_ claim: UnsafePointer<BriefClaim>, ofType index: Int) -> Beginning {
    state.withLock { state in
      let order = state.order
      return state.places.change(claim.pointee.slot) { place -> Beginning in
        switch place {
        case .built(let number): return .built(order[number][index])
        case .claimed, .noted: return .refused
        case nil:
          if isClosed.load(ordering: .relaxed) { return .refused }
          place = .claimed(claim)
          return .claimed
        }
      }
    }
  }

  /// Ends what a claim began, with an instance.
  ///
  /// - Parameter isFound: whether the instance is to be found from here on.
  func end(_ claim: UnsafePointer<BriefClaim>, _ built: Built, isFound: Bool) -> Ending {
    state.withLock { state in
      let number = state.order.count
      let ending = state.places.change(claim.pointee.slot) { place -> Ending in
        guard case .claimed = place else { return .adopted }
        let isOpen = !isClosed.load(ordering: .relaxed)
        place = isFound && isOpen ? .built(number) : nil
        return isOpen ? .kept : .closed
      }
      if ending == .kept { state.add(built) }
      return ending
    }
  }

  /// Ends what a claim began, without an instance.
  ///
  /// - Returns: whether the claim was adopted.
  func giveUp(_ claim: UnsafePointer<BriefClaim>) -> Bool {
    state.withLock { state in
      guard case .claimed = state.places[claim.pointee.slot] else { return true }
      state.places[claim.pointee.slot] = nil
      return false
    }
  }

  /// Has the instance of a slot be built with a `Work` from here on.
  ///
  /// - Parameter adopt: takes a claim over that stands. Runs under the lock.
  /// - Returns: the instance, where it is there.
  func note(_ slot: SlotKey, adopt: (BriefClaim) -> Void) -> Found? {
    state.withLock { state in
      let place = state.places[slot]
      if case .built(let number) = place { return .built(state.order[number]) }
      if case .claimed(let claim) = place { adopt(claim.pointee) }
      state.places[slot] = .noted
      return nil
    }
  }
}
