// SPDX-License-Identifier: Apache-2.0

// One form for each shape of closure. Each exists twice: for `Sendable` services, with every scope, and for others,
// with the scopes in which no two threads share an instance; so the compiler checks at the registration that a service
// is shared safely. Both have the same parameters, so that the compiler prefers the form for `Sendable` services if it
// applies.
extension Registering {
  /// Registers a service that a closure builds.
  ///
  /// A registration replaces an earlier one of the same type and name: the earlier one's instances are disposed of as
  /// by `reset`; services that already received one keep it. A service that is looked up by further types, which the new
  /// one does not provide, keeps those types and its instance.
  ///
  /// Code may register at any time, and may replace a service of a module file by registering under its name or under an
  /// alias of it, which then is the id of the new service. Look-ups and arguments that use the other name receive the new
  /// service, too. A child replaces a service of its parent only under the id.
  ///
  /// ```swift
  /// container.register((any Logger).self) { ConsoleLogger() }
  /// container.register((any Logger).self, named: "audit", scope: .transient) { FileLogger() }
  /// container.register(FileStore.self, as: [.type((any Reader).self) { $0 }, .type((any Writer).self) { $0 }]) { FileStore() }
  /// ```
  ///
  /// Stops the program if the container was disposed of. A child that was closed with its parent takes no registrations;
  /// its look-ups throw.
  ///
  /// - Parameters:
  ///   - type: the type that the closure makes.
  ///   - types: the types by which instances are looked up, one instance for all of them; empty for the closure's own
  ///     type.
  ///   - name: the name of the service; `nil` if it is looked up by its types.
  ///   - scope: the lifetime of an instance.
  ///   - onDispose: called with an instance when the container or scope that caches it disposes of it, unless the
  ///     service is `weak` or `graph`.
  ///   - build: makes an instance. May be called from any thread, and from several at once.
  public func register<Service: Sendable>(
    _ type: Service.Type = Service.self, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope = .shared, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @Sendable () throws -> Service
  ) {
    register(CodeService(name, scope, fileID, line, as: types, onDispose, .anywhere { _, _ in try build() }))
  }

  /// Registers a service built by a closure that looks up its dependencies and may take run-time arguments.
  ///
  /// ```swift
  /// container.register { Greeter(logger: try $0.resolve()) }
  /// container.register { (resolver, user: UserID) in Session(user: user, store: try resolver.resolve()) }
  /// let session = try container.resolve(Session.self, arguments: UserID(7))
  /// ```
  ///
  /// Services of one type that take different run-time arguments do not replace each other. A service with run-time
  /// arguments is `transient` by default. With a scope that caches instances there is one instance for each list of
  /// argument values, which must be `Hashable`.
  ///
  /// - Parameters:
  ///   - type: the type that the closure makes.
  ///   - types: the types by which instances are looked up, one instance for all of them; empty for the closure's own
  ///     type.
  ///   - name: the name of the service; `nil` if it is looked up by its types.
  ///   - scope: the lifetime of an instance; by default `shared`, or `transient` if there are run-time arguments.
  ///   - onDispose: called with an instance when the container or scope that caches it disposes of it, unless the
  ///     service is `weak` or `graph`.
  ///   - build: makes an instance, given a resolver and the run-time arguments. May be called from any thread, and from
  ///     several at once.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ type: Service.Type = Service.self, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope = .automatic, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service
  ) {
    let arguments = argumentTypes(repeat (each Argument).self)
    register(CodeService(name, scope, fileID, line, as: types, onDispose, taking: arguments, .anywhere(calling(build))))
  }

  /// Registers a service that is not `Sendable` and that a closure builds.
  ///
  /// The other parameters are those of the form for `Sendable` services.
  ///
  /// - Parameters:
  ///   - scope: the lifetime of an instance.
  ///   - onDispose: called with an instance of a transient service that a `Lazy` or `Isolated` disposes of. An instance
  ///     of a `graph` service is only released, since others may retain it.
  public func register<Service>(
    _ type: Service.Type = Service.self, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope.Unshared, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @Sendable () throws -> Service
  ) {
    register(
      CodeService(name, scope.scope, fileID, line, as: types, onDispose, traits: [], .anywhere { _, _ in try build() }))
  }

  /// Registers a service that is not `Sendable`, built by a closure that may take run-time arguments.
  ///
  /// The other parameters are those of the form of such a closure for `Sendable` services.
  ///
  /// - Parameters:
  ///   - scope: the lifetime of an instance.
  ///   - onDispose: called with an instance of a transient service that a `Lazy` or `Isolated` disposes of. An instance
  ///     of a `graph` service is only released, since others may retain it.
  public func register<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope.Unshared, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service
  ) {
    let arguments = argumentTypes(repeat (each Argument).self)
    register(
      CodeService(
        name, scope.scope, fileID, line, as: types, onDispose, traits: [], taking: arguments,
        .anywhere(calling(build))))
  }

  /// Registers a service whose type is not `Sendable`, but which threads may share, as the caller asserts.
  ///
  /// The other parameters are those of the form for `Sendable` services.
  ///
  /// - Parameter sharedSafely: `true` asserts that threads may share an instance; `false` stops the program.
  public func register<Service>(
    _ type: Service.Type = Service.self, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope = .shared, sharedSafely: Bool, onDispose: (@Sendable (Service) -> Void)? = nil,
    fileID: String = #fileID, line: Int = #line, build: @escaping @Sendable () throws -> Service
  ) {
    register(
      type, as: types, named: name, scope: scope, sharedSafely: sharedSafely, onDispose: onDispose, fileID: fileID,
      line: line
    ) { _ in try build() }
  }

  /// Registers a service whose type is not `Sendable`, but which threads may share, as the caller asserts.
  ///
  /// The other parameters are those of the form for `Sendable` services whose closure looks up its dependencies.
  ///
  /// - Parameter sharedSafely: `true` asserts that threads may share an instance; `false` stops the program.
  public func register<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope = .automatic, sharedSafely: Bool, onDispose: (@Sendable (Service) -> Void)? = nil,
    fileID: String = #fileID, line: Int = #line,
    build: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service
  ) {
    if !sharedSafely {
      let place = Origin(file: fileID, line: line)
      fatalError("\(place): `sharedSafely` must be true; without it only `transient` and `graph` are safe")
    }
    let arguments = argumentTypes(repeat (each Argument).self)
    register(CodeService(name, scope, fileID, line, as: types, onDispose, taking: arguments, .anywhere(calling(build))))
  }

  /// Registers a service with an async builder.
  ///
  /// It is looked up with `resolveAsync`; a synchronous look-up throws unless an instance is cached.
  ///
  /// ```swift
  /// container.register { try await Database.connect() }
  /// let database = try await container.resolveAsync(Database.self)
  /// ```
  ///
  /// The parameters are those of the form with a synchronous builder.
  public func register<Service: Sendable>(
    _ type: Service.Type = Service.self, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope = .shared, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @Sendable () async throws -> Service
  ) {
    register(CodeService(name, scope, fileID, line, as: types, onDispose, .awaited { _, _ in try await build() }))
  }

  /// Registers a service with an async builder that looks up its dependencies and may take run-time arguments.
  ///
  /// ```swift
  /// container.register { resolver in try await Session.open(in: try await resolver.resolveAsync(Database.self)) }
  /// ```
  ///
  /// The parameters are those of the form with a synchronous builder.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ type: Service.Type = Service.self, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope = .automatic, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @Sendable (Resolver, repeat each Argument) async throws -> Service
  ) {
    register(
      CodeService(
        name, scope, fileID, line, as: types, onDispose, taking: argumentTypes(repeat (each Argument).self),
        .awaited { service, call in
          var place = -1
          return try await build(
            Resolver(service, call), repeat try call.nextArgument((each Argument).self, after: &place))
        }))
  }

  /// Registers a service whose builder is called on the main actor and takes nothing.
  ///
  /// ```swift
  /// container.register(on: MainActor.shared) { Navigation() }
  /// ```
  ///
  /// The parameters are those of the form whose builder is called on the main actor and takes a resolver.
  public func register<Service: Sendable>(
    _ type: Service.Type = Service.self, as types: [ProvidedType<Service>] = [], on actor: MainActor,
    named name: String? = nil, scope: ServiceScope = .shared, onDispose: (@Sendable (Service) -> Void)? = nil,
    fileID: String = #fileID, line: Int = #line, build: @escaping @MainActor @Sendable () throws -> Service
  ) {
    register(CodeService(name, scope, fileID, line, as: types, onDispose, .onMainActor { _, _ in try build() }))
  }

  /// Registers a service whose builder is called on the main actor.
  ///
  /// It is looked up on the main actor, or with `resolveAsync` from anywhere; any other look-up throws unless an
  /// instance is cached.
  ///
  /// ```swift
  /// container.register(on: MainActor.shared) { resolver in MainViewModel(store: try resolver.resolve()) }
  /// ```
  ///
  /// The parameters are those of the form whose builder is called anywhere. `onDispose` is called on the thread that
  /// disposes of the instance.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ type: Service.Type = Service.self, as types: [ProvidedType<Service>] = [], on actor: MainActor,
    named name: String? = nil, scope: ServiceScope = .automatic, onDispose: (@Sendable (Service) -> Void)? = nil,
    fileID: String = #fileID, line: Int = #line,
    build: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service
  ) {
    register(
      CodeService(
        name, scope, fileID, line, as: types, onDispose, taking: argumentTypes(repeat (each Argument).self),
        .onMainActor { service, call in
          var place = -1
          return try build(Resolver(service, call), repeat try call.nextArgument((each Argument).self, after: &place))
        }))
  }

  /// Registers an existing instance.
  ///
  /// ```swift
  /// container.register(instance: Settings.current)
  /// container.register((any Logger).self, instance: logger)
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type by which the instance is looked up; by default its own.
  ///   - instance: the instance.
  ///   - name: the name of the service; `nil` if it is looked up by its type.
  ///   - onDispose: called with the instance when the container disposes of it, if it was looked up before.
  public func register<Service: Sendable>(
    _ type: Service.Type = Service.self, instance: Service, named name: String? = nil,
    onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    register(
      CodeService(
        name, .shared, fileID, line, onDispose, traits: [.isSendable, .isInstance], .anywhere { _, _ in instance }))
  }

  /// Registers a shared service with an expression that is evaluated at the first look-up.
  ///
  /// ```swift
  /// container.register(dependency: SystemClock())
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type by which the instance is looked up; by default the expression's.
  ///   - dependency: the expression.
  ///   - name: the name of the service; `nil` if it is looked up by its type.
  // Disfavored, since a trailing closure that no other form accepts, such as one of the main actor, would otherwise be
  // registered as the value of the expression, without an error.
  @_disfavoredOverload
  public func register<Service: Sendable>(
    _ type: Service.Type = Service.self, dependency: @escaping @autoclosure @Sendable () throws -> Service,
    named name: String? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    register(type, named: name, fileID: fileID, line: line, build: dependency)
  }

  private func calling<Service, each Argument: Sendable>(
    _ build: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service
  ) -> BuilderFunction<Service> {
    { service, call in
      var place = -1
      return try build(Resolver(service, call), repeat try call.nextArgument((each Argument).self, after: &place))
    }
  }
}

extension BuilderCall {
  /// Returns the next run-time argument.
  ///
  /// - Parameter place: the index of the previous argument, from 0; -1 before the first. Incremented.
  func nextArgument<Argument>(_ type: Argument.Type, after place: inout Int) throws -> Argument {
    place += 1
    return try argument(type, at: place)
  }
}
