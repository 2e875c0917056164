// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The instances that a container or an open scope keeps, until it is closed.
@usableFromInline final class InstanceStore: Sendable {
  /// The place of the scope in the list of scopes, the outermost 0; -1 for the container.
  let level: Int
  /// The store around this one; nil for the container's, and for that of a scope which stands in none.
  let enclosing: InstanceStore?

  /// What changes.
  private struct State {
    /// The instances by slot, where the cells do not hold them.
    var instances: [SlotKey: Built] = [:]
    /// The instances with run-time arguments, by slot.
    var tables: [SlotKey: ArgumentTable] = [:]
    /// All instances, in the order in which they were built.
    var order: [Built] = []
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

  /// Whether neither this store nor one around it was closed.
  var isOpen: Bool {
    var store: InstanceStore? = self
    while let current = store {
      if current.isClosed.load(ordering: .acquiring) { return false }
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
  func found(_ slot: SlotKey) -> Found? { state.withLock { $0.instances[slot].map { .built($0) } } }

  /// The instance of a slot as one of its types, by its place among them; nil where there is none.
  func instance(of slot: SlotKey, ofType index: Int) -> AnyInstance? {
    state.withLock { $0.instances[slot]?.instances[index] }
  }

  /// Keeps the instance of a slot.
  ///
  /// - Returns: false where the store was closed meanwhile.
  func keep(_ built: Built, of slot: SlotKey) -> Bool {
    state.withLock { state in
      guard !isClosed.load(ordering: .relaxed) else { return false }
      state.instances[slot] = built
      state.order.append(built)
      return true
    }
  }

  /// Keeps an instance alive that is found elsewhere.
  ///
  /// - Returns: false where the store was closed meanwhile.
  func keepAlive(_ built: Built) -> Bool {
    state.withLock { state in
      guard !isClosed.load(ordering: .relaxed) else { return false }
      state.order.append(built)
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
    let old = state.withLock { Hold(($0.instances.removeValue(forKey: slot), $0.tables.removeValue(forKey: slot))) }
    withExtendedLifetime(old) {}
  }

  /// Takes all instances out, in the order in which they were built.
  ///
  /// - Parameter isLast: whether no more are taken afterwards.
  func empty(closing isLast: Bool) -> [Built] {
    var old = state.withLock { state in
      if isLast { isClosed.store(true, ordering: .releasing) }
      defer { state = State() }
      return Hold(state)
    }
    old.value.instances = [:]
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
    while !instances.isEmpty { instances.removeLast().dispose?() }
  }
}
