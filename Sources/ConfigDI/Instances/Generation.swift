// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// What a container is among those that reloads put one in the place of the other.
///
/// A service that is the same in two of them keeps its instance: both containers keep it then, and the last one that lets it go
/// disposes of it. See `KeptInstance`.
final class Generation: Sendable {
  /// What all containers have in common that follow one another.
  final class Family: Sendable {
    /// The one that was put in the place of the others; nil before the first, and once it is gone.
    let current = WeakReference<Generation>()
    /// How many containers there were.
    private let count = Atomic(0)
    /// The tasks that shut containers down which nobody holds any more, by the numbers of these.
    private let closing = Guarded<[Int: Task<Void, Never>]>([:])

    init() {}

    fileprivate func next() -> Int { count.add(1, ordering: .relaxed).newValue }

    /// Closes a container in a task.
    func close(_ body: @escaping @Sendable () async -> Void) {
      let number = count.add(1, ordering: .relaxed).newValue
      closing.withLock { closing in
        closing[number] = Task {
          await body()
          let ended = self.closing.withLock { Hold($0.removeValue(forKey: number)) }
          withExtendedLifetime(ended) {}
        }
      }
    }

    /// Waits until all containers are closed that nobody held any more.
    func closed() async {
      for task in closing.withLock({ Array($0.values) }) { await task.value }
    }
  }

  /// What changes.
  private struct Content {
    /// What the container consists of; nil once it is gone.
    weak var state: ContainerState?
    /// What users hold of the container; nil once nobody does.
    weak var handle: (any AnyObject & Sendable)?
    /// The first cell of each service of the module, and how many it has.
    var cells: [ScalarString: Range<Int>] = [:]
    /// The instances that may pass to other containers, by their registration here.
    var kept: [ObjectIdentifier: KeptInstance] = [:]
  }

  let family: Family
  /// The place in the order in which they were made.
  private let number: Int
  /// Closes the state of a container whose handle is gone.
  let close: @Sendable (ContainerState) -> Void
  private let content = Guarded(Content())

  init(of family: Family, closing close: @escaping @Sendable (ContainerState) -> Void) {
    self.family = family
    self.close = close
    number = family.next()
  }

  /// Notes what the container consists of, and the cells of its services.
  func begin(_ state: ContainerState, handle: any AnyObject & Sendable, cells: [ScalarString: Range<Int>]) {
    let (state, handle) = (Hold(state), Hold(handle))
    content.withLock {
      $0.state = state.value
      $0.handle = handle.value
      $0.cells = cells
    }
  }

  /// The cells of a service of the module; nil where there is none.
  func cells(of id: String) -> Range<Int>? { content.withLock { $0.cells[ScalarString(id)] } }

  /// The instance of a shared service, which passes from container to container.
  func kept(_ registration: Registration) -> KeptInstance {
    let identity = ObjectIdentifier(registration)
    return content.withLock { content in
      if let kept = content.kept[identity] { return kept }
      let kept = KeptInstance(in: self)
      content.kept[identity] = kept
      return kept
    }
  }

  /// The instance of a shared service, where it may pass on; nil where none was built.
  func known(_ registration: Registration) -> KeptInstance? {
    content.withLock { $0.kept[ObjectIdentifier(registration)] }
  }

  /// Takes over an instance of another container.
  func keep(_ kept: KeptInstance, as registration: Registration) {
    content.withLock { $0.kept[ObjectIdentifier(registration)] = kept }
  }

  /// Notes that this container lets an instance go.
  ///
  /// - Returns: whether it was the last one that kept it; the caller disposes of it then.
  func leave(_ registration: Registration) -> Bool {
    content.withLock { $0.kept.removeValue(forKey: ObjectIdentifier(registration)) }?.leave() ?? true
  }

  /// Has all instances that passed to this container look up here from now on.
  func takeTheirPlace() {
    for kept in content.withLock({ Array($0.kept.values) }) { kept.generation = self }
    family.current.object = self
  }

  /// Where something is looked up that this container has handed out, and what keeps that container there meanwhile; nil where
  /// all of them are gone.
  ///
  /// - Parameter holder: the instance that holds it; nil where reloads do not keep that.
  func place(for holder: KeptInstance?) -> Place? {
    if let place = (holder == nil ? self : holder?.generation)?.place { return place }
    while let newest = family.current.object {
      if let place = newest.place { return place }
      // Another one may have taken its place before it went.
      if family.current.object === newest { return nil }
    }
    return nil
  }

  /// Where something new begins that this container has handed the means for, such as the scope of a request: in the container
  /// that was put in the place of the others, also where the holder has not passed to it. A server whose own definition has
  /// changed runs on, and its requests would keep the old container for ever. Before that, in this one.
  func newestPlace(for holder: KeptInstance?) -> Place? {
    let own = holder?.generation ?? self
    if let newest = family.current.object, newest.number > own.number, let place = newest.place { return place }
    return place(for: holder)
  }

  /// A container in which something is looked up.
  struct Place {
    /// Which one it is among those that follow one another.
    let generation: Generation
    let state: ContainerState
    /// What keeps it there.
    let handle: any AnyObject & Sendable
  }

  /// The container; nil where it is gone, or closed.
  private var place: Place? {
    let found = content.withLock { Hold(($0.state, $0.handle)) }.value
    guard let state = found.0, let handle = found.1, state.store.isOpen else { return nil }
    return Place(generation: self, state: state, handle: handle)
  }
}

/// An instance of a shared service that passes from container to container with each reload.
final class KeptInstance: Sendable {
  /// What changes.
  private struct Content {
    /// How many containers keep it.
    var containers = 1
    weak var generation: Generation?
  }

  private let content = Guarded(Content())

  init(in generation: Generation) { self.generation = generation }

  /// The last container to which it has passed: what it looks up later, it looks up there. Nil once that is gone.
  var generation: Generation? {
    get { content.withLock { Hold($0.generation) }.value }
    set {
      let generation = Hold(newValue)
      content.withLock { $0.generation = generation.value }
    }
  }

  /// Notes that one container more keeps it.
  func join() { content.withLock { $0.containers += 1 } }

  /// Notes that a container lets it go.
  ///
  /// - Returns: whether it was the last one.
  func leave() -> Bool {
    content.withLock {
      $0.containers -= 1
      return $0.containers == 0
    }
  }
}

extension Registration {
  /// Notes that its store lets an instance go that was kept for it.
  ///
  /// - Returns: whether the caller disposes of the instance: nobody else keeps it.
  func letGo() -> Bool {
    guard passesOn, let generation = home.generation else { return true }
    return generation.leave(self)
  }
}

extension BuilderCall {
  /// The instance that will hold what the call receives, itself or by way of what is built for it, where reloads may keep it.
  var holder: KeptInstance? { resolution.holder.flatMap { $0.home.generation?.kept($0) } }
}

// MARK: - Passing instances on

/// An instance that passes from one container to another.
private struct PassingInstance {
  /// What the old container keeps.
  enum Content {
    /// The instance, and what both containers know of it.
    case instance(AnyInstance, KeptInstance)
    /// An object that only its users keep.
    case object(AnyObject)
  }

  /// The service in the old container.
  let registration: Registration
  /// What the old container keeps.
  let content: Content
  /// The place in the order of building; behind all others for an object.
  let sequence: Int

  /// Notes that the other container does not keep the instance after all.
  func giveBack() {
    guard case .instance(let product, let kept) = content, kept.leave() else { return }
    registration.dispose(product)
  }
}

extension InstanceStore {
  /// The instances of some services, in the order of building, each of which one container more keeps now.
  fileprivate func passing(_ passes: (Registration) -> Bool) -> [PassingInstance] {
    let found = state.withLock { state -> Hold<[PassingInstance]> in
      var found: [PassingInstance] = []
      for slot in state.slots.values {
        guard let registration = slot.key?.registration, slot.key === registration, passes(registration) else {
          continue
        }
        switch slot {
        case .instance(let product):
          guard let kept = registration.home.generation?.kept(registration) else { continue }
          kept.join()
          found.append(
            PassingInstance(
              registration: registration, content: .instance(product, kept), sequence: product.sequence))
        case .object(let unowned):
          guard let object = unowned.object else { continue }
          found.append(PassingInstance(registration: registration, content: .object(object), sequence: .max))
        case .build: break
        }
      }
      return Hold(found)
    }
    return found.value.sorted { $0.sequence < $1.sequence }
  }

  /// Keeps what another container keeps for a service that has no instance here.
  ///
  /// - Parameter product: the instance, for this store; nil for an object that only its users keep.
  /// - Returns: false where it has one, or one is being built, or the store is closed.
  fileprivate func take(_ product: AnyInstance?, _ object: AnyObject?, as registration: Registration) -> Bool {
    let object = Hold(object)
    return state.withLock { state in
      guard state.phase == .open, state.slots[ObjectIdentifier(registration)] == nil else { return false }
      if let product { state.keep(product, as: registration, under: ObjectIdentifier(registration)) }
      if let object = object.value {
        state.slots.set(ObjectIdentifier(registration), .object(UnownedObject(object, registration)))
      }
      return true
    }
  }
}

extension ContainerState {
  /// Takes over the instances that another container has of services which are the same here, and that are not there yet.
  ///
  /// Of a service that both define alike an instance is left where it is if it holds one that this container does not have:
  /// what code has registered there, and what was built there while this one was starting.
  ///
  /// - Parameter isSame: whether a service, by its id, is the same in both, with all that it needs.
  func takeOver(from old: ContainerState, _ isSame: (String) -> Bool) {
    let given = Dictionary(directory.read(\.given).map { (ScalarString($0.registration.id), $0.registration) }) { $1 }
    let oldGiven = Set(old.directory.read(\.given).map { ObjectIdentifier($0.registration) })
    let passing = old.store.passing { registration in
      guard registration.traits.contains(.isFromModule), registration.keeping == .weak || registration.passesOn
      else { return false }
      // What the application has given is the same in any case.
      return isSame(registration.id) || oldGiven.contains(ObjectIdentifier(registration))
    }
    for instance in passing {
      let id = instance.registration.id
      let cell = generation?.cells(of: id)?.lowerBound
      let registration =
        oldGiven.contains(ObjectIdentifier(instance.registration))
        ? given[ScalarString(id)] : cell.flatMap { directory.registration(in: $0)?.0 }
      let isTaken = registration.map { has(partsOf: instance.registration) && take(instance.content, as: $0, cell) }
      if isTaken != true { instance.giveBack() }
    }
  }

  /// Whether this container keeps the same instances of all shared services that the builder of another container's service
  /// declares to need, directly or by way of services that the container does not share.
  private func has(partsOf registration: Registration) -> Bool {
    var open = [registration]
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(registration)]
    while let next = open.popLast() {
      let suppliers = sequence(first: next, next: \.wrapped).flatMap { $0.inputs?.suppliers ?? [] }
      for cell in suppliers.flatMap(\.targets) {
        guard let (needed, _) = cell.home.directory.registration(in: cell.number),
          seen.insert(ObjectIdentifier(needed)).inserted, !needed.traits.contains(.isGiven)
        else { continue }
        if needed.passesOn {
          guard let kept = needed.home.generation?.known(needed),
            let own = generation?.cells(of: needed.id).flatMap({ directory.registration(in: $0.lowerBound)?.0 }),
            generation?.known(own) === kept
          else { return false }
        } else {
          open.append(needed)
        }
      }
    }
    return true
  }

  /// Takes over an instance for a service of this container.
  ///
  /// - Returns: whether it did.
  private func take(_ content: PassingInstance.Content, as registration: Registration, _ cell: Int?) -> Bool {
    switch content {
    case .object(let object): return store.take(nil, object, as: registration)
    case .instance(let product, let kept):
      let original = product
      let product = original.copy()
      registration.copyWrapped(from: original, to: product)
      return directory.write { tables in
        guard store.take(product, nil, as: registration) else { return false }
        generation?.keep(kept, as: registration)
        if registration.isPublished, let cell { tables.publish(product, of: registration, around: cell) }
        return true
      }
    }
  }
}
