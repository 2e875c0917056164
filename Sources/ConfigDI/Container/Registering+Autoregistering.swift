// SPDX-License-Identifier: Apache-2.0

extension Registering {
  /// Registers a service by its initializer, whose parameters are looked up by their types.
  ///
  /// ```swift
  /// container.autoregister(Greeter.init)
  /// container.autoregister(ConsoleLogger.init, as: (any Logger).self)
  /// container.autoregister(Session.init, lifetime: .transient, arguments: UserID.self)
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
  ///   - lifetime: how long an instance lives.
  ///   - arguments: the types of the run-time arguments, in the order in which a look-up brings them. The program stops where
  ///     the initializer has no parameter for one.
  ///   - onDispose: gives back what an instance holds, when the container or scope that keeps it is done with it.
  public func autoregister<Service: Sendable, each Parameter, each Argument>(
    _ initializer: @escaping @Sendable (repeat each Parameter) throws -> Service, as type: Service.Type = Service.self,
    named name: String? = nil, lifetime: ServiceLifetime = .shared, arguments: repeat (each Argument).Type,
    onDispose: (@Sendable (Service) -> Void)? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    let places = ArgumentPlaces(of: repeat each arguments, among: repeat (each Parameter).self)
    register(
      CodeService(name, lifetime, fileID, line, onDispose: onDispose, arguments: repeat each arguments) { core in
        .anywhere { [unowned(unsafe) core] resolution in
          var parameters = places.parameters(of: Resolver(core, resolution), resolution.arguments)
          return try initializer(repeat try parameters.next(as: (each Parameter).self))
        }
      })
  }

  /// Registers a service that is not `Sendable` by its initializer, whose parameters are looked up by their types.
  ///
  /// - Parameters:
  ///   - initializer: makes an instance. May be called from any thread, and from several at once.
  ///   - type: the type by which instances are looked up, without it the initializer's.
  ///   - name: the name of the service; nil: it answers for its type.
  ///   - lifetime: how long an instance lives.
  ///   - arguments: the types of the run-time arguments, in the order in which a look-up brings them. The program stops where
  ///     the initializer has no parameter for one.
  public func autoregister<Service, each Parameter, each Argument>(
    _ initializer: @escaping @Sendable (repeat each Parameter) throws -> Service, as type: Service.Type = Service.self,
    named name: String? = nil, lifetime: UnsharedLifetime, arguments: repeat (each Argument).Type,
    fileID: String = #fileID, line: Int = #line
  ) {
    let places = ArgumentPlaces(of: repeat each arguments, among: repeat (each Parameter).self)
    register(
      CodeService<Service>(
        name, lifetime.lifetime, fileID, line, onDispose: nil, arguments: repeat each arguments
      ) { core in
        .anywhere { [unowned(unsafe) core] resolution in
          var parameters = places.parameters(of: Resolver(core, resolution), resolution.arguments)
          return try initializer(repeat try parameters.next(as: (each Parameter).self))
        }
      })
  }
}

/// Which parameters of an initializer are run-time arguments.
private struct ArgumentPlaces: Sendable {
  /// For each parameter the place of its run-time argument; nil where it is looked up.
  private var places: [Int?] = []

  /// Gives each run-time argument the first parameter of its type that is left.
  ///
  /// Stops the program where there is none: such a registration could never be used.
  init<each Argument, each Parameter>(
    of arguments: repeat (each Argument).Type, among parameters: repeat (each Parameter).Type
  ) {
    var types: [Any.Type] = []
    for type in repeat each parameters { types.append(type) }
    places = Array(repeating: nil, count: types.count)
    var count = 0
    for argument in repeat each arguments {
      let place = types.indices.first { places[$0] == nil && types[$0] == argument as Any.Type }
      guard let place else { preconditionFailure("the initializer has no parameter for the argument \(argument)") }
      places[place] = count
      count += 1
    }
  }

  /// The parameters of one call.
  func parameters(of resolver: Resolver, _ arguments: RuntimeArguments?) -> Parameters {
    Parameters(places: places[...], resolver: resolver, arguments: arguments)
  }

  /// The parameters of one call, to be taken one by one.
  struct Parameters {
    /// What is left of the places.
    var places: ArraySlice<Int?>
    /// Looks parameters up.
    let resolver: Resolver
    /// The run-time arguments; nil where there are none.
    let arguments: RuntimeArguments?

    /// The next one.
    ///
    /// - Throws: what the look-up throws.
    mutating func next<Parameter>(as type: Parameter.Type) throws -> Parameter {
      guard let place = places.popFirst() ?? nil else { return try resolver.resolve(type) }
      guard let argument = arguments?.value(at: place, as: type) else { throw WiringFailure.runtimeArgumentMissing }
      return argument
    }
  }
}
