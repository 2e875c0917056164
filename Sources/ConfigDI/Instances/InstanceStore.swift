// SPDX-License-Identifier: Apache-2.0

/// The instances of one boundary: a container, an open scope, or one look-up.
///
/// Plain data behind one mutex. What is taken out is returned, and released or called by the caller without the mutex.
@usableFromInline final class InstanceStore: Sendable {
  /// Which boundary the instances live in.
  enum Boundary: Hashable, Sendable {
    /// A container.
    case container
    /// An open scope, by its place among the scopes of the container, the outermost 0.
    case scope(Int)
    /// A look-up. Its instances are held while it runs; afterwards those that somebody still holds can be found.
    case lookUp
  }

  /// What an instance is kept under.
  struct Key {
    /// The registration, or whatever else is built once, or the list of run-time arguments of a registration. The entry holds it,
    /// so that its identity stays its own.
    let identity: ObjectIdentifier
    /// The run-time arguments; nil where there are none.
    let arguments: ArgumentKey?

    /// The key of what is built once.
    init(_ subject: AnyObject) {
      identity = ObjectIdentifier(subject)
      arguments = nil
    }

    /// The key of a registration and a list of run-time arguments.
    init(_ arguments: ArgumentKey) {
      identity = ObjectIdentifier(arguments)
      self.arguments = arguments
    }

    /// Whether it is a key of a registration, and not of a `Lazy` that stands for its service.
    func isOf(_ registration: Registration) -> Bool { arguments != nil || identity == ObjectIdentifier(registration) }
  }

  /// What there is of one key: a build, then its product. Guarded by the lock of the store.
  final class Slot {
    /// The service; nil for the value of a `Lazy` that stands alone.
    let registration: Registration?
    /// The run-time arguments; nil where there are none.
    var arguments: ArgumentKey?
    /// The build that is in flight; nil once there is a product.
    var build: Build?
    /// The product, where the store keeps it.
    var product: AnyInstance?
    /// The product, where only its users keep it; nil once it is gone.
    weak var object: AnyObject?
    /// The number of builds that had ended in the store before.
    var sequence = 0

    /// A slot of a service.
    init(_ registration: Registration?, _ arguments: ArgumentKey?) {
      self.registration = registration
      self.arguments = arguments
    }

    /// A product that is kept elsewhere or only by its users, as an instance to dispose of.
    var kept: Kept? { product.map { Kept(registration: registration, product: $0, sequence: sequence) } }
  }

  /// An instance that was taken out, and its place in the order of building.
  struct Kept {
    /// The service; nil for the value of a `Lazy` that stands alone.
    let registration: Registration?
    /// The product.
    let product: AnyInstance
    /// The number of builds that had ended in the store before.
    let sequence: Int
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
    /// What has to be disposed of once this store is.
    var later: [Disposal] = []
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

  /// Which boundary the instances live in.
  let boundary: Boundary
  /// The store around this one: of the enclosing scope or the container, of the parent container, or of the look-up that goes
  /// on elsewhere; nil for that of a root.
  let enclosing: InstanceStore?
  /// The directory of a container, which closes with it; nil for others.
  let directory: Directory?
  /// What changes.
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
  enum Claim {
    /// The product.
    case product(AnyInstance)
    /// An object that nobody but its users keeps.
    case object(AnyObject)
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
  func claim(_ key: Key, for registration: Registration?, mode: Mode) -> Claim {
    let found = state.withLock { state -> Hold<Claim> in
      if state.phase != .open { return Hold(.closed) }
      let slot = state.slots[key.identity]
      if let slot {
        if let product = slot.product { return Hold(.product(product)) }
        if let object = slot.object { return Hold(.object(object)) }
        if let build = slot.build { return Hold(state.join(build, mode)) }
      }
      if mode == .findOnly { return Hold(.absent) }
      // Nothing would find it, and nothing would dispose of it before the store is closed.
      if let registration, key.isOf(registration), registration.isReplaced { return Hold(.superseded) }
      let build = Build(of: registration, isAsync: mode == .inTask)
      let waiter = mode == .inTask ? Waiter(blocksThread: false) : nil
      if let waiter { state.waiters[ObjectIdentifier(build)] = [waiter] }
      if let slot {
        slot.build = build
      } else {
        let slot = Slot(registration, key.arguments)
        slot.build = build
        state.slots.set(key.identity, slot)
      }
      return Hold(.claimed(build, waiter))
    }
    return found.value
  }

  /// The product of a key, where it is there; nil also where only its users keep it.
  func product(_ key: Key) -> AnyInstance? {
    let found = state.withLock { state -> Hold<AnyInstance?> in
      Hold(state.slots[key.identity]?.product)
    }
    return found.value
  }

  /// Whether there is an instance of a key.
  func has(_ key: Key) -> Bool {
    let object = state.withLock { state -> Hold<AnyObject?> in
      Hold(state.slots[key.identity]?.product ?? state.slots[key.identity]?.object)
    }
    return object.value != nil
  }

  /// Takes out the product of a key; nil where there is none.
  func removeProduct(_ key: Key) -> AnyInstance? {
    let removed = state.withLock { state -> Hold<AnyInstance?> in
      guard let product = state.slots[key.identity]?.product else { return Hold(nil) }
      state.slots.remove(key.identity)
      return Hold(product)
    }
    return removed.value
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
  /// - Parameters:
  ///   - object: the product as an object, where only its users keep it; nil where the store does.
  ///   - publish: called where the store keeps the product, under the lock.
  /// - Returns: whether the store keeps the product; where it does not, the caller disposes of it.
  func keep(
    _ product: AnyInstance, of registration: Registration?, as key: Key, weakly object: AnyObject?, _ build: Build
  ) -> (Keeping, waiters: [Waiter]) {
    build.end()
    let result = state.withLock { state -> Hold<(Keeping, [Waiter], [Any])> in
      guard let slot = state.slots[key.identity], slot.build === build else {
        return Hold((state.phase == .open ? .superseded : .closed, [], []))
      }
      let waiters = state.removeWaiters(of: build)
      slot.build = nil
      if let object {
        slot.object = object
        return Hold((.kept, waiters, state.sweep()))
      }
      state.keep(product, in: slot)
      return Hold((.kept, waiters, []))
    }
    return (result.value.0, result.value.1)
  }

  /// Ends a build that failed, so that the next look-up begins anew.
  func abandon(_ key: Key, _ build: Build, _ error: ResolutionError) {
    build.end()
    PausePoint.reach(.ended)
    for waiter in remove(key, build) { waiter.resume(.failed(error)) }
  }

  /// Removes a build.
  ///
  /// - Returns: those who wait for it.
  private func remove(_ key: Key, _ build: Build) -> [Waiter] {
    let removed = state.withLock { state -> Hold<[Waiter]> in
      guard state.slots[key.identity]?.build === build else { return Hold([]) }
      state.slots.remove(key.identity)
      return Hold(state.removeWaiters(of: build))
    }
    return removed.value
  }

  /// Gives up a wait. With the last waiter the build is removed, so that the next look-up begins anew.
  ///
  /// - Returns: the build, where nobody waits for it any more; the caller cancels it.
  func giveUp(_ waiter: Waiter, _ key: Key) -> Build? {
    let removed = state.withLock { state -> Hold<Build?> in
      guard let build = state.slots[key.identity]?.build,
        let index = state.waiters[ObjectIdentifier(build)]?.firstIndex(where: { $0 === waiter })
      else { return Hold(nil) }
      state.waiters[ObjectIdentifier(build)]?.remove(at: index)
      guard build.isAsync, state.waiters[ObjectIdentifier(build)]?.isEmpty == true else { return Hold(nil) }
      state.waiters[ObjectIdentifier(build)] = nil
      state.slots.remove(key.identity)
      return Hold(build)
    }
    return removed.value
  }

  /// Keeps a product alive while the look-up runs whose store this is.
  func keepAlive(_ product: AnyInstance, of registration: Registration) {
    state.withLock { state in
      let slot = Slot(registration, nil)
      state.keep(product, in: slot)
      state.slots.set(ObjectIdentifier(product), slot)
    }
  }

  /// The key of a service and its run-time arguments.
  ///
  /// - Returns: nil where an argument is not `Hashable`.
  func key(of registration: Registration, _ arguments: RuntimeArguments?) -> Key? {
    guard let arguments else { return Key(registration) }
    LockOrder.willCallUserCode()
    guard let wanted = arguments.key(of: registration) else { return nil }
    while true {
      // Those of the same hash are copied out, and compared without the lock.
      let known = state.withLock { Hold($0.argumentKeys[wanted.hash] ?? []) }.value
      if let same = known.first(where: { $0.equals(wanted) }) {
        return Key(same)
      }
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
      if swept.value != nil { return Key(wanted) }
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
    let released = state.withLock { state -> Hold<[AnyInstance]> in
      state.users -= 1
      guard state.users == 0 else { return Hold([]) }
      var released: [AnyInstance] = []
      for slot in state.slots.values {
        guard let product = slot.product else { continue }
        released.append(product)
        slot.object = slot.registration?.product.object(of: product)
        slot.product = nil
      }
      return Hold(released)
    }
    withExtendedLifetime(released) {}
  }
}

extension InstanceStore.State {
  /// Takes out those who wait for a build.
  mutating func removeWaiters(of build: Build) -> [Waiter] {
    waiters.isEmpty ? [] : waiters.removeValue(forKey: ObjectIdentifier(build)) ?? []
  }

  /// Keeps a product, as the last that was built.
  mutating func keep(_ product: AnyInstance, in slot: InstanceStore.Slot) {
    slot.product = product
    slot.sequence = nextSequence
    nextSequence += 1
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
    for (key, slot) in Array(slots.pairs) where slot.product == nil && slot.build == nil {
      let object = slot.object
      released.append(object ?? slot)
      guard object == nil else { continue }
      slots.remove(key)
      // So that its list of arguments is seen to be unused.
      slot.arguments = nil
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
