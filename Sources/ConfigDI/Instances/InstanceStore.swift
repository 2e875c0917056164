// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The instances that a container or an open scope keeps, until it is closed.
@usableFromInline final class InstanceStore: Sendable {
  /// The place of the scope in the module's list, the outermost 0; -1 for the container.
  let level: Int
  /// The store around this one; nil for the container's, and for that of a scope which stands in none.
  let enclosing: InstanceStore?

  /// What changes.
  private struct State {
    /// The instances by slot, where the cells do not hold them.
    var instances: [Int: Built] = [:]
    /// The instances with run-time arguments, by slot.
    var tables: [Int: ArgumentTable] = [:]
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

  deinit { close() }

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
  func found(_ slot: Int) -> Found? { state.withLock { $0.instances[slot].map { .built($0) } } }

  /// Keeps the instance of a slot.
  ///
  /// - Returns: false where the store was closed meanwhile.
  func keep(_ built: Built, of slot: Int) -> Bool {
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
  func table(of slot: Int) -> ArgumentTable {
    state.withLock { state in
      if let table = state.tables[slot] { return table }
      let table = ArgumentTable()
      if !isClosed.load(ordering: .relaxed) { state.tables[slot] = table }
      return table
    }
  }

  /// Lets all instances go, the last built first, and takes no more.
  func close() {
    var old = state.withLock { state in
      isClosed.store(true, ordering: .releasing)
      defer { state = State() }
      return Hold(state)
    }
    old.value.instances = [:]
    old.value.tables = [:]
    while !old.value.order.isEmpty { old.value.order.removeLast() }
  }
}
