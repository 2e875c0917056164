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
  /// The look-up.
  private let reference: Reference<Value>
  /// The run-time arguments that were bound; nil where none were.
  private let bound: RuntimeArguments?

  /// A provider by way of a reference.
  init(_ reference: Reference<Value>, bound: RuntimeArguments? = nil) {
    self.reference = reference
    self.bound = bound
  }

  /// The service.
  ///
  /// - Throws: `ResolutionError` where it cannot be looked up, or building fails.
  public func get() throws(ResolutionError) -> Value { try reference.resolve(arguments: bound) }

  /// The service, with the run-time arguments that its builder wants.
  ///
  /// - Throws: `ResolutionError` where it cannot be looked up or wants other arguments, or building fails.
  public func get<First, each Rest>(
    arguments first: First, _ rest: repeat each Rest
  ) throws(ResolutionError) -> Value {
    try reference.resolve(arguments: RuntimeArguments(first, repeat each rest))
  }

  /// The service as it is in an open scope of the same container.
  ///
  /// - Throws: `ResolutionError` where it cannot be looked up, or building fails, or the scope is closed or of another
  ///   container.
  public func get(in scope: Scope) throws(ResolutionError) -> Value {
    try reference.resolve(in: scope, arguments: bound)
  }

  /// The service as it is in an open scope of the same container, with the run-time arguments that its builder wants.
  ///
  /// - Throws: `ResolutionError` where it cannot be looked up or wants other arguments, or building fails, or the scope is
  ///   closed or of another container.
  public func get<First, each Rest>(
    in scope: Scope, arguments first: First, _ rest: repeat each Rest
  ) throws(ResolutionError) -> Value {
    try reference.resolve(in: scope, arguments: RuntimeArguments(first, repeat each rest))
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
    Provider(reference, bound: RuntimeArguments(first, repeat each rest))
  }

  /// A service that is looked up with these arguments at the first use.
  public func lazy<First, each Rest>(arguments first: First, _ rest: repeat each Rest) -> Lazy<Value> {
    Lazy(reference, bound: RuntimeArguments(first, repeat each rest))
  }
}

extension Provider: CustomStringConvertible {
  public var description: String { "Provider of service \"\(reference.id)\"" }
}

extension Provider: LookUpForm {
  static var sought: Any.Type { Value.self }

  static func lookUp(_ request: Request, in container: Container) throws(ResolutionError) -> Provider? {
    // Without arguments a service that wants some is found, too: each use may bring them.
    guard let target = try container.target(Value.self, request, takesArgumentsLater: true) else { return nil }
    return Provider(Reference(to: target, in: container, request.scope), bound: request.arguments)
  }
}

extension Provider: ServiceForm {
  static func argument(key: String) -> Any {
    BuilderArgument<Provider>(key: key, service: Value.self, wrapper: .provider) { given, linker in
      guard case .service(let slot) = given, let linker = linker as? Linker else {
        throw WiringFailure.wrongArgument(key: key)
      }
      let reference = try linker.reference(to: slot, as: Value.self)
      return { resolution in Provider(try reference(resolution)) }
    }
  }
}
