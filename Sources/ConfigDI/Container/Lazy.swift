// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A value that is built at its first use and then cached.
///
/// It wraps a closure or a service: a builder argument declared as `Lazy` receives one, and any service can be looked
/// up as one.
///
/// ```swift
/// let parser = Lazy { Parser() }
/// registry.add("Importer", .service("store", Lazy<any Store>.self)) { store in Importer(store: store) }
/// let store = try container.resolve(Lazy<any Store>.self)
/// try store.get().save()
/// ```
///
/// It may be used from any thread; the value is built once. If values need each other in a cycle, also on several
/// threads, the use that closes the cycle throws.
///
/// A `Lazy` of a service does not retain its container or scope; if these are gone or closed, its first use throws. A
/// value that it has stays, also when the container is reset or disposed of: `dispose` drops it, and a `Provider` looks up
/// at each use. If a reload keeps the service that holds the `Lazy`, the next use looks up again what containers cache.
public final class Lazy<Value> {
  /// The source of the value.
  private enum Source: Sendable {
    /// A closure, or a service that is already determined.
    case provider(Provider<Value>)
    /// A service that is looked up by name or type at the first use, in what the closure returns.
    case lookUp(name: String?, @Sendable () -> any Resolving & Sendable)
  }

  private let source: Source
  /// Releases the resources of a value that a closure has built.
  private let onDispose: @Sendable (Value) -> Void
  /// The store that caches the value.
  private let store = InstanceStore(.lookUp, in: nil)
  /// The instance that holds this, if reloads may keep that. Stored apart from the source, since each use reads it.
  private let holder: KeptInstance?
  /// The number of containers to which the holder had passed when the value was looked up.
  private let passes = Atomic(0)

  /// Creates a value that a closure builds.
  ///
  /// - Parameters:
  ///   - onDispose: called with the value by `dispose`.
  ///   - build: builds the value. If it throws, nothing is cached, and the next use tries again.
  public init(
    onDispose: @escaping @Sendable (Value) -> Void = { _ in }, _ build: @escaping @Sendable () throws -> Value
  ) {
    source = .provider(Provider(build))
    self.onDispose = onDispose
    holder = nil
  }

  init(_ provider: Provider<Value>) {
    source = .provider(provider)
    onDispose = { _ in }
    holder = provider.deferred?.holder
  }

  /// Creates a value that is a service, looked up by name or type at the first use.
  ///
  /// - Parameters:
  ///   - name: the name of the service; `nil` to look it up by type.
  ///   - services: returns where to look up; called at the first use.
  init(named name: String?, from services: @escaping @Sendable () -> any Resolving & Sendable) {
    source = .lookUp(name: name, services)
    onDispose = { _ in }
    holder = nil
  }

  /// Returns the value, and builds it at the first use.
  ///
  /// - Throws: `ResolutionError` if building fails, the value needs itself to be built, or another task is building it
  ///   and has to await a builder.
  public func get() throws(ResolutionError) -> Value {
    if let instance { return instance.value(as: Value.self) }
    return try built()
  }

  /// Builds the value, or waits for the thread that builds it. Not part of `get`, which would look up the metadata of
  /// optional values at each use.
  @inline(never) private func built() throws(ResolutionError) -> Value {
    let passes = holder?.passes ?? 0
    let source = try resolved()
    while true {
      switch store.claim(LazyKey.only, for: source.deferred?.registration, mode: .blocking) {
      case .building(let waiter): if let value = try value(of: waiter.wait()) { return value }
      case .absent:
        // A task is building it. If the container caches the instance, a look-up there finds out whether something has
        // to be awaited; if nothing has to, it returns the same instance.
        if let deferred = source.deferred, deferred.isKeptByOthers {
          return try deferred.getOwned().value(as: Value.self)
        }
        throw source.deferred?.registration.map { .needsAwait($0) } ?? .needsAwait(Value.self)
      case let claim:
        return try value(of: built(claim, passes) { () throws(ResolutionError) in try source.getOwned() })
      }
    }
  }

  /// Returns the value, and builds it at the first use. Awaits async builders.
  ///
  /// A use during the build waits for it without blocking a thread. While a builder is awaited, `get` throws.
  ///
  /// ```swift
  /// let database = try container.resolve(Lazy<Database>.self)
  /// let rows = try await database.getAsync().rows()
  /// ```
  ///
  /// - Throws: `ResolutionError` if building fails, the value needs itself to be built, or the task is cancelled.
  public func getAsync(isolation: isolated (any Actor)? = #isolation) async throws(ResolutionError) -> Value {
    if let instance { return instance.value(as: Value.self) }
    let passes = holder?.passes ?? 0
    let source = try resolved()
    while true {
      let hasToAwait = try source.deferred?.hasToAwait() ?? false
      let claim: InstanceStore.Claim
      do throws(ResolutionError) {
        claim = try await self.claim(source, passes, inTask: hasToAwait, isolation: isolation)
      } catch {
        // A reset may have disposed of an instance whose builder has to be awaited.
        guard !hasToAwait, error.code == .needsAwait || error.code == .needsMainActor,
          try source.deferred?.hasToAwait() == true
        else { throw error }
        continue
      }
      let waiter: Waiter
      switch claim {
      case .claimed(let build, let own?):
        self.passes.store(passes, ordering: .releasing)
        let lazy = Transferred(self)
        build.task?.set(Task { await lazy.value.run(build, source) })
        waiter = own
      case .building(let other): waiter = other
      case let claim: return try value(of: claim)
      }
      let outcome = await waiter.outcome(awaits: hasToAwait, isolation: isolation)
      if let value = try value(of: outcome) { return value }
    }
  }

  /// Claims the build of the value for a task, or finds the value.
  ///
  /// - Parameter inTask: whether the builder has to be awaited, in a task. Otherwise the build is claimed when all that
  ///   the builder needs is looked up, and has ended when this returns: uses of `get` block their threads meanwhile.
  private func claim(
    _ source: Provider<Value>, _ passes: Int, inTask: Bool, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> InstanceStore.Claim {
    let registration = source.deferred?.registration
    if inTask { return store.claim(LazyKey.only, for: registration, mode: .inTask) }
    guard let deferred = source.deferred else {
      return try built(store.claim(LazyKey.only, mode: .suspending), passes) { () throws(ResolutionError) in
        try source.getOwned()
      }
    }
    return try await deferred.withReady(isolation: isolation) { build throws(ResolutionError) in
      try built(store.claim(LazyKey.only, for: registration, mode: .suspending), passes, build)
    }
  }

  /// The value, for code that cannot handle its absence.
  ///
  /// Stops the program with the full error message if `get` throws.
  public var value: Value { orStop { try get() } }

  /// Returns the value. Stops the program at the given place with the full error message if `get` throws.
  @usableFromInline func value(neededAt fileID: StaticString, _ line: UInt) -> Value {
    orStop(fileID, line) { try get() }
  }

  /// Whether the value is built.
  public var isBuilt: Bool { instance != nil }

  /// Drops the cached value. The next use builds a new one.
  ///
  /// If a container or scope caches the service, the next use returns the same instance. `onDispose` is called if only
  /// this `Lazy` owns the value: for a transient service, and for a value that a closure built.
  public func dispose() {
    if let instance = store.removeProduct(LazyKey.only) { dispose(of: instance) }
  }

  private func dispose(of instance: AnyInstance) {
    onDispose(instance.value(as: Value.self))
    instance.disposeWrapped()
  }

  /// The value as an instance; `nil` if it is not built, or is to be looked up again after a reload.
  private var instance: AnyInstance? {
    guard let product = store.product(LazyKey.only) else { return nil }
    guard let holder, holder.passes != passes.load(ordering: .acquiring) else { return product }
    return afterReload(product, holder.passes)
  }

  /// Drops a value that was looked up in an earlier container if containers cache it. Returns any other value.
  @inline(never) private func afterReload(_ product: AnyInstance, _ passes: Int) -> AnyInstance? {
    guard case .provider(let provider) = source, provider.current.deferred?.isKeptByOthers == true else {
      self.passes.store(passes, ordering: .releasing)
      return product
    }
    _ = store.removeProduct(LazyKey.only, if: product)
    return nil
  }
}

/// The key of the value, the only one in the store of a `Lazy`.
private final class LazyKey: InstanceKey {
  static let only = LazyKey()

  var registration: Registration? { nil }
}

// MARK: - Building

extension Lazy {
  /// Returns a provider of the value, with the service as of now.
  private func resolved() throws(ResolutionError) -> Provider<Value> {
    switch source {
    case .provider(let provider): return provider.current
    case .lookUp(let name, let services):
      let services = services()
      let resolver = try services.resolver
      let request = Request(named: name, in: resolver.resolution)
      let deferred = try Deferred<Value>.lookUp(request, in: resolver.state, sharing: false, takesArgumentsLater: false)
      guard let deferred else {
        try resolver.state.refuse(Value.self, request)
        throw resolver.state.missing(Value.self, request)
      }
      return Provider(deferred.retaining(services)).current
    }
  }

  /// Builds the value for a claimed build that no task awaits. Returns the claim of the value, and others as they are.
  ///
  /// - Parameter passes: the number of containers to which the holder had passed before.
  private func built(
    _ claim: InstanceStore.Claim, _ passes: Int, _ make: () throws(ResolutionError) -> AnyInstance
  ) throws(ResolutionError) -> InstanceStore.Claim {
    guard case .claimed(let build, nil) = claim else { return claim }
    self.passes.store(passes, ordering: .releasing)
    do throws(ResolutionError) {
      let made = Build.$current.withValue(build) { Result { () throws(ResolutionError) in try make() } }
      let instance = try made.get()
      keep(instance, build)
      return .product(instance)
    } catch {
      store.abandon(build, error)
      throw error
    }
  }

  /// Returns the value for a claim that neither builds nor waits.
  private func value(of claim: InstanceStore.Claim) throws(ResolutionError) -> Value {
    switch claim {
    case .product(let product): return product.value(as: Value.self)
    case .cycle(let builds): throw ResolutionError.cycle(builds)
    case .object, .claimed, .building, .absent, .superseded, .closed: throw .gone(Value.self)
    }
  }

  private func run(_ build: Build, _ source: Provider<Value>) async {
    do throws(ResolutionError) {
      let made = await Build.$current.withValue(build) { () async -> Result<AnyInstance, ResolutionError> in
        do throws(ResolutionError) {
          return .success(try await source.inTask.awaitedGetOwned(isolation: nil))
        } catch { return .failure(error) }
      }
      keep(try made.get(), build)
    } catch {
      store.abandon(build, error)
    }
  }

  /// Ends a build with its value, and resumes the waiters. Disposes of a value for which nobody waits any more.
  private func keep(_ product: AnyInstance, _ build: Build) {
    let (kept, waiters) = store.keep(product, weakly: nil, build)
    for waiter in waiters { waiter.resume(.product(product)) }
    if kept == .kept { return }
    dispose(of: product)
    store.abandon(build, .gone(Value.self))
  }

  /// Returns the value with which a build has ended; `nil` if the build was superseded.
  private func value(of outcome: Outcome) throws(ResolutionError) -> Value? {
    try outcome.product(of: nil, closedError: .gone(Value.self))?.value(as: Value.self)
  }
}

extension Lazy: Sendable where Value: Sendable {}

extension Lazy: CustomStringConvertible {
  public var description: String {
    instance.map { "\($0.value(as: Value.self))" } ?? "a lazy \(TypeName.name(of: Value.self))"
  }
}

extension Lazy: DeferredForm {
  static var wrapper: ArgumentDescriptor.Wrapper { .lazy }
  static var make: @Sendable (Deferred<Value>) -> Lazy { { Lazy(Provider($0)) } }
}
