// SPDX-License-Identifier: Apache-2.0

extension ResolutionError {
  /// Creates an error whose message needs no search.
  private init(
    _ code: Code, of service: Registration? = nil, type: Any.Type? = nil, name: String? = nil,
    cycle: [Registration] = [], underlyingError: (any Error)? = nil,
    candidates: @autoclosure @escaping @Sendable () -> [String] = [],
    _ message: @autoclosure @escaping @Sendable () -> String
  ) {
    self.init(code, of: service, type: type, name: name, cycle: cycle, underlyingError: underlyingError) {
      Details(message: message(), candidates: candidates())
    }
  }

  static func wiringBroken(_ failure: any Error) -> ResolutionError {
    ResolutionError(.wiringBroken, "the container cannot be wired: \(failure)")
  }

  static func builderFailed(_ registration: Registration, _ error: any Error) -> ResolutionError {
    ResolutionError(.builderFailed, of: registration, underlyingError: error) {
      let subject = registration.decorator.map { "decorator \"\($0)\" of " } ?? ""
      let reason = error.text(takesSecrets: registration.traits.contains(.takesSecrets))
      return Details(message: "\(subject)\(registration.quoted) cannot be built: \(reason)")
    }
  }

  static func isNoObject(_ service: Registration) -> ResolutionError {
    Self(
      .builderFailed, of: service,
      "\(service.quoted) has scope \"weak\", but its builder does not return an instance of a class"
    ).under(service)
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
      .cycle, of: registrations.first, cycle: registrations,
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

  static func tooDeep(_ service: Registration) -> ResolutionError {
    Self(
      .tooDeep, of: service,
      "builders that depend on \(service.quoted) are nested so deeply that the stack of the thread is exhausted")
  }

  static func tooManyBuilders(_ service: Registration, limit: Int) -> ResolutionError {
    Self(
      .tooDeep, of: service, "more than \(limit) builders that depend on \(service.quoted) are nested in one look-up")
  }

  static func timedOut(_ service: Registration) -> ResolutionError {
    Self(.timedOut, of: service, "\(service.quoted) was still being built when the time to start was over")
  }

  /// The error for a type or a name for which no service is registered.
  ///
  /// - Parameters:
  ///   - type: the type of a single service.
  ///   - state: the container. Its names are searched for similar ones when the message is read.
  static func notRegistered(_ type: Any.Type, name: String?, in state: ContainerState) -> ResolutionError {
    if let name, let service = state.directory.privateService(named: name) {
      return Self(
        .isPrivate, of: service, type: type, name: name,
        "\(service.quoted) is private; it can be injected, but not looked up")
    }
    if name == nil, let service = state.directory.privateService(of: ObjectIdentifier(type)) {
      return Self(
        .isPrivate, of: service, type: type,
        "only \(service.quoted) provides \(TypeName.quoted(type)), and it is private; it can be injected, but not "
          + "looked up")
    }
    return ResolutionError(.notRegistered, type: type, name: name) {
      if let name {
        return Details(
          message: "service \"\(name)\" is not registered",
          candidates: suggestions(for: name, among: state.directory.visibleNames))
      }
      var typeName = TypeName.name(of: type)
      let provided = state.directory.visibleTypes
      let namesakes = TypeName.setApart(&typeName, of: type, among: provided)
      let near =
        namesakes.isEmpty ? suggestions(for: typeName, among: Set(provided.map { TypeName.name(of: $0) })) : namesakes
      return Details(message: "no service provides \"\(typeName)\"", candidates: near)
    }
  }

  static func ambiguous(_ type: Any.Type, among registrations: [Registration]) -> ResolutionError {
    Self(
      .ambiguous, type: type, candidates: registrations.map(\.id),
      "\(registrations.count) services provide \(TypeName.quoted(type)), and no binding selects one")
  }

  static func ambiguous(_ type: Any.Type, id: String) -> ResolutionError {
    Self(
      .ambiguous, type: type, candidates: [id],
      "several services with the id \"\(id)\" provide \(TypeName.quoted(type)), so the id is ambiguous")
  }

  static func notProvided(_ registration: Registration, _ type: Any.Type, name: String, provided: [Any.Type])
    -> ResolutionError
  {
    ResolutionError(.notProvided, of: registration, type: type, name: name) {
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
    return ResolutionError(.wrongArguments, of: sole, type: type, name: name) {
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
      .wrongArguments, of: registration,
      "\(registration.quoted) keeps instances by run-time arguments, which must be Hashable; "
        + "\(types.quotedList) \(types.count == 1 ? "is" : "are") not")
  }

  static func argumentsOfClosure(_ given: [Any.Type]) -> ResolutionError {
    ResolutionError(
      .wrongArguments, "a stand-alone provider takes no run-time arguments, but the call passes \(arguments(given))")
  }

  static func takesArguments(_ type: Any.Type, _ parameters: [Any.Type]) -> ResolutionError {
    Self(
      .wrongArguments, type: type,
      "\(TypeName.quoted(type)) takes \(arguments(parameters)); register it and look it up")
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

  static func notOpen(_ service: Registration, scope: String) -> ResolutionError {
    Self(.notOpen, of: service, "\(service.quoted) belongs to scope \"\(scope)\", which is not open here")
  }

  static func notGiven(_ service: Registration) -> ResolutionError {
    Self(
      .notGiven, of: service,
      "the application gives the instance of \(service.quoted), and did not when its container was loaded or its scope "
        + "opened")
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
    Self(
      .notRegistered, name: tag, candidates: suggestions(for: tag, among: tags), "no service has the tag \"\(tag)\"")
  }

  static func ambiguous(_ type: Any.Type, key: String, ofTag tag: String) -> ResolutionError {
    Self(
      .ambiguous, type: type, name: tag, candidates: [key],
      "several services have the tag \"\(tag)\" with the key \"\(key)\"")
  }

  static func closed(_ service: Registration) -> ResolutionError {
    Self(.closed, of: service, "\(service.quoted) cannot be built: its container or scope is closed")
  }

  static func closed(scope: String) -> ResolutionError { ResolutionError(.closed, "scope \"\(scope)\" is closed") }

  static func gone(_ type: Any.Type, name: String? = nil) -> ResolutionError {
    let subject = name.map { "service \"\($0)\"" } ?? TypeName.quoted(type)
    return Self(
      .closed, type: type, name: name, "\(subject) can no longer be looked up: its container or scope is closed")
  }

  static let reloadInReload = ResolutionError(
    .cycle, "a reload was called by a builder or a disposal that a reload of the same container waits for")

  static func resetByItself(_ service: Registration) -> ResolutionError {
    Self(.cycle, of: service, "\(service.quoted) cannot be kept: its builder has reset the container")
  }

  static func replacedByItself(_ service: Registration) -> ResolutionError {
    Self(
      .cycle, of: service,
      "\(service.quoted) cannot be built: its builder registers the service again, and so do the new builders")
  }

  static let disposed = ResolutionError(.closed, "the container was disposed of")

  static func needsAwait(_ service: Registration) -> ResolutionError {
    Self(
      .needsAwait, of: service,
      "\(service.quoted) is built asynchronously; look it up with `resolveAsync`, also in builders that depend on it")
  }

  static func needsAwait(_ type: Any.Type) -> ResolutionError {
    Self(.needsAwait, type: type, "the lazy \(TypeName.quoted(type)) is being built asynchronously; use `getAsync`")
  }

  static func needsMainActor(_ service: Registration) -> ResolutionError {
    Self(
      .needsMainActor, of: service,
      "\(service.quoted) is built on the main actor; look it up there, or with `resolveAsync`")
  }

  static func notCallable(_ type: Any.Type, _ failure: CallingFailure) -> ResolutionError {
    switch failure {
    case .needsAwait:
      Self(.needsAwait, type: type, "\(TypeName.quoted(type)) is created asynchronously; register it and look it up")
    case .needsMainActor:
      Self(.needsMainActor, type: type, "\(TypeName.quoted(type)) is created on the main actor; look it up there")
    }
  }

  static func cancelled(_ registration: Registration?) -> ResolutionError {
    Self(
      .cancelled, of: registration, underlyingError: CancellationError(),
      "the look-up of \(registration?.quoted ?? "a lazy value") was cancelled")
  }

  static func unknownScope(_ name: String, of registration: Registration) -> ResolutionError {
    Self(
      .noScope, of: registration, candidates: suggestions(for: name, among: registration.home.scopeNames),
      "\(registration.quoted) belongs to scope \"\(name)\", which the container does not declare")
  }

  static func unknownScope(_ name: String, among names: [String]) -> ResolutionError {
    Self(.noScope, name: name, candidates: suggestions(for: name, among: names), "unknown scope \"\(name)\"")
  }

  static func wrongScope(_ name: String, in outer: String) -> ResolutionError {
    Self(
      .noScope, name: name, "scope \"\(name)\" cannot be opened from scope \"\(outer)\", which does not enclose it")
  }

  static func foreignScope(_ name: String, _ type: Any.Type) -> ResolutionError {
    Self(
      .noScope, name: name,
      "the provider of \(TypeName.quoted(type)) belongs to a different container than scope \"\(name)\"")
  }
}

extension Registration {
  /// The service with its id in quotation marks, for messages.
  fileprivate var quoted: String { "service \"\(id)\"" }
}

extension TypeName {
  fileprivate static func quoted(_ type: Any.Type) -> String { "\"\(name(of: type))\"" }
}
