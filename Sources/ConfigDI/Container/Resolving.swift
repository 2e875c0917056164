// SPDX-License-Identifier: Apache-2.0

/// A type that looks up services: a container, an open scope of it, or the resolver of a builder.
///
/// ```swift
/// func report(_ services: some Resolving) throws {
///   let mailer = try services.resolve((any Mailer).self)
///   let audit: any Logger = try services.resolve(named: "logger.audit")
///   let session = try services.resolve(Session.self, arguments: UserID(7))
///   let metrics = try services.resolveOptional((any Metrics).self)
/// }
/// ```
///
/// There are three kinds of look-ups: `resolve` throws; `resolveOptional` returns `nil` if nothing is registered, and
/// throws if building fails; the subscripts stop the program with the full error message. None of them awaits anything,
/// even in async code; `resolveAsync` and `resolveOptionalAsync` await async builders.
///
/// A `Service` may also be one of these forms of a type: `[T]` returns all services that provide it and take no
/// run-time arguments, ascending by id, and `[String: T]` the same services by id; `T?` is `nil` if nothing is
/// registered; `Lazy<T>`, `Provider<T>` and `Isolated<T>` look up later. Forms nest: `[Lazy<T>]`, `Lazy<[T]>`,
/// `Provider<T?>`. A service that itself has the type of a form comes before the form, also as an element: if services
/// provide `[T]`, then `[[T]]` returns these, and otherwise one list of the services that provide `T`.
public protocol Resolving {
  /// The resolver that makes look-ups in this container or scope, as a builder receives it.
  ///
  /// - Throws: `ResolutionError` if a scope is closed.
  var resolver: Resolver { get throws(ResolutionError) }

  /// Returns the service that provides a type.
  ///
  /// - Throws: `ResolutionError` if no service or more than one provides the type, or building fails.
  func resolve<Service>(_ type: Service.Type) throws(ResolutionError) -> Service
}

extension Resolving {
  /// Returns the service that provides the type inferred from the context.
  @_disfavoredOverload
  public func resolve<Service>() throws(ResolutionError) -> Service { try resolve(Service.self) }

  /// Returns the service that has a name as its id or as an alias.
  ///
  /// A private service is found only by its aliases.
  ///
  /// ```swift
  /// let audit: any Logger = try container.resolve(named: "logger.audit")
  /// ```
  ///
  /// - Throws: `ResolutionError` if no service has the name, the service does not provide the type, or building fails.
  public func resolve<Service>(
    _ type: Service.Type = Service.self, named name: String
  ) throws(ResolutionError) -> Service {
    try resolver.resolved(type, named: name, nil)
  }

  /// Returns the service that provides a type, or has a name, and takes the given run-time arguments.
  ///
  /// Services that take other arguments are not considered: several services may provide one type, each for its own
  /// argument types. The static types of the arguments must be exactly those that the builder declares.
  ///
  /// ```swift
  /// let session: Session = try container.resolve(arguments: UserID(7), Locale.current)
  /// ```
  ///
  /// - Throws: `ResolutionError` if there is no such service or more than one, or building fails.
  @inlinable public func resolve<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, named name: String? = nil, arguments: repeat each Argument
  ) throws(ResolutionError) -> Service {
    try resolver.resolved(type, named: name, RuntimeArguments(repeat each arguments))
  }

  /// Returns the service that provides a type, or has a name, and takes the given run-time arguments; `nil` if no
  /// service is registered that can be looked up.
  ///
  /// - Throws: `ResolutionError` if the look-up is ambiguous, the services take other arguments, or building fails.
  public func resolveOptional<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, named name: String? = nil, arguments: repeat each Argument
  ) throws(ResolutionError) -> Service? {
    let resolver = try resolver
    defer { withExtendedLifetime(resolver.handle) {} }
    return try resolver.state.find(
      type, resolver.request(named: name, RuntimeArguments(repeat each arguments)))
  }

  /// Accesses the service that provides a type, or has a name, in code that cannot handle its absence.
  ///
  /// ```swift
  /// let mailer = container[(any Mailer).self]
  /// ```
  ///
  /// Stops the program with the full error message if `resolve` throws.
  public subscript<Service>(
    type: Service.Type, named name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Service {
    orStop(fileID, line) { if let name { try resolve(type, named: name) } else { try resolve(type) } }
  }
}

/// Returns the result of a look-up. Stops the program with the full error message, at a file and line, if it throws.
@inline(__always) func orStop<Service>(
  _ fileID: StaticString = #fileID, _ line: UInt = #line, _ lookUp: () throws -> Service
) -> Service {
  do {
    return try lookUp()
  } catch {
    fatalError("\(error)", file: fileID, line: line)
  }
}

// MARK: - Awaiting

extension Resolving {
  /// Returns the service that provides a type, or has a name, and takes the given run-time arguments. Awaits async
  /// builders.
  ///
  /// All builders that declare their arguments are awaited, at any depth: those of a module, and in code those of
  /// `autoregister` and of `Resolvable` types. A closure without `async` cannot await: if it needs an async service
  /// that is not built yet, the error names the closure's service.
  ///
  /// A look-up of a service that is being built waits for that build without blocking a thread; a cached service is
  /// built once for all of them. A look-up that is cancelled throws and the others go on; if no look-up waits any more,
  /// the builder is cancelled.
  ///
  /// ```swift
  /// let database = try await container.resolveAsync(Database.self)
  /// ```
  ///
  /// - Throws: `ResolutionError` if there is no such service or more than one, building fails, or the task is
  ///   cancelled.
  public func resolveAsync<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, named name: String? = nil, isolation: isolated (any Actor)? = #isolation,
    arguments: repeat each Argument
  ) async throws(ResolutionError) -> Service {
    let arguments = RuntimeArguments(repeat each arguments)
    return try await resolver.awaited(type, named: name, arguments, isolation: isolation)
  }

  /// Returns the service that provides a type, or has a name, and takes the given run-time arguments; `nil` if no
  /// service is registered that can be looked up. Awaits async builders.
  ///
  /// - Throws: `ResolutionError` if the look-up is ambiguous, the services take other arguments, building fails, or the
  ///   task is cancelled.
  public func resolveOptionalAsync<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, named name: String? = nil, isolation: isolated (any Actor)? = #isolation,
    arguments: repeat each Argument
  ) async throws(ResolutionError) -> Service? {
    let arguments = RuntimeArguments(repeat each arguments)
    return try await resolver.awaitedOptional(type, named: name, arguments, isolation: isolation)
  }
}

extension Resolver {
  fileprivate func request(named name: String?, _ arguments: RuntimeArguments?) -> Request {
    Request(named: name, in: resolution.with(arguments))
  }

  /// Returns the service that provides a type or has a name.
  @usableFromInline func resolved<Service>(
    _ type: Service.Type, named name: String?, _ arguments: RuntimeArguments?
  ) throws(ResolutionError) -> Service {
    defer { withExtendedLifetime(handle) {} }
    if name == nil, let arguments,
      let (registration, index) = state.directory.transient(of: ObjectIdentifier(type), arguments)
    {
      return try registration.make(type, index, resolution.with(arguments))
    }
    return try state.instance(of: type, request(named: name, arguments))
  }

  /// Returns the service that provides a type or has a name, and awaits async builders.
  ///
  /// Takes the run-time arguments as one value: Swift 6.3 deallocates a pack in an async function in the wrong order.
  @usableFromInline func awaited<Service>(
    _ type: Service.Type, named name: String?, _ arguments: RuntimeArguments?, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> Service {
    if let found = try await awaitedOptional(type, named: name, arguments, isolation: isolation) { return found }
    throw state.missing(type, request(named: name, arguments))
  }

  /// Returns the service that provides a type or has a name, and awaits async builders; `nil` if no service is
  /// registered that can be looked up.
  fileprivate func awaitedOptional<Service>(
    _ type: Service.Type, named name: String?, _ arguments: RuntimeArguments?, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> Service? {
    defer { withExtendedLifetime(handle) {} }
    return try await state.awaitedFind(type, request(named: name, arguments), isolation: isolation)
  }
}

extension Container {
  public var resolver: Resolver {
    get throws(ResolutionError) { Resolver(state, Resolution(), handle: state.generation == nil ? nil : self) }
  }
}
