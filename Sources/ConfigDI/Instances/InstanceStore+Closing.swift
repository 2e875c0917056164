// SPDX-License-Identifier: Apache-2.0

/// Instances that were taken out of stores, to be disposed of, and the stores that they came from.
struct Disposal {
  /// One store and what it kept.
  struct Batch {
    /// The store.
    let store: InstanceStore
    /// Its instances in the order of building.
    var instances: [InstanceStore.Kept]
    /// The same instances as the cells held them. Released before the first is disposed of, so that each goes with its turn.
    var published: [AnyInstance] = []
    /// What else is to be released.
    var rest: [Any]
  }

  /// The stores, each before those that were opened in it.
  var batches: [Batch] = []
  /// Stores further in that another thread is disposing of; their instances go first.
  var blockers: [InstanceStore] = []
  /// Whether the stores are closed, and not only emptied.
  let isLast: Bool
}

extension InstanceStore {
  /// Enters the store of a scope or a child container, which closes before this one.
  ///
  /// - Returns: false where this store is closed.
  func add(inner store: InstanceStore) -> Bool {
    PausePoint.reach(.opening)
    return state.withLock { state in
      guard state.phase == .open else { return false }
      state.inner[ObjectIdentifier(store)] = Inner(number: state.nextInner, store: store)
      state.nextInner += 1
      return true
    }
  }

  /// Closes the store and all that were opened in it, and disposes of their instances: inner stores first, the last opened
  /// before the others, and within a store in the reverse order of building.
  ///
  /// Where another thread is disposing of an inner store at this moment, that thread goes on with this one.
  func close() { empty(isLast: true) }

  /// Disposes of all instances as `close` does; the stores stay open.
  func reset() { empty(isLast: false) }

  /// Forgets what was built of a registration that another one has replaced, and disposes of it.
  func forget(_ registration: Registration) {
    var disposal = Disposal(isLast: false)
    for store in withInner {
      let (instances, rest, waiters) = store.take(registration)
      PausePoint.reach(.taken)
      disposal.batches.append(Disposal.Batch(store: store, instances: instances, rest: rest))
      for waiter in waiters { waiter.resume(.superseded) }
    }
    PausePoint.reach(.disposing)
    disposal.run()
  }

  /// This store and all that were opened in it, each before those that were opened in it.
  private var withInner: [InstanceStore] {
    var found: [InstanceStore] = []
    var open: [InstanceStore] = [self]
    while let store = open.popLast() {
      found.append(store)
      // The first opened on top, so that the order of opening is kept.
      open += store.innerStores.reversed()
    }
    return found
  }

  /// The stores that were opened in this one, in that order.
  private var innerStores: [InstanceStore] {
    let stores = state.withLock { state in
      Hold(state.inner.values.sorted { $0.number < $1.number }.map(\.store))
    }
    return stores.value.compactMap { $0 }
  }

  /// Takes all instances out of this store and all inner ones, then disposes of them.
  private func empty(isLast: Bool) {
    var disposal = Disposal(isLast: isLast)
    var open: [InstanceStore] = [self]
    PausePoint.reach(.emptying)
    while let store = open.popLast() {
      // The outer store first: what is built in an inner one from now on does not find what is disposed of here.
      switch store.take(isLast: isLast) {
      case .taken(let batch, let waiters):
        disposal.batches.append(batch)
        PausePoint.reach(.taken)
        for waiter in waiters { waiter.resume(isLast ? .closed : .superseded) }
        open += store.innerStores.reversed()
      case .beingDisposed: disposal.blockers.append(store)
      case .closed: break
      }
    }
    PausePoint.reach(.disposing)
    disposal.run()
  }

  /// What is found when a store is emptied.
  private enum Taken {
    case taken(Disposal.Batch, [Waiter])
    /// Another call is disposing of its instances.
    case beingDisposed
    case closed
  }

  /// Takes all instances out of the store, and out of its directory in the same step.
  private func take(isLast: Bool) -> Taken {
    guard let directory else { return takeEntries(isLast: isLast) }
    return directory.write { tables in
      var taken = takeEntries(isLast: isLast)
      guard case .taken(var batch, let waiters) = taken else { return taken }
      batch.published = tables.removeInstances()
      if isLast { batch.rest.append(tables.close()) }
      taken = .taken(batch, waiters)
      return taken
    }
  }

  /// Takes all instances out of the store.
  private func takeEntries(isLast: Bool) -> Taken {
    let taken = state.withLock { state -> Hold<Taken> in
      switch state.phase {
      case .closing: return Hold(.beingDisposed)
      case .closed: return Hold(.closed)
      case .open: break
      }
      var batch = Disposal.Batch(store: self, instances: [], rest: [state.argumentKeys])
      var waiters: [Waiter] = []
      for entry in state.entries.values {
        switch entry {
        case .kept(let kept): batch.instances.append(kept)
        case .building(let build, let waiting):
          batch.rest.append(build)
          waiters += waiting
        case .weak: batch.rest.append(entry)
        }
      }
      batch.instances.sort { $0.sequence < $1.sequence }
      state.entries = [:]
      state.argumentKeys = [:]
      if isLast { state.phase = .closing }
      return Hold(.taken(batch, waiters))
    }
    return taken.value
  }

  /// Takes what there is of one registration out of the store.
  private func take(_ registration: Registration) -> (instances: [Kept], rest: [Any], waiters: [Waiter]) {
    let taken = state.withLock { state -> Hold<([Kept], [Any], [Waiter])> in
      var keys = [Key(subject: ObjectIdentifier(registration))]
      if !registration.parameters.isEmpty {
        keys = state.entries.keys.filter { $0.subject == ObjectIdentifier(registration) }
      }
      var taken: ([Kept], [Any], [Waiter]) = ([], [], [])
      for key in keys {
        switch state.entries.removeValue(forKey: key) {
        case .kept(let kept): taken.0.append(kept)
        case .building(_, let waiters)?: taken.2 += waiters
        case let other: taken.1.append(other as Any)
        }
      }
      taken.0.sort { $0.sequence < $1.sequence }
      let hashes = Set(keys.compactMap { $0.arguments?.hash })
      keys = []
      taken.1 += state.removeUnusedArgumentKeys(hashes)
      return Hold(taken)
    }
    return taken.value
  }

  /// Has a disposal wait for this store, where it is being disposed of.
  ///
  /// - Returns: false where it is not, or not any more.
  fileprivate func postpone(_ disposal: Disposal) -> Bool {
    let disposal = Hold(disposal)
    return state.withLock { state in
      guard state.phase == .closing else { return false }
      state.later.append(disposal.value)
      return true
    }
  }

  /// Notes that the instances were disposed of.
  ///
  /// - Returns: what was put off until now.
  fileprivate func finishClosing() -> [Disposal] {
    let later = state.withLock { state -> Hold<[Disposal]> in
      let later = state.later
      state.later = []
      state.phase = .closed
      return Hold(later)
    }
    return later.value
  }

  /// Removes a closed store from this one.
  fileprivate func remove(inner store: InstanceStore) {
    state.withLock { $0.inner[ObjectIdentifier(store)] = nil }
  }
}

extension Disposal {
  /// Disposes of the instances, the last built first, unless an inner store is being disposed of by another call; that call
  /// goes on with this one then.
  func run() {
    var open = [self]
    while var disposal = open.popLast() {
      if let blocker = disposal.blockers.popLast() {
        PausePoint.reach(.postponing)
        if !blocker.postpone(disposal) { open.append(disposal) }
        continue
      }
      while var batch = disposal.batches.popLast() {
        LockOrder.willCallUserCode()
        batch.published = []
        while let kept = batch.instances.popLast() { kept.registration?.product.dispose(kept.product) }
        batch.rest = []
        PausePoint.reach(.disposed)
        guard disposal.isLast else { continue }
        open += batch.store.finishClosing()
        PausePoint.reach(.closed)
        batch.store.enclosing?.remove(inner: batch.store)
      }
    }
  }
}
