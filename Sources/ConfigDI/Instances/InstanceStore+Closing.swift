// SPDX-License-Identifier: Apache-2.0

/// Instances that were taken out of stores, to be disposed of, and the stores that they came from.
struct Disposal {
  /// One store and what it kept.
  struct Batch {
    let store: InstanceStore
    /// Its instances, in no order.
    var instances: [AnyInstance] = []
    /// The same instances as the cells held them. Released before the first is disposed of, so that each goes with its turn.
    var published: [AnyInstance] = []
    /// The lists of run-time arguments under which they were kept, to be released afterwards.
    var argumentKeys: [ArgumentKey] = []
    /// What was being built in it, which nobody waits for any more; none where the store stays open.
    var builds: [Build] = []
    /// What its directory held, to be released afterwards; one where the container is closed.
    var tables: [DirectoryTables] = []

    /// Leaves an instance to the other containers that keep it, which the last one disposes of.
    ///
    /// - Returns: whether there are such.
    mutating func leaves(_ product: AnyInstance) -> Bool {
      guard product.key?.registration?.letGo() == false else { return false }
      published.append(product)
      return true
    }
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
      state.inner.set(ObjectIdentifier(store), Inner(number: state.nextInner, store: store))
      state.nextInner += 1
      return true
    }
  }

  /// Closes the store and all that were opened in it, and disposes of their instances: inner stores first, the last opened
  /// before the others, and within a store in the reverse order of building.
  ///
  /// Where another thread is disposing of an inner store at this moment, that thread goes on with this one.
  func close() {
    guard isOpen else { return }
    var disposal = takeAll(isLast: true)
    disposal.run()
  }

  /// Disposes of all instances as `close` does; the stores stay open.
  func reset() {
    var disposal = takeAll(isLast: false)
    disposal.run()
  }

  /// Forgets what was built of a registration that another one has replaced, and disposes of it.
  func forget(_ registration: Registration) {
    var disposal = Disposal(isLast: false)
    for store in withInner {
      let (batch, waiters) = store.take(registration)
      PausePoint.reach(.taken)
      disposal.batches.append(batch)
      for waiter in waiters { waiter.resume(.superseded) }
    }
    PausePoint.reach(.disposing)
    disposal.run()
  }

  /// This store and all that were opened in it, each before those that were opened in it.
  var withInner: [InstanceStore] {
    var found: [InstanceStore] = []
    var open: [InstanceStore] = [self]
    while let store = open.popLast() {
      found.append(store)
      // The first opened on top, so that the order of opening is kept.
      open += store.state.withLock { Hold($0.innerStores) }.value.reversed()
    }
    return found
  }

  /// Takes all instances out of this store and all inner ones, to be disposed of.
  ///
  /// - Parameter isLast: whether the stores are closed, and not only emptied.
  func takeAll(isLast: Bool) -> Disposal {
    var disposal = Disposal(isLast: isLast)
    PausePoint.reach(.emptying)
    var open: [InstanceStore] = []
    var next: InstanceStore? = self
    while let store = next {
      // The outer store first: what is built in an inner one from now on does not find what is disposed of here.
      switch store.take(isLast: isLast) {
      case .taken(var batch, let inner, let waiters):
        for build in batch.builds { build.cancel() }
        batch.builds = []
        disposal.batches.append(batch)
        PausePoint.reach(.taken)
        for waiter in waiters { waiter.resume(isLast ? .closed : .superseded) }
        if !inner.isEmpty { open += inner.reversed() }
      case .beingDisposed: disposal.blockers.append(store)
      case .nothing: store.enclosing?.remove(inner: store)
      case .closed: break
      }
      next = open.popLast()
    }
    PausePoint.reach(.disposing)
    return disposal
  }

  /// What is found when a store is emptied.
  private enum Taken {
    /// What is to be disposed of, the inner stores in the order of opening, and those who wait for builds.
    case taken(Disposal.Batch, inner: [InstanceStore], [Waiter])
    /// Nothing was in the store, which is closed now.
    case nothing
    /// Another call is disposing of its instances.
    case beingDisposed
    case closed
  }

  /// Takes all instances out of the store, and out of its directory in the same step.
  private func take(isLast: Bool) -> Taken {
    guard let directory else { return isLast && closeEmpty() ? .nothing : takeEntries(isLast: isLast) }
    return directory.write { tables in
      if isLast, tables.isEmpty, closeEmpty() {
        tables.isClosed = true
        return .nothing
      }
      let taken = takeEntries(isLast: isLast)
      guard case .taken(var batch, let inner, let waiters) = taken else { return taken }
      batch.published += tables.removeInstances()
      if isLast { batch.tables = [tables.close()] }
      return .taken(batch, inner: inner, waiters)
    }
  }

  /// Closes the store where there is nothing in it.
  private func closeEmpty() -> Bool {
    state.withLock { state in
      guard state.phase == .open, state.slots.count == 0, state.inner.count == 0, state.argumentKeyCount == 0 else {
        return false
      }
      state.phase = .closed
      return true
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
      var batch = Disposal.Batch(store: self)
      batch.instances = state.slots.removeAll { slot in
        switch slot {
        case .instance(let product): return product
        case .build(let build) where isLast: batch.builds.append(build)
        case .build, .object: break
        }
        return nil
      }
      if !isLast { batch.instances.removeAll { state.keepsGiven($0) } }
      if boundary == .container, batch.instances.contains(where: { $0.key?.registration?.passesOn == true }) {
        let taken = batch.instances
        batch.instances = taken.filter { !batch.leaves($0) }
      }
      if state.argumentKeyCount > 0 {
        // So that the lists of arguments are seen to be unused, but for those under which a look-up is about to build.
        for product in batch.instances + batch.published { product.key = product.key?.registration }
        batch.argumentKeys = state.removeUnusedArgumentKeys(Array(state.argumentKeys.keys))
      }
      var waiters: [Waiter] = []
      if !state.waiters.isEmpty {
        waiters = state.waiters.values.flatMap { $0 }
        state.waiters = [:]
      }
      if isLast { state.phase = .closing } else { state.resetCount += 1 }
      return Hold(.taken(batch, inner: state.innerStores, waiters))
    }
    return taken.value
  }

  /// Takes what there is of one registration out of the store.
  private func take(_ registration: Registration) -> (Disposal.Batch, [Waiter]) {
    let taken = state.withLock { state -> Hold<(Disposal.Batch, [Waiter])> in
      var batch = Disposal.Batch(store: self)
      var waiters: [Waiter] = []
      var hashes: Set<Int> = []
      for identity in state.keys(of: registration) {
        let slot = state.slots.remove(identity)
        if let arguments = slot?.key as? ArgumentKey { hashes.insert(arguments.hash) }
        switch slot {
        case .instance(let product):
          // So that the list of arguments is seen to be unused.
          product.key = registration
          if !batch.leaves(product) { batch.instances.append(product) }
        case .build(let build): waiters += state.removeWaiters(of: build)
        case .object, nil: break
        }
      }
      batch.argumentKeys = state.removeUnusedArgumentKeys(hashes)
      return Hold((batch, waiters))
    }
    return taken.value
  }

  /// What waits until a store is closed.
  enum WaitingForClose {
    /// A disposal of a store further out, which the call goes on with that closes this one.
    case disposal(Disposal)
    /// A task that disposes of a store further out.
    case task(CheckedContinuation<Void, Never>)
  }

  /// Has something wait until this store is closed, where it is being disposed of.
  ///
  /// - Returns: false where it is not, or not any more.
  fileprivate func postpone(_ waiting: WaitingForClose) -> Bool {
    let waiting = Hold(waiting)
    return state.withLock { state in
      guard state.phase == .closing else { return false }
      state.waitingForClose.append(waiting.value)
      return true
    }
  }

  /// Waits until the store is closed, where another call is disposing of it.
  func closed() async {
    await withCheckedContinuation { task in
      if !postpone(.task(task)) { task.resume() }
    }
  }

  /// Notes that the instances were disposed of.
  ///
  /// - Returns: what has waited for it.
  fileprivate func finishClosing() -> [WaitingForClose] {
    let waiting = state.withLock { state -> Hold<[WaitingForClose]> in
      let waiting = state.waitingForClose
      state.waitingForClose = []
      state.phase = .closed
      return Hold(waiting)
    }
    return waiting.value
  }

  /// Removes a closed store from this one.
  fileprivate func remove(inner store: InstanceStore) {
    let removed = state.withLock { Hold($0.inner.remove(ObjectIdentifier(store))) }
    withExtendedLifetime(removed) {}
  }
}

extension InstanceStore.State {
  /// The stores that were opened in this one, in that order.
  fileprivate var innerStores: [InstanceStore] {
    inner.count == 0 ? [] : inner.values.sorted { $0.number < $1.number }.map(\.store)
  }

  /// Keeps an instance that was taken out on, where the application has given or registered it: nothing could build it anew.
  ///
  /// - Returns: whether that is so.
  fileprivate mutating func keepsGiven(_ product: AnyInstance) -> Bool {
    guard let key = product.key, key.registration?.traits.isDisjoint(with: [.isGiven, .isInstance]) == false else {
      return false
    }
    slots.set(ObjectIdentifier(key), .instance(product))
    return true
  }

  /// The keys of all instances of a registration.
  fileprivate func keys(of registration: Registration) -> [ObjectIdentifier] {
    if registration.parameters.isEmpty { return [ObjectIdentifier(registration)] }
    return slots.pairs.filter { $0.1.key?.registration === registration }.map(\.0)
  }
}

extension Disposal {
  /// Disposes of the instances, the last built first, unless an inner store is being disposed of by another call; that call
  /// goes on with this one then.
  ///
  /// Takes what it disposes of out of this value, so that nothing else holds an instance when its turn comes.
  mutating func run() {
    var run = DisposalRun(&self)
    while let step = run.next() {
      switch step {
      case .dispose(let product): product.key?.registration?.product.dispose(product)
      case .wait(let store): run.leave(to: store)
      }
    }
  }
}

/// The instances that are disposed of, one after the other. What has to be done between them, as to close a store that has
/// become empty, is done when the next one is asked for.
struct DisposalRun {
  /// The disposal whose stores are being emptied.
  private var current: Disposal?
  /// What was put off until one of its stores was closed.
  private var later: [Disposal] = []
  /// The store that is being emptied, its instances in the order of building.
  private var batch: (content: Disposal.Batch, isLast: Bool)?

  init(_ disposal: inout Disposal) {
    current = disposal
    disposal = Disposal(isLast: disposal.isLast)
  }

  /// What is to be done next.
  enum Step {
    /// To dispose of an instance.
    case dispose(AnyInstance)
    /// To wait until a store further in is closed, which another call is disposing of, or to leave the rest to that call.
    case wait(InstanceStore)
  }

  /// Leaves the rest to the call that is disposing of a store further in, unless that has ended.
  mutating func leave(to store: InstanceStore) {
    guard let disposal = current.take() else { return }
    PausePoint.reach(.postponing)
    if !store.postpone(.disposal(disposal)) { current = disposal }
  }

  /// What is to be done next; nil where all is done.
  mutating func next() -> Step? {
    while true {
      if let product = batch?.content.instances.popLast() {
        if let wrapped = product.wrapped.take() { batch?.content.instances += wrapped }
        return .dispose(product)
      }
      finishBatch()
      guard var disposal = current.take() ?? later.popLast() else { return nil }
      if let blocker = disposal.blockers.popLast() {
        current = disposal
        return .wait(blocker)
      }
      guard var content = disposal.batches.popLast() else { continue }
      LockOrder.willCallUserCode()
      content.published = []
      content.instances.sort { $0.sequence < $1.sequence }
      batch = (content, disposal.isLast)
      current = disposal
    }
  }

  /// Closes the store that was emptied.
  private mutating func finishBatch() {
    guard let (content, isLast) = batch.take() else { return }
    let store = content.store
    // Releases the tables and the lists of arguments.
    _ = consume content
    PausePoint.reach(.disposed)
    guard isLast else { return }
    let waiting = store.finishClosing()
    PausePoint.reach(.closed)
    for waiting in waiting {
      switch waiting {
      case .disposal(let disposal): later.append(disposal)
      case .task(let task): task.resume()
      }
    }
    store.enclosing?.remove(inner: store)
  }
}

// MARK: - What decorators wrap

extension Registration {
  /// What a decorator wraps, where whoever disposes of its instances disposes of that, too. What the application has given is
  /// left to the scope that keeps it.
  private var disposedWithThis: Registration? {
    guard let wrapped, !wrapped.traits.contains(.isGiven) else { return nil }
    return wrapped
  }

  /// Notes in a new product of a decorator what it wraps.
  func note(_ wrapped: AnyInstance?, in product: AnyInstance) {
    guard let wrapped, let registration = disposedWithThis else { return }
    wrapped.key = registration
    // In one list, so that nothing has to go down a chain of decorators, however long.
    var all = wrapped.wrapped.take() ?? []
    all.append(wrapped)
    product.wrapped = all
  }

  /// Copies what a product wraps to a copy of it that this service keeps, of the same decorators.
  func copyWrapped(from original: AnyInstance, to product: AnyInstance) {
    guard let wrapped = original.wrapped else { return }
    var registration = self.wrapped
    var copies: [AnyInstance] = []
    for inner in wrapped.reversed() {
      let copy = inner.copy()
      copy.key = registration
      copies.append(copy)
      registration = registration?.wrapped
    }
    product.wrapped = copies.reversed()
  }

  /// Disposes of what was built for this decorator to wrap, unless a product of the decorator has it, or it was discarded: where
  /// the decorator could not be built, and where another thread has built it.
  func discard(_ wrapped: AnyInstance?) {
    guard lifetime.isDisposing, let wrapped, wrapped.key == nil, let registration = disposedWithThis else { return }
    wrapped.key = registration
    registration.dispose(wrapped)
  }

  /// Calls the dispose action of a product that no store keeps, then those of what it wraps.
  func dispose(_ product: AnyInstance) {
    self.product.dispose(product)
    product.disposeWrapped()
  }
}

extension AnyInstance {
  /// A product that no store keeps, behind what it wraps, for whoever disposes of both.
  func withWrapped(as registration: Registration) -> [AnyInstance] {
    key = registration
    return (wrapped.take() ?? []) + [self]
  }

  /// Disposes of what the product wraps, the outermost first.
  func disposeWrapped() {
    for inner in (wrapped.take() ?? []).reversed() { inner.key?.registration?.product.dispose(inner) }
  }
}
