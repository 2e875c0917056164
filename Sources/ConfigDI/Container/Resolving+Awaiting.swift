// SPDX-License-Identifier: Apache-2.0

extension Resolving {
  /// The service that provides a type, with builders awaited.
  ///
  /// Whoever looks a service up while it is built waits for that, without holding a thread; it is built once for all. A look-up
  /// that is cancelled ends with an error; the others go on, and the builder is cancelled with the last of them.
  ///
  /// ```swift
  /// let database = try await container.resolve(Database.self)
  /// ```
  ///
  /// - Throws: `ResolutionError` where no service provides the type or several do, where building fails, and where the task
  ///   is cancelled.
  public func resolve<Service>(
    _ type: Service.Type = Service.self, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> Service {
    try await AwaitedLookUp(resolver, named: nil).instance(of: type)
  }

  /// The service of a name, by its id or an alias, with builders awaited.
  ///
  /// - Throws: `ResolutionError` where no service has the name, or it does not provide the type, where building fails, and
  ///   where the task is cancelled.
  public func resolve<Service>(
    _ type: Service.Type = Service.self, named name: String, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> Service {
    try await AwaitedLookUp(resolver, named: name).instance(of: type)
  }

  /// The service that provides a type, with builders awaited and the run-time arguments that its builder wants.
  ///
  /// - Throws: `ResolutionError` where there is no such service or several are, where building fails, and where the task is
  ///   cancelled.
  public func resolve<Service, First, each Rest>(
    _ type: Service.Type = Service.self, isolation: isolated (any Actor)? = #isolation, arguments first: First,
    _ rest: repeat each Rest
  ) async throws(ResolutionError) -> Service {
    let look = try AwaitedLookUp(resolver, named: nil, arguments: first, repeat each rest)
    return try await look.instance(of: type)
  }

  /// The service of a name, with builders awaited and the run-time arguments that its builder wants.
  ///
  /// - Throws: `ResolutionError` where no service has the name, or it does not provide the type or wants other arguments,
  ///   where building fails, and where the task is cancelled.
  public func resolve<Service, First, each Rest>(
    _ type: Service.Type = Service.self, named name: String, isolation: isolated (any Actor)? = #isolation,
    arguments first: First, _ rest: repeat each Rest
  ) async throws(ResolutionError) -> Service {
    let look = try AwaitedLookUp(resolver, named: name, arguments: first, repeat each rest)
    return try await look.instance(of: type)
  }

  /// The service that provides a type, with builders awaited, or nil where none does that can be looked up.
  ///
  /// - Throws: `ResolutionError` where several services provide the type, where building fails, and where the task is
  ///   cancelled.
  public func resolveOptional<Service>(
    _ type: Service.Type = Service.self, named name: String? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> Service? {
    try await AwaitedLookUp(resolver, named: name).optionalInstance(of: type)
  }
}

extension Container {
  /// The service that provides a type, with builders awaited, where it is not built.
  @usableFromInline func resolveAwaiting<Service>(
    _ type: Service.Type, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> Service {
    try await AwaitedLookUp(Resolver(core, Resolution()), named: nil).instance(of: type)
  }
}

/// A look-up that awaits builders, with all that it asks for but the type.
///
/// It takes the run-time arguments before anything is awaited: what Swift 6.3 allocates for a pack while an asynchronous
/// function is called, it gives back in the wrong order.
struct AwaitedLookUp: Sendable {
  /// Where to look up.
  private let core: Core
  /// What is asked for.
  private let request: Request

  /// A look-up.
  init<each Argument>(_ resolver: Resolver, named name: String?, arguments: repeat each Argument) {
    core = resolver.core
    request = Request(named: name, arguments: repeat each arguments, in: resolver.resolution)
  }

  /// What `resolve` says.
  func instance<Service>(
    of type: Service.Type, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> Service {
    if request.isPlain, let service = core.built(type) { return service }
    guard let found = try await core.findAwaiting(type, request) else {
      throw core.missing((type as? any LookUpForm.Type)?.sought ?? type, request.name)
    }
    return found.value
  }

  /// What `resolveOptional` says.
  func optionalInstance<Service>(
    of type: Service.Type, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> Service? {
    try await core.findAwaiting(type, request)?.value
  }
}
