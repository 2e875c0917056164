// SPDX-License-Identifier: Apache-2.0

// The look-up, the one file with inlinable code that users call: specialized in the client, a look-up of a built service takes
// a mutex, probes a table, copies the instance and gives the mutex back; it allocates nothing.
extension Container {
  /// The service that provides a type.
  ///
  /// That is the service which code has registered for just this type, else the one which the module's `bindings` name for it,
  /// else the only one that provides it and is not private. An array type gives all that provide its element, ascending by
  /// id, and an optional type nil where none does.
  ///
  /// ```swift
  /// let mailer = try container.resolve((any Mailer).self)
  /// let logger: any Logger = try container.resolve()
  /// let checks = try container.resolve([any HealthCheck].self)
  /// ```
  ///
  /// - Throws: `ResolutionError` where no service provides the type or several do, and where building fails.
  /// - Complexity: constant for what is built.
  @inlinable public func resolve<Service>(_ type: Service.Type = Service.self) throws(ResolutionError) -> Service {
    switch state.directory.find(type) {
    case .instance(let service): return service
    case .factory(let factory, let registration): return try registration.make(factory, Resolution())
    case .registration(let registration, let index, let cell):
      return try registration.service(type, index, in: cell, Resolution())
    case .other: return try state.resolve(type, named: nil, Resolution())
    }
  }

  /// The service of a name, by its id or an alias.
  ///
  /// A private service is found by its aliases alone.
  ///
  /// - Throws: `ResolutionError` where no service has the name, or it does not provide the type, or building fails.
  /// - Complexity: linear in the length of the name for what is built.
  @inlinable public func resolve<Service>(
    _ type: Service.Type = Service.self, named name: String
  ) throws(ResolutionError) -> Service {
    switch state.directory.find(type, named: name) {
    case .instance(let service): return service
    case .factory(let factory, let registration): return try registration.make(factory, Resolution())
    case .registration(let registration, let index, let cell):
      return try registration.service(type, index, in: cell, Resolution())
    case .other: return try state.resolve(type, named: name, Resolution())
    }
  }

  /// The service that provides a type, with builders awaited. See `Resolving`.
  ///
  /// - Throws: `ResolutionError` where no service provides the type or several do, where building fails, and where the task
  ///   is cancelled.
  @inlinable public func resolveAsync<Service>(
    _ type: Service.Type = Service.self, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> Service {
    if case .instance(let service) = state.directory.find(type) { return service }
    return try await state.resolveAsync(type, isolation: isolation)
  }
}

extension Scope {
  /// The service that provides a type. See `Container.resolve`.
  ///
  /// - Throws: `ResolutionError` where no service provides the type or several do, where building fails, and where the scope
  ///   is closed.
  @inlinable public func resolve<Service>(_ type: Service.Type = Service.self) throws(ResolutionError) -> Service {
    switch state.directory.find(type) {
    case .instance(let service):
      try checkOpen()
      return service
    case .factory(let factory, let registration): return try registration.make(factory, try resolution)
    case .registration(let registration, let index, let cell):
      return try registration.service(type, index, in: cell, try resolution)
    case .other: return try state.resolve(type, named: nil, try resolution)
    }
  }
}

extension Resolver {
  /// The service that provides a type, as a part of the look-up for which the builder was called. See `Container.resolve`.
  ///
  /// - Throws: `ResolutionError` where no service provides the type or several do, and where building fails.
  @inlinable public func resolve<Service>(_ type: Service.Type = Service.self) throws(ResolutionError) -> Service {
    switch state.directory.find(type) {
    case .instance(let service): return service
    case .factory(let factory, let registration): return try registration.make(factory, resolution)
    case .registration(let registration, let index, let cell):
      return try registration.service(type, index, in: cell, resolution)
    case .other: return try state.resolve(type, named: nil, resolution)
    }
  }
}
