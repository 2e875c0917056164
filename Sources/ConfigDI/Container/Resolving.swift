// SPDX-License-Identifier: Apache-2.0

/// Something that looks services up: a container, or an open scope of it.
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
/// building fails, and the subscripts stop the program with the whole message.
///
/// A `Service` may also be one of these forms of a type: `[T]` gives all services that provide it and need no run-time
/// arguments, ascending by id, and `[String: T]` the same ones under their ids; `T?` is nil where nothing is registered;
/// `Lazy<T>` and `Provider<T>` put the look-up off.
public protocol Resolving: Sendable {
  /// The look-ups of this container or scope, as a builder receives them.
  ///
  /// - Throws: `ResolutionError` where a scope is closed.
  var resolver: Resolver { get throws(ResolutionError) }

  /// The service that provides a type.
  ///
  /// - Throws: `ResolutionError` where no service provides the type or several do, and where building fails.
  func resolve<Service>(_ type: Service.Type) throws(ResolutionError) -> Service

  /// The service that provides a type, or that of a name, with the run-time arguments that its builder wants.
  ///
  /// - Throws: `ResolutionError` where there is no such service, or it wants other arguments, or building fails.
  func resolve<Service, each Argument>(
    _ type: Service.Type, named name: String?, arguments: repeat each Argument
  ) throws(ResolutionError) -> Service

  /// The service that provides a type, or that of a name, with the run-time arguments that its builder wants; nil where
  /// nothing is registered that can be looked up.
  ///
  /// - Throws: `ResolutionError` where several services could be meant, or want other arguments, or building fails.
  func resolveOptional<Service, each Argument>(
    _ type: Service.Type, named name: String?, arguments: repeat each Argument
  ) throws(ResolutionError) -> Service?
}

extension Resolving {
  public func resolve<Service>(_ type: Service.Type) throws(ResolutionError) -> Service {
    try resolve(type, named: nil)
  }

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
    try resolve(type, named: name as String?)
  }

  /// The service that provides a type, with the run-time arguments that its builder wants.
  ///
  /// Services that want other arguments do not count: several may provide one type, each for its own arguments. The static
  /// types must be just those that the builder declares.
  ///
  /// ```swift
  /// let session: Session = try container.resolve(arguments: UserID(7), Locale.current)
  /// ```
  ///
  /// - Throws: `ResolutionError` where there is no such service or several are, and where building fails.
  public func resolve<Service, First, each Rest>(
    _ type: Service.Type = Service.self, arguments first: First, _ rest: repeat each Rest
  ) throws(ResolutionError) -> Service {
    try resolve(type, named: nil, arguments: first, repeat each rest)
  }

  /// The service of a name, with the run-time arguments that its builder wants.
  ///
  /// - Throws: `ResolutionError` where no service has the name, or it does not provide the type or wants other arguments,
  ///   and where building fails.
  public func resolve<Service, First, each Rest>(
    _ type: Service.Type = Service.self, named name: String, arguments first: First, _ rest: repeat each Rest
  ) throws(ResolutionError) -> Service {
    try resolve(type, named: name as String?, arguments: first, repeat each rest)
  }
}

extension Resolving {
  /// The service that provides a type, or nil where none does that can be looked up.
  ///
  /// - Throws: `ResolutionError` where several services provide the type, and where building fails.
  public func resolveOptional<Service>(_ type: Service.Type = Service.self) throws(ResolutionError) -> Service? {
    try resolveOptional(type, named: nil)
  }

  /// The service of a name, by its id or an alias, or nil where there is none that can be looked up.
  ///
  /// - Throws: `ResolutionError` where the service does not provide the type, or building fails.
  public func resolveOptional<Service>(
    _ type: Service.Type = Service.self, named name: String
  ) throws(ResolutionError) -> Service? {
    try resolveOptional(type, named: name as String?)
  }

  /// The service that provides a type, with the run-time arguments that its builder wants, or nil where none does that can
  /// be looked up.
  ///
  /// - Throws: `ResolutionError` where several services could be meant, or want other arguments, or building fails.
  public func resolveOptional<Service, First, each Rest>(
    _ type: Service.Type = Service.self, arguments first: First, _ rest: repeat each Rest
  ) throws(ResolutionError) -> Service? {
    try resolveOptional(type, named: nil, arguments: first, repeat each rest)
  }

  /// The service that provides a type, for code that cannot do without.
  ///
  /// ```swift
  /// let mailer = container[(any Mailer).self]
  /// ```
  ///
  /// Stops the program with the whole message where `resolve` throws.
  public subscript<Service>(type: Service.Type) -> Service {
    do {
      return try resolve(type)
    } catch {
      fatalError(error.description)
    }
  }

  /// The service of a name, for code that cannot do without.
  ///
  /// Stops the program with the whole message where `resolve` throws.
  public subscript<Service>(type: Service.Type, named name: String) -> Service {
    do {
      return try resolve(type, named: name)
    } catch {
      fatalError(error.description)
    }
  }
}
