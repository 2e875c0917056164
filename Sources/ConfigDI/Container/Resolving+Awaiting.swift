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
    try await resolveAwaiting(type, try request(named: nil))
  }

  /// The service of a name, by its id or an alias, with builders awaited.
  ///
  /// - Throws: `ResolutionError` where no service has the name, or it does not provide the type, where building fails, and
  ///   where the task is cancelled.
  public func resolve<Service>(
    _ type: Service.Type = Service.self, named name: String, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> Service {
    try await resolveAwaiting(type, try request(named: name))
  }

  /// The service that provides a type, with builders awaited and the run-time arguments that its builder wants.
  ///
  /// - Throws: `ResolutionError` where there is no such service or several are, where building fails, and where the task is
  ///   cancelled.
  public func resolve<Service, First, each Rest>(
    _ type: Service.Type = Service.self, isolation: isolated (any Actor)? = #isolation, arguments first: First,
    _ rest: repeat each Rest
  ) async throws(ResolutionError) -> Service {
    try await resolveAwaiting(type, try request(named: nil, arguments: first, repeat each rest))
  }

  /// The service of a name, with builders awaited and the run-time arguments that its builder wants.
  ///
  /// - Throws: `ResolutionError` where no service has the name, or it does not provide the type or wants other arguments,
  ///   where building fails, and where the task is cancelled.
  public func resolve<Service, First, each Rest>(
    _ type: Service.Type = Service.self, named name: String, isolation: isolated (any Actor)? = #isolation,
    arguments first: First, _ rest: repeat each Rest
  ) async throws(ResolutionError) -> Service {
    try await resolveAwaiting(type, try request(named: name, arguments: first, repeat each rest))
  }

  /// The service that provides a type, with builders awaited, or nil where none does that can be looked up.
  ///
  /// - Throws: `ResolutionError` where several services provide the type, where building fails, and where the task is
  ///   cancelled.
  public func resolveOptional<Service>(
    _ type: Service.Type = Service.self, named name: String? = nil, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> Service? {
    try await resolver.core.findAwaiting(type, try request(named: name))?.value
  }
}

extension Resolving {
  /// What is asked for.
  ///
  /// Does not wait: a pack that is handed on to a function which does would be freed out of order, and stop the program.
  private func request<each Argument>(
    named name: String?, arguments: repeat each Argument
  ) throws(ResolutionError) -> Request {
    Request(named: name, arguments: repeat each arguments, in: try resolver.resolution)
  }

  /// What `resolve` says, for all forms.
  private func resolveAwaiting<Service>(
    _ type: Service.Type, _ request: Request, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> Service {
    let core = try resolver.core
    if request.isPlain, let service = core.built(type) { return service }
    let found = try await core.findAwaiting(type, request)
    guard let found else {
      throw core.missing((type as? any LookUpForm.Type)?.sought ?? type, request.name)
    }
    return found.value
  }
}
