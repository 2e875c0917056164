// SPDX-License-Identifier: Apache-2.0

// The synchronous look-ups by type and by name, inlinable so that they are specialized in the client. The look-up of a
// built service locks a mutex, probes a table, copies the instance and unlocks the mutex; it allocates nothing.
extension Container {
  /// Returns the service that provides a type.
  ///
  /// A service that code registered for exactly this type takes precedence, then the service that the module's
  /// `bindings` name for it, then the only service that provides it and is not private. An array type returns all
  /// services that provide its element type, ascending by id. An optional type returns `nil` if there is no service.
  ///
  /// ```swift
  /// let mailer = try container.resolve((any Mailer).self)
  /// let logger: any Logger = try container.resolve()
  /// let checks = try container.resolve([any HealthCheck].self)
  /// ```
  ///
  /// - Throws: `ResolutionError` if no service or more than one provides the type, or building fails.
  /// - Complexity: constant for one built service of this container; linear in the number of parents for one of theirs,
  ///   and in the number of services for `[T]`.
  @inlinable public func resolve<Service>(_ type: Service.Type = Service.self) throws(ResolutionError) -> Service {
    switch directory.find(type) {
    case .instance(let service): return service
    case .registration(let registration, let index, let cell):
      return try registration.service(type, index, in: cell, Resolution())
    case .other: return try state.resolve(type, named: nil, Resolution())
    }
  }

  /// Returns the service that has a name as its id or as an alias.
  ///
  /// A private service is found only by its aliases.
  ///
  /// - Throws: `ResolutionError` if no service has the name, the service does not provide the type, or building fails.
  /// - Complexity: linear in the length of the name if the service is built.
  @inlinable public func resolve<Service>(
    _ type: Service.Type = Service.self, named name: String
  ) throws(ResolutionError) -> Service {
    switch directory.find(type, named: name) {
    case .instance(let service): return service
    case .registration(let registration, let index, let cell):
      return try registration.service(type, index, in: cell, Resolution())
    case .other: return try state.resolve(type, named: name, Resolution())
    }
  }

  /// Returns the service that provides a type, and awaits async builders. See `Resolving`.
  ///
  /// - Throws: `ResolutionError` if no service or more than one provides the type, building fails, or the task is
  ///   cancelled.
  @inlinable public func resolveAsync<Service>(
    _ type: Service.Type = Service.self, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> Service {
    if case .instance(let service) = directory.find(type) { return service }
    return try await resolver.awaited(type, named: nil, nil, isolation: isolation)
  }
}

extension Scope {
  /// Returns the service that provides a type. See `Container.resolve`.
  ///
  /// - Throws: `ResolutionError` if no service or more than one provides the type, building fails, or the scope is
  ///   closed.
  @inlinable public func resolve<Service>(_ type: Service.Type = Service.self) throws(ResolutionError) -> Service {
    switch directory.find(type) {
    case .instance(let service):
      try checkOpen()
      return service
    case .registration(let registration, let index, let cell):
      try checkOpen()
      return try registration.service(type, index, in: cell, openResolution)
    case .other: return try state.resolve(type, named: nil, try resolution)
    }
  }
}

extension Resolver {
  /// Returns the service that provides a type, as part of the look-up of the builder. See `Container.resolve`.
  ///
  /// - Throws: `ResolutionError` if no service or more than one provides the type, or building fails.
  @inlinable public func resolve<Service>(_ type: Service.Type = Service.self) throws(ResolutionError) -> Service {
    switch state.directory.find(type) {
    case .instance(let service): return service
    case .registration(let registration, let index, let cell):
      return try registration.service(type, index, in: cell, resolution)
    case .other: return try state.resolve(type, named: nil, resolution)
    }
  }
}
