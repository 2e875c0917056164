// SPDX-License-Identifier: Apache-2.0

extension Registering {
  /// Registers a service whose builder is awaited.
  ///
  /// It is looked up with `await`; a look-up that does not await throws, unless an instance is kept and built already.
  ///
  /// ```swift
  /// container.register { try await Database.connect() }
  /// let database = try await container.resolve(Database.self)
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type by which instances are looked up, without it the closure's.
  ///   - name: the name of the service; nil: it answers for its type.
  ///   - lifetime: how long an instance lives.
  ///   - onDispose: gives back what an instance holds, when the container or scope that keeps it is done with it.
  ///   - build: makes an instance.
  public func register<Service: Sendable>(
    _ type: Service.Type = Service.self, named name: String? = nil, lifetime: ServiceLifetime = .shared,
    onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID, line: Int = #line,
    build: @escaping @Sendable () async throws -> Service
  ) {
    register(
      CodeService(name, lifetime, fileID, line, onDispose: onDispose, looksUp: false) { _ in
        .awaited { _ in try await build() }
      })
  }

  /// Registers a service whose builder is awaited, looks up what it needs and may want run-time arguments.
  ///
  /// ```swift
  /// container.register { resolver in try await Session.open(in: try await resolver.resolve(Database.self)) }
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type by which instances are looked up, without it the closure's.
  ///   - name: the name of the service; nil: it answers for its type.
  ///   - lifetime: how long an instance lives.
  ///   - onDispose: gives back what an instance holds, when the container or scope that keeps it is done with it.
  ///   - build: makes an instance, of what it looks up and of the run-time arguments.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ type: Service.Type = Service.self, named name: String? = nil, lifetime: ServiceLifetime = .shared,
    onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID, line: Int = #line,
    build: @escaping @Sendable (Resolver, repeat each Argument) async throws -> Service
  ) {
    register(
      CodeService(name, lifetime, fileID, line, onDispose: onDispose, arguments: repeat (each Argument).self) { core in
        .awaited { [unowned(unsafe) core] resolution in
          var arguments = resolution.remainingArguments
          return try await build(Resolver(core, resolution), repeat try arguments.next(as: (each Argument).self))
        }
      })
  }

  /// Registers a service whose builder is called on the main actor.
  ///
  /// It is looked up on the main actor, or with `await` from anywhere; another look-up throws.
  ///
  /// ```swift
  /// container.register(on: MainActor.shared) { resolver in MainViewModel(store: try resolver.resolve()) }
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type by which instances are looked up, without it the closure's.
  ///   - actor: the main actor.
  ///   - name: the name of the service; nil: it answers for its type.
  ///   - lifetime: how long an instance lives.
  ///   - onDispose: gives back what an instance holds, when the container or scope that keeps it is done with it; called on
  ///     the thread on which that happens.
  ///   - build: makes an instance, of what it looks up and of the run-time arguments.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ type: Service.Type = Service.self, on actor: MainActor, named name: String? = nil,
    lifetime: ServiceLifetime = .shared, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service
  ) {
    register(
      CodeService(name, lifetime, fileID, line, onDispose: onDispose, arguments: repeat (each Argument).self) { core in
        .onMainActor { [unowned(unsafe) core] resolution in
          var arguments = resolution.remainingArguments
          return try build(Resolver(core, resolution), repeat try arguments.next(as: (each Argument).self))
        }
      })
  }
}
