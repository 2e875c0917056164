// SPDX-License-Identifier: Apache-2.0

/// A value that exists only while it is used.
///
/// Each use builds a value, calls an action with it, and releases it, also if the action throws. Meant for values that
/// should not be held longer than needed: a transaction, a connection.
///
/// ```swift
/// let billing = try container.resolve(Isolated<any UserBilling>.self, arguments: userID)
/// try billing.use { billing in try billing.add(payment) }
/// ```
///
/// It can also wrap a closure: `Isolated { Transaction() }`. For a service that the container caches, such as a shared
/// one, the action receives the cached instance, which stays. `onDispose` is called only for an uncached instance.
public struct Isolated<Value>: Sendable {
  private let provider: Provider<Value>
  /// Releases the resources of a value that a closure has built.
  private let onDispose: @Sendable (Value) -> Void

  /// Creates an isolated value that a closure builds for each use.
  ///
  /// - Parameters:
  ///   - onDispose: releases the resources of the value, after each use.
  ///   - build: builds the value.
  public init(
    onDispose: @escaping @Sendable (Value) -> Void = { _ in }, _ build: @escaping @Sendable () throws -> Value
  ) {
    provider = Provider(build)
    self.onDispose = onDispose
  }

  /// Creates an isolated value that a provider returns for each use.
  public init(_ provider: Provider<Value>) {
    self.provider = provider
    onDispose = { _ in }
  }

  /// Builds a value, calls an action with it, and releases the value. In asynchronous code the form that awaits is used,
  /// whether or not the action does.
  ///
  /// - Throws: what the action throws; `ResolutionError` if the value cannot be built.
  @_disfavoredOverload
  public func use<Result>(_ action: (Value) throws -> Result) throws -> Result {
    // Retains the container, whose services the value may hold, during the use.
    let provider = provider.current
    defer { withExtendedLifetime(provider) {} }
    let instance = try provider.getOwned()
    defer { release(instance) }
    return try action(instance.value(as: Value.self))
  }

  /// Builds a value and awaits async builders, awaits an action with it, and releases the value. Awaits the disposal of
  /// a service, and of those that its decorators wrap, if it is `AsyncDisposable`.
  ///
  /// - Throws: what the action throws; `ResolutionError` if the value cannot be built; `ShutdownError` if the action
  ///   returned and a disposal failed.
  public func use<Result>(
    isolation: isolated (any Actor)? = #isolation, _ action: (Value) async throws -> Result
  ) async throws -> Result {
    // Retains the container, whose services the value may hold, during the use.
    let provider = provider.current
    defer { withExtendedLifetime(provider) {} }
    let instance = try await provider.awaitedGetOwned(isolation: isolation)
    // Before the action, which may close the store.
    let disposables = AsyncDisposables(of: instance.wrapped ?? [], in: provider.deferred?.store)
    // Made for this use, and passed to nothing but the action.
    nonisolated(unsafe) let value = instance.value(as: Value.self)
    let result: Result
    do {
      result = try await action(value)
    } catch {
      try? await releaseAwaiting(instance, disposables)
      throw error
    }
    try await releaseAwaiting(instance, disposables)
    return result
  }

  /// Disposes of a value, and of the instances that its decorators wrap.
  private func release(_ instance: AnyInstance) {
    onDispose(instance.value(as: Value.self))
    instance.disposeWrapped()
  }

  /// Does what `release` does, and awaits async disposals.
  private func releaseAwaiting(
    _ instance: AnyInstance, _ disposables: AsyncDisposables, isolation: isolated (any Actor)? = #isolation
  ) async throws(ShutdownError) {
    onDispose(instance.value(as: Value.self))
    try ShutdownError.check(await disposeAwaiting(instance.wrapped.take() ?? [], disposables, isolation: isolation))
  }
}

extension Isolated: CustomStringConvertible {
  public var description: String { "an isolated \(TypeName.name(of: Value.self))" }
}

extension Isolated: DeferredForm {
  // To a module file this is a provider: it looks up its service at each use.
  static var wrapper: ArgumentDescriptor.Wrapper { .provider }
  static var make: @Sendable (Deferred<Value>) -> Isolated { { Isolated(Provider($0)) } }
}
