// SPDX-License-Identifier: Apache-2.0

// Registrations whose builders declare what they need, so that an awaiting look-up awaits it beforehand.
extension Registering {
  /// Registers a service by its initializer, whose parameters are looked up by their types.
  ///
  /// ```swift
  /// container.autoregister(Greeter.init)
  /// container.autoregister(ConsoleLogger.init, as: (any Logger).self)
  /// container.autoregister(Session.init, arguments: UserID.self)
  /// let session = try container.resolve(Session.self, arguments: UserID(7))
  /// ```
  ///
  /// A parameter may be anything that can be looked up: also `T?`, `[T]`, `Lazy<T>`, `Provider<T>` or `Isolated<T>`. Run-time
  /// arguments may stand in any position: each of their types takes the first parameter of that type which no other has taken.
  ///
  /// - Parameters:
  ///   - initializer: makes an instance. May be called from any thread, and from several at once.
  ///   - type: the type by which instances are looked up, without it the initializer's.
  ///   - name: the name of the service; nil: it answers for its type.
  ///   - scope: how long an instance lives; without it `shared`, or `transient` where there are run-time arguments.
  ///   - arguments: the types of the run-time arguments, in the order in which a look-up brings them. The program stops where
  ///     the initializer has no parameter for one.
  ///   - onDispose: called with an instance when the container or scope that keeps it lets it go.
  public func autoregister<Service: Sendable, each Parameter, each Argument: Sendable>(
    _ initializer: @escaping @Sendable (repeat each Parameter) throws -> Service, as type: Service.Type = Service.self,
    named name: String? = nil, scope: ServiceScope = .automatic, arguments: repeat (each Argument).Type,
    onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    let parameters = argumentTypes(repeat each arguments)
    register(
      CodeService(
        name, scope, Origin(file: fileID, line: line), onDispose: onDispose,
        parameters: parameters, inputs: Inputs(of: repeat (each Parameter).self, taking: parameters),
        .anywhere(calling(initializer))))
  }

  /// Registers a service that is not `Sendable` by its initializer, whose parameters are looked up by their types.
  ///
  /// The other parameters are those of the form for `Sendable` services.
  ///
  /// - Parameters:
  ///   - scope: how long an instance lives.
  ///   - onDispose: called with an instance that a `Lazy` or `Isolated` lets go.
  public func autoregister<Service, each Parameter, each Argument: Sendable>(
    _ initializer: @escaping @Sendable (repeat each Parameter) throws -> Service, as type: Service.Type = Service.self,
    named name: String? = nil, scope: ServiceScope.Unshared, arguments: repeat (each Argument).Type,
    onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    let parameters = argumentTypes(repeat each arguments)
    register(
      CodeService(
        name, scope.scope, Origin(file: fileID, line: line), traits: [], onDispose: onDispose,
        parameters: parameters, inputs: Inputs(of: repeat (each Parameter).self, taking: parameters),
        .anywhere(calling(initializer))))
  }

  /// Registers a type that says itself how it is made.
  ///
  /// What its initializer needs is looked up by type; a parameter with a default receives that where nothing is registered
  /// for its type, and one that is optional nil. Run-time arguments come from the look-up.
  ///
  /// ```swift
  /// container.register(ComplexObject.self)
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - types: the types by which instances are looked up; none stands for those that the type says itself, and
  ///     else its own.
  ///   - name: the name of the service; nil: it answers for its types.
  ///   - scope: how long an instance lives; without it `shared`, or `transient` where there are run-time arguments.
  ///   - onDispose: called with an instance when the container or scope that keeps it lets it go.
  public func register<Service: Resolvable & Sendable>(
    _ type: Service.Type, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope = .automatic, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line
  ) where Service.InjectedInstance == Service {
    let injection = Service.injection
    register(
      CodeService(
        name, scope, Origin(file: fileID, line: line), as: types.isEmpty ? injection.types : types,
        onDispose: onDispose ?? injection.onDispose, parameters: injection.runtimeTypes,
        inputs: injection.lookedUpInputs, injection.builder))
  }

  /// Registers a type that says itself how it is made, and whose instances are not `Sendable`.
  ///
  /// The other parameters are those of the form for `Sendable` instances.
  ///
  /// - Parameters:
  ///   - scope: how long an instance lives.
  ///   - onDispose: called with an instance that a `Lazy` or `Isolated` lets go.
  public func register<Service: Resolvable>(
    _ type: Service.Type, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope.Unshared, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line
  ) where Service.InjectedInstance == Service {
    let injection = Service.injection
    register(
      CodeService(
        name, scope.scope, Origin(file: fileID, line: line), as: types.isEmpty ? injection.types : types,
        traits: [], onDispose: onDispose ?? injection.onDispose, parameters: injection.runtimeTypes,
        inputs: injection.lookedUpInputs, injection.builder))
  }

  private func calling<Service, each Parameter>(
    _ initializer: @escaping @Sendable (repeat each Parameter) throws -> Service
  ) -> Maker<Service> {
    { call in
      var place = -1
      return try initializer(repeat try call.next((each Parameter).self, after: &place))
    }
  }
}

extension Inputs {
  /// The parameters of an initializer, looked up by their types.
  ///
  /// Stops the program where a run-time argument has no parameter: such a registration could never be used.
  ///
  /// - Parameter arguments: the types of the run-time arguments. Each takes the first parameter of its type that is left.
  fileprivate init<each Parameter>(
    of parameters: repeat (each Parameter).Type, taking arguments: [Any.Type]
  ) {
    let types = argumentTypes(repeat each parameters)
    var places: [Int?] = Array(repeating: nil, count: types.count)
    for (number, argument) in arguments.enumerated() {
      let place = types.indices.first { places[$0] == nil && types[$0] == argument }
      guard let place else { preconditionFailure("the initializer has no parameter for the argument \(argument)") }
      places[place] = number
    }
    var suppliers: [AnySupplier] = []
    for parameter in repeat each parameters {
      suppliers.append(Inputs.supplier(of: parameter, places[suppliers.count]))
    }
    self.init(suppliers)
  }

  /// The supplier of a parameter, which is a run-time argument where it has a place among those.
  private static func supplier<Parameter>(of type: Parameter.Type, _ place: Int?) -> AnySupplier {
    place.map { Supplier<Parameter>.runtime(at: $0) } ?? Supplier<Parameter>.lookedUp()
  }
}

extension Supplier {
  fileprivate static func lookedUp() -> Supplier {
    ComputedSupplier(
      { call in try call.registration.home.injected(Input.self, call.resolution.withoutArguments) },
      awaiting: { call, isolation in try await Resolver(call).resolveAsync(Input.self, isolation: isolation) })
  }
}

extension Injection {
  /// The types of the run-time arguments, in order.
  fileprivate var runtimeTypes: [Any.Type] { arguments.compactMap { $0.isRuntime ? $0.namedType : nil } }

  fileprivate var lookedUpInputs: Inputs {
    var runtimeCount = 0
    return Inputs(
      arguments.map { argument in
        defer { if argument.isRuntime { runtimeCount += 1 } }
        return argument.supplier(by: LookUpByType(), runtimePlace: runtimeCount)
      })
  }
}

/// Looks arguments up by their types; one for whose type nothing is registered is its default or nil.
private struct LookUpByType: ArgumentLookUp {
  func supplier<Input>(of argument: BuilderArgument<Input>, runtimePlace place: Int) -> Supplier<Input> {
    let descriptor = argument.descriptor
    if argument.isRuntime { return .runtime(at: place) }
    if case .resolver = descriptor.kind, let supplier = try? argument.link(.absent, NoServices()) { return supplier }
    guard descriptor.isOptional || descriptor.hasDefault, let absent = try? argument.link(.absent, NoServices()) else {
      return .lookedUp()
    }
    let fallback = Inputs([absent])
    return ComputedSupplier(
      { call in
        try Resolver(call).resolvePresent(Input.self) ?? fallback.value(Input.self, at: 0, in: call)
      },
      awaiting: { call, isolation in
        let resolver = Resolver(call)
        guard try resolver.isPresent(Input.self) else { return try fallback.value(Input.self, at: 0, in: call) }
        return try await resolver.resolveAsync(Input.self, isolation: isolation)
      })
  }
}

extension Resolver {
  /// A new instance of a type that says itself how it is made, of what is looked up here.
  ///
  /// ```swift
  /// container.register((any ComplexProtocol).self) { try $0(ComplexObject.self) }
  /// ```
  ///
  /// - Throws: what its initializer or a look-up throws; `ResolutionError` where it takes run-time arguments, has to be
  ///   awaited, or to be made on the main actor, and this is elsewhere.
  public func callAsFunction<Service: Resolvable>(_ type: Service.Type) throws -> Service.InjectedInstance {
    let injection = Service.injection
    guard injection.runtimeTypes.isEmpty else { throw ResolutionError.takesArguments(type, injection.runtimeTypes) }
    let factory = Factory(injection.builder)
    let registration = Registration(
      home: state, name: nil, product: factory, inputs: injection.lookedUpInputs, keeping: .transient, parameters: [],
      origin: Origin(file: "", line: 0), traits: [])
    do {
      return try factory.make(BuilderCall(registration, resolution))
    } catch let error as CallingFailure {
      throw ResolutionError.notCallable(type, error)
    }
  }

  /// Whether something is registered for a type, or for what a form of it is made of.
  ///
  /// - Throws: `ResolutionError` where several could be meant, or take other arguments, or the container was disposed of.
  fileprivate func isPresent(_ type: Any.Type) throws(ResolutionError) -> Bool {
    let request = Request(named: nil, in: resolution)
    if try state.target(type, request) != nil { return true }
    guard let form = type as? any LookUpForm.Type else { return false }
    if form is any CollectionForm.Type { return try !state.elements(of: form.sought).isEmpty }
    return try isPresent(form.sought)
  }

  /// A service, or nil where nothing is registered for it.
  fileprivate func resolvePresent<Service>(_ type: Service.Type) throws(ResolutionError) -> Service? {
    try isPresent(type) ? try resolve(type) : nil
  }
}

/// Links arguments to which nothing is given.
private struct NoServices: ServiceLinker {
  func cell(of slot: Int, as type: Any.Type) throws(WiringFailure) -> CellPlace { throw .nothingSupplied }
  func needed(_ slot: Int, as type: Any.Type) throws(WiringFailure) -> (CellPlace, Registration) {
    throw .nothingSupplied
  }
  func decorated(as type: Any.Type) throws(WiringFailure) -> Int { throw .nothingDecorated }
  func nextRuntimeArgument() -> Int { 0 }
}
