// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The key of an instance in a store, compared by identity: a `Registration`, an `ArgumentKey` for a service with
/// run-time arguments, or a `LazyKey` for a `Lazy`. Each slot retains its key, so that the identity stays unique.
protocol InstanceKey: AnyObject, Sendable {
  /// The service; `nil` for the value of a `Lazy`.
  var registration: Registration? { get }
}

extension InstanceKey {
  /// Whether the service was replaced, so that no look-up would find a new instance.
  var isReplaced: Bool { registration?.isReplaced == true }
}

/// The instances of one boundary: a container, an open scope, or one look-up.
///
/// Plain data behind one mutex. Removed values are returned, and the caller releases or calls them without the mutex.
@usableFromInline final class InstanceStore: Sendable {
  /// The boundary in which instances live.
  enum Boundary: Hashable, Sendable {
    case container
    /// An open scope, by its index among the scopes of the container; the outermost is 0.
    case scope(Int)
    /// A look-up. It retains its instances while it runs. Afterwards, instances that are still in use can be found.
    case lookUp
  }

  /// The state of one key. Guarded by the lock of the store.
  enum Slot {
    case build(Build)
    /// A product that the store retains.
    case instance(AnyInstance)
    /// A product that only its users retain.
    case object(WeakObject)

    var key: (any InstanceKey)? {
      switch self {
      case .build(let build): build.key
      case .instance(let product): product.key
      case .object(let unowned): unowned.key
      }
    }
  }

  /// A weak reference to a product that only its users retain.
  final class WeakObject {
    let key: any InstanceKey
    /// The position in the order of building.
    let sequence: Int
    private(set) weak var object: AnyObject?

    init(_ object: AnyObject, _ key: any InstanceKey, sequence: Int) {
      self.object = object
      self.key = key
      self.sequence = sequence
    }
  }

  /// Whether the store is open, closing or closed.
  enum Phase: UInt8, AtomicRepresentable {
    case open
    /// The store accepts nothing any more, and its instances are being disposed of.
    case closing
    case closed
  }

  struct State {
    var slots = IdentityTable<Slot>()
    /// The builds that were removed from their slots, by a reset or because nobody waited any more, and whose builders
    /// have not ended. A shutdown waits for them as well.
    var superseded = IdentityTable<Build>()
    /// The waiters of each build that has any, by the identity of the build and their own.
    var waiters: [ObjectIdentifier: IdentityTable<Waiter>] = [:]
    /// The lists of run-time arguments under which instances are kept, by their hash.
    var argumentKeys: [Int: [ArgumentKey]] = [:]
    /// The next position in the order of building and opening.
    var nextSequence = 0
    /// The stores of open scopes and of child containers, which close before this one; of a look-up, the stores of its
    /// parts, which end with it.
    var inner = IdentityTable<Inner>()
    /// Tasks and disposals that wait until this store is closed.
    var waitingForClose: [WaitingForClose] = []
    /// The number of resets and replacements, which make arguments that were looked up before invalid.
    var resetCount = 0
    /// The number of look-ups that use the store, if it belongs to a look-up.
    var users = 1
    var argumentKeyCount = 0
    /// The objects that the store keeps, once they were asked for; `nil` as long as they were not, and after instances
    /// were removed. In a store that is being closed, the objects that are closed with it.
    var objects: Set<ObjectIdentifier>?
    /// The number of slots or lists of arguments above which unused ones are removed.
    var sweepLimit = 64
  }

  /// The store of a scope or a child container, with its number in the order of opening.
  struct Inner {
    let number: Int
    let store: InstanceStore
  }

  /// A shutdown that waits for the running code, which disposes of an instance. A product that its store did not keep is
  /// disposed of as in a shutdown of the store.
  struct RunningShutdown: Sendable {
    let store: InstanceStore
    /// The series of reloads of the instance's container; `nil` if it is not reloaded.
    let family: Generation.Family?
    /// The build of a product that the store did not keep; `nil` for an instance.
    var build: Build?
  }

  /// The shutdowns that wait for the running code.
  @TaskLocal static var shuttingDown: [RunningShutdown] = []

  let boundary: Boundary
  /// The enclosing store: that of the outer scope or the container, of the parent container, or of a look-up that
  /// continues in another isolation domain; `nil` for a root.
  let enclosing: InstanceStore?
  /// Whether the store is for the part of a look-up that runs on the main actor.
  let isOnMainActor: Bool
  /// The directory of a container, which closes with the store; `nil` for other boundaries.
  let directory: Directory?
  let state = Guarded(State(), rank: .store)
  /// See `phase`.
  private let currentPhase = Atomic(Phase.open)

  /// Creates an empty store.
  ///
  /// - Parameter users: the number of look-ups that use the store of a look-up from the start: the one that creates it,
  ///   or none if it is for later look-ups.
  init(
    _ boundary: Boundary, in enclosing: InstanceStore?, isOnMainActor: Bool = false, directory: Directory? = nil,
    users: Int = 1
  ) {
    self.boundary = boundary
    self.isOnMainActor = isOnMainActor
    self.enclosing = enclosing
    self.directory = directory
    if users != 1 { state.withLock { $0.users = users } }
  }
}

/// An instance that the application passes to a container or a scope, with the service that takes it.
struct GivenInstance {
  let service: Registration
  let product: AnyInstance
  /// The position among the values that the application passes.
  let position: Int
}

// MARK: - Look-up and building

extension InstanceStore {
  /// The result of a claim.
  enum Claim: Sendable {
    case product(AnyInstance)
    /// An object that only its users retain.
    case object(Transferred<AnyObject>)
    /// The caller builds, and calls `keep` or `abandon`. If the builder is awaited, it also waits.
    case claimed(Build, Waiter?)
    /// There is no instance, and the caller cannot build one.
    case absent
    /// Another caller builds. This caller waits.
    case building(Waiter)
    /// The build would wait for itself. The value is the cycle.
    case cycle([Build])
    /// The service was replaced, or the arguments are outdated: look up again.
    case superseded
    case closed
  }

  /// What the caller of `claim` can do.
  enum Mode {
    /// Take an existing instance.
    case findOnly
    /// Build, and block its thread to wait.
    case blocking
    /// Build, and suspend its task to wait.
    case suspending
    /// Start a task that builds, and suspend its own task to wait.
    case inTask
  }

  /// Returns an existing instance, or claims the build, or joins an in-flight build.
  ///
  /// - Parameters:
  ///   - registration: the service that a `Lazy` stands for; `nil` for other builds, whose key has the service.
  ///   - resetCount: the reset count of the store when the arguments of the builder were looked up; `nil` if they were
  ///     not. A later reset disposes of them, and a replacement takes the place of one, so the claim is superseded.
  func claim(
    _ key: any InstanceKey, for registration: Registration? = nil, mode: Mode, since resetCount: Int? = nil
  ) -> Claim {
    state.withLock { state in
      if phase != .open { return .closed }
      let identity = ObjectIdentifier(key)
      switch state.slots[identity] {
      case .instance(let product): return .product(product)
      case .build(let build): return state.join(build, mode)
      case .object(let unowned): if let object = unowned.object { return .object(Transferred(object)) }
      case nil: break
      }
      if mode == .findOnly { return .absent }
      // No look-up would find the instance, and it would be disposed of only when the store is closed.
      if key.isReplaced { return .superseded }
      if let resetCount, resetCount != state.resetCount { return .superseded }
      let build = Build(of: key, for: registration, in: self, isAsync: mode == .inTask)
      state.slots.set(identity, .build(build))
      guard mode == .inTask else { return .claimed(build, nil) }
      let waiter = Waiter(for: build, of: nil, blocksThread: false, hasBegun: true)
      state.add(waiter)
      return .claimed(build, waiter)
    }
  }

  /// Returns the product of a key; `nil` if there is none, or only its users retain it.
  func product(_ key: any InstanceKey) -> AnyInstance? {
    state.withLock { state in
      if case .instance(let product) = state.slots[ObjectIdentifier(key)] { product } else { nil }
    }
  }

  /// Returns the object of a key that only its users retain, with its position in the order of building; `nil` if there
  /// is none.
  func object(_ key: any InstanceKey) -> (object: AnyObject, sequence: Int)? {
    state.take { state in
      guard case .object(let unowned) = state.slots[ObjectIdentifier(key)], let object = unowned.object else {
        return nil
      }
      return (object, unowned.sequence)
    }
  }

  /// The instances that the store keeps, in no order.
  var products: [(registration: Registration, instance: AnyInstance)] {
    state.take { $0.products }
  }

  /// Returns whether this store or an enclosing one keeps an object, or is closing it.
  ///
  /// - Complexity: constant for each store; linear in the instances of a store for the first call after some of them were
  ///   removed.
  func keeps(_ object: ObjectIdentifier) -> Bool {
    sequence(first: self, next: \.enclosing).contains { $0.state.withLock { $0.keeps(object) } }
  }

  /// Returns whether there is an instance of a key.
  func has(_ key: any InstanceKey) -> Bool { product(key) != nil || object(key) != nil }

  /// Removes the product of a key.
  ///
  /// - Parameter expected: the product to remove; `nil` for any.
  func removeProduct(_ key: any InstanceKey, if expected: AnyInstance? = nil) -> AnyInstance? {
    state.withLock { state in
      guard case .instance(let product) = state.slots[ObjectIdentifier(key)], expected == nil || expected === product
      else { return nil }
      state.slots.remove(ObjectIdentifier(key))
      state.objects = nil
      return product
    }
  }

  /// What happened to a built product.
  enum Keeping {
    case kept
    /// The build was superseded: look up again.
    case superseded
    /// The store was closed.
    case closed
    /// The store was closed, and the shutdown that waits for the build disposes of the product.
    case handedOver
  }

  /// Ends a build with its product.
  ///
  /// - Parameter object: the product as an object if only its users retain it; `nil` if the store does.
  /// - Returns: whether the store keeps the product, and the waiters to resume with it. The caller disposes of a product
  ///   that the store does not keep, and then calls `abandon`.
  func keep(
    _ product: AnyInstance, weakly object: AnyObject?, _ build: Build
  ) -> (keeping: Keeping, waiters: [Waiter]) {
    build.end()
    let (kept, swept) = state.take { state -> ((Keeping, [Waiter]), [Any]) in
      guard state.isInFlight(build) else {
        if phase == .open { return ((.superseded, []), []) }
        let waiters = state.removeWaiters(of: build)
        return ((waiters.isEmpty ? .closed : .handedOver, waiters), [])
      }
      if let object {
        state.keep(object, as: build.key)
      } else {
        state.keep(product, as: build.key, under: ObjectIdentifier(build.key))
      }
      return ((.kept, state.removeWaiters(of: build)), object == nil ? [] : state.sweep())
    }
    withExtendedLifetime(swept) {}
    return kept
  }

  /// Ends a build without an instance in the store, so that the next look-up starts a new one.
  func abandon(_ build: Build, _ error: ResolutionError) {
    build.end()
    PausePoint.reach(.ended)
    let waiters = state.withLock { state -> [Waiter] in
      if state.isInFlight(build) { state.slots.remove(ObjectIdentifier(build.key)) }
      state.superseded.remove(ObjectIdentifier(build))
      return state.removeWaiters(of: build)
    }
    for waiter in waiters { waiter.resume(.failed(error)) }
  }

  /// Removes a waiter. An async build without waiters is removed, so that the next look-up starts a new one.
  ///
  /// - Returns: whether an async build was removed. Then the caller cancels it.
  func withdraw(_ waiter: Waiter) -> Bool {
    let build = waiter.build
    return state.withLock { state in
      guard state.waiters[ObjectIdentifier(build)]?.remove(ObjectIdentifier(waiter)) != nil, build.isAsync,
        state.waiters[ObjectIdentifier(build)]?.count == 0
      else { return false }
      state.waiters[ObjectIdentifier(build)] = nil
      state.slots.remove(ObjectIdentifier(build.key))
      state.superseded.set(ObjectIdentifier(build), build)
      return true
    }
  }

  /// Stores instances that the application gives, to be disposed of with the store. Called after the store was added to
  /// the enclosing one.
  ///
  /// - Returns: false if the store was closed meanwhile. Then the instances remain those of the application.
  func keep(given instances: [GivenInstance]) -> Bool {
    PausePoint.reach(.opened)
    if instances.isEmpty { return true }
    return state.withLock { state in
      guard phase == .open else { return false }
      for given in instances { state.keep(given.product, as: given.service, under: ObjectIdentifier(given.service)) }
      return true
    }
  }

  /// Stores a product that no look-up finds here: until the store is closed, or while the look-up of this store runs.
  func keepAlive(_ product: AnyInstance, of registration: Registration) {
    state.withLock { state in
      if phase == .open, state.users > 0 { state.keep(product, as: registration, under: ObjectIdentifier(product)) }
    }
  }

  /// Returns the key of a service and its run-time arguments.
  ///
  /// - Returns: `nil` if an argument is not `Hashable`.
  func key(of registration: Registration, _ arguments: RuntimeArguments) -> ArgumentKey? {
    LockOrder.willCallUserCode()
    guard let wanted = ArgumentKey(arguments, of: registration) else { return nil }
    while true {
      // Copies the keys of the same hash, to compare them without the lock.
      let known = state.take { $0.argumentKeys[wanted.hash] ?? [] }
      if let same = known.first(where: { $0.equals(wanted) }) { return same }
      PausePoint.reach(.argumentsCompared)
      let swept = state.take { state -> [Any]? in
        // A closed store keeps no keys, which retain the container.
        if phase != .open { return [] }
        // If other keys were added meanwhile, they have to be compared, too.
        let current = state.argumentKeys[wanted.hash] ?? []
        guard current.count == known.count, zip(current, known).allSatisfy({ $0 === $1 }) else { return nil }
        let swept = state.sweep()
        state.argumentKeys[wanted.hash, default: []].append(wanted)
        state.argumentKeyCount += 1
        return swept
      }
      if swept != nil { return wanted }
    }
  }

  /// The most deeply nested in-flight build; `nil` if there is none.
  var innermostBuild: Build? {
    state.withLock { state in
      state.slots.values.compactMap { if case .build(let build) = $0 { build } else { nil } }
        .max { $0.depth < $1.depth }
    }
  }

  /// Returns the store of a scope, among this store and the enclosing ones; `nil` if none belongs to the scope.
  func store(ofScope level: Int) -> InstanceStore? {
    var store: InstanceStore? = self
    while let current = store {
      if current.boundary == .scope(level) { return current }
      store = current.enclosing
    }
    return nil
  }

  var resetCount: Int { state.withLock { $0.resetCount } }

  /// Makes arguments invalid that were looked up for builds that are not claimed yet.
  func supersedeArguments() { state.withLock { $0.resetCount += 1 } }

  /// Whether the store is open, closing or closed. It does not change while the store is locked, and is read without the
  /// lock by look-ups in a scope that find an instance elsewhere.
  var phase: Phase { currentPhase.load(ordering: .acquiring) }

  /// Changes the phase. The state shows that the caller has locked the store.
  func set(_ phase: Phase, _ state: inout State) { currentPhase.store(phase, ordering: .releasing) }

  /// Whether the store is open. It closes with each enclosing store.
  var isOpen: Bool { phase == .open }
}

// MARK: - The store of a look-up

extension InstanceStore {
  /// Returns a store for a part of this look-up that runs in another isolation domain.
  func part(isOnMainActor: Bool) -> InstanceStore {
    let part = InstanceStore(.lookUp, in: self, isOnMainActor: isOnMainActor)
    state.withLock { state in
      if state.users > 0 { state.inner.set(ObjectIdentifier(part), Inner(number: 0, store: part)) }
    }
    return part
  }

  /// Records that another look-up uses the store and the enclosing ones, in which it may build as well.
  func resume() {
    state.withLock { $0.users += 1 }
    enclosing?.resume()
  }

  /// Records the end of a look-up that `resume` has recorded.
  func suspendAll() {
    suspend()
    enclosing?.suspendAll()
  }

  /// Records the end of a look-up. After the last one the store and those of its parts release their instances. A
  /// `Lazy` that was made in the look-up can still find those that others retain.
  func suspend() {
    let (released, parts) = state.withLock { state -> ([AnyInstance], [InstanceStore]) in
      state.users -= 1
      guard state.users == 0 else { return ([], []) }
      var released: [AnyInstance] = []
      for (identity, slot) in Array(state.slots.pairs) {
        guard case .instance(let product) = slot else { continue }
        released.append(product)
        // A product that was only kept alive is stored under its own identity, which is valid only as long as it lives.
        if let key = product.key, ObjectIdentifier(key) == identity,
          let object = key.registration?.factory.object(of: product)
        {
          state.slots.set(identity, .object(WeakObject(object, key, sequence: product.sequence)))
        } else {
          state.slots.remove(identity)
        }
      }
      return (released, state.inner.removeAll(\.store))
    }
    for part in parts { part.suspend() }
    withExtendedLifetime(released) {}
  }
}

extension InstanceStore.State {
  mutating func add(_ waiter: Waiter) {
    waiters[ObjectIdentifier(waiter.build), default: IdentityTable()].set(ObjectIdentifier(waiter), waiter)
  }

  mutating func removeWaiters(of build: Build) -> [Waiter] {
    if waiters.isEmpty { return [] }
    return waiters.removeValue(forKey: ObjectIdentifier(build)).map { Array($0.values) } ?? []
  }

  func isInFlight(_ build: Build) -> Bool {
    if case .build(let current) = slots[ObjectIdentifier(build.key)] { current === build } else { false }
  }

  /// Stores a product, as the last one in the order of building.
  mutating func keep(_ product: AnyInstance, as key: any InstanceKey, under identity: ObjectIdentifier) {
    product.key = key
    product.sequence = nextSequence
    nextSequence += 1
    slots.set(identity, .instance(product))
    if objects != nil { objects?.formUnion(product.objects) }
  }

  var products: [(registration: Registration, instance: AnyInstance)] {
    slots.values.compactMap { slot in
      guard case .instance(let product) = slot, let registration = product.key?.registration else { return nil }
      return (registration, product)
    }
  }

  mutating func keeps(_ object: ObjectIdentifier) -> Bool { keptObjects().contains(object) }

  /// Returns the objects that the store keeps.
  mutating func keptObjects() -> Set<ObjectIdentifier> {
    let objects = objects ?? Set(products.flatMap(\.instance.objects))
    self.objects = objects
    return objects
  }

  /// Stores an object that only its users retain, as the last one in the order of building.
  mutating func keep(_ object: AnyObject, as key: any InstanceKey) {
    slots.set(ObjectIdentifier(key), .object(InstanceStore.WeakObject(object, key, sequence: nextSequence)))
    nextSequence += 1
  }

  /// Joins a build that another caller has started, if the caller can wait for it.
  mutating func join(_ build: Build, _ mode: InstanceStore.Mode) -> InstanceStore.Claim {
    let waiting = Build.running
    if mode == .findOnly || (mode == .blocking && build.isAsync) {
      return (waiting?.path(from: build)).map { .cycle($0 + [build]) } ?? .absent
    }
    let waiter = Waiter(for: build, of: waiting, blocksThread: mode == .blocking)
    if let cycle = BuildCoordinator.enter(waiter) { return .cycle(cycle) }
    add(waiter)
    return .building(waiter)
  }

  /// Removes weak slots without an object and unused argument keys, whenever the number of slots or keys has doubled.
  ///
  /// - Returns: the objects to release without the lock. They include objects that are still alive, since the strong
  ///   reference that was taken to check one may have become the last.
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

  /// Removes the keys of some hashes that have no other reference: no slot has them, and no look-up is about to use
  /// them.
  ///
  /// - Returns: the keys, to be released without the lock.
  mutating func removeUnusedArgumentKeys(_ hashes: some Sequence<Int>) -> [ArgumentKey] {
    var released: [ArgumentKey] = []
    for hash in hashes {
      // Removed from the table, so that this array has the only reference to the keys.
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
