// SPDX-License-Identifier: Apache-2.0

/// A value that is built at its first use, and the same afterwards.
///
/// It stands alone, or stands for a service: an argument of a builder that is declared as lazy receives one, and any service
/// can be looked up as one.
///
/// ```swift
/// let parser = Lazy { Parser() }
/// registry.add("Importer", .service("store", Lazy<any Store>.self)) { store in Importer(store: store) }
/// let store = try container.resolve(Lazy<any Store>.self)
/// try store.get().save()
/// ```
///
/// It may be used from every thread; the value is built once. Where values need each other in a circle, also on several
/// threads, the use that closes the circle throws.
///
/// One that stands for a service does not keep its container or scope alive; once these are gone, or disposed of, its first
/// use is an error.
public final class Lazy<Value> {
  /// Where the value comes from.
  private enum Source: Sendable {
    /// A closure, and what is called at `dispose`.
    case closure(@Sendable () throws -> Value, onDispose: @Sendable (Value) -> Void)
    /// A service that is known.
    case service(Deferred<Value>)
    /// A service that is looked up by its name or type at the first use, in what a closure gives.
    case lookUp(name: String?, @Sendable () -> any Resolving)
  }

  /// Where the value comes from.
  private let source: Source
  /// Keeps the value.
  private let store = InstanceStore(.lookUp, in: nil)

  /// A value that a closure builds.
  ///
  /// - Parameters:
  ///   - onDispose: disposes of the value, at `dispose`.
  ///   - build: builds the value. Where it throws, nothing is kept, and the next use tries again.
  public init(
    onDispose: @escaping @Sendable (Value) -> Void = { _ in }, _ build: @escaping @Sendable () throws -> Value
  ) {
    source = .closure(build, onDispose: onDispose)
  }

  /// A service that is looked up at the first use.
  init(_ deferred: Deferred<Value>) { source = .service(deferred) }

  /// A service that is looked up at the first use.
  ///
  /// - Parameters:
  ///   - name: the name of the service; nil: its type decides.
  ///   - services: where to look up, asked at the first use.
  init(named name: String?, from services: @escaping @Sendable () -> any Resolving) {
    source = .lookUp(name: name, services)
  }

  /// The value.
  ///
  /// - Throws: `ResolutionError` where building fails, or the value is needed to build itself, or another task is building it
  ///   and has to await a builder.
  public func get() throws(ResolutionError) -> Value {
    if let instance { return instance.value(as: Value.self) }
    return try built()
  }

  /// Builds the value, or waits until another thread has. Apart from `get`, which would look up the metadata of optional values at
  /// each use.
  @inline(never) private func built() throws(ResolutionError) -> Value {
    let source = try resolved()
    while true {
      switch store.claim(LazyKey.only, for: source.registration, mode: .blocking) {
      case .building(let waiter, _, on: let waiting):
        let outcome = waiter.wait()
        BuildCoordinator.leave(waiter, of: waiting)
        if let value = try value(of: outcome) { return value }
      case .absent: throw source.registration.map { .needsAwait($0) } ?? .needsAwait(Value.self)
      case let claim: return try value(of: claim, source)
      }
    }
  }

  /// The value, with builders awaited.
  ///
  /// Whoever uses it while it is built waits for that, without blocking a thread; it is built once for all. While a builder is
  /// awaited, a use that does not await throws.
  ///
  /// ```swift
  /// let database = try container.resolve(Lazy<Database>.self)
  /// let rows = try await database.getAsync().rows()
  /// ```
  ///
  /// - Throws: `ResolutionError` where building fails, the value is needed to build itself, or the task is cancelled.
  public func getAsync(isolation: isolated (any Actor)? = #isolation) async throws(ResolutionError) -> Value {
    if let instance { return instance.value(as: Value.self) }
    let source = try resolved()
    let hasToAwait = source.hasToAwait
    if !hasToAwait, let deferred = source.deferred, deferred.isKeptByOthers {
      // Others may be building it. A claim would have uses that do not await wait until this task goes on.
      let instance = try await deferred.awaitedGetOwned(isolation: isolation)
      store.keepIfAbsent(instance, as: LazyKey.only)
      return instance.value(as: Value.self)
    }
    while true {
      let claim = store.claim(LazyKey.only, for: source.registration, mode: hasToAwait ? .inTask : .suspending)
      switch claim {
      case .claimed(let build, let waiter?):
        let lazy = Hold(self)
        build.setTask(Task { await lazy.value.run(build, source) })
        if let value = try await outcome(of: build, waiter, nil, isolation: isolation) { return value }
      case .building(let waiter, let build, on: let waiting):
        if let value = try await outcome(of: build, waiter, waiting, isolation: isolation) { return value }
      default: return try value(of: claim, source)
      }
    }
  }

  /// The value, for code that cannot do without.
  ///
  /// Stops the program with the whole message where `get` throws.
  public var value: Value {
    do {
      return try get()
    } catch {
      fatalError(error.description)
    }
  }

  /// Whether the value is there.
  public var isBuilt: Bool { instance != nil }

  /// Lets the value go. The next use builds anew.
  ///
  /// A service that others keep is the same afterwards. For one that only this `Lazy` keeps, as it is transient, and for a
  /// stand-alone value, `onDispose` is called.
  public func dispose() {
    guard let instance = store.removeProduct(LazyKey.only) else { return }
    if case .closure(_, let onDispose) = source { onDispose(instance.value(as: Value.self)) }
    instance.disposeWrapped()
  }

  /// The value; nil where it is not built.
  private var instance: AnyInstance? { store.product(LazyKey.only) }
}

/// The key of the value in the store of a `Lazy`, which has no other.
private final class LazyKey: InstanceKey {
  static let only = LazyKey()

  var registration: Registration? { nil }
}

// MARK: - Building

extension Lazy {
  /// Where the value comes from, once what answers is known.
  private enum ResolvedSource: Sendable {
    case closure(@Sendable () throws -> Value)
    case service(Deferred<Value>)

    /// The look-up; nil for a closure.
    var deferred: Deferred<Value>? { if case .service(let deferred) = self { deferred } else { nil } }
    /// The service; nil where there is no single one.
    var registration: Registration? { deferred?.registration }
    /// Whether a builder has to be awaited.
    var hasToAwait: Bool { deferred?.hasToAwait ?? false }

    /// Builds the value, as an instance that wraps what is disposed of with it.
    func make() throws(ResolutionError) -> AnyInstance {
      switch self {
      case .service(let deferred): return try deferred.getOwned()
      case .closure(let build): do { return Instance(try build()) } catch { throw .lazyFailed(error) }
      }
    }
  }

  /// Where the value comes from now.
  private func resolved() throws(ResolutionError) -> ResolvedSource {
    switch source {
    case .closure(let build, _): return .closure(build)
    case .service(let deferred): return .service(deferred.current())
    case .lookUp(let name, let services):
      let resolver = try services().resolver
      let request = Request(named: name, in: resolver.resolution)
      let deferred = try Deferred<Value>.lookUp(request, in: resolver.state, sharing: false, takesArgumentsLater: false)
      guard let deferred else {
        try resolver.state.refuse(Value.self, request)
        throw resolver.state.missing(Value.self, request)
      }
      return .service(deferred.current())
    }
  }

  /// What a claim comes to that waits for nobody.
  private func value(of claim: InstanceStore.Claim, _ source: ResolvedSource) throws(ResolutionError) -> Value {
    switch claim {
    case .product(let product): return product.value(as: Value.self)
    case .circular(let builds): throw ResolutionError.cycle(builds)
    case .claimed(let build, _):
      do throws(ResolutionError) {
        let made = Build.$current.withValue(build) { Result { () throws(ResolutionError) in try source.make() } }
        let instance = try made.get()
        keep(instance, build)
        return instance.value(as: Value.self)
      } catch {
        store.abandon(build, error)
        throw error
      }
    case .object, .building, .absent, .superseded, .closed: throw .gone(Value.self)
    }
  }

  private func run(_ build: Build, _ source: ResolvedSource) async {
    do throws(ResolutionError) {
      guard let deferred = source.deferred else { return keep(try source.make(), build) }
      let made = await Build.$current.withValue(build) { () async -> Result<AnyInstance, ResolutionError> in
        do throws(ResolutionError) {
          return .success(try await deferred.inTask.awaitedGetOwned(isolation: nil))
        } catch { return .failure(error) }
      }
      keep(try made.get(), build)
    } catch {
      store.abandon(build, error)
    }
  }

  /// Ends a build with its value.
  private func keep(_ product: AnyInstance, _ build: Build) {
    for waiter in store.keep(product, weakly: nil, build).waiters { waiter.resume(.product(product)) }
  }

  private func outcome(
    of build: Build, _ waiter: Waiter, _ waiting: Build?, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> Value? {
    build.raisePriority(to: Task.currentPriority)
    let outcome = await waiter.suspend(isolation: isolation)
    BuildCoordinator.leave(waiter, of: waiting)
    if case .cancelled = outcome, store.giveUp(waiter, of: build) { build.cancel() }
    return try value(of: outcome)
  }

  /// The value that a build has ended with; nil where it was superseded.
  private func value(of outcome: Outcome) throws(ResolutionError) -> Value? {
    switch outcome {
    case .product(let product): return product.value(as: Value.self)
    case .failed(let error): throw error
    case .superseded: return nil
    case .closed: throw .gone(Value.self)
    case .cancelled: throw .cancelled(nil)
    }
  }
}

extension Lazy: Sendable where Value: Sendable {}

extension Lazy: CustomStringConvertible {
  public var description: String {
    instance.map { "\($0.value(as: Value.self))" } ?? "a lazy \(TypeName.name(of: Value.self))"
  }
}

extension Lazy: LookUpForm {
  static var sought: Any.Type { Value.self }

  static func parts(_ request: Request, in state: ContainerState) throws(ResolutionError) -> FormParts<Lazy>? {
    let deferred = try Deferred<Value>.lookUp(request, in: state, sharing: true, takesArgumentsLater: false)
    return deferred.map { deferred in FormParts { _ in Lazy(deferred) } }
  }

  static func parts(of cell: CellPlace, _ resolution: Resolution) -> FormParts<Lazy> {
    FormParts { _ in Lazy(Deferred(cell, in: resolution, sharing: true)) }
  }
}

extension Lazy: DeferredForm {
  static var deferredType: Any.Type { Value.self }
  static var wrapper: ArgumentDescriptor.Wrapper { .lazy }
  static var deferred: @Sendable (CellPlace, BuilderCall) -> Lazy {
    { cell, call in Lazy(Deferred(cell, of: call, sharing: true)) }
  }
}
