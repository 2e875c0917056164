// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The place of a container in a series of containers that replace each other by reloads.
///
/// A service that is the same in two containers keeps its instance. Then both containers keep the instance, and the
/// last one that releases it disposes of it. See `KeptInstance`.
final class Generation: Sendable {
  /// The state that all containers of a series share.
  final class Family: Sendable {
    /// The container that has replaced the others; `nil` before the first one, and once it is released.
    let current = WeakReference<Generation>()
    /// The last number that was given to a container or to a task that closes one.
    private let count = Atomic(0)
    /// The tasks that shut down containers which nobody holds any more, by number.
    private let closing = Guarded<[Int: Task<Void, Never>]>([:])
    /// The records of the instances that the application gives to each container, by their position in its list.
    private let given = Guarded<[Int: KeptInstance]>([:])

    init() {}

    fileprivate func next() -> Int { count.add(1, ordering: .relaxed).newValue }

    /// Returns the record of the given instance at a position, after counting a container that keeps the instance.
    fileprivate func given(_ position: Int, in generation: Generation) -> KeptInstance {
      let (kept, isKnown) = given.withLock { given in
        if let known = given[position] { return (known, true) }
        let kept = KeptInstance(in: generation)
        given[position] = kept
        return (kept, false)
      }
      if isKnown { kept.join() }
      return kept
    }

    /// Whether a builder of one of the containers waits for the running code.
    var waitsForRunningCode: Bool {
      Build.runningPath.contains { $0.registration?.home.generation?.family === self }
    }

    /// Runs, in a task, a closure that closes a container.
    func close(_ body: @escaping @Sendable () async -> Void) {
      let number = next()
      closing.withLock { closing in
        closing[number] = Task {
          await body()
          _ = self.closing.take { $0.removeValue(forKey: number) }
        }
      }
    }

    /// Waits until the tasks that close containers have ended.
    func closed() async {
      for task in closing.withLock({ Array($0.values) }) { await task.value }
    }
  }

  private struct Content {
    weak var state: ContainerState?
    /// The handle that users hold; `nil` once nobody does.
    weak var handle: (any AnyObject & Sendable)?
    /// The range of cells of each service of the module.
    var cells: [ScalarString: Range<Int>] = [:]
    /// The instances that may pass to other containers, by their registration in this one.
    var kept: [ObjectIdentifier: KeptInstance] = [:]
  }

  let family: Family
  /// The position in the order of creation.
  private let number: Int
  /// Closes the state of a container whose handle was released.
  let close: @Sendable (ContainerState) -> Void
  private let content = Guarded(Content())

  init(of family: Family, closing close: @escaping @Sendable (ContainerState) -> Void) {
    self.family = family
    self.close = close
    number = family.next()
  }

  /// Sets the state and the handle of the container, and the cells of its services.
  func begin(_ state: ContainerState, handle: any AnyObject & Sendable, cells: [ScalarString: Range<Int>]) {
    let (state, handle) = (Transferred(state), Transferred(handle))
    content.withLock {
      $0.state = state.value
      $0.handle = handle.value
      $0.cells = cells
    }
  }

  /// Returns the cells of a service of the module; `nil` if there is no such service.
  func cells(of id: String) -> Range<Int>? { content.withLock { $0.cells[ScalarString(id)] } }

  /// Returns the record of a shared service's instance, which containers pass on. Creates it if there is none.
  func kept(_ registration: Registration) -> KeptInstance {
    let identity = ObjectIdentifier(registration)
    return content.withLock { content in
      if let kept = content.kept[identity] { return kept }
      let kept = KeptInstance(in: self)
      content.kept[identity] = kept
      return kept
    }
  }

  /// Returns the record of a shared service's instance; `nil` if no container has passed the instance on, and no value that
  /// its builder received looks up later.
  func known(_ registration: Registration) -> KeptInstance? {
    content.withLock { $0.kept[ObjectIdentifier(registration)] }
  }

  /// Adds the record of an instance that was taken over from another container.
  func keep(_ kept: KeptInstance, as registration: Registration) {
    content.withLock { $0.kept[ObjectIdentifier(registration)] = kept }
  }

  /// Records that this container keeps the instance at a position among those that the application gives.
  func keep(given position: Int, as registration: Registration) {
    keep(family.given(position, in: self), as: registration)
  }

  /// Records that this container releases an instance; see `Registration.release`.
  func release(_ registration: Registration, closing store: InstanceStore?) -> [InstanceStore]? {
    let kept = content.withLock { $0.kept.removeValue(forKey: ObjectIdentifier(registration)) }
    return kept.map { $0.release(closing: store) } ?? []
  }

  /// Makes this the current container: the instances that passed to it look up here from now on.
  func becomeCurrent() {
    for kept in content.withLock({ Array($0.kept.values) }) { kept.pass(to: self) }
    family.current.object = self
  }

  /// Returns the container in which a value that this container handed out, such as a `Lazy`, looks up now, and the
  /// handle that retains it; `nil` if all containers are gone.
  ///
  /// - Parameter holder: the instance that holds the value; `nil` if reloads do not keep that instance.
  func place(for holder: KeptInstance?) -> Place? {
    if let place = (holder == nil ? self : holder?.latest.object)?.place { return place }
    while let newest = family.current.object {
      if let place = newest.place { return place }
      // Another container may have replaced the newest one before that was released or closed: try again.
      if family.current.object === newest { return nil }
    }
    return nil
  }

  /// Returns the container in which new work starts, such as the scope of a request: the current container if it is
  /// newer than that of the holder, else the one that `place(for:)` returns. A server whose own definition has changed
  /// continues to run in the old container, which its requests would otherwise keep alive for ever.
  func newestPlace(for holder: KeptInstance?) -> Place? {
    let own = holder?.latest.object ?? self
    if let newest = family.current.object, newest.number > own.number, let place = newest.place { return place }
    return place(for: holder)
  }

  /// A container in which a look-up takes place.
  struct Place {
    let generation: Generation
    let state: ContainerState
    /// The handle, which keeps the container alive.
    let handle: any AnyObject & Sendable

    /// Returns the cell of a service of the module, as one of its types; `nil` if there is none.
    func cell(of id: String, as type: Any.Type) -> CellReference? {
      guard let cells = generation.cells(of: id) else { return nil }
      let cell = state.directory.read { tables in
        tables.isClosed ? nil : cells.first { tables.cells[$0].type == ObjectIdentifier(type) }
      }
      return cell.map { CellReference(state, $0) }
    }
  }

  /// The container; `nil` if it is released or closed.
  private var place: Place? {
    let found = content.take { ($0.state, $0.handle) }
    guard let state = found.0, let handle = found.1, state.store.isOpen else { return nil }
    return Place(generation: self, state: state, handle: handle)
  }
}

/// The record of a shared service's instance that passes from container to container with each reload.
final class KeptInstance: Sendable {
  private struct Content {
    /// The number of containers that keep the instance.
    var containers = 1
    /// The stores that have released the instance when they were closed, and may be disposing of instances that hold it.
    var closing: [InstanceStore] = []
  }

  /// The lock that is held while a store that is closed releases its instances. So if two stores share instances, the
  /// one that is closed later waits for the other, and the two never wait for each other.
  private static let releasing = Guarded((), rank: .release)

  private let content = Guarded(Content())
  /// Whether the builder has ended, and a container keeps the instance.
  private let isBuilt = Atomic(false)
  /// See `hasUndeclaredParts`.
  private let isUndeclared = Atomic(false)
  /// The number of times that the instance has passed to another container.
  private let passCount = Atomic(0)
  /// The last container to which the instance has passed, in which it looks up.
  let latest: WeakReference<Generation>

  init(in generation: Generation) { latest = WeakReference(generation) }

  /// Whether the instance may hold any instance that was built before it, not only those that its service declares to need.
  var hasUndeclaredParts: Bool { isUndeclared.load(ordering: .acquiring) }

  func setHasUndeclaredParts() { isUndeclared.store(true, ordering: .releasing) }

  /// Records that the builder has ended, and a container keeps the instance.
  func setBuilt() { isBuilt.store(true, ordering: .releasing) }

  /// Records that an object that a builder received to look up something later, such as a `Provider`, is used. If a builder
  /// does this while it runs, its instance may hold what it looks up.
  ///
  /// - Parameter holder: the instance that holds the object, if reloads may keep that.
  static func recordUse(by holder: KeptInstance?) {
    // The builder of a transient argument runs before that of its holder.
    if let holder, !holder.isBuilt.load(ordering: .acquiring) { holder.setHasUndeclaredParts() }
    Build.runningPath.lazy.compactMap(\.registration).first?.setHasUndeclaredParts()
  }

  /// The number of times that the instance has passed to another container, in which it looks up since.
  var passes: Int { passCount.load(ordering: .acquiring) }

  /// Records that the instance looks up in another container from now on.
  fileprivate func pass(to generation: Generation) {
    latest.object = generation
    passCount.add(1, ordering: .releasing)
  }

  /// Records that one more container keeps the instance. Does nothing if the instance was disposed of, which a given
  /// instance may be.
  func join() { content.withLock { if $0.containers > 0 { $0.containers += 1 } } }

  /// Records that a container releases the instance; see `Registration.release`.
  func release(closing store: InstanceStore?) -> [InstanceStore]? {
    let (isLast, known) = content.withLock { content in
      content.containers -= 1
      let known = content.closing
      content.closing = known.filter { $0.phase != .closed } + (store.map { [$0] } ?? [])
      return (content.containers == 0, known)
    }
    return isLast ? known : nil
  }

  /// Removes a container from the count if others keep the instance.
  ///
  /// - Returns: whether others keep it.
  func leaveToOthers() -> Bool {
    content.withLock { content in
      guard content.containers > 1 else { return false }
      content.containers -= 1
      return true
    }
  }

  /// Calls a closure that releases all instances of a store.
  static func releaseTogether<Result>(_ body: () -> Result) -> Result {
    releasing.take { _ in body() }
  }
}

extension Registration {
  /// Records that the store of the service releases an instance.
  ///
  /// - Parameter store: the store if it is being closed; `nil` if it stays open.
  /// - Returns: `nil` if another container keeps the instance. Otherwise the caller disposes of it, after these stores of
  ///   other containers are closed.
  func release(closing store: InstanceStore?) -> [InstanceStore]? {
    guard survivesReload, let generation = home.generation else { return [] }
    return generation.release(self, closing: store)
  }
}

extension BuilderCall {
  /// The instance that will hold the call's values, directly or through a dependency; `nil` if reloads cannot keep it.
  var holder: KeptInstance? { resolution.holder.flatMap { $0.home.generation?.kept($0) } }
}

// MARK: - Passing instances to the next container

/// An instance that passes from one container to another.
private struct PassingInstance {
  /// The content of the old container's store.
  enum Content {
    /// The instance, and the record that both containers share.
    case instance(AnyInstance, KeptInstance)
    /// An object that only its users retain.
    case object(AnyObject)
  }

  /// The service in the old container.
  let registration: Registration
  let content: Content
  /// The position in the order of building.
  let sequence: Int
}

/// The instances of a container that were not looked for yet in the next one.
private struct BuiltInstances {
  let store: InstanceStore
  /// The instances in the order of building. Made on first use, since few services hold what they do not declare to need.
  lazy var rest = store.builtInstances[...]
  /// Whether the next container has all that were looked for.
  var areHere = true
}

extension InstanceStore {
  /// Returns the instances of some services, in the order of building. One more container is counted for each.
  fileprivate func passing(_ passes: (Registration) -> Bool) -> [PassingInstance] {
    let found = state.take { state -> [PassingInstance] in
      var found: [PassingInstance] = []
      for slot in state.slots.values {
        guard let registration = slot.key?.registration, slot.key === registration, registration.home.store === self,
          passes(registration)
        else { continue }
        switch slot {
        case .instance(let product):
          guard let kept = registration.home.generation?.kept(registration) else { continue }
          kept.join()
          found.append(
            PassingInstance(
              registration: registration, content: .instance(product, kept), sequence: product.sequence))
        case .object(let unowned):
          guard let object = unowned.object else { continue }
          found.append(
            PassingInstance(registration: registration, content: .object(object), sequence: unowned.sequence))
        case .build: break
        }
      }
      return found
    }
    return found.ascending(by: \.sequence)
  }

  /// The instances, in the order of building.
  fileprivate var builtInstances: [(service: Registration, sequence: Int)] {
    let found = state.withLock { state in
      state.slots.values.compactMap { slot -> (service: Registration, sequence: Int)? in
        switch slot {
        case .instance(let product): product.key?.registration.map { ($0, product.sequence) }
        case .object(let unowned) where unowned.object != nil: unowned.key.registration.map { ($0, unowned.sequence) }
        case .object, .build: nil
        }
      }
    }
    return found.ascending(by: \.sequence)
  }

  /// Stores an instance or an object of another container for a service that has no instance here.
  ///
  /// - Parameter product: the instance, for this store; `nil` for an object that only its users retain.
  /// - Returns: false if the service has an instance or an in-flight build, or the store is closed.
  fileprivate func take(_ product: AnyInstance?, _ object: AnyObject?, as registration: Registration) -> Bool {
    let object = Transferred(object)
    return state.withLock { state in
      guard phase == .open, state.slots[ObjectIdentifier(registration)] == nil else { return false }
      if let product { state.keep(product, as: registration, under: ObjectIdentifier(registration)) }
      if let object = object.value { state.keep(object, as: registration) }
      return true
    }
  }
}

extension ContainerState {
  /// Takes over the instances of another container for services that are the same here and have no instance yet.
  ///
  /// An instance stays in the other container if it holds an instance that this container does not have: one of a
  /// service that code registered there, or one that was built there while this container was starting.
  ///
  /// - Parameter isSame: whether the service of an id is the same in both containers, with all that it needs.
  func takeOver(from old: ContainerState, _ isSame: (String) -> Bool) {
    let passing = old.store.passing { registration in
      // The application has given the given instances to this container, too.
      let traits = registration.traits
      return traits.contains(.isFromModule) && !traits.contains(.isGiven)
        && (registration.keeping == .weak || registration.survivesReload) && isSame(registration.id)
    }
    PausePoint.reach(.passing)
    var built = BuiltInstances(store: old.store)
    // An instance passes after all that it needs, which was built before.
    let left = passing.filter { instance in
      guard let cell = generation?.cells(of: instance.registration.id)?.lowerBound,
        let (registration, _) = directory.registration(in: cell)
      else { return true }
      let parts = parts(of: instance, &built)
      guard parts.areHere, take(instance.content, as: registration, cell) else { return true }
      if parts.areUndeclared { registration.setHasUndeclaredParts() }
      return false
    }
    for instance in left { leave(instance) }
  }

  /// Leaves an instance to the other containers that keep it. If the old container was disposed of or reset meanwhile,
  /// there may be none. Then this container, which is open as long as the reload runs, disposes of the instance, before
  /// the instances that it holds.
  private func leave(_ instance: PassingInstance) {
    guard case .instance(let product, let kept) = instance.content, !kept.leaveToOthers() else { return }
    instance.registration.home.generation?.keep(kept, as: instance.registration)
    store.keepAlive(instance.registration.copy(of: product), of: instance.registration)
  }

  /// Returns whether this container has the same instances of all shared and weak services that another container's
  /// instance may hold, directly or through services that the container does not share; and whether these may be more than
  /// its service declares to need.
  private func parts(
    of instance: PassingInstance, _ built: inout BuiltInstances
  ) -> (areHere: Bool, areUndeclared: Bool) {
    var areUndeclared = false
    var open = [instance.registration]
    var seen: Set<ObjectIdentifier> = []
    while let next = open.popLast() {
      areUndeclared = areUndeclared || next.hasUndeclaredParts
      for user in sequence(first: next, next: \.wrapped) {
        for cell in (user.suppliers ?? []).lazy.flatMap(\.targets) {
          // The other container was disposed of meanwhile.
          guard let (needed, _) = cell.home.directory.registration(in: cell.number) else { return (false, false) }
          if needed === instance.registration { continue }
          if let isHere = has(instanceOf: needed, builtBefore: instance.sequence) {
            guard isHere else { return (false, false) }
          } else if seen.insert(ObjectIdentifier(needed)).inserted {
            open.append(needed)
          }
        }
      }
    }
    return (!areUndeclared || hasAll(of: &built, before: instance.sequence), areUndeclared)
  }

  /// Returns whether this container has all instances of another container that were built before a position, which is not
  /// before that of an earlier call.
  private func hasAll(of built: inout BuiltInstances, before position: Int) -> Bool {
    while built.areHere, let (service, sequence) = built.rest.first, sequence < position {
      built.rest.removeFirst()
      built.areHere = has(instanceOf: service, builtBefore: position) == true
    }
    return built.areHere
  }

  /// Returns whether this container has the same instance of a service of another container; `nil` if the service is not
  /// shared, and its instance, if it is weak, was released or built later.
  private func has(instanceOf service: Registration, builtBefore position: Int) -> Bool? {
    var own = generation?.cells(of: service.id).flatMap { directory.registration(in: $0.lowerBound)?.0 }
    // The record of a given instance is that of the service that the decorators wrap.
    if service.traits.contains(.isGiven) { while let wrapped = own?.wrapped { own = wrapped } }
    if service.survivesReload {
      guard let own, let kept = service.home.generation?.known(service) else { return false }
      return generation?.known(own) === kept
    }
    guard let object = service.home.store.object(service), object.sequence < position else { return nil }
    // If a weak instance has passed to this container, its parts have passed, too.
    return own.flatMap { store.object($0)?.object } === object.object
  }

  /// Takes over an instance for a service of this container.
  ///
  /// - Returns: whether the instance was taken over.
  private func take(_ content: PassingInstance.Content, as registration: Registration, _ cell: Int) -> Bool {
    switch content {
    case .object(let object): return store.take(nil, object, as: registration)
    case .instance(let product, let kept):
      let product = registration.copy(of: product)
      return directory.write { tables in
        guard store.take(product, nil, as: registration) else { return false }
        generation?.keep(kept, as: registration)
        if registration.isPublished { tables.publish(product, of: registration, around: cell) }
        return true
      }
    }
  }
}
