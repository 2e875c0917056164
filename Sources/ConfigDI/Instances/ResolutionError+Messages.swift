// SPDX-License-Identifier: Apache-2.0

extension ResolutionError {
  /// Creates an error whose message needs no search.
  private init(
    _ code: Code, type: Any.Type? = nil, name: String? = nil, cycle: [Registration] = [],
    registration: Registration? = nil, underlyingError: (any Error)? = nil,
    _ message: @autoclosure @escaping @Sendable () -> String
  ) {
    self.init(
      code, type: type, name: name, cycle: cycle, registration: registration, underlyingError: underlyingError,
      details: { Details(message: message()) })
  }

  static func wiringBroken(_ failure: any Error) -> ResolutionError {
    ResolutionError(.wiringBroken, "the container cannot be wired: \(failure)")
  }

  static func builderFailed(_ registration: Registration, _ error: any Error) -> ResolutionError {
    ResolutionError(.builderFailed, registration: registration, underlyingError: error) {
      let subject = registration.decorator.map { "decorator \"\($0)\" of " } ?? ""
      let reason = Registration.text(of: error, takesSecrets: registration.traits.contains(.takesSecrets))
      return Details(message: "\(subject)service \"\(registration.id)\" cannot be built: \(reason)")
    }
  }

  static func isNoObject(_ registration: Registration) -> ResolutionError {
    ResolutionError(
      .builderFailed, registration: registration,
      "service \"\(registration.id)\" has scope \"weak\", but its builder does not return an instance of a class"
    ).under(registration)
  }

  static func lazyFailed(_ error: any Error) -> ResolutionError {
    (error as? ResolutionError)
      ?? ResolutionError(.builderFailed, underlyingError: error, "a lazy value cannot be built: \(error)")
  }

  /// The error for a service that depends on itself.
  ///
  /// - Parameter registrations: the services of the cycle, with the first one again at the end.
  static func cycle(_ registrations: [Registration]) -> ResolutionError {
    ResolutionError(
      .cycle, cycle: registrations, registration: registrations.first,
      "service \"\(Registration.names(of: registrations).first ?? "")\" depends on itself")
  }

  /// The error for a build that would wait for itself.
  ///
  /// - Parameter builds: the builds of the cycle, with the first one again at the end.
  static func cycle(_ builds: [Build]) -> ResolutionError {
    var registrations: [Registration] = []
    // A service counts as one with its decorators, and with the `Lazy` that stands for it.
    for registration in builds.compactMap(\.registration)
    where !(registrations.last.map { $0.isSameService(as: registration) } ?? false) {
      registrations.append(registration)
    }
    guard let first = registrations.first else {
      return ResolutionError(.cycle, "a lazy value depends on itself")
    }
    if registrations.count == 1 || registrations.last !== first { registrations.append(first) }
    return cycle(registrations)
  }

  static func tooDeep(_ registration: Registration) -> ResolutionError {
    ResolutionError(
      .tooDeep, registration: registration,
      "builders that depend on service \"\(registration.id)\" are nested so deeply that the stack of the thread is exhausted"
    )
  }

  static func tooManyBuilders(_ registration: Registration, limit: Int) -> ResolutionError {
    ResolutionError(
      .tooDeep, registration: registration,
      "more than \(limit) builders that depend on service \"\(registration.id)\" are nested in one look-up")
  }

  static func timedOut(_ registration: Registration) -> ResolutionError {
    ResolutionError(
      .timedOut, registration: registration,
      "service \"\(registration.id)\" was still being built when the time to start was over")
  }

  /// The error for a type or a name for which no service is registered.
  ///
  /// - Parameters:
  ///   - type: the type of a single service.
  ///   - state: the container. A snapshot of its names is searched for similar ones when the message is read.
  static func notRegistered(_ type: Any.Type, name: String?, in state: ContainerState) -> ResolutionError {
    if let name, let registration = state.directory.privateService(named: name) {
      return ResolutionError(
        .isPrivate, type: type, name: name, registration: registration,
        "service \"\(registration.id)\" is private; it can be injected, but not looked up")
    }
    if name == nil, let registration = state.directory.privateService(of: ObjectIdentifier(type)) {
      return ResolutionError(
        .isPrivate, type: type, registration: registration,
        "only service \"\(registration.id)\" provides \"\(TypeName.name(of: type))\", and it is private; it can be "
          + "injected, but not looked up")
    }
    return ResolutionError(.notRegistered, type: type, name: name) {
      let tables = Transferred(state.directory.snapshot)
      if let name {
        return Details(
          message: "service \"\(name)\" is not registered",
          candidates: suggestions(for: name, among: tables.value.visibleNames))
      }
      var typeName = TypeName.name(of: type)
      let provided = tables.value.visibleTypes
      let namesakes = TypeName.setApart(&typeName, of: type, among: provided)
      let near =
        namesakes.isEmpty ? suggestions(for: typeName, among: Set(provided.map { TypeName.name(of: $0) })) : namesakes
      return Details(message: "no service provides \"\(typeName)\"", candidates: near)
    }
  }

  static func ambiguous(_ type: Any.Type, among registrations: [Registration]) -> ResolutionError {
    ResolutionError(.ambiguous, type: type) {
      Details(
        message:
          "\(registrations.count) services provide \"\(TypeName.name(of: type))\", and no binding selects one",
        candidates: registrations.map(\.id))
    }
  }

  static func ambiguous(_ type: Any.Type, id: String) -> ResolutionError {
    ResolutionError(.ambiguous, type: type) {
      Details(
        message:
          "several services with the id \"\(id)\" provide \"\(TypeName.name(of: type))\", so the id is "
          + "ambiguous", candidates: [id])
    }
  }

  static func notProvided(_ registration: Registration, _ type: Any.Type, name: String, provided: [Any.Type])
    -> ResolutionError
  {
    ResolutionError(.notProvided, type: type, name: name, registration: registration) {
      var typeName = TypeName.name(of: type)
      let namesakes = TypeName.setApart(&typeName, of: type, among: provided)
      return Details(
        message: "service \"\(name)\" does not provide \"\(typeName)\"",
        candidates: namesakes.isEmpty ? provided.map { TypeName.name(of: $0) }.sorted() : namesakes)
    }
  }

  static func wrongArguments(_ registrations: [Registration], given: [Any.Type], type: Any.Type?, name: String?)
    -> ResolutionError
  {
    let sole = registrations.count == 1 ? registrations.first : nil
    return ResolutionError(.wrongArguments, type: type, name: name, registration: sole) {
      guard let sole else {
        let lines = registrations.prefix(8).map { registration in
          "\n  service \"\(registration.id)\" takes \(arguments(registration.parameters, apartFrom: given))"
        }
        return Details(
          message: "no service that provides \"\(type.map { TypeName.name(of: $0) } ?? "")\" takes \(arguments(given)):"
            + lines.joined() + (lines.count < registrations.count ? "\n  ..." : ""),
          candidates: registrations.map(\.id))
      }
      return Details(
        message: "service \"\(sole.id)\" takes \(arguments(sole.parameters, apartFrom: given)), but the look-up passes "
          + arguments(given, apartFrom: sole.parameters))
    }
  }

  static func argumentsAreNoKey(_ registration: Registration, _ given: RuntimeArguments) -> ResolutionError {
    let types = given.unhashableTypes.map { TypeName.name(of: $0) }
    return ResolutionError(
      .wrongArguments, registration: registration,
      "service \"\(registration.id)\" keeps instances by run-time arguments, which must be Hashable; "
        + "\(types.quotedList) \(types.count == 1 ? "is" : "are") not")
  }

  static func argumentsOfClosure(_ given: [Any.Type]) -> ResolutionError {
    ResolutionError(
      .wrongArguments, "a stand-alone provider takes no run-time arguments, but the call passes \(arguments(given))")
  }

  static func takesArguments(_ type: Any.Type, _ parameters: [Any.Type]) -> ResolutionError {
    ResolutionError(
      .wrongArguments, type: type,
      "\"\(TypeName.name(of: type))\" takes \(arguments(parameters)); register it and look it up")
  }

  /// Describes a list of run-time arguments by their types, with long names where another type has the same short name.
  private static func arguments(_ types: [Any.Type], apartFrom others: [Any.Type] = []) -> String {
    let names = TypeName.names(of: types, apartFrom: others).joined(separator: ", ")
    return switch types.count {
    case 0: "no run-time arguments"
    case 1: "the run-time argument (\(names))"
    default: "the run-time arguments (\(names))"
    }
  }

  static func notOpen(_ registration: Registration, scope: String) -> ResolutionError {
    ResolutionError(
      .notOpen, registration: registration,
      "service \"\(registration.id)\" belongs to scope \"\(scope)\", which is not open here")
  }

  static func notGiven(_ registration: Registration) -> ResolutionError {
    ResolutionError(
      .notGiven, registration: registration,
      "the application gives the instance of service \"\(registration.id)\", and did not when its container was loaded or "
        + "its scope opened")
  }

  /// The error for given instances that do not match the services of a container or a scope.
  ///
  /// - Parameters:
  ///   - missing: the services whose instances are missing.
  ///   - types: the types of the given instances.
  ///   - problems: descriptions of the other mismatches.
  static func notGiven(
    to scope: String?, missing: [Registration], _ types: [Any.Type], _ problems: [String]
  ) -> ResolutionError {
    ResolutionError(.notGiven, name: scope) {
      let subject = scope.map { "scope \"\($0)\" cannot be opened" } ?? "the container cannot be loaded"
      let names = TypeName.names(of: missing.map(\.factory.productType), apartFrom: types)
      let wanted = zip(missing, names).map { service, type in
        "service \"\(service.id)\" of type \"\(type)\", defined at \(service.origin), was not given"
      }
      let lines = (wanted + problems).map { "\n  \($0)" }
      return Details(message: "\(subject) with the given instances:" + lines.joined())
    }
  }

  static func unknownTag(_ tag: String, among tags: [String]) -> ResolutionError {
    ResolutionError(.notRegistered, name: tag) {
      Details(message: "no service has the tag \"\(tag)\"", candidates: suggestions(for: tag, among: tags))
    }
  }

  static func ambiguous(_ type: Any.Type, key: String, ofTag tag: String) -> ResolutionError {
    ResolutionError(.ambiguous, type: type, name: tag) {
      Details(message: "several services have the tag \"\(tag)\" with the key \"\(key)\"", candidates: [key])
    }
  }

  static func closed(_ registration: Registration) -> ResolutionError {
    ResolutionError(
      .closed, registration: registration,
      "service \"\(registration.id)\" cannot be built: its container or scope is closed")
  }

  static func closed(scope: String) -> ResolutionError { ResolutionError(.closed, "scope \"\(scope)\" is closed") }

  static func gone(_ type: Any.Type, name: String? = nil) -> ResolutionError {
    ResolutionError(
      .closed, type: type, name: name,
      "\(name.map { "service \"\($0)\"" } ?? "\"\(TypeName.name(of: type))\"") can no longer be looked up: its container or "
        + "scope is closed")
  }

  static let reloadInReload = ResolutionError(
    .cycle, "a reload was called by a builder or a disposal that a reload of the same container waits for")

  static func resetByItself(_ registration: Registration) -> ResolutionError {
    ResolutionError(
      .cycle, registration: registration,
      "service \"\(registration.id)\" cannot be kept: its builder has reset the container")
  }

  static func replacedByItself(_ registration: Registration) -> ResolutionError {
    ResolutionError(
      .cycle, registration: registration,
      "service \"\(registration.id)\" cannot be built: its builder registers the service again, and so do the new builders"
    )
  }

  static let disposed = ResolutionError(.closed, "the container was disposed of")

  static func needsAwait(_ registration: Registration) -> ResolutionError {
    ResolutionError(
      .needsAwait, registration: registration,
      "service \"\(registration.id)\" is built asynchronously; look it up with `resolveAsync`, also in builders that depend on it"
    )
  }

  static func needsAwait(_ type: Any.Type) -> ResolutionError {
    ResolutionError(
      .needsAwait, type: type, "the lazy \"\(TypeName.name(of: type))\" is being built asynchronously; use `getAsync`")
  }

  static func needsMainActor(_ registration: Registration) -> ResolutionError {
    ResolutionError(
      .needsMainActor, registration: registration,
      "service \"\(registration.id)\" is built on the main actor; look it up there, or with `resolveAsync`")
  }

  static func notCallable(_ type: Any.Type, _ failure: CallingFailure) -> ResolutionError {
    switch failure {
    case .needsAwait:
      ResolutionError(
        .needsAwait, type: type, "\"\(TypeName.name(of: type))\" is created asynchronously; register it and look it up")
    case .needsMainActor:
      ResolutionError(
        .needsMainActor, type: type, "\"\(TypeName.name(of: type))\" is created on the main actor; look it up there")
    }
  }

  static func cancelled(_ registration: Registration?) -> ResolutionError {
    ResolutionError(
      .cancelled, registration: registration, underlyingError: CancellationError(),
      "the look-up of \(registration.map { "service \"\($0.id)\"" } ?? "a lazy value") was cancelled")
  }

  static func unknownScope(_ name: String, of registration: Registration) -> ResolutionError {
    ResolutionError(.noScope, registration: registration) {
      Details(
        message: "service \"\(registration.id)\" belongs to scope \"\(name)\", which the container does not declare",
        candidates: suggestions(for: name, among: registration.home.scopeNames))
    }
  }

  static func unknownScope(_ name: String, among names: [String]) -> ResolutionError {
    ResolutionError(.noScope, name: name) {
      Details(message: "unknown scope \"\(name)\"", candidates: suggestions(for: name, among: names))
    }
  }

  static func wrongScope(_ name: String, in outer: String) -> ResolutionError {
    ResolutionError(
      .noScope, name: name,
      "scope \"\(name)\" cannot be opened from scope \"\(outer)\", which does not enclose it")
  }

  static func foreignScope(_ name: String, _ type: Any.Type) -> ResolutionError {
    ResolutionError(
      .noScope, name: name,
      "the provider of \"\(TypeName.name(of: type))\" belongs to a different container than scope \"\(name)\"")
  }
}

/// The tables of a container and its parents.
extension [DirectoryTables] {
  /// The names by which code may look up services, in no order.
  fileprivate var visibleNames: [String] {
    visible { tables, hidden in tables.names.keys.filter { !hidden.contains($0) }.map(\.text) }
  }

  /// The types by which code may look up services, in no order.
  fileprivate var visibleTypes: [Any.Type] {
    visible { tables, hidden in
      var types: [ObjectIdentifier: Any.Type] = [:]
      for cell in tables.cells
      where !cell.registration.traits.contains(.isPrivate) && cell.registration.answers(ofType: cell.index)
        && (hidden.isEmpty || !hidden.contains(ScalarString(cell.id)))
      {
        types[cell.type] = cell.registration.factory.type(cell.index)
      }
      return Array<Any.Type>(types.values)
    }
  }

  /// Collects values from all tables; the closure gets each with the ids that the modules of children hide.
  private func visible<Found>(_ found: (DirectoryTables, Set<ScalarString>) -> [Found]) -> [Found] {
    var hidden: Set<ScalarString> = []
    return flatMap { tables in
      defer { hidden.formUnion(tables.rare?.hidden ?? []) }
      return found(tables, hidden)
    }
  }
}
