// SPDX-License-Identifier: Apache-2.0

/// Instances that were removed from stores to be disposed of, and the stores that they came from.
struct Disposal {
  /// One store and its former content.
  final class Batch {
    let store: InstanceStore
    /// The instances, in no order.
    var instances: [AnyInstance] = []
    /// The same instances from the cells. They are released before any instance is disposed of, so that each instance
    /// is released when its turn comes.
    var published: [AnyInstance] = []
    /// The instances that have another owner, which disposes of them.
    var left: [AnyInstance] = []
    /// The lists of run-time arguments under which instances were kept, to be released afterwards.
    var argumentKeys: [ArgumentKey] = []
    /// The in-flight builds of the store, for which nobody waits but a shutdown; empty if the store stays open.
    var builds: [Build] = []
    /// The waits of a shutdown for these builds.
    var waits: [Waiter] = []
    /// Stores of other containers of a series of reloads, which may be disposing of instances that hold some of these.
    var blockers: [InstanceStore] = []
    /// The former content of the directory, to be released afterwards; one element if the container is closed.
    var tables: [DirectoryTables] = []
    /// The stores that were opened in this one, in the order of opening, which are emptied as well.
    var inner: [InstanceStore] = []
    /// The waits for builds, to be ended without the lock.
    fileprivate var ended: [(waiter: Waiter, outcome: Outcome)] = []

    init(store: InstanceStore) { self.store = store }

    /// Leaves an instance to another owner, which disposes of it: the last of the other containers that keep it, or
    /// another given service.
    ///
    /// - Returns: whether there is another owner.
    func leaveToOthers(_ product: AnyInstance, isLast: Bool) -> Bool {
      guard let registration = product.key?.registration else { return false }
      let others = registration.release(closing: isLast ? store : nil)
      if let others, !product.isBorrowed {
        blockers += others
        return false
      }
      left.append(product)
      return true
    }
  }

  /// The stores, each before those that were opened in it.
  var batches: [Batch] = []
  /// Inner stores, and stores of other containers of a series of reloads, that another thread is disposing of. Their
  /// instances have to be disposed of first.
  var blockers: [InstanceStore] = []
  /// Whether the stores are closed; false if they are only emptied.
  let isLast: Bool

  /// The objects of the instances that are closed with `await`.
  fileprivate var disposables: AsyncDisposables {
    let outermost = batches.first?.store
    return AsyncDisposables(
      of: batches.lazy.flatMap { $0.instances + $0.left }.flatMap { [$0] + ($0.wrapped ?? []) },
      in: isLast ? outermost?.enclosing : outermost)
  }
}

extension InstanceStore {
  /// Adds the store of a scope or a child container, which closes before this one.
  ///
  /// - Returns: false if this store is closed.
  func add(inner store: InstanceStore) -> Bool {
    PausePoint.reach(.opening)
    return state.withLock { state in
      guard phase == .open else { return false }
      state.inner.set(ObjectIdentifier(store), Inner(number: state.nextSequence, store: store))
      state.nextSequence += 1
      return true
    }
  }

  /// Closes the store and all stores that were opened in it, and disposes of their instances: inner stores first, the
  /// last opened before the others, and within a store in the reverse order of building.
  ///
  /// If another thread is disposing of an inner store at this moment, that thread continues with this one.
  func close() {
    guard isOpen else { return }
    takeAll(isLast: true).run()
  }

  /// Closes the store, whose last user has released it, as `close` does. Does nothing if an enclosing store is not open:
  /// the call that closes that one also closes this one, perhaps with `await`.
  func closeReleased() {
    if sequence(first: self, next: \.enclosing).allSatisfy(\.isOpen) { close() }
  }

  /// Disposes of all instances as `close` does; the stores stay open.
  func reset() {
    takeAll(isLast: false).run()
  }

  /// Removes and disposes of all instances of a registration that was replaced.
  func forget(_ registration: Registration) {
    var disposal = Disposal(isLast: false)
    for store in withInner {
      disposal.add(store.take(registration))
    }
    PausePoint.reach(.disposing)
    disposal.run()
  }

  /// This store and all stores that were opened in it, each before those that were opened in it.
  var withInner: [InstanceStore] {
    var found: [InstanceStore] = []
    var open: [InstanceStore] = [self]
    while let store = open.popLast() {
      found.append(store)
      // The first opened is popped first, which keeps the order of opening.
      open += store.state.take { $0.innerStores }.reversed()
    }
    return found
  }

  /// Removes all instances from this store and all inner ones, to be disposed of.
  ///
  /// - Parameters:
  ///   - isLast: whether the stores are closed, and not only emptied.
  ///   - joinsBuilds: whether the caller waits for the in-flight builds.
  func takeAll(isLast: Bool, joinsBuilds: Bool = false) -> Disposal {
    var disposal = Disposal(isLast: isLast)
    PausePoint.reach(.emptying)
    var open: [InstanceStore] = []
    var next: InstanceStore? = self
    while let store = next {
      // The outer store first, so that no build in an inner one finds an instance that is disposed of here.
      switch store.take(isLast: isLast, joinsBuilds) {
      case .taken(let batch):
        open += batch.inner.reversed()
        batch.inner = []
        disposal.add(batch)
      case .beingDisposed: disposal.blockers.append(store)
      case .nothing: store.enclosing?.remove(inner: store)
      case .closed: break
      }
      next = open.popLast()
    }
    PausePoint.reach(.disposing)
    return disposal
  }

  /// The result of emptying a store.
  private enum Taken {
    /// The former content.
    case taken(Disposal.Batch)
    /// The store was empty, and is closed now.
    case nothing
    /// Another call is disposing of its instances.
    case beingDisposed
    case closed
  }

  /// Removes all instances from the store and its directory, in one critical section.
  private func take(isLast: Bool, _ joinsBuilds: Bool) -> Taken {
    guard let directory else { return isLast && closeEmpty() ? .nothing : takeEntries(isLast: isLast, joinsBuilds) }
    return directory.write { tables in
      if isLast, tables.isEmpty, closeEmpty() {
        tables.isClosed = true
        return .nothing
      }
      let taken = takeEntries(isLast: isLast, joinsBuilds)
      guard case .taken(let batch) = taken else { return taken }
      batch.published += tables.removeInstances()
      if isLast { batch.tables = [tables.close()] }
      return .taken(batch)
    }
  }

  /// Closes the store if it is empty.
  private func closeEmpty() -> Bool {
    state.withLock { state in
      guard phase == .open, state.slots.count == 0, state.superseded.count == 0, state.inner.count == 0,
        state.argumentKeyCount == 0
      else { return false }
      set(.closed, &state)
      return true
    }
  }

  /// Removes all instances from the store.
  private func takeEntries(isLast: Bool, _ joinsBuilds: Bool) -> Taken {
    state.take { state in
      switch phase {
      case .closing: return .beingDisposed
      case .closed: return .closed
      case .open: break
      }
      let batch = Disposal.Batch(store: self)
      if !isLast { batch.ended = state.resetByOwnCode(in: self) }
      var builds: [Build] = []
      // Inner stores that another call is closing ask for them.
      let objects = isLast && state.inner.count > 0 ? state.keptObjects() : nil
      batch.instances = state.slots.removeAll { (slot: consuming InstanceStore.Slot) in
        switch consume slot {
        case .instance(let product): return product
        case .build(let build): builds.append(build)
        case .object: break
        }
        return nil
      }
      state.objects = objects
      for build in builds { state.superseded.set(ObjectIdentifier(build), build) }
      if isLast { batch.builds = state.superseded.removeAll { $0 } }
      if !isLast { batch.instances.removeAll { state.putBackGiven($0) } }
      let isContainer = boundary == .container
      if batch.instances.contains(where: {
        $0.isBorrowed || (isContainer && $0.key?.registration?.survivesReload == true)
      }) {
        let taken = batch.instances
        batch.instances = KeptInstance.releaseTogether { taken.filter { !batch.leaveToOthers($0, isLast: isLast) } }
      }
      if state.argumentKeyCount > 0 {
        // Releases the argument keys, so that they are unused, except those with which a look-up is about to build.
        for product in batch.instances + batch.left { product.key = product.key?.registration }
        if isLast {
          // This includes the keys of builds in flight. Keys retain the container.
          batch.argumentKeys = state.argumentKeys.values.flatMap { $0 }
          (state.argumentKeys, state.argumentKeyCount) = ([:], 0)
        } else {
          batch.argumentKeys = state.removeUnusedArgumentKeys(Array(state.argumentKeys.keys))
        }
      }
      if !state.waiters.isEmpty {
        batch.ended += state.waiters.values.flatMap(\.values).map { ($0, isLast ? .closed : .superseded) }
        state.waiters = [:]
      }
      if joinsBuilds { batch.waits = batch.builds.compactMap { state.joinLate($0) } }
      if isLast { set(.closing, &state) } else { state.resetCount += 1 }
      batch.inner = state.innerStores
      return .taken(batch)
    }
  }

  /// Removes the instances and the builds of one registration from the store.
  private func take(_ registration: Registration) -> Disposal.Batch {
    state.take { state in
      let batch = Disposal.Batch(store: self)
      var hashes: Set<Int> = []
      for identity in state.keys(of: registration) {
        let slot = state.slots.remove(identity)
        if let arguments = slot?.key as? ArgumentKey { hashes.insert(arguments.hash) }
        switch slot {
        case .instance(let product):
          state.objects = nil
          // Releases the argument key, so that it is unused.
          product.key = registration
          if !batch.leaveToOthers(product, isLast: false) { batch.instances.append(product) }
        case .build(let build):
          state.superseded.set(ObjectIdentifier(build), build)
          batch.ended += state.removeWaiters(of: build).map { ($0, .superseded) }
        case .object, nil: break
        }
      }
      batch.argumentKeys = state.removeUnusedArgumentKeys(hashes)
      return batch
    }
  }

  /// A task or a disposal that waits until a store is closed.
  enum WaitingForClose {
    /// The disposal of an outer store. The call that closes this store continues it.
    case disposal(Disposal)
    /// A task that disposes of an outer store.
    case task(CheckedContinuation<Void, Never>)
  }

  /// Adds a disposal or a task to those that wait until this store is closed.
  ///
  /// - Returns: false if the store is not being disposed of; then nothing is added.
  fileprivate func postpone(_ waiting: WaitingForClose) -> Bool {
    let waiting = Transferred(waiting)
    return state.withLock { state in
      guard phase == .closing else { return false }
      state.waitingForClose.append(waiting.value)
      return true
    }
  }

  /// Returns whether the store is another one, or was opened in it.
  func isWithin(_ outer: InstanceStore) -> Bool {
    sequence(first: self, next: \.enclosing).contains { $0 === outer }
  }

  /// Whether the shutdown that closes this store waits for the running code, which builds an instance of this store or
  /// of an inner one.
  var waitsForRunningCode: Bool {
    Build.runningPath.contains { build in
      guard let store = build.store, store.isWithin(self) else { return false }
      return !store.isOpen && store.state.withLock { $0.waiters[ObjectIdentifier(build)] != nil }
    }
  }

  /// Waits until the store is closed, if another call is disposing of it.
  func closed() async {
    await withCheckedContinuation { task in
      if !postpone(.task(task)) { task.resume() }
    }
  }

  /// Marks the store as closed, after its instances were disposed of.
  ///
  /// - Returns: the disposals and tasks that waited for it.
  fileprivate func finishClosing() -> [WaitingForClose] {
    state.take { state in
      defer { (state.waitingForClose, state.objects) = ([], nil) }
      set(.closed, &state)
      return state.waitingForClose
    }
  }

  /// Removes a closed store from this one.
  fileprivate func remove(inner store: InstanceStore) {
    _ = state.take { $0.inner.remove(ObjectIdentifier(store)) }
  }
}

extension InstanceStore.State {
  /// The stores that were opened in this one, in the order of opening.
  fileprivate var innerStores: [InstanceStore] {
    inner.count == 0 ? [] : Array(inner.values).ascending(by: \.number).map(\.store)
  }

  /// Joins a build that is taken from the store, to wait for the end of its builder.
  ///
  /// - Returns: `nil` if the build waits for the running code: that of its builder, or the disposal of its product.
  fileprivate mutating func joinLate(_ build: Build) -> Waiter? {
    if InstanceStore.shuttingDown.contains(where: { $0.build === build }) { return nil }
    let waiter = Waiter(for: build, of: Build.running, blocksThread: false)
    guard BuildCoordinator.enter(waiter) == nil else { return nil }
    add(waiter)
    return waiter
  }

  /// Marks the builds of a store that the running code works for. Their builders reset what they build, and would be
  /// called again for ever. A build that another reset has superseded is marked together with the one that has taken its
  /// place.
  ///
  /// - Returns: the waits for these builds, which fail.
  fileprivate mutating func resetByOwnCode(in store: InstanceStore) -> [(waiter: Waiter, outcome: Outcome)] {
    var waits: [(waiter: Waiter, outcome: Outcome)] = []
    for build in Build.runningPath where build.store === store && !build.key.isReplaced {
      guard let registration = build.registration else { continue }
      build.setResetByItself()
      guard case .build(let current) = slots[ObjectIdentifier(build.key)] else { continue }
      current.setResetByItself()
      waits += removeWaiters(of: current).map { ($0, .failed(.resetByItself(registration))) }
    }
    return waits
  }

  /// Puts back an instance that the application has given or registered, since nothing could build it again.
  ///
  /// - Returns: whether it was put back.
  fileprivate mutating func putBackGiven(_ product: AnyInstance) -> Bool {
    guard let key = product.key, key.registration?.traits.isDisjoint(with: [.isGiven, .isInstance]) == false else {
      return false
    }
    slots.set(ObjectIdentifier(key), .instance(product))
    return true
  }

  /// Returns the keys of all slots of a registration.
  fileprivate func keys(of registration: Registration) -> [ObjectIdentifier] {
    if registration.parameters.isEmpty { return [ObjectIdentifier(registration)] }
    return slots.pairs.filter { $0.1.key?.registration === registration }.map(\.0)
  }
}

extension Disposal {
  /// Adds the former content of a store: cancels its builds, and ends the waits for them.
  fileprivate mutating func add(_ batch: Batch) {
    for build in batch.builds { build.task?.cancel() }
    batch.builds = []
    blockers += batch.blockers
    PausePoint.reach(.taken)
    for (waiter, outcome) in batch.ended { waiter.resume(outcome) }
    batch.ended = []
    batches.append(batch)
  }

  /// Disposes of the instances, the last built first. If another call is disposing of an inner store, that call
  /// continues with the rest.
  consuming func run() {
    var run = DisposalRun(self, awaits: false)
    while true {
      switch run.next() {
      case .dispose(let product): product.key?.registration?.dispose(product)
      case .wait(let store): run.leave(to: store)
      case nil: return
      }
    }
  }
}

/// The instances of a disposal, one after the other. Work between two instances, such as closing a store that has
/// become empty, is done when the next one is requested.
///
/// It cannot be copied, and consumes the disposal, so that nothing else retains an instance when it is disposed of.
struct DisposalRun: ~Copyable {
  /// The disposal whose stores are being emptied.
  private var current: Disposal?
  /// Disposals that were postponed until one of the stores was closed.
  private var later: [Disposal] = []
  /// The former content of the store that is being emptied; `nil` if there is none.
  private var batch: (content: Disposal.Batch, isLast: Bool)?
  /// The instances of that store, in the order of building.
  private var instances: [AnyInstance] = []
  /// The objects that are closed with `await`; `nil` if the caller does not await.
  private var disposables: AsyncDisposables?

  /// Creates the run of a disposal whose caller awaits the disposal of objects, or does not.
  init(_ disposal: consuming Disposal, awaits: Bool) {
    disposables = awaits ? disposal.disposables : nil
    current = disposal
  }

  /// The next step of the caller.
  enum Step {
    /// Dispose of an instance.
    case dispose(AnyInstance)
    /// Another call is disposing of an inner store: wait until that is closed, or leave the rest to that call.
    case wait(InstanceStore)
  }

  /// The instances that `leave` leaves to another call, in the order of disposal.
  var rest: [AnyInstance] {
    (current?.batches ?? []).reversed().flatMap { batch in
      batch.instances.ascending(by: \.sequence).reversed().flatMap { [$0] + ($0.wrapped ?? []).reversed() }
    }
  }

  /// Returns an instance of the last step if it has to be closed now with `await`; otherwise `nil`.
  mutating func disposable(_ instance: AnyInstance) -> (any AsyncDisposable)? { disposables?.take(instance) }

  /// Returns the next disposal that was postponed.
  private mutating func popLater() -> Disposal? {
    let disposal = later.popLast()
    if disposables != nil { disposables = disposal?.disposables }
    return disposal
  }

  /// Leaves the rest to the call that is disposing of an inner store, unless that call has ended.
  ///
  /// - Returns: whether that call has the rest now.
  @discardableResult mutating func leave(to store: InstanceStore) -> Bool {
    guard let disposal = current.take() else { return false }
    PausePoint.reach(.postponing)
    if store.postpone(.disposal(disposal)) { return true }
    current = disposal
    return false
  }

  /// Returns the next step; `nil` if everything is done.
  mutating func next() -> Step? {
    while true {
      if let product = instances.popLast() {
        if let wrapped = product.wrapped.take() { instances += wrapped }
        return .dispose(product)
      }
      finishBatch()
      guard var disposal = current.take() ?? popLater() else { return nil }
      if let blocker = disposal.blockers.popLast() {
        current = disposal
        return .wait(blocker)
      }
      guard let content = disposal.batches.popLast() else { continue }
      LockOrder.willCallUserCode()
      (content.published, content.left) = ([], [])
      swap(&instances, &content.instances)
      instances.sort { $0.sequence < $1.sequence }
      batch = (content, disposal.isLast)
      current = disposal
    }
  }

  /// Closes the store that was emptied.
  private mutating func finishBatch() {
    guard let (content, isLast) = batch.take() else { return }
    let store = content.store
    // Releases the tables and the argument keys.
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

// MARK: - Wrapped instances of decorators

extension Registration {
  /// The wrapped service whose instances are disposed of with those of this decorator; `nil` if there is none, or if
  /// the application gives its instances, which belong to the scope that keeps them.
  private var disposedWithThis: Registration? {
    guard let wrapped, !wrapped.traits.contains(.isGiven) else { return nil }
    return wrapped
  }

  /// Records in a new product of a decorator the instance that it wraps.
  func note(_ wrapped: AnyInstance?, in product: AnyInstance) {
    guard let wrapped, let registration = disposedWithThis else { return }
    wrapped.key = registration
    // One flat list, so that a long chain of decorators needs no recursion.
    var all = wrapped.wrapped.take() ?? []
    all.append(wrapped)
    product.wrapped = all
  }

  /// Returns a copy of a product for another store, with copies of the instances that it wraps. This service, which
  /// keeps the copy, has the same decorators.
  func copy(of original: AnyInstance) -> AnyInstance {
    let product = original.copy()
    guard let wrapped = original.wrapped else { return product }
    var registration = self.wrapped
    var copies: [AnyInstance] = []
    for inner in wrapped.reversed() {
      let copy = inner.copy()
      copy.key = registration
      copies.append(copy)
      registration = registration?.wrapped
    }
    product.wrapped = copies.reversed()
    return product
  }

  /// Returns the service whose instance was built for this decorator to wrap, if the instance has to be disposed of because
  /// the decorator could not be built or another thread has built it. `nil` if a product of the decorator has the
  /// instance, or it was discarded before.
  func service(ofUnused wrapped: AnyInstance) -> Registration? { wrapped.key == nil ? disposedWithThis : nil }

  /// Disposes of the instance that was built for this decorator to wrap, if no product of the decorator has it.
  func discard(_ wrapped: AnyInstance?) {
    guard let wrapped, let registration = service(ofUnused: wrapped) else { return }
    wrapped.key = registration
    registration.dispose(wrapped)
  }

  /// Calls the dispose action of a product that no store keeps, then those of the instances that it wraps.
  func dispose(_ product: AnyInstance) {
    factory.dispose(product)
    product.disposeWrapped()
  }

  /// Returns an instance that the container closes with `await`; `nil` for others. The application closes given ones,
  /// and one that a test has put in the place of several.
  func asyncDisposable(_ product: AnyInstance) -> (any AsyncDisposable)? {
    let isOfApplication = traits.contains(.isGiven) || (traits.contains(.isInstance) && keeping != .shared)
    return isOfApplication ? nil : factory.asyncDisposable(product)
  }
}

/// Calls the dispose actions of instances that no store keeps, the last first.
func dispose(_ instances: [AnyInstance]) {
  for instance in instances.reversed() { instance.key?.registration?.factory.dispose(instance) }
}

/// Disposes of instances that no store keeps, the last first, and awaits async disposals. Those run in a task of their own,
/// since the task of the caller may be cancelled.
///
/// - Parameter store: the innermost store in which the instances may have been looked up; `nil` for none.
func disposeAwaiting(
  _ instances: [AnyInstance], in store: InstanceStore?, isolation: isolated (any Actor)? = #isolation
) async -> [ShutdownError.Failure] {
  await disposeAwaiting(instances, AsyncDisposables(of: instances, in: store), isolation: isolation)
}

/// Does what the other form does, for the objects of these instances.
func disposeAwaiting(
  _ instances: [AnyInstance], _ disposables: AsyncDisposables, isolation: isolated (any Actor)?
) async -> [ShutdownError.Failure] {
  guard instances.contains(where: \.isAsyncDisposable) else {
    dispose(instances)
    return []
  }
  return await Task {
    var (instances, disposables) = (instances, disposables)
    var failures: [ShutdownError.Failure] = []
    while let instance = instances.popLast() {
      guard let registration = instance.key?.registration else { continue }
      do {
        try await disposables.take(instance)?.disposeAsync()
      } catch { failures.append(registration.failure(.failed(error))) }
      registration.factory.dispose(instance)
    }
    return failures
  }.value
}

/// The objects that one call closes with `await`.
///
/// Several services have one object if a builder returns what it has looked up, or what it decorates. The object is
/// closed once, with the first one built, and not at all if another owner or a store that stays open has it.
struct AsyncDisposables {
  /// The number of services that have each object.
  private var users: [ObjectIdentifier: Int] = [:]
  /// The objects that the store kept at the beginning. The store may have been closed since then, which closes them.
  private var kept: Set<ObjectIdentifier> = []
  /// The innermost store that stays open; `nil` for none.
  private let store: InstanceStore?

  /// Creates the objects of the instances that a call disposes of.
  ///
  /// - Parameters:
  ///   - instances: the instances, with those that are left to another owner.
  ///   - store: the innermost store that stays open; `nil` for none.
  /// - Complexity: linear in the number of instances.
  init(of instances: some Sequence<AnyInstance>, in store: InstanceStore?) {
    self.store = store
    for instance in instances {
      // Includes those that `take` never returns: given ones, which the application closes, and those of other owners.
      if let object = instance.key?.registration?.factory.asyncDisposable(instance).flatMap(AsyncDisposables.identity) {
        users[object, default: 0] += 1
        if users[object] == 1, store?.keeps(object) == true { kept.insert(object) }
      }
    }
  }

  /// Returns an instance if it has to be closed now; otherwise `nil`.
  ///
  /// - Complexity: that of `InstanceStore.keeps`.
  mutating func take(_ instance: AnyInstance) -> (any AsyncDisposable)? {
    guard let disposable = instance.key?.registration?.asyncDisposable(instance) else { return nil }
    guard let object = AsyncDisposables.identity(of: disposable) else { return disposable }
    users[object, default: 1] -= 1
    return users[object] == 0 && !kept.contains(object) && store?.keeps(object) != true ? disposable : nil
  }

  /// Returns the identity of an object; `nil` for a value, which each service has for itself.
  private static func identity(of disposable: any AsyncDisposable) -> ObjectIdentifier? {
    type(of: disposable) is AnyObject.Type ? ObjectIdentifier(disposable as AnyObject) : nil
  }
}

extension AnyInstance {
  /// Whether the container awaits the disposal of the instance.
  var isAsyncDisposable: Bool { key?.registration?.asyncDisposable(self) != nil }

  /// The identities of the product and of those that it wraps, as far as they are objects.
  var objects: [ObjectIdentifier] {
    ([self] + (wrapped ?? [])).compactMap { instance in
      instance.key?.registration?.factory.object(of: instance).map { ObjectIdentifier($0) }
    }
  }

  /// Returns the wrapped instances followed by the product itself, which no store keeps: what its owner disposes of.
  func withWrapped(as registration: Registration) -> [AnyInstance] {
    key = registration
    return (wrapped.take() ?? []) + [self]
  }

  /// Disposes of the wrapped instances, the outermost first.
  func disposeWrapped() { dispose(wrapped.take() ?? []) }
}
