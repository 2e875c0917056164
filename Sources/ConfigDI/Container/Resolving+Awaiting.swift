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
    try await resolveAwaiting(type, named: nil)
  }

  /// The service of a name, by its id or an alias, with builders awaited.
  ///
  /// - Throws: `ResolutionError` where no service has the name, or it does not provide the type, where building fails, and
  ///   where the task is cancelled.
  public func resolve<Service>(
    _ type: Service.Type = Service.self, named name: String, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> Service {
    try await resolveAwaiting(type, named: name)
  }

  /// The service that provides a type, with builders awaited and the run-time arguments that its builder wants.
  ///
  /// - Throws: `ResolutionError` where there is no such service or several are, where building fails, and where the task is
  ///   cancelled.
  public func resolve<Service, First, each Rest>(
    _ type: Service.Type = Service.self, isolation: isolated (any Actor)? = #isolation, arguments first: First,
    _ rest: repeat each Rest
  ) async throws(ResolutionError) -> Service {
    try await resolveAwaiting(type, named: nil, arguments: first, repeat each rest)
  }

  /// The service of a name, with builders awaited and the run-time arguments that its builder wants.
  ///
  /// - Throws: `ResolutionError` where no service has the name, or it does not provide the type or wants other arguments,
  ///   where building fails, and where the task is cancelled.
  public func resolve<Service, First, each Rest>(
    _ type: Service.Type = Service.self, named name: String, isolation: isolated (any Actor)? = #isolation,
    arguments first: First, _ rest: repeat each Rest
  ) async throws(ResolutionError) -> Service {
    try await resolveAwaiting(type, named: name, arguments: first, repeat each rest)
  }

  /// The service that provides a type, with builders awaited, or nil where none does that can be looked up.
  ///
  /// - Throws: `ResolutionError` where several services provide the type, where building fails, and where the task is
  ///   cancelled.
  public func resolveOptional<Service>(
    _ type: Service.Type = Service.self, named name: String? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> Service? {
    try await resolveOptionalAwaiting(type, named: name)
  }
}

extension Resolving {
  /// What `resolve` says, for all forms.
  private func resolveAwaiting<Service, each Argument>(
    _ type: Service.Type, named name: String?, isolation: isolated (any Actor)? = #isolation,
    arguments: repeat each Argument
  ) async throws(ResolutionError) -> Service {
    let resolver = try resolver
    let request = Request(named: name, arguments: repeat each arguments, in: resolver.resolution)
    if request.isPlain, let service = resolver.core.built(type) { return service }
    let found = try await resolver.core.findAwaiting(type, request)
    guard let found else {
      throw resolver.core.missing((type as? any LookUpForm.Type)?.sought ?? type, name)
    }
    return found.value
  }

  /// What `resolveOptional` says.
  private func resolveOptionalAwaiting<Service>(
    _ type: Service.Type, named name: String?, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> Service? {
    let resolver = try resolver
    let request = Request(named: name, in: resolver.resolution)
    return try await resolver.core.findAwaiting(type, request)?.value
  }
}
