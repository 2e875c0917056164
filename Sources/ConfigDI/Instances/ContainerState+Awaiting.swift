// SPDX-License-Identifier: Apache-2.0

// The look-up that awaits builders. It finds, claims and keeps instances by the same functions as the look-up that does
// not await. It differs in two points: a waiting task is suspended instead of blocking a thread, and the declared
// arguments of a builder are awaited before the builder is called.
extension ContainerState {
  /// Returns the instance of a cell, as the type of the cell. Awaits builders.
  func awaitedInstance(
    in cell: Int, _ resolution: Resolution, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> AnyInstance {
    var isRepeated = false
    while true {
      switch directory.content(of: cell) {
      case .closed: throw .disposed
      case .instance(let instance): return instance
      case .registration(let registration, let index):
        if registration.keeping == .transient {
          return try await awaitedProduct(registration, resolution, isolation: isolation).ofType(index)
        }
        PausePoint.reach(.found)
        let product = try await awaitedKeptProduct(
          registration, in: cell, resolution, isRepeated: isRepeated, isolation: isolation)
        if let product { return product.ofType(index) }
        isRepeated = true
        if Task.isCancelled { throw .cancelled(registration) }
      }
    }
  }

  /// The limit of nested builders in awaiting look-ups. Their frames are on the heap, so the stack does not limit them.
  private static let maximumAwaitedDepth = 5_000

  /// Returns the resolution that the builder of a service receives.
  ///
  /// - Throws: `ResolutionError` if the look-up is too deep or contains a cycle.
  fileprivate func awaitedEntering(
    _ registration: Registration, _ resolution: Resolution
  ) throws(ResolutionError) -> Resolution {
    // Declared dependencies of a module are finite, however long the chain. Look-ups by code in builders may not be.
    let isDeclared = resolution.depth > 0 && registration.traits.contains(.isFromModule)
    if !isDeclared, max(resolution.depth, Build.running?.depth ?? 0) > ContainerState.maximumAwaitedDepth {
      throw .tooManyBuilders(registration, limit: ContainerState.maximumAwaitedDepth)
    }
    return try resolution.entering(registration)
  }

  /// Returns a new product of a transient service. Awaits builders.
  func awaitedProduct(
    _ registration: Registration, _ resolution: Resolution, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> AnyInstance {
    PausePoint.reach(.making)
    let inner = try awaitedEntering(registration, resolution)
    do {
      let ready = try await registration.awaitedInputs(inner, isolation: isolation)
      guard registration.factory.calling == .awaited else {
        return try await registration.awaited(inner, ready, isolation: isolation)
      }
      // Nothing waits for this build. It counts the depth of look-ups that the builder makes in a container.
      let build = Build(of: registration, in: nil, isAsync: true)
      defer { build.end() }
      return try await Build.$current.withValue(build) {
        try await registration.awaited(inner, ready, isolation: isolation)
      }
    } catch { throw registration.failure(error) }
  }

  /// Returns the product of a kept service: the existing one, or a new one. Awaits builders.
  ///
  /// - Parameter isRepeated: whether the build was superseded before.
  /// - Returns: `nil` if the build was superseded: look up again.
  private func awaitedKeptProduct(
    _ registration: Registration, in cell: Int, _ resolution: Resolution, isRepeated: Bool,
    isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> AnyInstance? {
    let store = try registration.store(in: resolution)
    let key = try registration.key(in: store, resolution)
    try registration.checkNesting()
    PausePoint.reach(.claiming)
    if registration.isBuiltInTask {
      let claim = store.claim(key, mode: .inTask)
      if case .claimed(let build, let waiter?) = claim {
        PausePoint.reach(.claimed)
        let task = Task { await self.run(build, of: registration, in: cell, store, resolution) }
        PausePoint.reach(.taskBegun)
        build.task?.set(task)
        return try await registration.product(of: waiter, isolation: isolation)
      }
      return try await product(of: claim, registration, in: cell, isolation: isolation)
    }
    // Takes an existing instance. An in-flight build is awaited below, with the arguments ready in case it fails.
    switch store.claim(key, mode: .findOnly) {
    case .absent: break
    case let claim: return try await product(of: claim, registration, in: cell, isolation: isolation)
    }
    // Read before the arguments are looked up: a later reset disposes of them.
    let resetCount = store.resetCount
    PausePoint.reach(.absent)
    let inner = try awaitedEntering(registration, resolution)
    // The arguments are looked up before the build is claimed. In a repeated look-up this build takes the place of the
    // claimed one, to detect that the builder of an argument resets the store, which it would do for ever.
    let attempt = isRepeated ? Build(of: key, in: store, isAsync: false) : nil
    var ready: ReadyInputs
    do {
      defer { attempt?.end() }
      ready = try await Build.$current.withValue(attempt ?? Build.current) {
        try await registration.inputsForLater(inner, isolation: isolation)
      }
    } catch { throw registration.failure(error) }
    ready.resetCount = resetCount
    let isOnMainActor = registration.calling == .onMainActor || registration.factory.calling == .onMainActor
    let product = try await built(
      registration, in: cell, store, key, inner, ready, isolation: isOnMainActor ? MainActor.shared : isolation)
    if product == nil, attempt?.isResetByItself == true { throw .resetByItself(registration) }
    return product
  }

  /// Builds a service in an isolation, that of the caller or the main actor, or waits for another caller's build.
  private func built(
    _ registration: Registration, in cell: Int, _ store: InstanceStore, _ key: any InstanceKey,
    _ resolution: Resolution, _ ready: ReadyInputs, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> AnyInstance? {
    PausePoint.reach(.inputsReady)
    let claim = store.claim(key, mode: .suspending, since: ready.resetCount)
    guard case .claimed(let build, _) = claim else {
      await registration.discardAwaiting(ready.product, resolution, isolation: isolation)
      return try await product(of: claim, registration, in: cell, isolation: isolation)
    }
    switch try finish(build, of: registration, in: cell, store, resolution, ready, isEntered: true) {
    case .kept(let product): return product
    case .unkept(let product, let keeping):
      if let product { await disposeUnkept(product, of: registration, build, in: store, isolation: isolation) }
      return try abandon(build, of: registration, store, keeping)
    }
  }

  /// Awaits the builder of a claimed build, and ends the build.
  ///
  /// It runs in a task of its own: the build continues as long as anyone waits for it, even if the task of the first
  /// look-up is cancelled. The task has the priority and the task-local values of that look-up.
  private func run(
    _ build: Build, of registration: Registration, in cell: Int, _ store: InstanceStore, _ resolution: Resolution
  ) async {
    PausePoint.reach(.taskRunning)
    do throws(ResolutionError) {
      let product = try await product(of: build, registration, resolution)
      PausePoint.reach(.built)
      let kept = try keep(product, of: registration, in: cell, store, build, resolution)
      if kept == .kept || kept == .handedOver { return }
      if registration.keeping.isDisposing { await disposeUnkept(product, of: registration, build, in: store) }
      store.abandon(build, .closed(registration))
    } catch {
      PausePoint.reach(.failed)
      store.abandon(build, error)
    }
  }

  /// Disposes of a product that no store has kept, before the build is abandoned. No shutdown awaits the product, so no
  /// failure is reported; one that the disposal begins does not wait for the build.
  fileprivate func disposeUnkept(
    _ product: AnyInstance, of registration: Registration, _ build: Build?, in store: InstanceStore,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    let running = InstanceStore.RunningShutdown(store: store, family: nil, build: build)
    await InstanceStore.$shuttingDown.withValue(InstanceStore.shuttingDown + [running]) {
      _ = await disposeAwaiting(product.withWrapped(as: registration), in: store, isolation: isolation)
    }
  }

  /// Awaits the builder of a claimed build. The look-up that has claimed it may end before the builder does.
  private func product(
    of build: Build, _ registration: Registration, _ resolution: Resolution
  ) async throws(ResolutionError) -> AnyInstance {
    resolution.shared?.resume()
    defer { resolution.shared?.suspendAll() }
    let inner = try awaitedEntering(registration, resolution)
    do {
      return try await Build.$current.withValue(build) {
        let ready = try await registration.awaitedInputs(inner, isolation: nil)
        return try await registration.awaited(inner, ready, isolation: nil)
      }
    } catch { throw registration.failure(error) }
  }

  /// Returns the product of a claim that starts no build. Waits for an in-flight build. `nil` means: look up again.
  private func product(
    of claim: InstanceStore.Claim, _ registration: Registration, in cell: Int, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> AnyInstance? {
    switch claim {
    case .product(let product):
      publish(product, of: registration, in: cell)
      return product
    case .object(let object):
      guard registration.factory.calling == .onMainActor else { return try registration.product(from: object) }
      return try await MainActor.run { Result { () throws(ResolutionError) in try registration.product(from: object) } }
        .get()
    case .cycle(let builds): throw ResolutionError.cycle(builds)
    case .closed: throw .closed(registration)
    case .building(let waiter):
      PausePoint.reach(.joined)
      return try await registration.product(of: waiter, isolation: isolation)
    case .absent, .claimed, .superseded: return nil
    }
  }
}

extension Registration {
  /// Waits for a build of the service. `nil` means: look up again.
  fileprivate func product(
    of waiter: Waiter, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> AnyInstance? {
    let awaits = suppliers != nil || factory.calling != .anywhere
    let outcome = await waiter.outcome(awaits: awaits, isolation: isolation)
    return try outcome.product(of: self, closedError: .closed(self))
  }

  /// Returns the values that the builder of a transient service receives, for a build that is claimed later. Awaits
  /// builders.
  func readyInputs(
    _ resolution: Resolution, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> ReadyInputs {
    let inner = try home.awaitedEntering(self, resolution)
    do { return try await inputsForLater(inner, isolation: isolation) } catch { throw failure(error) }
  }

  /// Returns the values that the builder receives, for a build that is claimed later. Awaits builders.
  ///
  /// A wrapped service is built after the claim, and so only once, unless it has to be awaited or is nested deeply.
  fileprivate func inputsForLater(
    _ resolution: Resolution, isolation: isolated (any Actor)?
  ) async throws -> ReadyInputs {
    try await awaitedInputs(
      resolution, buildsWrapped: calling == .awaited || depth > ContainerState.recursionLimit, isolation: isolation)
  }

  /// Returns the values that the builder receives. Awaits builders.
  fileprivate func awaitedInputs(
    _ resolution: Resolution, buildsWrapped: Bool = true, isolation: isolated (any Actor)?
  ) async throws -> ReadyInputs {
    var ready = ReadyInputs()
    var product: AnyInstance?
    if let wrapped, buildsWrapped {
      product = try await wrapped.home.awaitedProduct(wrapped, resolution, isolation: isolation)
      ready.wrapped = product.map { .product($0) }
    } else if let wrapped {
      do {
        ready.wrapped = .ready(
          try await wrapped.awaitedInputs(resolution, buildsWrapped: false, isolation: isolation))
      } catch { throw wrapped.failure(error) }
    }
    do {
      ready.inputs = try await awaitedArguments(BuilderCall(resolution), isolation: isolation)
    } catch {
      await discardAwaiting(product, resolution, isolation: isolation)
      throw error
    }
    return ready
  }

  /// Calls the builder where it has to be called. The resolution is the builder's own.
  fileprivate func awaited(
    _ resolution: Resolution, _ ready: ReadyInputs, isolation: isolated (any Actor)?
  ) async throws -> AnyInstance {
    let inner = ready.product
    do {
      let call = BuilderCall(resolution, inputs: ready.inputs, wrapped: inner)
      let product = try await factory.awaitedProduct(self, call, isolation: isolation)
      note(inner, in: product)
      return product
    } catch {
      await discardAwaiting(inner, resolution, isolation: isolation)
      throw error
    }
  }

  /// Does what `discard` does, and awaits the disposal.
  fileprivate func discardAwaiting(
    _ wrapped: AnyInstance?, _ resolution: Resolution, isolation: isolated (any Actor)?
  ) async {
    guard let wrapped, let registration = service(ofUnused: wrapped) else { return }
    let store = resolution.scope ?? home.store
    await home.disposeUnkept(wrapped, of: registration, Build.current, in: store, isolation: isolation)
  }

  /// Returns the declared arguments of the builder; `nil` if it declares none. Awaits builders.
  private func awaitedArguments(
    _ call: BuilderCall, isolation: isolated (any Actor)?
  ) async throws -> [AnyInstance]? {
    guard let suppliers else { return nil }
    var values: [AnyInstance] = []
    for supplier in suppliers {
      if supplier.isCallArgument {
        values.append(.callPlaceholder)
        continue
      }
      if let value = try await supplier.awaitedValue(for: self, call, isolation: isolation) {
        values.append(value)
        continue
      }
      var parts: [AnyInstance] = []
      for cell in supplier.targets {
        parts.append(
          try await cell.home.awaitedInstance(in: cell.number, call.resolution.withoutArguments, isolation: isolation))
      }
      values.append(try supplier.value(of: parts, for: self, call))
    }
    return values
  }
}
