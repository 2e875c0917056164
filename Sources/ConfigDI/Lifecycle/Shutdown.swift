// SPDX-License-Identifier: Apache-2.0

extension Container {
  /// Disposes of all instances and removes all registrations, as `dispose` does, and awaits async disposals.
  ///
  /// For each instance that the container, its children and its open scopes cache, in the reverse order of building,
  /// `disposeAsync` is awaited if the instance is `AsyncDisposable`, then `onDispose` is called. A failure does not
  /// stop the others. For a given instance only `onDispose` is called, since the application owns it. Look-ups throw as
  /// soon as the shutdown begins. The call returns at once if the container is closed or is being closed.
  ///
  /// Async builders that are running are cancelled. The shutdown waits for all running builders of cached instances, also
  /// for those that no look-up waits for any more, and disposes of what they return first among the instances of the same
  /// container or scope. It does not wait for a builder that itself waits for the shutdown in its own task or one that
  /// inherits its task-local values, for a builder of a scope or child that was closed before, nor for a `reset` that
  /// another thread is running. If a disposal waits for other code that waits for this shutdown, neither ends; a limit
  /// ends both.
  ///
  /// `disposeAsync` runs in the task of the caller, and is cancelled with it. Where the task may be cancelled already and
  /// the disposals have to run all the same, use a task of its own: `try await Task { try await container.shutdown() }.value`.
  ///
  /// ```swift
  /// try await container.shutdown(within: .seconds(10))
  /// ```
  ///
  /// - Parameter limit: the maximum duration of all disposals together; `nil` for no limit. At the limit the running
  ///   disposal is cancelled, neither it nor a builder is waited for, and the remaining instances are disposed of without
  ///   `await`. If another call is closing a scope or a child then, that call disposes of the remaining instances after
  ///   those of the scope or child.
  /// - Throws: `ShutdownError` with all instances whose disposal failed, or did not end in time.
  public func shutdown(within limit: Duration? = nil) async throws(ShutdownError) {
    let deadline = limit.map { ContinuousClock.now + $0 }
    try await state.store.shutdown(until: deadline, awaitingBuildsUntil: deadline)
  }
}

extension InstanceStore {
  /// Closes the store of a container, and disposes of all instances; see `Container.shutdown`.
  ///
  /// - Parameters:
  ///   - deadline: the end of the last disposal; `nil` for no limit.
  ///   - buildDeadline: the end of the wait for running builders; `nil` for no limit.
  func shutdown(
    until deadline: ContinuousClock.Instant? = nil, awaitingBuildsUntil buildDeadline: ContinuousClock.Instant? = nil
  ) async throws(ShutdownError) {
    guard isOpen else { return }
    let disposal = takeAll(isLast: true, joinsBuilds: true)
    let failures = await disposal.awaitBuilds(until: buildDeadline)
    try ShutdownError.check(failures + (await disposal.runAwaiting(of: self, until: deadline)))
  }

  /// Closes the store of a scope as `close` does, and awaits async disposals. They run in a task of its own, so that they
  /// are not cancelled with this one.
  func closeAwaiting(isolation: isolated (any Actor)?) async throws(ShutdownError) {
    guard isOpen else { return }
    let disposal = takeAll(isLast: true)
    guard disposal.mustAwait else { return disposal.run() }
    let transferred = Transferred(disposal)
    try ShutdownError.check(await Task { await transferred.value.runAwaiting(of: self, until: nil) }.value)
  }
}

extension Disposal {
  /// Whether the disposal of an instance, or another call that disposes of an inner store, has to be awaited.
  fileprivate var mustAwait: Bool {
    !blockers.isEmpty
      || batches.contains { batch in
        batch.instances.contains { $0.isAsyncDisposable || $0.wrapped?.contains(where: \.isAsyncDisposable) == true }
      }
  }

  /// Disposes of the instances as `run` does, and awaits async disposals.
  ///
  /// - Parameters:
  ///   - store: the store that is closed.
  ///   - deadline: the end of the last disposal; `nil` for no limit.
  /// - Returns: all failures.
  fileprivate consuming func runAwaiting(
    of store: InstanceStore, until deadline: ContinuousClock.Instant?
  ) async -> [ShutdownError.Failure] {
    var failures: [ShutdownError.Failure] = []
    var run = DisposalRun(self, awaits: true)
    while let step = run.next() {
      switch step {
      case .dispose(let product):
        guard let registration = product.key?.registration else { continue }
        let failure = await registration.shutDown(
          product, awaiting: run.disposable(product), of: store, until: deadline)
        if let failure { failures.append(failure) }
      case .wait(let inner):
        // A store whose shutdown waits for this call must not be waited for: neither would ever end. That shutdown
        // awaits the rest.
        if inner.waitsForRunningCode || InstanceStore.shuttingDown.contains(where: { $0.store.isWithin(inner) }) {
          run.leave(to: inner)
        } else if await withDeadline(deadline, { await inner.closed() }) == nil {
          let rest = run.rest.filter(\.hasDisposal).compactMap { $0.key?.registration?.failure(.notBegun) }
          if run.leave(to: inner) { failures += rest }
        }
      }
    }
    return failures
  }

  /// Waits for the builders that were running when the stores were closed, and adds what they return to the instances, as
  /// the last ones in the order of building.
  fileprivate func awaitBuilds(until deadline: ContinuousClock.Instant?) async -> [ShutdownError.Failure] {
    var ends: [(Batch, Registration, FirstResult<Outcome>)] = []
    for batch in batches {
      for waiter in batch.waits {
        guard let registration = waiter.build.registration else { continue }
        let (store, end) = (batch.store, FirstResult<Outcome>())
        // Not cancelled at the deadline, so that a product is disposed of whenever its builder ends.
        Task {
          let outcome = await waiter.suspend(isolation: nil)
          BuildCoordinator.leave(waiter)
          guard !end.offer(outcome), case .product(let product) = outcome, registration.disposesOfUnkept else { return }
          _ = await disposeAwaiting(product.withWrapped(as: registration), in: store.enclosing)
        }
        ends.append((batch, registration, end))
      }
      batch.waits = []
    }
    var failures: [ShutdownError.Failure] = []
    for (batch, registration, end) in ends {
      _ = await withDeadline(deadline) { await end.value() }
      end.offer(.cancelled)
      switch end.known {
      case .product(let product) where registration.disposesOfUnkept:
        (product.key, product.sequence) = (registration, .max)
        batch.instances.append(product)
        batch.store.state.withLock { $0.objects?.formUnion(product.objects) }
      case .cancelled: failures.append(registration.failure(.notBuilt))
      default: break
      }
    }
    return failures
  }
}

extension AnyInstance {
  /// Whether its disposal calls any code.
  fileprivate var hasDisposal: Bool { isAsyncDisposable || key?.registration?.factory.hasDisposeAction == true }
}

extension Registration {
  /// Disposes of an instance in the shutdown of a store.
  ///
  /// - Parameter disposable: the instance if its disposal has to be awaited; otherwise `nil`.
  /// - Returns: the failure; `nil` if there is none.
  fileprivate func shutDown(
    _ product: AnyInstance, awaiting disposable: (any AsyncDisposable)?, of store: InstanceStore,
    until deadline: ContinuousClock.Instant?
  ) async -> ShutdownError.Failure? {
    let running = InstanceStore.RunningShutdown(store: store, family: home.generation?.family)
    let reason = await InstanceStore.$shuttingDown.withValue(InstanceStore.shuttingDown + [running]) {
      () -> ShutdownError.Reason? in
      guard let disposable else { return nil }
      if let deadline, deadline <= .now { return .notBegun }
      let outcome = await withDeadline(deadline) { () -> ShutdownError.Reason? in
        do {
          try await disposable.disposeAsync()
          return nil
        } catch { return .failed(error) }
      }
      return outcome ?? .timedOut
    }
    factory.dispose(product)
    return reason.map(failure)
  }
}
