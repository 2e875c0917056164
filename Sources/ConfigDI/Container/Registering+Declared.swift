// SPDX-License-Identifier: Apache-2.0

// Registrations whose builders declare their arguments, so that an async look-up can await them first.
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
  /// A parameter may have any type that can be looked up, also `T?`, `[T]`, `Lazy<T>`, `Provider<T>` or `Isolated<T>`.
  /// Run-time arguments may be in any position: each is passed to the first free parameter of its type.
  ///
  /// - Parameters:
  ///   - initializer: makes an instance. May be called from any thread, and from several at once.
  ///   - type: the type by which instances are looked up; by default the initializer's.
  ///   - name: the name of the service; `nil` if it is looked up by its type.
  ///   - scope: the lifetime of an instance; by default `shared`, or `transient` if there are run-time arguments.
  ///   - arguments: the types of the run-time arguments, in the order in which a look-up passes them. The program stops
  ///     if the initializer has no parameter for one.
  ///   - onDispose: called with an instance when the container or scope that caches it disposes of it, unless the
  ///     service is `weak` or `graph`.
  public func autoregister<Service: Sendable, each Parameter, each Argument: Sendable>(
    _ initializer: @escaping @Sendable (repeat each Parameter) throws -> Service, as type: Service.Type = Service.self,
    named name: String? = nil, scope: ServiceScope = .automatic, arguments: repeat (each Argument).Type,
    onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    register(
      CodeService(
        name, scope, fileID, line, onDispose, .calling(initializer), lookingUp: repeat (each Parameter).self,
        taking: argumentTypes(repeat each arguments)))
  }

  /// Registers a service that is not `Sendable` by its initializer, whose parameters are looked up by their types.
  ///
  /// The other parameters are those of the form for `Sendable` services.
  ///
  /// - Parameters:
  ///   - scope: the lifetime of an instance.
  ///   - onDispose: called with an instance of a transient service that a `Lazy` or `Isolated` disposes of. An instance
  ///     of a `graph` service is only released, since others may retain it.
  public func autoregister<Service, each Parameter, each Argument: Sendable>(
    _ initializer: @escaping @Sendable (repeat each Parameter) throws -> Service, as type: Service.Type = Service.self,
    named name: String? = nil, scope: ServiceScope.Unshared, arguments: repeat (each Argument).Type,
    onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    register(
      CodeService(
        name, scope.scope, fileID, line, onDispose, traits: [], .calling(initializer),
        lookingUp: repeat (each Parameter).self, taking: argumentTypes(repeat each arguments)))
  }

  /// Registers a service by its async initializer, whose parameters are looked up by their types.
  ///
  /// It is looked up with `resolveAsync`; a synchronous look-up throws unless an instance is cached. The parameters are
  /// those of the form with a synchronous initializer.
  @_disfavoredOverload
  public func autoregister<Service: Sendable, each Parameter, each Argument: Sendable>(
    _ initializer: @escaping @Sendable (repeat each Parameter) async throws -> Service,
    as type: Service.Type = Service.self, named name: String? = nil, scope: ServiceScope = .automatic,
    arguments: repeat (each Argument).Type, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line
  ) {
    register(
      CodeService(
        name, scope, fileID, line, onDispose, .awaiting(initializer),
        lookingUp: repeat (each Parameter).self, taking: argumentTypes(repeat each arguments)))
  }

  /// Registers a service by its initializer, which is called on the main actor and whose parameters are looked up by
  /// their types.
  ///
  /// ```swift
  /// container.autoregister(on: MainActor.shared, MainViewModel.init)
  /// ```
  ///
  /// It is looked up on the main actor, or with `resolveAsync` from anywhere; any other look-up throws unless an
  /// instance is cached. The other parameters are those of the form whose initializer is called anywhere. `onDispose` is
  /// called on the thread that disposes of the instance.
  ///
  /// - Parameter actor: the main actor.
  public func autoregister<Service: Sendable, each Parameter, each Argument: Sendable>(
    on actor: MainActor, _ initializer: @escaping @MainActor @Sendable (repeat each Parameter) throws -> Service,
    as type: Service.Type = Service.self, named name: String? = nil, scope: ServiceScope = .automatic,
    arguments: repeat (each Argument).Type, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line
  ) {
    register(
      CodeService(
        name, scope, fileID, line, onDispose, .callingOnMainActor(initializer),
        lookingUp: repeat (each Parameter).self, taking: argumentTypes(repeat each arguments)))
  }

  /// Registers a `Resolvable` type, which declares how its instances are made.
  ///
  /// The arguments of its initializer are looked up by type. If nothing is registered for the type of an argument, its
  /// default is used, or `nil` if it is optional. Run-time arguments come from the look-up.
  ///
  /// ```swift
  /// container.register(ComplexObject.self)
  /// ```
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - types: the types by which instances are looked up; empty for those that the type declares, or its own if it
  ///     declares none.
  ///   - name: the name of the service; `nil` if it is looked up by its types.
  ///   - scope: the lifetime of an instance; by default `shared`, or `transient` if there are run-time arguments.
  ///   - onDispose: called with an instance when the container or scope that caches it disposes of it, unless the
  ///     service is `weak` or `graph`.
  public func register<Service: Resolvable & Sendable>(
    _ type: Service.Type, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope = .automatic, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line
  ) where Service.InjectedInstance == Service {
    let injection = Service.injection
    register(
      CodeService(
        name, scope, fileID, line, as: types.isEmpty ? injection.types : types,
        onDispose ?? injection.onDispose, traits: injection.traits.union(.isSendable), taking: injection.runtimeTypes,
        suppliers: injection.suppliers, injection.builder))
  }

  /// Registers a `Resolvable` type whose instances are not `Sendable`.
  ///
  /// The other parameters are those of the form for `Sendable` instances.
  ///
  /// - Parameters:
  ///   - scope: the lifetime of an instance.
  ///   - onDispose: called with an instance of a transient service that a `Lazy` or `Isolated` disposes of. An instance
  ///     of a `graph` service is only released, since others may retain it.
  public func register<Service: Resolvable>(
    _ type: Service.Type, as types: [ProvidedType<Service>] = [], named name: String? = nil,
    scope: ServiceScope.Unshared, onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID,
    line: Int = #line
  ) where Service.InjectedInstance == Service {
    let injection = Service.injection
    register(
      CodeService(
        name, scope.scope, fileID, line, as: types.isEmpty ? injection.types : types,
        onDispose ?? injection.onDispose, traits: injection.traits, taking: injection.runtimeTypes,
        suppliers: injection.suppliers, injection.builder))
  }
}

extension CodeService {
  /// Creates a service whose builder has parameters that are looked up by their types, or are run-time arguments.
  fileprivate init<each Parameter>(
    _ name: String?, _ scope: ServiceScope, _ file: String, _ line: Int, _ onDispose: (@Sendable (Product) -> Void)?,
    traits: Registration.Traits = .isSendable, _ builder: Builder<Product>,
    lookingUp parameters: repeat (each Parameter).Type, taking arguments: [Any.Type]
  ) {
    self.init(
      name, scope, file, line, onDispose, traits: traits, taking: arguments,
      suppliers: parameterSuppliers(
        of: repeat each parameters, taking: arguments, registeredAt: Origin(file: file, line: line)), builder)
  }
}

/// Returns suppliers for the parameters of an initializer, which are looked up by their types.
///
/// Stops the program if a run-time argument has no parameter: such a registration could never be used.
///
/// - Parameters:
///   - arguments: the types of the run-time arguments. Each takes the first free parameter of its type.
///   - origin: the place of the registration, for the message.
private func parameterSuppliers<each Parameter>(
  of parameters: repeat (each Parameter).Type, taking arguments: [Any.Type], registeredAt origin: Origin
) -> [any AnySupplier] {
  let types = argumentTypes(repeat each parameters)
  var places: [Int?] = Array(repeating: nil, count: types.count)
  for (number, argument) in arguments.enumerated() {
    let place = types.indices.first { places[$0] == nil && types[$0] == argument }
    guard let place else { fatalError("\(origin): the initializer has no parameter for the argument \(argument)") }
    places[place] = number
  }
  var suppliers: [any AnySupplier] = []
  for parameter in repeat each parameters {
    suppliers.append(parameterSupplier(of: parameter, places[suppliers.count]))
  }
  return suppliers
}

/// Returns the supplier of a parameter: the run-time argument at an index, or a look-up by type if that is `nil`.
private func parameterSupplier<Parameter>(of type: Parameter.Type, _ place: Int?) -> any AnySupplier {
  (place.map { Supplier<Parameter>.runtime(at: $0) } ?? Supplier<Parameter>.lookedUp()).untyped
}

extension Injection {
  /// The types of the run-time arguments, in order.
  fileprivate var runtimeTypes: [Any.Type] { arguments.compactMap { $0.isRuntime ? $0.namedType : nil } }

  /// Whether the builder takes values that are declared secret, as a trait.
  fileprivate var traits: Registration.Traits { arguments.contains { $0.descriptor.isSecret } ? .takesSecrets : [] }

  /// The suppliers of the arguments, which are looked up by type.
  fileprivate var suppliers: [any AnySupplier] {
    var runtimeCount = 0
    return arguments.map { argument in
      defer { if argument.isRuntime { runtimeCount += 1 } }
      return argument.lookedUp(runtimePlace: runtimeCount)
    }
  }
}

extension AnyArgument {
  /// Returns a supplier that looks up the argument by its type. If nothing is registered for the type, the argument is
  /// its default or `nil`.
  ///
  /// - Parameter place: the index among the run-time arguments, if the argument is one.
  fileprivate func lookedUp(runtimePlace place: Int) -> any AnySupplier {
    if isRuntime { return Supplier<Input>.runtime(at: place).untyped }
    if case .resolver = descriptor.kind, let supplier = try? linked(.absent, nil) { return supplier }
    let hasFallback = descriptor.isOptional || descriptor.hasDefault
    return Supplier<Input>.lookedUp(orElse: hasFallback ? try? linked(.absent, nil) : nil).untyped
  }
}

extension Supplier {
  /// Returns a supplier of a service, or of the value of another supplier if nothing is registered for the type.
  fileprivate static func lookedUp(orElse fallback: (any AnySupplier)? = nil) -> Supplier {
    Supplier(
      { service, call in
        if let fallback, try !Resolver(service, call).isPresent(Input.self) {
          return try fallback.value(as: Input.self, for: service, call)
        }
        return try service.home.injected(Input.self, call.resolution.withoutArguments)
      },
      awaiting: { service, call, isolation in
        let resolver = Resolver(service, call)
        if let fallback, try !resolver.isPresent(Input.self) {
          return try fallback.value(as: Input.self, for: service, call)
        }
        return try await resolver.resolveAsync(Input.self, isolation: isolation)
      })
  }
}

extension Resolver {
  /// Returns a new instance of a `Resolvable` type, whose arguments are looked up with this resolver.
  ///
  /// ```swift
  /// container.register((any ComplexProtocol).self) { try $0(ComplexObject.self) }
  /// ```
  ///
  /// - Throws: what the initializer or a look-up throws; `ResolutionError` if the type takes run-time arguments, has to
  ///   be awaited, or has to be made on the main actor and this code runs elsewhere.
  public func callAsFunction<Service: Resolvable>(_ type: Service.Type) throws -> Service.InjectedInstance {
    let injection = Service.injection
    guard injection.runtimeTypes.isEmpty else { throw ResolutionError.takesArguments(type, injection.runtimeTypes) }
    let factory = Factory(injection.builder)
    let registration = Registration(
      home: state, name: nil, factory: factory, suppliers: injection.suppliers, keeping: .transient, parameters: [],
      origin: Origin(file: "", line: 0), traits: [])
    do {
      return try factory.make(registration, BuilderCall(resolution))
    } catch let error as CallingFailure {
      throw ResolutionError.notCallable(type, error)
    }
  }

  /// Returns whether something is registered for a type, or for the type that a form such as `Lazy` wraps.
  fileprivate func isPresent(_ type: Any.Type) throws(ResolutionError) -> Bool {
    try state.isRegistered(type, Request(named: nil, in: resolution), countsEmpty: false)
  }
}
