// SPDX-License-Identifier: Apache-2.0

// A form for each shape of closure. Each stands twice, for services that are `Sendable`, with every scope, and for others, with
// those in which no two threads share an instance: that a service is shared safely is checked when the registration is compiled.
// Both have the same parameters, so that the compiler takes the form for `Sendable` services where it can.
extension Registering {
  /// Registers a service that a closure builds.
  ///
  /// Under the same type and name a registration takes the place of an older one: its instances are let go as by `reset`, and
  /// what was built already keeps what it was given. Code may register at any time, also a service in the place of one from a
  /// module file, by its name.
  ///
  /// ```swift
  /// container.register((any Logger).self) { ConsoleLogger() }
  /// container.register((any Logger).self, named: "audit", scope: .transient) { FileLogger() }
  /// container.register(FileStore.self, as: [.type((any Reader).self) { $0 }, .type((any Writer).self) { $0 }]) { FileStore() }
  /// ```
  ///
  /// Stops the program where the container was disposed of.
  ///
  /// - Parameters:
  ///   - type: the type that the closure makes.
  ///   - types: the types by which instances are looked up, one instance for all of them; none stands for the closure's own.
  ///   - name: the name of the service; nil: it answers for its types.
  ///   - scope: how long an instance lives.
  ///   - onDispose: called with an instance when the container or scope that keeps it lets it go.
  ///   - build: makes an instance. May be called from any thread, and from several at once.
  public func register<Service: Sendable>(
    _ type: Service.Type = Service.self, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope = .shared, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @Sendable () throws -> Service
  ) {
    register(
      CodeService(
        name, scope, Origin(file: fileID, line: line), as: types, onDispose: onDispose, .anywhere { _ in try build() }))
  }

  /// Registers a service that a closure builds, which looks up what it needs and may take run-time arguments.
  ///
  /// ```swift
  /// container.register { Greeter(logger: try $0.resolve()) }
  /// container.register { (resolver, user: UserID) in Session(user: user, store: try resolver.resolve()) }
  /// let session = try container.resolve(Session.self, arguments: UserID(7))
  /// ```
  ///
  /// Services of one type that take different run-time arguments stand side by side. A service with run-time arguments is not
  /// kept, unless its registration says so: with a scope that keeps instances there is one for each list of values, which must
  /// be `Hashable`.
  ///
  /// - Parameters:
  ///   - type: the type that the closure makes.
  ///   - types: the types by which instances are looked up, one instance for all of them; none stands for the closure's own.
  ///   - name: the name of the service; nil: it answers for its types.
  ///   - scope: how long an instance lives; without it `shared`, or `transient` where there are run-time arguments.
  ///   - onDispose: called with an instance when the container or scope that keeps it lets it go.
  ///   - build: makes an instance, of what it looks up and of the run-time arguments. May be called from any thread, and from
  ///     several at once.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ type: Service.Type = Service.self, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope = .automatic, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service
  ) {
    let parameters = argumentTypes(repeat (each Argument).self)
    register(
      CodeService(
        name, scope, Origin(file: fileID, line: line), as: types,
        onDispose: onDispose, parameters: parameters, .anywhere(calling(build))))
  }

  /// Registers a service that is not `Sendable`, and that a closure builds.
  ///
  /// The other parameters are those of the form for `Sendable` services.
  ///
  /// - Parameters:
  ///   - scope: how long an instance lives.
  ///   - onDispose: called with an instance that a `Lazy` or `Isolated` lets go.
  public func register<Service>(
    _ type: Service.Type = Service.self, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope.Unshared, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @Sendable () throws -> Service
  ) {
    register(
      CodeService(
        name, scope.scope, Origin(file: fileID, line: line), as: types, traits: [], onDispose: onDispose,
        .anywhere { _ in try build() }))
  }

  /// Registers a service that is not `Sendable`, and that a closure builds, which looks up what it needs and may take
  /// run-time arguments.
  ///
  /// The other parameters are those of the form of such a closure for `Sendable` services.
  ///
  /// - Parameters:
  ///   - scope: how long an instance lives.
  ///   - onDispose: called with an instance that a `Lazy` or `Isolated` lets go.
  public func register<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope.Unshared, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service
  ) {
    register(
      CodeService(
        name, scope.scope, Origin(file: fileID, line: line), as: types, traits: [],
        onDispose: onDispose, parameters: argumentTypes(repeat (each Argument).self), .anywhere(calling(build))))
  }

  /// Registers a service that is not known to be `Sendable`, and that threads may share all the same, as the caller knows.
  ///
  /// The other parameters are those of the form for `Sendable` services whose closure looks up what it needs.
  ///
  /// - Parameter sharedSafely: true; it says that threads may share an instance. With false the program stops.
  public func register<Service, each Argument: Sendable>(
    _ type: Service.Type = Service.self, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope = .automatic, sharedSafely: Bool, onDispose: (@Sendable (Service) -> Void)? = nil,
    fileID: String = #fileID, line: Int = #line,
    build: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service
  ) {
    precondition(sharedSafely, "`sharedSafely` must be true; without it only `transient` and `graph` are safe")
    let parameters = argumentTypes(repeat (each Argument).self)
    register(
      CodeService(
        name, scope, Origin(file: fileID, line: line), as: types,
        onDispose: onDispose, parameters: parameters, .anywhere(calling(build))))
  }

  /// Registers a service whose builder is awaited.
  ///
  /// It is looked up with `resolveAsync`; a look-up that does not await throws, unless an instance is kept and built already.
  ///
  /// ```swift
  /// container.register { try await Database.connect() }
  /// let database = try await container.resolveAsync(Database.self)
  /// ```
  ///
  /// The parameters are those of the form whose builder is not awaited.
  public func register<Service: Sendable>(
    _ type: Service.Type = Service.self, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope = .shared, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @Sendable () async throws -> Service
  ) {
    register(
      CodeService(
        name, scope, Origin(file: fileID, line: line), as: types, onDispose: onDispose,
        .awaited { _ in try await build() }))
  }

  /// Registers a service whose builder is awaited, looks up what it needs and may take run-time arguments.
  ///
  /// ```swift
  /// container.register { resolver in try await Session.open(in: try await resolver.resolveAsync(Database.self)) }
  /// ```
  ///
  /// The parameters are those of the form whose builder is not awaited.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ type: Service.Type = Service.self, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope = .automatic, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line, build: @escaping @Sendable (Resolver, repeat each Argument) async throws -> Service
  ) {
    let parameters = argumentTypes(repeat (each Argument).self)
    register(
      CodeService(
        name, scope, Origin(file: fileID, line: line), as: types,
        onDispose: onDispose, parameters: parameters,
        .awaited { call in
          var place = -1
          return try await build(Resolver(call), repeat try call.nextArgument((each Argument).self, after: &place))
        }))
  }

  /// Registers a service whose builder is called on the main actor.
  ///
  /// It is looked up on the main actor, or with `resolveAsync` from anywhere; another look-up throws unless an instance is kept
  /// and built already.
  ///
  /// ```swift
  /// container.register(on: MainActor.shared) { resolver in MainViewModel(store: try resolver.resolve()) }
  /// ```
  ///
  /// The parameters are those of the form whose builder is called anywhere. `onDispose` is called on the thread that lets the
  /// instance go.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ type: Service.Type = Service.self, as types: [ProvidedType<Service>] = [], on actor: MainActor,
    named name: String? = nil, scope: ServiceScope = .automatic, onDispose: (@Sendable (Service) -> Void)? = nil,
    fileID: String = #fileID, line: Int = #line,
    build: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service
  ) {
    let parameters = argumentTypes(repeat (each Argument).self)
    register(
      CodeService(
        name, scope, Origin(file: fileID, line: line), as: types,
        onDispose: onDispose, parameters: parameters,
        .onMainActor { call in
          var place = -1
          return try build(Resolver(call), repeat try call.nextArgument((each Argument).self, after: &place))
        }))
  }

  /// Registers an instance that is there already.
  ///
  /// ```swift
  /// container.register(instance: Settings.current)
  /// container.register((any Logger).self, instance: logger)
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type by which the instance is looked up, without it its own.
  ///   - instance: the instance.
  ///   - name: the name of the service; nil: it answers for its type.
  ///   - onDispose: called with the instance when the container lets it go after it was looked up.
  public func register<Service: Sendable>(
    _ type: Service.Type = Service.self, instance: Service, named name: String? = nil,
    onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    register(
      CodeService(
        name, .shared, Origin(file: fileID, line: line), traits: [.isSendable, .isInstance], onDispose: onDispose,
        .anywhere { _ in instance }))
  }

  /// Registers a shared service by the expression that makes it, which is evaluated at the first look-up.
  ///
  /// ```swift
  /// container.register(dependency: SystemClock())
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type by which the instance is looked up, without it the expression's.
  ///   - dependency: the expression.
  ///   - name: the name of the service; nil: it answers for its type.
  public func register<Service: Sendable>(
    _ type: Service.Type = Service.self, dependency: @escaping @autoclosure @Sendable () throws -> Service,
    named name: String? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    register(type, named: name, fileID: fileID, line: line, build: dependency)
  }

  private func calling<Service, each Argument: Sendable>(
    _ build: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service
  ) -> Maker<Service> {
    { call in
      var place = -1
      return try build(Resolver(call), repeat try call.nextArgument((each Argument).self, after: &place))
    }
  }
}

extension BuilderCall {
  /// The next run-time argument.
  ///
  /// - Parameter place: the place of the one before, which is moved on.
  func nextArgument<Argument>(_ type: Argument.Type, after place: inout Int) throws -> Argument {
    place += 1
    return try argument(type, at: place)
  }
}
