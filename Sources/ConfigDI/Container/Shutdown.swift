// SPDX-License-Identifier: Apache-2.0

/// The instances that were not disposed of when a container was shut down.
public struct ShutdownError: Error, Sendable, CustomStringConvertible {
  /// Why an instance was not disposed of.
  public enum Reason: Sendable, CustomStringConvertible {
    /// It threw an error.
    case failed(any Error)
    /// It had not ended at the deadline.
    case timedOut
    /// The deadline had come before its turn.
    case notBegun

    public var description: String {
      switch self {
      case .failed(let error): "\(error)"
      case .timedOut: "it had not ended at the deadline"
      case .notBegun: "the deadline came before its turn"
      }
    }
  }

  /// One instance.
  public struct Failure: Sendable {
    /// The id of the service.
    public let id: String
    /// Why it was not disposed of.
    public let reason: Reason
    /// Whether its builder takes a value that is declared secret, so that the text of an error may hold one.
    public let takesSecrets: Bool
  }

  /// The instances, in the order in which it was their turn; at least one.
  public let failures: [Failure]

  /// A line for each instance.
  public var description: String {
    failures.map { "service \"\($0.id)\" was not disposed of: \($0.reason)" }.joined(separator: "\n")
  }
}

extension Container {
  /// Lets all instances and all registrations go, as `dispose` does, and awaits those that are closed with `await`.
  ///
  /// For each instance that the container, its children and its open scopes keep, in the reverse order of building:
  /// `disposeAsync` is awaited where it is `AsyncDisposable`, then `onDispose` is called. One that fails does not stop the others.
  /// What the application gave is not its to close: of that only `onDispose` is called.
  /// From the beginning on each look-up throws. Where the container was closed already, or is being closed, the call returns at
  /// once.
  ///
  /// ```swift
  /// try await container.shutdown(within: .seconds(10))
  /// ```
  ///
  /// - Parameter limit: How long all of it may take; nil: any time. What has not ended by then is cancelled and not waited for,
  ///   and what is left is let go without `await`.
  /// - Throws: `ShutdownError` with all instances that failed, or did not end in time.
  public func shutdown(within limit: Duration? = nil) async throws(ShutdownError) {
    try await state.shutdown(within: limit)
  }
}

extension ContainerState {
  func shutdown(within limit: Duration? = nil) async throws(ShutdownError) {
    guard store.isOpen else { return }
    let deadline = limit.map { ContinuousClock.now + $0 }
    var disposal = store.takeAll(isLast: true)
    var run = DisposalRun(&disposal)
    var failures: [ShutdownError.Failure] = []
    while let step = run.next() {
      switch step {
      case .dispose(let product):
        guard let registration = product.key?.registration else { continue }
        let reason = await InstanceStore.$shuttingDown.withValue(InstanceStore.shuttingDown + [store]) {
          await registration.disposeAsync(of: product, until: deadline)
        }
        if let reason {
          let takesSecrets = registration.traits.contains(.takesSecrets)
          failures.append(ShutdownError.Failure(id: registration.id, reason: reason, takesSecrets: takesSecrets))
        }
        registration.product.dispose(product)
      case .wait(let inner):
        // One that waits for this call would wait for ever.
        var isClosed = false
        if !InstanceStore.shuttingDown.contains(where: { $0 === inner }) {
          isClosed = await withDeadline(deadline) { await inner.closed() } != nil
        }
        if !isClosed { run.leave(to: inner) }
      }
    }
    if !failures.isEmpty { throw ShutdownError(failures: failures) }
  }
}

extension Registration {
  /// Awaits the disposal of an instance that is closed with `await`.
  ///
  /// - Returns: why it was not disposed of; nil where it was, or need not be awaited.
  fileprivate func disposeAsync(
    of product: AnyInstance, until deadline: ContinuousClock.Instant?
  ) async -> ShutdownError.Reason? {
    // What the application has given is the application's to close.
    guard !traits.contains(.isGiven), let service = self.product.asyncDisposable(product) else { return nil }
    if let deadline, deadline <= .now { return .notBegun }
    let outcome = await withDeadline(deadline) { () -> ShutdownError.Reason? in
      do {
        try await service.disposeAsync()
        return nil
      } catch { return .failed(error) }
    }
    return outcome ?? .timedOut
  }
}

extension Container {
  /// All services of a type that take no run-time arguments, with builders awaited, in the order of building: those of modules
  /// in that of the plan, then those of code in that of their registration; each with its id.
  ///
  /// - Throws: `ResolutionError` where building fails.
  package func resolveInPlanOrder<Service>(
    _ type: Service.Type, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> [(id: String, service: Service)] {
    var services: [(id: String, service: Service)] = []
    let providers = state.directory.providers(of: ObjectIdentifier(type))
    for (place, cell) in providers.sorted(by: { $0.place.number < $1.place.number })
    where cell.registration.parameters.isEmpty {
      let service = try await state.awaitedLookUp(place, isolation: isolation).value(as: type)
      services.append((cell.registration.id, service))
    }
    return services
  }

  /// The ids of the services that `resolveInPlanOrder` finds.
  package func ids(of type: Any.Type) -> Set<String> {
    let providers = state.directory.providers(of: ObjectIdentifier(type))
    return Set(providers.lazy.map(\.cell.registration).filter(\.parameters.isEmpty).map(\.id))
  }
}
