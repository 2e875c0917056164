// SPDX-License-Identifier: Apache-2.0

/// What an instance is kept under in a store, compared by identity. Whatever is in the store holds its key, so that the identity
/// stays its own: a `Registration`, for a service with run-time arguments an `ArgumentKey`, and for a `Lazy` a `LazyKey`.
protocol InstanceKey: AnyObject, Sendable {
  /// The service; nil for the value of a `Lazy`.
  var registration: Registration? { get }
}

/// The instances of one boundary: a container, an open scope, or one look-up.
///
/// Plain data behind one mutex. What is taken out is returned, and released or called by the caller without the mutex.
@usableFromInline final class InstanceStore: Sendable {
  /// Which boundary the instances live in.
  enum Boundary: Hashable, Sendable {
    case container
    /// An open scope, by its place among the scopes of the container, the outermost 0.
    case scope(Int)
    /// A look-up. Its instances are held while it runs; afterwards those that somebody still holds can be found.
    case lookUp
  }

  /// What there is of one key. Guarded by the lock of the store.
  enum Slot {
    /// A build that is in flight.
    case build(Build)
    /// The product, which the store keeps.
    case instance(AnyInstance)
    /// The product, which only its users keep.
    case object(UnownedObject)

    /// What is or was built.
    var key: (any InstanceKey)? {
      switch self {
      case .build(let build): build.key
      case .instance(let product): product.key
      case .object(let unowned): unowned.key
      }
    }
  }

  /// A product that only its users keep.
  final class UnownedObject {
    /// What it was built for.
    let key: any InstanceKey
    /// The product; nil once it is gone.
    private(set) weak var object: AnyObject?

    /// A product that somebody uses.
    init(_ object: AnyObject, _ key: any InstanceKey) {
      self.object = object
      self.key = key
    }
  }

  /// Whether the store can be used.
  enum Phase {
    case open
    /// It is closed, and its instances are being disposed of.
    case closing
    case closed
  }

  /// What changes.
  struct State {
    var slots = IdentityTable<Slot>()
    /// Those who wait for builds, where somebody does.
    var waiters: [ObjectIdentifier: [Waiter]] = [:]
    /// The lists of run-time arguments under which instances are kept, by their hash.
    var argumentKeys: [Int: [ArgumentKey]] = [:]
    var nextSequence = 0
    var phase = Phase.open
    /// The stores of open scopes and of child containers, in the order in which they were opened; they close before this one.
    var inner = IdentityTable<Inner>()
    var nextInner = 0
    /// What waits until this store is closed.
    var waitingForClose: [WaitingForClose] = []
    /// How often the store was emptied and stayed open.
    var resetCount = 0
    /// How many look-ups use the store of a look-up.
    var users = 1
    /// How many lists of run-time arguments there are.
    var argumentKeyCount = 0
    /// How many entries, or lists of arguments, there may be before those are removed that nobody needs any more.
    var sweepLimit = 64
  }

  /// The store of a scope or a child container.
  struct Inner {
    let number: Int
    let store: InstanceStore
  }

  /// The stores whose shutdown waits for the running code.
  @TaskLocal static var shuttingDown: [InstanceStore] = []

  /// Which boundary the instances live in.
  let boundary: Boundary
  /// The store around this one: of the enclosing scope or the container, of the parent container, or of the look-up that goes
  /// on elsewhere; nil for that of a root.
  let enclosing: InstanceStore?
  /// The directory of a container, which closes with it; nil for others.
  let directory: Directory?
  let state = Guarded(State(), rank: .store)

  /// An empty store.
  ///
  /// - Parameter users: how many look-ups use the store of a look-up from the start: that which makes it, or none for what is
  ///   looked up later.
  init(_ boundary: Boundary, in enclosing: InstanceStore?, directory: Directory? = nil, users: Int = 1) {
    self.boundary = boundary
    self.enclosing = enclosing
    self.directory = directory
    if users != 1 { state.withLock { $0.users = users } }
  }
}

// MARK: - Finding and building

extension InstanceStore {
  /// What a look-up finds.
  enum Claim: Sendable {
    case product(AnyInstance)
    /// An object that nobody but its users keeps.
    case object(Hold<AnyObject>)
    /// The caller builds, and ends the build with `keep` or `abandon`; where the builder is awaited, it waits as well.
    case claimed(Build, Waiter?)
    /// It is not there, and the caller cannot build it.
    case absent
    /// Somebody else builds, and the caller waits, on behalf of a build of its own or of none. It calls `BuildCoordinator.leave` afterwards.
    case building(Waiter, Build, on: Build?)
    /// The build would need itself: the circle.
    case circular([Build])
    /// Another registration has taken the place of the service: look up again.
    case superseded
    /// The store is closed.
    case closed
  }

  /// What the caller of `claim` can do.
  enum Mode {
    /// Take what is there.
    case findOnly
    /// Build, and block its thread to wait.
    case blocking
    /// Build, and be suspended to wait.
    case suspending
    /// Have a task build, and be suspended to wait for that.
    case inTask
  }

  /// Finds an instance, or begins to build it, or to wait for it.
  ///
  /// - Parameters:
  ///   - registration: the service for which a `Lazy` stands; nil for others, which the key names.
  ///   - resetCount: how often the store had been reset when the arguments of the builder were looked up; nil where they were
  ///     not. After a further reset the build is superseded, as those are disposed of.
  func claim(
    _ key: any InstanceKey, for registration: Registration? = nil, mode: Mode, since resetCount: Int? = nil
  ) -> Claim {
    state.withLock { state in
      if state.phase != .open { return .closed }
      let identity = ObjectIdentifier(key)
      switch state.slots[identity] {
      case .instance(let product): return .product(product)
      case .build(let build): return state.join(build, mode)
      case .object(let unowned): if let object = unowned.object { return .object(Hold(object)) }
      case nil: break
      }
      if mode == .findOnly { return .absent }
      // Nothing would find it, and nothing would dispose of it before the store is closed.
      if key.registration?.isReplaced == true { return .superseded }
      if let resetCount, resetCount != state.resetCount { return .superseded }
      let build = Build(of: key, for: registration, isAsync: mode == .inTask)
      state.slots.set(identity, .build(build))
      guard mode == .inTask else { return .claimed(build, nil) }
      let waiter = Waiter(blocksThread: false)
      state.waiters[ObjectIdentifier(build)] = [waiter]
      return .claimed(build, waiter)
    }
  }

  /// The product of a key, where it is there; nil also where only its users keep it.
  func product(_ key: any InstanceKey) -> AnyInstance? {
    state.withLock { state in
      if case .instance(let product) = state.slots[ObjectIdentifier(key)] { product } else { nil }
    }
  }

  /// Whether there is an instance of a key.
  func has(_ key: any InstanceKey) -> Bool {
    let found = state.withLock { state -> Hold<AnyObject?> in
      switch state.slots[ObjectIdentifier(key)] {
      case .instance(let product): Hold(product)
      case .object(let unowned): Hold(unowned.object)
      case .build, nil: Hold(nil)
      }
    }
    return found.value != nil
  }

  /// Takes out the product of a key; nil where there is none.
  func removeProduct(_ key: any InstanceKey) -> AnyInstance? {
    state.withLock { state in
      guard case .instance(let product) = state.slots[ObjectIdentifier(key)] else { return nil }
      state.slots.remove(ObjectIdentifier(key))
      return product
    }
  }

  /// What became of a product that was built.
  enum Keeping {
    /// The store keeps it.
    case kept
    /// The build was superseded: look up again.
    case superseded
    /// The store was closed.
    case closed
  }

  /// Ends a build with its product.
  ///
  /// - Parameter object: the product as an object, where only its users keep it; nil where the store does.
  /// - Returns: whether the store keeps the product; where it does not, the caller disposes of it.
  func keep(_ product: AnyInstance, weakly object: AnyObject?, _ build: Build) -> (Keeping, waiters: [Waiter]) {
    build.end()
    guard let object else {
      return state.withLock { state in
        guard state.isInFlight(build) else { return (state.phase == .open ? .superseded : .closed, []) }
        state.keep(product, as: build.key, under: ObjectIdentifier(build.key))
        return (.kept, state.removeWaiters(of: build))
      }
    }
    let result = state.withLock { state -> Hold<(Keeping, [Waiter], [Any])> in
      guard state.isInFlight(build) else { return Hold((state.phase == .open ? .superseded : .closed, [], [])) }
      state.slots.set(ObjectIdentifier(build.key), .object(UnownedObject(object, build.key)))
      return Hold((.kept, state.removeWaiters(of: build), state.sweep()))
    }
    return (result.value.0, result.value.1)
  }

  /// Ends a build that failed, so that the next look-up begins anew.
  func abandon(_ build: Build, _ error: ResolutionError) {
    build.end()
    PausePoint.reach(.ended)
    let waiters = state.withLock { state -> [Waiter] in
      guard state.isInFlight(build) else { return [] }
      state.slots.remove(ObjectIdentifier(build.key))
      return state.removeWaiters(of: build)
    }
    for waiter in waiters { waiter.resume(.failed(error)) }
  }

  /// Gives up a wait for a build. With the last waiter an asynchronous build is removed, so that the next look-up begins anew.
  ///
  /// - Returns: whether nobody waits for the build any more; the caller cancels it.
  func giveUp(_ waiter: Waiter, of build: Build) -> Bool {
    state.withLock { state in
      guard let index = state.waiters[ObjectIdentifier(build)]?.firstIndex(where: { $0 === waiter }) else {
        return false
      }
      state.waiters[ObjectIdentifier(build)]?.remove(at: index)
      guard build.isAsync, state.waiters[ObjectIdentifier(build)]?.isEmpty == true else { return false }
      state.waiters[ObjectIdentifier(build)] = nil
      state.slots.remove(ObjectIdentifier(build.key))
      return true
    }
  }

  /// Keeps instances that nobody built.
  func keep(given products: [(Registration, AnyInstance)]) {
    guard !products.isEmpty else { return }
    state.withLock { state in
      for (registration, product) in products {
        state.keep(product, as: registration, under: ObjectIdentifier(registration))
      }
    }
  }

  /// Keeps an instance that nobody built here, unless there is one or one is being built.
  func keepIfAbsent(_ product: AnyInstance, as key: any InstanceKey) {
    state.withLock { state in
      guard state.phase == .open, case nil = state.slots[ObjectIdentifier(key)] else { return }
      state.keep(product, as: key, under: ObjectIdentifier(key))
    }
  }

  /// Keeps a product alive while the look-up runs whose store this is.
  func keepAlive(_ product: AnyInstance, of registration: Registration) {
    state.withLock { $0.keep(product, as: registration, under: ObjectIdentifier(product)) }
  }

  /// The key of a service and its run-time arguments.
  ///
  /// - Returns: nil where an argument is not `Hashable`.
  func key(of registration: Registration, _ arguments: RuntimeArguments) -> ArgumentKey? {
    LockOrder.willCallUserCode()
    guard let wanted = ArgumentKey(arguments, of: registration) else { return nil }
    while true {
      // Those of the same hash are copied out, and compared without the lock.
      let known = state.withLock { Hold($0.argumentKeys[wanted.hash] ?? []) }.value
      if let same = known.first(where: { $0.equals(wanted) }) { return same }
      PausePoint.reach(.argumentsCompared)
      let swept = state.withLock { state -> Hold<[Any]?> in
        // Others may have come meanwhile, and these have to be compared as well.
        let current = state.argumentKeys[wanted.hash] ?? []
        guard current.count == known.count, zip(current, known).allSatisfy({ $0 === $1 }) else { return Hold(nil) }
        let swept = state.sweep()
        state.argumentKeys[wanted.hash, default: []].append(wanted)
        state.argumentKeyCount += 1
        return Hold(swept)
      }
      if swept.value != nil { return wanted }
    }
  }

  /// The build under way that is nested deepest; nil where nothing is being built.
  var innermostBuild: Build? {
    state.withLock { state in
      state.slots.values.compactMap { if case .build(let build) = $0 { build } else { nil } }
        .max { $0.depth < $1.depth }
    }
  }

  /// The store around this one, or this one itself, that belongs to a scope; nil where none does.
  func store(ofScope level: Int) -> InstanceStore? {
    var store: InstanceStore? = self
    while let current = store {
      if current.boundary == .scope(level) { return current }
      store = current.enclosing
    }
    return nil
  }

  /// How often the store was reset.
  var resetCount: Int { state.withLock { $0.resetCount } }

  /// Whether the store was not closed; it closes with each store around it.
  var isOpen: Bool { state.withLock { $0.phase == .open } }
}

// MARK: - The store of a look-up

extension InstanceStore {
  /// Notes that a look-up goes on to use the store, and the one around it, in which it may build as well.
  func resume() {
    state.withLock { $0.users += 1 }
    enclosing?.resume()
  }

  /// Notes that a look-up has ended that `resume` has told of.
  func suspendAll() {
    suspend()
    enclosing?.suspendAll()
  }

  /// Notes that a look-up has ended. With the last one the store lets go of its instances; those that others hold can still
  /// be found, by a `Lazy` that was made in the look-up.
  func suspend() {
    let released = state.withLock { state -> [AnyInstance] in
      state.users -= 1
      guard state.users == 0 else { return [] }
      var released: [AnyInstance] = []
      for (identity, slot) in Array(state.slots.pairs) {
        guard case .instance(let product) = slot else { continue }
        released.append(product)
        // What was only kept alive stands under its own identity, which ends with it.
        if let key = product.key, ObjectIdentifier(key) == identity,
          let object = key.registration?.product.object(of: product)
        {
          state.slots.set(identity, .object(UnownedObject(object, key)))
        } else {
          state.slots.remove(identity)
        }
      }
      return released
    }
    withExtendedLifetime(released) {}
  }
}

extension InstanceStore.State {
  /// Takes out those who wait for a build.
  mutating func removeWaiters(of build: Build) -> [Waiter] {
    waiters.isEmpty ? [] : waiters.removeValue(forKey: ObjectIdentifier(build)) ?? []
  }

  /// Whether a build was neither ended nor superseded.
  func isInFlight(_ build: Build) -> Bool {
    if case .build(let current) = slots[ObjectIdentifier(build.key)] { current === build } else { false }
  }

  /// Keeps a product, as the last that was built.
  mutating func keep(_ product: AnyInstance, as key: any InstanceKey, under identity: ObjectIdentifier) {
    product.key = key
    product.sequence = nextSequence
    nextSequence += 1
    slots.set(identity, .instance(product))
  }

  /// Waits for a build that somebody else has begun, where the caller can.
  mutating func join(_ build: Build, _ mode: InstanceStore.Mode) -> InstanceStore.Claim {
    let waiting = Build.running
    if mode == .findOnly || (mode == .blocking && build.isAsync) {
      return (waiting?.path(from: build)).map { .circular($0 + [build]) } ?? .absent
    }
    let waiter = Waiter(blocksThread: mode == .blocking)
    if let circle = BuildCoordinator.enter(waiter, of: waiting, for: build) { return .circular(circle) }
    waiters[ObjectIdentifier(build), default: []].append(waiter)
    return .building(waiter, build, on: waiting)
  }

  /// Removes what only its users kept and nobody uses any more, and the lists of arguments under which nothing is kept, whenever
  /// the number of entries or of lists has doubled.
  ///
  /// - Returns: what is to be released without the lock: also the objects that were found alive, as the reference that was
  ///   taken to look may have become the last one.
  mutating func sweep() -> [Any] {
    guard slots.count > sweepLimit || argumentKeyCount > sweepLimit else { return [] }
    var released: [Any] = []
    for (identity, slot) in Array(slots.pairs) {
      guard case .object(let unowned) = slot else { continue }
      if let object = unowned.object { released.append(object) } else { slots.remove(identity) }
    }
    released += removeUnusedArgumentKeys(Array(argumentKeys.keys))
    sweepLimit = max(64, 2 * max(slots.count, argumentKeyCount))
    return released
  }

  /// Removes the keys of some hashes that nothing else refers to: they belong to no entry, and no look-up is about to use them.
  ///
  /// - Returns: what is to be released without the lock.
  mutating func removeUnusedArgumentKeys(_ hashes: some Sequence<Int>) -> [ArgumentKey] {
    var released: [ArgumentKey] = []
    for hash in hashes {
      // Taken out, so that nothing but this list holds the keys.
      guard var keys = argumentKeys.removeValue(forKey: hash) else { continue }
      argumentKeyCount -= keys.count
      for index in keys.indices.reversed() where isKnownUniquelyReferenced(&keys[index]) {
        released.append(keys.remove(at: index))
      }
      if !keys.isEmpty { argumentKeys[hash] = keys }
      argumentKeyCount += keys.count
    }
    return released
  }
}
