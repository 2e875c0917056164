// SPDX-License-Identifier: Apache-2.0

public import Synchronization

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
/// It may be used from every thread; the value is built once. Two stand-alone ones whose closures use each other on two
/// threads at once wait for each other, as two global constants would; those of a container find out and throw.
///
/// One that stands for a service does not keep its container or scope alive; once these are gone, or disposed of, its first
/// use is an error.
public final class Lazy<Value> {
  /// The address of the `Instance` that holds the value, which this object keeps; 0 while there is none.
  @usableFromInline let kept = Atomic<UInt>(0)
  /// Builds the value unless it is there.
  private let build: @Sendable (Lazy) throws(ResolutionError) -> Value
  /// Builds the value unless it is there, with builders awaited; nil where there is nothing to await.
  let buildAwaiting: (@Sendable (Hold<Lazy>) async throws(ResolutionError) -> Hold<Value>)?
  /// Gives back what the value holds, where nobody else keeps it.
  private let giveBack: @Sendable (Value) -> Void

  /// A value that a closure builds.
  ///
  /// - Parameters:
  ///   - onDispose: gives back what the value holds, at `dispose`.
  ///   - build: builds the value. Where it throws, nothing is kept, and the next use tries again.
  public init(
    onDispose: @escaping @Sendable (Value) -> Void = { _ in }, _ build: @escaping @Sendable () throws -> Value
  ) {
    giveBack = onDispose
    buildAwaiting = nil
    self.build = Lazy.once(build)
  }

  /// A value that is looked up at the first use.
  ///
  /// - Parameters:
  ///   - name: the name of the service; nil: its type decides.
  ///   - services: where to look up, asked at the first use.
  init(named name: String?, from services: @escaping @Sendable () -> any Resolving) {
    giveBack = { _ in }
    build = Lazy.once { try services().resolve(Value.self, named: name) }
    buildAwaiting = { (lazy: Hold<Lazy>) async throws(ResolutionError) -> Hold<Value> in
      try await lazy.value.lookUpAwaiting(named: name, in: services().resolver)
    }
  }

  /// Builds a value by a closure unless it is there.
  private static func once(
    _ build: @escaping @Sendable () throws -> Value
  ) -> @Sendable (Lazy) throws(ResolutionError) -> Value {
    let builds = Builds()
    return { (lazy: Lazy) throws(ResolutionError) -> Value in
      try builds.once(
        Site(keeper: ObjectIdentifier(lazy), slot: SlotKey(address: 0)), nil, Resolution(), find: { _ in lazy.current },
        build: { _ throws(ResolutionError) -> Value in
          do { return try build() } catch { throw .lazyFailed(error) }
        },
        keep: {
          lazy.keep($0)
          return .kept
        },
        closed: { _ in .lazyCycle })
    }
  }

  /// A service that is looked up at the first use.
  ///
  /// - Parameters:
  ///   - graph: the look-up to which this one belongs; nil: none.
  ///   - bound: the run-time arguments; nil where there are none.
  init(_ reference: Reference<Value>, graph: GraphInstances? = nil, bound: RuntimeArguments? = nil) {
    giveBack = reference.dispose
    graph?.putOff()
    build = { (lazy: Lazy) throws(ResolutionError) -> Value in
      try reference.once(
        for: lazy, find: { lazy.current },
        build: { work throws(ResolutionError) -> Value in
          try reference.resolve(graph: graph, arguments: bound, work: work)
        },
        keep: { lazy.keep($0) })
    }
    buildAwaiting = { (lazy: Hold<Lazy>) async throws(ResolutionError) -> Hold<Value> in
      try await reference.value(of: lazy, graph: graph, bound: bound)
    }
  }

  deinit { _ = release() }

  /// The value.
  ///
  /// - Throws: `ResolutionError` where building fails, or the value is needed to build itself.
  @inlinable public func get() throws(ResolutionError) -> Value {
    if let current { return current }
    return try make()
  }

  /// Builds the value unless it is there, and awaits nothing.
  @usableFromInline func make() throws(ResolutionError) -> Value { try build(self) }

  /// The value, for code that cannot do without.
  ///
  /// Stops the program with the whole message where `get` throws.
  @inlinable public var value: Value {
    do {
      return try get()
    } catch {
      fatalError(error.description)
    }
  }

  /// Whether the value is there.
  public var isBuilt: Bool { current != nil }

  /// Lets the value go. The next use builds anew.
  ///
  /// A service that others keep is the same afterwards. For one that only this `Lazy` keeps, as it is transient, and for a
  /// stand-alone value, `onDispose` is called.
  public func dispose() {
    guard let old = release() else { return }
    let value = old.value
    Readers.ofLazies.retire([old])
    giveBack(value)
  }

  /// The value, or nil where it is not there.
  @inlinable var current: Value? {
    var here: UInt8 = 0
    let visit = Readers.ofLazies.enter(at: withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) })
    defer { Readers.ofLazies.leave(visit) }
    return UnsafeRawPointer(bitPattern: kept.load(ordering: .acquiring)).map {
      Unmanaged<Instance<Value>>.fromOpaque($0)._withUnsafeGuaranteedRef { $0.value }
    }
  }

  /// Keeps a new value.
  func keep(_ value: Value) {
    let address = UInt(bitPattern: Unmanaged.passRetained(Instance<Value>(value)).toOpaque())
    let old = kept.exchange(address, ordering: .acquiringAndReleasing)
    if let old = held(old) { Readers.ofLazies.retire([old]) }
  }

  /// Takes the value out.
  private func release() -> Instance<Value>? { held(kept.exchange(0, ordering: .acquiringAndReleasing)) }

  /// What was held at an address.
  private func held(_ address: UInt) -> Instance<Value>? {
    UnsafeRawPointer(bitPattern: address).map { Unmanaged<Instance<Value>>.fromOpaque($0).takeRetainedValue() }
  }
}

extension Readers {
  /// Those who read the values of all that is lazy, which takes but a moment each.
  @usableFromInline static let ofLazies = Readers()
}

// The value is read within a visit and retired after it, and only a `Sendable` one may then be used by several threads.
extension Lazy: @unchecked Sendable where Value: Sendable {}

extension Lazy: CustomStringConvertible {
  public var description: String { current.map { "\($0)" } ?? "a lazy \(TypeName.name(of: Value.self))" }
}

extension Lazy: LookUpForm {
  static var sought: Any.Type { Value.self }

  static func lookUp(_ request: Request, in core: Core) throws(ResolutionError) -> Self? {
    guard let cell = try core.target(Value.self, request) else { return nil }
    let resolution = request.resolution
    return Self(Reference(to: cell, in: resolution.scope), graph: resolution.graph, bound: resolution.arguments)
  }
}

extension Lazy: ServiceForm {
  static func argument(key: String) -> Any {
    BuilderArgument<Lazy>(key: key, service: Value.self, wrapper: .lazy) { given, linker in
      guard case .service(let slot) = given, let linker = linker as? Linker else {
        throw WiringFailure.wrongArgument(key: key)
      }
      let reference = try linker.reference(to: slot, as: Value.self)
      return ComputedSupplier { resolution in Lazy(reference(resolution), graph: resolution.graph) }
    }
  }
}
