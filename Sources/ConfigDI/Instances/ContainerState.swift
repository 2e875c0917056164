// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The state of a container: its look-up tables, its instances and its parent.
///
/// `Container` is the handle that users hold. Builders, `Lazy`, `Provider` and open scopes retain the state. When the
/// handle is released, the state is closed, so that they keep neither instances nor registrations alive.
@usableFromInline final class ContainerState: Sendable {
  @usableFromInline let directory: Directory
  let store: InstanceStore
  /// The container that is searched for services that this one does not have; `nil` for a root.
  let parent: ContainerState?
  /// The named scopes, outermost first.
  let scopeNames: [String]
  /// The observers of the parent and of this container. An object is called once, even if both were given it.
  let observers: [any ContainerObserver]
  /// The place of the container in a series of reloads; `nil` if it is not reloaded.
  let generation: Generation?
  /// Whether this container has or had a service of a named scope whose instances the application gives.
  private let hasGivenScopes = Atomic(false)

  /// Creates a container without services.
  ///
  /// - Parameters:
  ///   - observers: the observers to add to those of the parent.
  ///   - generation: the place of the container in a series of reloads; `nil` if it is not reloaded.
  init(
    scopeNames: [String], parent: ContainerState?, observers: [any ContainerObserver] = [],
    generation: Generation? = nil
  ) {
    self.parent = parent
    self.generation = generation
    self.observers = parent.map { $0.observers.adding(observers) } ?? observers
    self.scopeNames = parent?.scopeNames ?? scopeNames
    directory = Directory(parent: parent?.directory)
    store = InstanceStore(.container, in: parent?.store, directory: directory)
    // A child of a closed container is closed from the start.
    if let parent, !parent.store.add(inner: store) { store.close() }
  }

  /// The number of containers around this one: its parent, the parent's parent, and so on.
  var depth: Int { sequence(first: self, next: \.parent).reduce(-1) { count, _ in count + 1 } }

  /// Returns the index of a scope among the scopes of the container; `nil` if no scope has the name.
  func level(ofScope name: String) -> Int? { scopeNames.firstIndex { ScalarString($0) == ScalarString(name) } }

  /// Whether opening a scope may require given instances, for a service of this container or of a parent.
  var scopesTakeGiven: Bool { hasGivenScopes.load(ordering: .acquiring) || parent?.scopesTakeGiven ?? false }

  /// Records that the application gives the instances of a service of a named scope.
  func noteGivenScopes() { hasGivenScopes.store(true, ordering: .releasing) }

  /// Registers a service of code. It replaces the earlier one of the same type, name and run-time arguments. Services
  /// without a name replace each other.
  ///
  /// Stops the program if the container was disposed of. Does nothing if it was closed with its parent, which another
  /// thread may do at any time: look-ups throw then.
  func register(_ registration: Registration) {
    PausePoint.reach(.registering)
    if registration.keeping == .graph || registration.keeping == .weak { directory.noteSharing() }
    var rare: Shared<RareTables>?
    let displaced = directory.write { tables -> [Registration]? in
      if tables.isClosed { return nil }
      let displaced = tables.add(registration)
      if registration.traits.contains(.isGiven) { rare = tables.addGiven(registration) }
      return displaced
    }
    guard let displaced else {
      if parent?.directory.isClosed == true { return }
      fatalError("\(registration.origin): \"\(registration.id)\" is registered in a container that was disposed of")
    }
    PausePoint.reach(.registered)
    for old in displaced { store.forget(old) }
    withExtendedLifetime(rare) {}
  }
}

// MARK: - Look-ups that do not await

extension ContainerState {
  /// The limit of recursion between declared builders. `DeepBuild` builds deeper chains in a loop.
  static let recursionLimit = 32
  /// The depth up to which declared builders call each other without a check of the stack for the whole chain.
  static let uncheckedDepth = 8

  /// Begins a look-up. A top-level one gets a store of its own if some service of the family is `graph` or `weak`.
  ///
  /// - Returns: the look-up, and its own store, which the caller suspends at the end; `nil` if there is none.
  func begin(_ resolution: Resolution) -> (Resolution, own: InstanceStore?) {
    guard resolution.shared == nil, directory.read({ _ in directory.root.pointee.sharesWithinLookUps }) else {
      return (resolution, nil)
    }
    let own = InstanceStore(.lookUp, in: nil)
    return (resolution.with(shared: own), own)
  }

  /// Returns the service of a cell.
  ///
  /// - Parameter type: the type of the cell.
  func service<Service>(
    _ type: Service.Type, in cell: Int, _ resolution: Resolution
  ) throws(ResolutionError) -> Service {
    while true {
      switch directory.content(of: cell) {
      case .closed: throw .disposed
      case .instance(let instance): return instance.value(as: type)
      case .registration(let registration, let index):
        if registration.keeping == .transient { return try registration.make(type, index, resolution) }
        PausePoint.reach(.found)
        if let product = try product(registration, in: cell, resolution) {
          return product.ofType(index).value(as: type)
        }
      }
    }
  }

  /// Returns the product of a kept service: the existing one, or a new one.
  ///
  /// The steps are the same for every lifetime except `transient`; only the store differs.
  ///
  /// - Parameters:
  ///   - cell: the cell that the look-up has found. The instance is published there.
  ///   - ready: the arguments that were looked up before; `nil` if none were.
  /// - Returns: `nil` if the build was superseded: look up again.
  func product(
    _ registration: Registration, in cell: Int, _ resolution: Resolution, _ ready: ReadyInputs? = nil
  ) throws(ResolutionError) -> AnyInstance? {
    let store = try registration.store(in: resolution)
    // Passed on directly: `key` would retain it.
    if registration.parameters.isEmpty {
      return try product(registration, as: registration, in: cell, store, resolution, ready)
    }
    return try product(registration, as: registration.key(in: store, resolution), in: cell, store, resolution, ready)
  }

  /// Returns the product as the other form does, given the store and the key of the instance.
  private func product(
    _ registration: Registration, as key: any InstanceKey, in cell: Int, _ store: InstanceStore,
    _ resolution: Resolution, _ ready: ReadyInputs?
  ) throws(ResolutionError) -> AnyInstance? {
    try registration.checkNesting()
    if ready == nil, registration.isTooDeepToRecurse, !store.has(key) {
      var build = DeepBuild(registration, in: cell, resolution)
      return try build.product()
    }
    let canBuild = registration.factory.calling.isPossibleHere
    PausePoint.reach(.claiming)
    switch store.claim(key, mode: canBuild ? .blocking : .findOnly, since: ready?.resetCount) {
    case .product(let product):
      publish(product, of: registration, in: cell)
      return product
    case .object(let object): return try registration.product(from: object)
    case .absent: throw registration.failure(registration.callingFailure)
    case .cycle(let builds): throw ResolutionError.cycle(builds)
    case .closed: throw .closed(registration)
    case .superseded: return nil
    case .building(let waiter): return try waiter.wait().product(of: registration, closedError: .closed(registration))
    case .claimed(let build, _):
      switch try finish(build, of: registration, in: cell, store, resolution, ready, isEntered: false) {
      case .kept(let product): return product
      case .unkept(let product, let keeping):
        if let product { registration.dispose(product) }
        return try abandon(build, of: registration, store, keeping)
      }
    }
  }

  /// The result of a call of a builder.
  enum Finished {
    case kept(AnyInstance)
    /// The store does not keep the product. The caller disposes of it, if it is not `nil`, and then ends the build by
    /// `abandon`, so that a shutdown waits for that.
    case unkept(AnyInstance?, InstanceStore.Keeping)
  }

  /// Calls the builder of a claimed build on this thread, and ends the build if its product is kept or the builder fails.
  ///
  /// - Parameters:
  ///   - ready: the arguments that were looked up before; `nil` if none were.
  ///   - isEntered: whether `resolution` is already the one that the builder receives.
  func finish(
    _ build: Build, of registration: Registration, in cell: Int, _ store: InstanceStore, _ resolution: Resolution,
    _ ready: ReadyInputs?, isEntered: Bool
  ) throws(ResolutionError) -> Finished {
    PausePoint.reach(.claimed)
    do throws(ResolutionError) {
      let call = BuilderCall(isEntered ? resolution : try resolution.entering(registration), inputs: ready?.inputs)
      let product: AnyInstance
      do {
        product = try Build.$current.withValue(build) { try registration.built(call, ready?.wrapped) }
      } catch { throw registration.failure(error) }
      PausePoint.reach(.built)
      let kept = try keep(product, of: registration, in: cell, store, build, resolution)
      if kept == .kept { return .kept(product) }
      return .unkept(kept != .handedOver && registration.disposesOfUnkept ? product : nil, kept)
    } catch {
      PausePoint.reach(.failed)
      store.abandon(build, error)
      throw error
    }
  }

  /// Ends a build whose product is not kept.
  ///
  /// - Returns: `nil`, if the build was superseded: look up again.
  /// - Throws: `ResolutionError` if the store was closed, or the builder has reset it.
  func abandon(
    _ build: Build, of registration: Registration, _ store: InstanceStore, _ keeping: InstanceStore.Keeping
  ) throws(ResolutionError) -> AnyInstance? {
    let isSuperseded = keeping == .superseded
    if isSuperseded, !build.isResetByItself {
      store.abandon(build, .closed(registration))
      return nil
    }
    let error = isSuperseded ? ResolutionError.resetByItself(registration) : .closed(registration)
    PausePoint.reach(.failed)
    store.abandon(build, error)
    throw error
  }

  /// Ends a build with its product: keeps the product, publishes it if the container shares it, and wakes the waiters.
  ///
  /// - Returns: whether the product is kept. A product that is handed over is disposed of by a shutdown. In the other
  ///   cases the caller disposes of it, if instances of the service are disposed of, and abandons the build.
  /// - Throws: `ResolutionError` if the product cannot be kept.
  func keep(
    _ product: AnyInstance, of registration: Registration, in cell: Int, _ store: InstanceStore, _ build: Build,
    _ resolution: Resolution
  ) throws(ResolutionError) -> InstanceStore.Keeping {
    var object: AnyObject?
    if registration.keeping == .weak {
      object = registration.factory.object(of: product)
      if object == nil { throw .isNoObject(registration) }
    }
    let kept: (keeping: InstanceStore.Keeping, waiters: [Waiter])
    if registration.isPublished {
      kept = directory.write { tables in
        let kept = store.keep(product, weakly: nil, build)
        if kept.keeping == .kept {
          tables.publish(product, of: registration, around: cell)
          // Before another thread can reset the container and build another instance.
          if registration.survivesReload { generation?.known(registration)?.setBuilt() }
        }
        return kept
      }
    } else {
      kept = store.keep(product, weakly: object, build)
    }
    if object != nil { resolution.shared?.keepAlive(product, of: registration) }
    PausePoint.reach(.kept)
    for waiter in kept.waiters { waiter.resume(.product(product)) }
    PausePoint.reach(.woken)
    return kept.keeping
  }
}

extension Registration {
  /// Returns the service of a cell of this registration that has no instance yet.
  ///
  /// - Parameters:
  ///   - type: the type of the cell.
  ///   - index: the index of the type among the types of the product.
  @usableFromInline func service<Service>(
    _ type: Service.Type, _ index: Int, in cell: Int, _ resolution: Resolution
  ) throws(ResolutionError) -> Service {
    if keeping == .transient { return try make(type, index, resolution) }
    if let product = try home.product(self, in: cell, resolution) { return product.ofType(index).value(as: type) }
    return try home.service(type, in: cell, resolution)
  }
}

extension ContainerState {
  /// Publishes a kept product in a cell that does not hold it yet: a cell that its service has taken over from another
  /// service.
  func publish(_ product: AnyInstance, of registration: Registration, in cell: Int) {
    guard registration.isPublished else { return }
    directory.write { tables in
      // The service may have been reset or replaced meanwhile.
      guard store.product(registration) === product else { return }
      tables.publish(product, of: registration, around: cell)
    }
  }
}

extension Registration {
  /// Whether the instance is published in cells, where look-ups find it without asking the store.
  var isPublished: Bool { keeping == .shared && parameters.isEmpty }

  /// Whether a product that no store keeps is disposed of. An instance that code has registered is not: no look-up has
  /// returned it, and after a reset the next one does.
  var disposesOfUnkept: Bool { keeping.isDisposing && !traits.contains(.isInstance) }

  /// Returns the store in which a look-up keeps instances of the service.
  ///
  /// - Throws: `ResolutionError` if the service belongs to a scope that is not open in the look-up.
  func store(in resolution: Resolution) throws(ResolutionError) -> InstanceStore {
    switch keeping {
    case .shared, .weak, .transient: return home.store
    case .graph:
      guard let shared = resolution.shared else { return InstanceStore(.lookUp, in: nil) }
      // An instance that is not `Sendable` stays in the part of the look-up that runs in one isolation domain.
      return traits.contains(.isSendable) ? shared.enclosing ?? shared : shared
    case .scope(let level):
      guard let store = resolution.scope?.store(ofScope: level) else {
        throw .notOpen(self, scope: home.scopeNames[level])
      }
      return store
    case .missingScope(let name): throw .unknownScope(name, of: self)
    }
  }

  /// Returns the key of the service and the run-time arguments of a look-up.
  ///
  /// - Throws: `ResolutionError` if an argument is not `Hashable`.
  func key(in store: InstanceStore, _ resolution: Resolution) throws(ResolutionError) -> any InstanceKey {
    guard !parameters.isEmpty, let arguments = resolution.arguments else { return self }
    guard let key = store.key(of: self, arguments) else { throw .argumentsAreNoKey(self, arguments) }
    return key
  }

  /// Ends a chain of builders each of which replaces its own service.
  ///
  /// The limit is above the depth at which builders that are really nested exhaust the stack, which is another error.
  ///
  /// - Throws: `ResolutionError` if the chain is too long.
  func checkNesting() throws(ResolutionError) {
    if nesting > 20_000 { throw .replacedByItself(self) }
  }

  /// The reason why the builder cannot be called here. Meaningful only if `factory.calling.isPossibleHere` is false.
  var callingFailure: CallingFailure { calling == .onMainActor ? .needsMainActor : .needsAwait }

  /// Returns the error of a look-up after its builder, or a look-up for the builder's arguments, has thrown.
  func failure(_ error: any Error) -> ResolutionError {
    switch error {
    case let error as ResolutionError: error.under(self)
    case CallingFailure.needsAwait: ResolutionError.needsAwait(self).under(self)
    case CallingFailure.needsMainActor: ResolutionError.needsMainActor(self).under(self)
    default: ResolutionError.builderFailed(self, error).under(self)
    }
  }

  /// Returns the product of an object that only its users retain.
  ///
  /// - Throws: `ResolutionError` if the object has the type of the service only on the main actor, by an isolated
  ///   conformance, and this runs elsewhere.
  func product(from object: Transferred<AnyObject>) throws(ResolutionError) -> AnyInstance {
    if let product = factory.product(from: object.value) { return product }
    throw failure(CallingFailure.needsMainActor)
  }
}

extension CellReference {
  /// Returns the instance of the cell, as an argument of a builder.
  func instance(_ resolution: Resolution) throws(ResolutionError) -> AnyInstance {
    while true {
      switch home.directory.content(of: number) {
      case .closed: throw .disposed
      case .instance(let instance): return instance
      case .registration(let registration, let index):
        if registration.keeping == .transient {
          return try registration.newProduct(resolution).ofType(index)
        }
        if let product = try home.product(registration, in: number, resolution) { return product.ofType(index) }
      }
    }
  }
}

// MARK: - Transient services

extension Registration {
  /// Whether `DeepBuild` builds the service and its declared dependencies: the chain is long, or may need more stack than
  /// is left.
  var isTooDeepToRecurse: Bool {
    depth > ContainerState.uncheckedDepth
      && (depth > ContainerState.recursionLimit || !CallerStack.hasRoom(forBuilders: depth))
  }

  /// Returns a new instance of a transient service.
  ///
  /// - Parameters:
  ///   - type: the type at the index.
  ///   - index: the index of the type among the types of the product.
  func make<Service>(
    _ type: Service.Type, _ index: Int, _ resolution: Resolution
  ) throws(ResolutionError) -> Service {
    if wrapped != nil || isTooDeepToRecurse {
      return try newProduct(resolution).ofType(index).value(as: type)
    }
    PausePoint.reach(.making)
    let call = BuilderCall(try resolution.entering(self))
    do { return try factory.make(type, index, self, call) } catch { throw failure(error) }
  }

  /// Returns a new product of a transient service, as each of its types.
  ///
  /// - Parameter ready: the arguments that were looked up before; `nil` if none were.
  func newProduct(
    _ resolution: Resolution, _ ready: ReadyInputs? = nil
  ) throws(ResolutionError) -> AnyInstance {
    if ready == nil, isTooDeepToRecurse {
      var build = DeepBuild(self, in: nil, resolution)
      if let product = try build.product() { return product }
    }
    PausePoint.reach(.making)
    let call = BuilderCall(try resolution.entering(self), inputs: ready?.inputs)
    do { return try built(call, ready?.wrapped) } catch { throw failure(error) }
  }

  /// Calls the builder on this thread.
  ///
  /// - Parameter ready: the service that it wraps; `nil` if it wraps none, or that was not looked up before.
  func built(_ call: BuilderCall, _ ready: Wrapped?) throws -> AnyInstance {
    guard let wrapped else { return try factory.product(self, call) }
    let inner =
      switch ready {
      case .product(let product): product
      case .ready(let inputs): try wrapped.newProduct(call.resolution, inputs)
      case nil: try wrapped.newProduct(call.resolution)
      }
    do {
      let product = try factory.product(self, BuilderCall(call.resolution, inputs: call.inputs, wrapped: inner))
      note(inner, in: product)
      return product
    } catch {
      discard(inner)
      throw error
    }
  }
}
