// SPDX-License-Identifier: Apache-2.0

extension ResolutionError {
  /// A plan and a registry that do not go together.
  init(_ failure: any Error) { self.init(.wiringBroken, "the container cannot be wired: \(failure)") }

  /// A builder that has thrown.
  static func builderFailed(_ slot: Slot, _ error: any Error) -> ResolutionError {
    let what = slot.decorator.map { "decorator \"\($0)\" of service \"\(slot.id)\"" } ?? "service \"\(slot.id)\""
    return ResolutionError(
      .builderFailed, "\(what) cannot be built: \(error)", name: slot.id, origin: slot.origin, underlyingError: error
    ).under([slot.id])
  }

  /// A builder that should have made an object.
  static func isNoObject(_ slot: Slot) -> ResolutionError {
    ResolutionError(
      .builderFailed,
      "service \"\(slot.id)\" has the lifetime \"weak\", for which its builder must make an instance of a class",
      name: slot.id, origin: slot.origin)
  }

  /// A stand-alone `Lazy` whose closure has thrown.
  static func lazyFailed(_ error: any Error) -> ResolutionError {
    (error as? ResolutionError)
      ?? ResolutionError(.builderFailed, "a lazy value cannot be built: \(error)", underlyingError: error)
  }

  /// A stand-alone `Lazy` that is needed to build itself.
  static let lazyCycle = ResolutionError(.cycle, "a lazy value is needed to build itself")

  /// A service that is needed to build itself, by way of these; the first and the last are the same.
  static func cycle(_ works: [Work]) -> ResolutionError {
    let slots = works.compactMap { $0.subject as? Slot }
    guard !slots.isEmpty else { return lazyCycle }
    var path: [String] = []
    // A service, its decorators and what is put off with a `Lazy` are one.
    for slot in slots where path.last != slot.id { path.append(slot.id) }
    if path.count == 1 { path.append(path[0]) }
    return ResolutionError(
      .cycle, "service \"\(path.first ?? "")\" is needed to build itself", name: path.first, path: path,
      origin: slots.first?.origin)
  }

  /// No service provides a type.
  static func notRegistered(type: String, near: [String]) -> ResolutionError {
    ResolutionError(.notRegistered, "no service provides \"\(type)\"", typeName: type, candidates: near)
  }

  /// No service has a name.
  static func notRegistered(name: String, type: String, near: [String]) -> ResolutionError {
    ResolutionError(
      .notRegistered, "there is no service \"\(name)\"", typeName: type, name: name, candidates: near)
  }

  /// Several services provide a type.
  static func ambiguous(type: String, among ids: [String]) -> ResolutionError {
    ResolutionError(
      .ambiguous, "\(ids.count) services provide \"\(type)\", and no binding says which one answers", typeName: type,
      candidates: ids)
  }

  /// Several services of one id provide a type whose services are wanted by id.
  static func ambiguous(type: String, id: String) -> ResolutionError {
    ResolutionError(
      .ambiguous, "several services with the id \"\(id)\" provide \"\(type)\", so that they cannot be told apart by it",
      typeName: type, candidates: [id])
  }

  /// Only a private service has the name or the type.
  static func isPrivate(_ slot: Slot, type: String, name: String?) -> ResolutionError {
    ResolutionError(
      .isPrivate,
      name == nil
        ? "\"\(type)\" is provided by service \"\(slot.id)\" alone, which is private: it can be injected, not looked up"
        : "service \"\(slot.id)\" is private: it can be injected, not looked up",
      typeName: type, name: name, origin: slot.origin)
  }

  /// The service of a name does not provide a type.
  static func notProvided(_ slot: Slot, type: Any.Type, name: String) -> ResolutionError {
    var typeName = TypeName.name(of: type)
    let provided = slot.answeringTypes
    let namesakes = TypeName.setApart(&typeName, of: type, among: provided)
    return ResolutionError(
      .notProvided, "service \"\(name)\" does not provide \"\(typeName)\"", typeName: typeName, name: name,
      candidates: namesakes.isEmpty ? provided.map(\.name).sorted() : namesakes, origin: slot.origin)
  }

  /// A service that wants other run-time arguments.
  static func wrongArguments(_ slot: Slot, given: [Any.Type], name: String?) -> ResolutionError {
    ResolutionError(
      .wrongArguments,
      "service \"\(slot.id)\" wants \(arguments(slot.parameters, apartFrom: given)), and the look-up brings "
        + arguments(given, apartFrom: slot.parameters),
      name: name, origin: slot.origin)
  }

  /// Services of a type that all want other run-time arguments.
  static func wrongArguments(_ slots: [Slot], given: [Any.Type], type: String) -> ResolutionError {
    if slots.count == 1 { return wrongArguments(slots[0], given: given, name: nil) }
    return ResolutionError(
      .wrongArguments, "no service that provides \"\(type)\" wants \(arguments(given))", typeName: type,
      candidates: slots.map(\.id))
  }

  /// Run-time arguments by which instances cannot be told apart.
  static func argumentsAreNoKey(_ slot: Slot) -> ResolutionError {
    ResolutionError(
      .wrongArguments,
      "service \"\(slot.id)\" keeps an instance for each tuple of run-time arguments, which must be Hashable and be given",
      name: slot.id, origin: slot.origin)
  }

  /// Run-time arguments for a stand-alone `Provider`.
  static func argumentsOfClosure(_ given: [Any.Type]) -> ResolutionError {
    ResolutionError(
      .wrongArguments,
      "a provider that stands alone takes no run-time arguments, and the use brings \(arguments(given))")
  }

  /// The types of run-time arguments in words, told apart from others of the same short names.
  private static func arguments(_ types: [Any.Type], apartFrom others: [Any.Type] = []) -> String {
    let names = TypeName.names(of: types, apartFrom: others).joined(separator: ", ")
    return switch types.count {
    case 0: "no run-time arguments"
    case 1: "the run-time argument (\(names))"
    default: "the run-time arguments (\(names))"
    }
  }

  /// A service of a scope that is not open where it is looked up.
  static func notOpen(_ slot: Slot, scope: String) -> ResolutionError {
    ResolutionError(
      .notOpen, "service \"\(slot.id)\" lives in the scope \"\(scope)\", and no such scope is open here",
      name: slot.id, origin: slot.origin)
  }

  /// A service that cannot be built any more.
  static func closed(_ slot: Slot) -> ResolutionError {
    ResolutionError(
      .closed, "what keeps service \"\(slot.id)\" was closed while it was being built", name: slot.id,
      origin: slot.origin)
  }

  /// A look-up in a scope that was closed.
  static func closed(scope: String) -> ResolutionError { ResolutionError(.closed, "the scope \"\(scope)\" is closed") }

  /// A look-up that was put off, until its container or scope was gone.
  static func gone(_ what: String, id: String) -> ResolutionError {
    ResolutionError(.closed, "service \"\(id)\" cannot be looked up any more: \(what)", name: id)
  }

  /// A look-up in a container that was disposed of.
  static let disposed = ResolutionError(.closed, "the container was disposed of")

  /// A thread that cannot be had.
  static let stackExhausted = ResolutionError(.builderFailed, "there is no stack left to build on")

  /// A service that has to be awaited.
  static func needsAwait(_ slot: Slot) -> ResolutionError {
    ResolutionError(
      .needsAwait, "service \"\(slot.id)\" is built asynchronously: look it up with `await`", name: slot.id,
      origin: slot.origin
    ).under([slot.id])
  }

  /// A service that has to be built on the main actor.
  static func needsMainActor(_ slot: Slot) -> ResolutionError {
    ResolutionError(
      .needsMainActor,
      "service \"\(slot.id)\" is built on the main actor: look it up there, or with `await`", name: slot.id,
      origin: slot.origin
    ).under([slot.id])
  }

  /// A type that cannot be made here.
  static func notCallable(_ typeName: String, _ failure: CallingFailure) -> ResolutionError {
    switch failure {
    case .needsAwait:
      ResolutionError(
        .needsAwait, "\"\(typeName)\" is made asynchronously: register and look it up", typeName: typeName)
    case .needsMainActor:
      ResolutionError(
        .needsMainActor, "\"\(typeName)\" is made on the main actor: look it up there", typeName: typeName)
    }
  }

  /// A look-up that was cancelled while it waited.
  ///
  /// - Parameter slot: the service; nil for a lazy value that is not just a service.
  static func cancelled(_ slot: Slot?) -> ResolutionError {
    ResolutionError(
      .cancelled, "the look-up of \(slot.map { "service \"\($0.id)\"" } ?? "a lazy value") was cancelled",
      name: slot?.id, origin: slot?.origin, underlyingError: CancellationError())
  }

  /// A service that lives in a scope which there is not.
  static func unknownScope(_ name: String, of slot: Slot, near: [String]) -> ResolutionError {
    ResolutionError(
      .noScope, "service \"\(slot.id)\" lives in the scope \"\(name)\", which the container does not have",
      name: slot.id,
      candidates: near, origin: slot.origin)
  }

  /// A scope that is not among those of the container.
  static func unknownScope(_ name: String, near: [String]) -> ResolutionError {
    ResolutionError(.noScope, "there is no scope \"\(name)\"", name: name, candidates: near)
  }

  /// A scope that cannot be opened from another one.
  static func wrongScope(_ name: String, in outer: String) -> ResolutionError {
    ResolutionError(
      .noScope, "the scope \"\(name)\" cannot be opened from the scope \"\(outer)\", which does not enclose it",
      name: name)
  }

  /// A scope of another container.
  static func foreignScope(_ name: String, id: String) -> ResolutionError {
    ResolutionError(.noScope, "service \"\(id)\" is of another container than the scope \"\(name)\"", name: name)
  }
}
