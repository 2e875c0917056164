// SPDX-License-Identifier: Apache-2.0

/// Looks up a service at each use.
///
/// An argument of a builder that is declared as `Provider` receives one, and any service can be looked up as one:
///
/// ```swift
/// registry.add("Importer", .service("parser", Provider<any Parser>.self)) { parsers in Importer(parsers: parsers) }
/// let parsers = try container.resolve(Provider<any Parser>.self)
/// let first = try parsers.get()
/// let second = try parsers.get()  // another one, where the service is transient
/// ```
///
/// Each use is a top-level look-up and follows the scope of the service: a shared service is always the same instance.
/// It takes place in the scope in which the provider was made. So a provider held by a shared service finds the
/// services of a named scope only if the scope is passed: `try handlers.get(in: request)`. A provider of a single service
/// is bound to the one that was found when it was made: a later registration of this service counts, but not one by
/// another name or in a child. A provider of an optional, a list or a map looks up by type or name at each use.
///
/// A provider does not retain its container or scope; if these are gone, its use throws.
public struct Provider<Value>: Sendable {
  /// The source of the values.
  private enum Source: Sendable {
    case service(Deferred<Value>)
    case closure(@Sendable () throws -> Value)
  }

  private let source: Source

  init(_ deferred: Deferred<Value>) { source = .service(deferred) }

  /// Creates a provider of values that a closure makes, without a container.
  public init(_ build: @escaping @Sendable () throws -> Value) { source = .closure(build) }

  /// Returns the service that takes the given run-time arguments; without any, the bound ones are used.
  ///
  /// A use without arguments finds the service that takes none, or the only one that is registered; a use with
  /// arguments finds the service of the type that takes these. The provider itself is looked up like a use without
  /// arguments, so there must be one of the former two.
  ///
  /// - Parameter scope: an open scope of the same container, or of a child of it, in which to look up; `nil` for the
  ///   provider's own.
  /// - Throws: `ResolutionError` if the service cannot be looked up or takes other arguments, building fails, or the
  ///   scope is closed or belongs to another container.
  public func get<each Argument: Sendable>(
    in scope: Scope? = nil, arguments: repeat each Argument
  ) throws(ResolutionError) -> Value {
    let arguments = RuntimeArguments(repeat each arguments)
    switch source {
    case .service(let deferred): return try deferred.current(in: scope).taking(arguments).get(in: scope, arguments)
    case .closure(let build):
      if let arguments { throw .argumentsOfClosure(arguments.types) }
      do { return try build() } catch { throw .lazyFailed(error) }
    }
  }

  /// Returns the service that takes the given run-time arguments, and awaits async builders; by default the bound ones
  /// are used.
  ///
  /// - Parameter scope: an open scope of the same container, or of a child of it, in which to look up; `nil` for the
  ///   provider's own.
  /// - Throws: as `get` does, and if the task is cancelled.
  public func getAsync<each Argument: Sendable>(
    in scope: Scope? = nil, isolation: isolated (any Actor)? = #isolation, arguments: repeat each Argument
  ) async throws(ResolutionError) -> Value {
    try await awaited(in: scope, RuntimeArguments(repeat each arguments), isolation: isolation)
  }

  /// The implementation of `getAsync`.
  private func awaited(
    in scope: Scope?, _ arguments: RuntimeArguments?, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> Value {
    guard let deferred else {
      if let arguments { throw .argumentsOfClosure(arguments.types) }
      return try get()
    }
    let current = try deferred.current(in: scope).taking(arguments)
    return try await current.awaited(in: scope, arguments, isOwned: false, isolation: isolation).value(as: Value.self)
  }

  /// The service, for code that cannot handle its absence.
  ///
  /// Stops the program with the full error message if `get` throws.
  public var value: Value { orStop { try get() } }

  /// Returns a provider with these run-time arguments bound, whose uses pass none. If several services take them, its uses
  /// throw.
  public func binding<each Argument: Sendable>(arguments: repeat each Argument) -> Provider {
    binding(RuntimeArguments(repeat each arguments))
  }

  /// Returns a `Lazy` that looks up the service with these run-time arguments; without any, the bound ones are used.
  public func lazy<each Argument: Sendable>(arguments: repeat each Argument) -> Lazy<Value> {
    Lazy(RuntimeArguments(repeat each arguments).map { binding($0) } ?? self)
  }

  /// Returns the same provider with other bound arguments; `nil` for none.
  private func binding(_ arguments: RuntimeArguments?) -> Provider {
    if let deferred { return Provider(((try? deferred.taking(arguments)) ?? deferred).binding(arguments)) }
    guard let arguments else { return self }
    return Provider { throw ResolutionError.argumentsOfClosure(arguments.types) }
  }

  /// The deferred look-up; `nil` for a closure.
  var deferred: Deferred<Value>? { if case .service(let deferred) = source { deferred } else { nil } }

  /// The same provider in the container in which its look-ups take place now, which it retains.
  var current: Provider { deferred.map { Provider($0.current()) } ?? self }

  /// The same provider for a task of its own; see `Deferred.inTask`.
  var inTask: Provider { deferred.map { Provider($0.inTask) } ?? self }

  /// Returns the service as an instance that owns the wrapped instances which its user disposes of.
  func getOwned() throws(ResolutionError) -> AnyInstance {
    guard let deferred else { return Instance(try get()) }
    return try deferred.getOwned()
  }

  /// Returns the same as `getOwned`, and awaits async builders.
  func awaitedGetOwned(isolation: isolated (any Actor)?) async throws(ResolutionError) -> AnyInstance {
    guard let deferred else { return Instance(try get()) }
    return try await deferred.awaited(isOwned: true, isolation: isolation)
  }
}

extension Provider: CustomStringConvertible {
  public var description: String {
    if let registration = deferred?.current().registration {
      return "Provider of service \"\(registration.id)\""
    }
    return "Provider of \(TypeName.name(of: Value.self))"
  }
}

extension Provider: DeferredForm {
  static var wrapper: ArgumentDescriptor.Wrapper { .provider }
  static var make: @Sendable (Deferred<Value>) -> Provider { { Provider($0) } }
}
