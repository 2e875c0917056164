// SPDX-License-Identifier: Apache-2.0

/// Looks a service up at each use.
///
/// An argument of a builder that is declared as a provider receives one, and any service can be looked up as one:
///
/// ```swift
/// registry.add("Importer", .service("parser", Provider<any Parser>.self)) { parsers in Importer(parsers: parsers) }
/// let parsers = try container.resolve(Provider<any Parser>.self)
/// let first = try parsers.get()
/// let second = try parsers.get()  // another one, where the service is transient
/// ```
///
/// Each use is a look-up of its own, with the lifetime of the service: a shared one is always the same. It takes place in
/// the scope in which the provider was made. So a provider which a shared service holds finds what lives in a named scope
/// only where it is told the scope: `try handlers.get(in: request)`.
///
/// A provider does not keep its container or scope alive; once these are gone, its use is an error.
public struct Provider<Value>: Sendable {
  /// Where the values come from.
  enum Source {
    /// A look-up, with run-time arguments where some were bound.
    case service(Reference<Value>, RuntimeArguments?)
    /// A closure.
    case closure(@Sendable () throws -> Value)
  }

  /// Where the values come from.
  let source: Source

  /// A provider by way of a reference.
  init(_ reference: Reference<Value>, bound: RuntimeArguments? = nil) { source = .service(reference, bound) }

  /// A provider of what a closure gives, without a container.
  public init(_ build: @escaping @Sendable () throws -> Value) { source = .closure(build) }

  /// A value.
  ///
  /// - Parameters:
  ///   - scope: a scope in which to look up; nil: that in which the provider was made.
  ///   - arguments: the run-time arguments; nil: those that were bound.
  private func get(in scope: Scope?, _ arguments: RuntimeArguments?) throws(ResolutionError) -> Value {
    switch source {
    case .service(let reference, let bound): return try reference.resolve(in: scope, arguments: arguments ?? bound)
    case .closure(let build):
      if let arguments { throw .argumentsOfClosure(arguments.types) }
      do { return try build() } catch { throw .lazyFailed(error) }
    }
  }

  /// The service.
  ///
  /// - Throws: `ResolutionError` where it cannot be looked up, or building fails.
  public func get() throws(ResolutionError) -> Value { try get(in: nil, nil) }

  /// The service, with the run-time arguments that its builder wants.
  ///
  /// - Throws: `ResolutionError` where it cannot be looked up or wants other arguments, or building fails.
  public func get<First, each Rest>(
    arguments first: First, _ rest: repeat each Rest
  ) throws(ResolutionError) -> Value {
    try get(in: nil, RuntimeArguments(first, repeat each rest))
  }

  /// The service as it is in an open scope of the same container.
  ///
  /// - Throws: `ResolutionError` where it cannot be looked up, or building fails, or the scope is closed or of another
  ///   container.
  public func get(in scope: Scope) throws(ResolutionError) -> Value {
    try get(in: scope, nil)
  }

  /// The service as it is in an open scope of the same container, with the run-time arguments that its builder wants.
  ///
  /// - Throws: `ResolutionError` where it cannot be looked up or wants other arguments, or building fails, or the scope is
  ///   closed or of another container.
  public func get<First, each Rest>(
    in scope: Scope, arguments first: First, _ rest: repeat each Rest
  ) throws(ResolutionError) -> Value {
    try get(in: scope, RuntimeArguments(first, repeat each rest))
  }

  /// The service, for code that cannot do without.
  ///
  /// Stops the program with the whole message where `get` throws.
  public var value: Value {
    do {
      return try get()
    } catch {
      fatalError(error.description)
    }
  }

  /// A provider whose uses need no arguments any more.
  public func binding<First, each Rest>(arguments first: First, _ rest: repeat each Rest) -> Provider {
    let bound = RuntimeArguments(first, repeat each rest)
    return switch source {
    case .service(let reference, _): Provider(reference, bound: bound)
    case .closure: Provider { throw ResolutionError.argumentsOfClosure(bound.types) }
    }
  }

  /// A service that is looked up with these arguments at the first use.
  public func lazy<First, each Rest>(arguments first: First, _ rest: repeat each Rest) -> Lazy<Value> {
    binding(arguments: first, repeat each rest).lazy()
  }

  /// A service that is looked up at the first use.
  public func lazy() -> Lazy<Value> {
    switch source {
    case .service(let reference, let bound): Lazy(reference, bound: bound)
    case .closure(let build): Lazy(build)
    }
  }

  /// Has an instance that nobody else keeps give back what it holds.
  func dispose(_ value: Value) {
    if case .service(let reference, _) = source { reference.dispose(value) }
  }
}

extension Provider: CustomStringConvertible {
  public var description: String {
    if case .service(let reference, _) = source { return "Provider of service \"\(reference.id)\"" }
    return "Provider of \(TypeName.name(of: Value.self))"
  }
}

extension Provider: LookUpForm {
  static var sought: Any.Type { Value.self }

  static func lookUp(_ request: Request, in core: Core) throws(ResolutionError) -> Provider? {
    // Without arguments a service that wants some is found, too: each use may bring them.
    guard let cell = try core.target(Value.self, request, takesArgumentsLater: true) else { return nil }
    return Provider(Reference(to: cell, in: request.resolution.scope), bound: request.resolution.arguments)
  }
}

extension Provider: ServiceForm {
  static func argument(key: String) -> Any {
    BuilderArgument<Provider>(key: key, service: Value.self, wrapper: .provider) { given, linker in
      guard case .service(let slot) = given, let linker = linker as? Linker else {
        throw WiringFailure.wrongArgument(key: key)
      }
      let reference = try linker.reference(to: slot, as: Value.self)
      return ComputedSupplier { resolution in Provider(reference(resolution)) }
    }
  }
}
