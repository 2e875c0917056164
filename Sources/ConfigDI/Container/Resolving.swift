// SPDX-License-Identifier: Apache-2.0

/// Something that looks services up: a container, an open scope of it, or the resolver of a builder.
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
/// There are three manners: `resolve` throws, `resolveOptional` gives nil where nothing is registered and throws where
/// building fails, and the subscripts stop the program with the whole message. None of them awaits anything, also in
/// asynchronous code; `resolveAsync` and `resolveOptionalAsync` await builders.
///
/// A `Service` may also be one of these forms of a type: `[T]` gives all services that provide it and take no run-time
/// arguments, ascending by id, and `[String: T]` the same ones under their ids; `T?` is nil where nothing is registered;
/// `Lazy<T>`, `Provider<T>` and `Isolated<T>` look up later. Forms nest: `[Lazy<T>]`, `Lazy<[T]>`, `Provider<T?>`.
public protocol Resolving {
  /// The look-ups of this container or scope, as a builder receives them.
  ///
  /// - Throws: `ResolutionError` where a scope is closed.
  var resolver: Resolver { get throws(ResolutionError) }

  /// The service that provides a type.
  ///
  /// - Throws: `ResolutionError` where no service provides the type or several do, and where building fails.
  func resolve<Service>(_ type: Service.Type) throws(ResolutionError) -> Service
}

extension Resolving {
  /// The service that provides the type which is wanted here.
  @_disfavoredOverload
  public func resolve<Service>() throws(ResolutionError) -> Service { try resolve(Service.self) }

  /// The service of a name, by its id or an alias.
  ///
  /// A private service is found by its aliases alone.
  ///
  /// ```swift
  /// let audit: any Logger = try container.resolve(named: "logger.audit")
  /// ```
  ///
  /// - Throws: `ResolutionError` where no service has the name, or it does not provide the type, or building fails.
  public func resolve<Service>(
    _ type: Service.Type = Service.self, named name: String
  ) throws(ResolutionError) -> Service {
    try resolver.resolved(type, named: name, nil)
  }

  /// The service that provides a type, or that of a name, with the run-time arguments that its builder takes.
  ///
  /// Services that take other arguments do not count: several may provide one type, each for its own arguments. The static
  /// types must be just those that the builder declares.
  ///
  /// ```swift
  /// let session: Session = try container.resolve(arguments: UserID(7), Locale.current)
  /// ```
  ///
  /// - Throws: `ResolutionError` where there is no such service or several are, and where building fails.
  @inlinable public func resolve<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, named name: String? = nil, arguments: repeat each Argument
  ) throws(ResolutionError) -> Service {
    try resolver.resolved(type, named: name, RuntimeArguments(repeat each arguments))
  }

  /// The service that provides a type, or that of a name, with the run-time arguments that its builder takes; nil where nothing
  /// is registered that can be looked up.
  ///
  /// - Throws: `ResolutionError` where several services could be meant, or take other arguments, or building fails.
  public func resolveOptional<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, named name: String? = nil, arguments: repeat each Argument
  ) throws(ResolutionError) -> Service? {
    let resolver = try resolver
    defer { withExtendedLifetime(resolver.handle) {} }
    return try resolver.state.find(
      type, resolver.request(named: name, RuntimeArguments(repeat each arguments)))
  }

  /// The service that provides a type, or that of a name, for code that cannot do without.
  ///
  /// ```swift
  /// let mailer = container[(any Mailer).self]
  /// ```
  ///
  /// Stops the program with the whole message where `resolve` throws.
  public subscript<Service>(type: Service.Type, named name: String? = nil) -> Service {
    do {
      return if let name { try resolve(type, named: name) } else { try resolve(type) }
    } catch {
      fatalError(error.description)
    }
  }
}

// MARK: - Awaiting

extension Resolving {
  /// The service that provides a type, or that of a name, with builders awaited and the run-time arguments that its builder
  /// takes.
  ///
  /// All builders below are awaited that declare what they need: those of a module, and in code those of `autoregister` and of
  /// `Resolvable` types. A closure without `async` cannot await; where it needs a service that is built asynchronously and is
  /// not there yet, the error names the closure's service.
  ///
  /// Whoever looks a service up while it is built waits for that, without blocking a thread; it is built once for all. A look-up
  /// that is cancelled ends with an error; the others go on, and the builder is cancelled with the last of them.
  ///
  /// ```swift
  /// let database = try await container.resolveAsync(Database.self)
  /// ```
  ///
  /// - Throws: `ResolutionError` where there is no such service or several are, where building fails, and where the task is
  ///   cancelled.
  public func resolveAsync<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, named name: String? = nil, isolation: isolated (any Actor)? = #isolation,
    arguments: repeat each Argument
  ) async throws(ResolutionError) -> Service {
    let arguments = RuntimeArguments(repeat each arguments)
    return try await resolver.awaited(type, named: name, arguments, isolation: isolation)
  }

  /// The service that provides a type, or that of a name, with builders awaited; nil where nothing is registered that can be
  /// looked up.
  ///
  /// - Throws: `ResolutionError` where several services could be meant, where building fails, and where the task is cancelled.
  public func resolveOptionalAsync<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, named name: String? = nil, isolation: isolated (any Actor)? = #isolation,
    arguments: repeat each Argument
  ) async throws(ResolutionError) -> Service? {
    let arguments = RuntimeArguments(repeat each arguments)
    return try await resolver.awaitedOptional(type, named: name, arguments, isolation: isolation)
  }
}

extension Resolver {
  /// What a look-up asks for.
  fileprivate func request(named name: String?, _ arguments: RuntimeArguments?) -> Request {
    Request(named: name, in: resolution.with(arguments))
  }

  /// The service of a look-up.
  @usableFromInline func resolved<Service>(
    _ type: Service.Type, named name: String?, _ arguments: RuntimeArguments?
  ) throws(ResolutionError) -> Service {
    defer { withExtendedLifetime(handle) {} }
    if name == nil, let arguments,
      let (factory, registration) = state.directory.factory(of: ObjectIdentifier(type), arguments)
    {
      return try registration.make(typed(factory, type), resolution.with(arguments))
    }
    return try state.instance(of: type, request(named: name, arguments))
  }

  /// The service of a look-up, with builders awaited.
  ///
  /// Takes the run-time arguments as one value: what Swift 6.3 allocates for a pack in an asynchronous function it gives back in
  /// the wrong order.
  fileprivate func awaited<Service>(
    _ type: Service.Type, named name: String?, _ arguments: RuntimeArguments?, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> Service {
    defer { withExtendedLifetime(handle) {} }
    return try await state.awaitedInstance(of: type, request(named: name, arguments), isolation: isolation)
  }

  /// The service of a look-up, with builders awaited; nil where nothing is registered that can be looked up.
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
