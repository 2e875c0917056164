// SPDX-License-Identifier: Apache-2.0

// The uses that await builders. Run-time arguments are taken before anything is awaited: see `AwaitedLookUp`.

extension Lazy {
  /// The value, with builders awaited.
  ///
  /// Whoever uses it while it is built waits for that, without holding a thread where a builder is awaited; it is built once
  /// for all. While it is, a use that does not await throws.
  ///
  /// ```swift
  /// let database = try await container.resolve(Lazy<Database>.self)
  /// let rows = try await database.get().rows()
  /// ```
  ///
  /// - Throws: `ResolutionError` where building fails, the value is needed to build itself, or the task is cancelled.
  public func get(isolation: isolated (any Actor)? = #isolation) async throws(ResolutionError) -> Value {
    if let current { return current }
    guard let buildAwaiting else { return try make() }
    return try await buildAwaiting(Hold(self)).value
  }

  /// The value, looked up once for all who use it meanwhile, with builders awaited.
  ///
  /// Where nothing has to be awaited it is looked up as `get` without `await` does.
  ///
  /// - Throws: as `get` does.
  func lookUpAwaiting(named name: String?, in resolver: Resolver) async throws(ResolutionError) -> Hold<Value> {
    let core = resolver.core
    let request = Request(named: name, in: resolver.resolution)
    let isAwaited = try core.look { _ throws(ResolutionError) in try core.hasToAwait(Value.self, request) }
    guard isAwaited else { return Hold(try make()) }
    let lazy = Hold(self)
    return try await core.builds.onceAwaiting(
      Site(keeper: ObjectIdentifier(self), slot: SlotKey(address: 0)), nil, Resolution(),
      find: { _ in lazy.value.current.map { Hold($0) } },
      build: { _ async throws(ResolutionError) -> Hold<Value> in
        Hold(try await AwaitedLookUp(resolver, named: name).instance(of: Value.self))
      },
      keep: {
        lazy.value.keep($0.value)
        return .kept
      },
      closed: { _ in .lazyCycle })
  }
}

extension Provider {
  /// A value, with builders awaited.
  ///
  /// - Parameters:
  ///   - scope: a scope in which to look up; nil: that in which the provider was made.
  ///   - arguments: the run-time arguments; nil: those that were bound.
  func awaited(
    in scope: Scope? = nil, _ arguments: RuntimeArguments? = nil
  ) async throws(ResolutionError) -> Hold<Value> {
    switch source {
    case .service(let reference, let bound):
      return try await reference.resolveAwaiting(in: scope, arguments: arguments ?? bound)
    case .closure(let build):
      if let arguments { throw .argumentsOfClosure(arguments.types) }
      do { return Hold(try build()) } catch { throw .lazyFailed(error) }
    }
  }

  /// The service, with builders awaited.
  ///
  /// - Throws: `ResolutionError` where it cannot be looked up, or building fails, or the task is cancelled.
  public func get(isolation: isolated (any Actor)? = #isolation) async throws(ResolutionError) -> Value {
    try await awaited().value
  }

  /// The service, with builders awaited and the run-time arguments that its builder wants.
  ///
  /// - Throws: `ResolutionError` where it cannot be looked up or wants other arguments, or building fails, or the task is
  ///   cancelled.
  public func get<First, each Rest>(
    isolation: isolated (any Actor)? = #isolation, arguments first: First, _ rest: repeat each Rest
  ) async throws(ResolutionError) -> Value {
    let arguments = RuntimeArguments(first, repeat each rest)
    return try await awaited(arguments).value
  }

  /// The service as it is in an open scope of the same container, with builders awaited.
  ///
  /// - Throws: `ResolutionError` where it cannot be looked up, or building fails, or the scope is closed or of another
  ///   container, or the task is cancelled.
  public func get(
    in scope: Scope, isolation: isolated (any Actor)? = #isolation
  ) async throws(ResolutionError) -> Value {
    try await awaited(in: scope).value
  }

  /// The service as it is in an open scope of the same container, with builders awaited and the run-time arguments that its
  /// builder wants.
  ///
  /// - Throws: `ResolutionError` where it cannot be looked up or wants other arguments, or building fails, or the scope is
  ///   closed or of another container, or the task is cancelled.
  public func get<First, each Rest>(
    in scope: Scope, isolation: isolated (any Actor)? = #isolation, arguments first: First, _ rest: repeat each Rest
  ) async throws(ResolutionError) -> Value {
    let arguments = RuntimeArguments(first, repeat each rest)
    return try await awaited(in: scope, arguments).value
  }
}

extension Core {
  /// Whether one of some services, or something that it needs and that is not built, has to be awaited or made on the main
  /// actor. Called within a look-up.
  ///
  /// - Complexity: linear in the number of services that they need, directly or not.
  func hasToAwait(_ cells: [Cell]) -> Bool {
    var rest = cells
    var seen: Set<SlotKey> = []
    while let cell = rest.popLast() {
      let slot = cell.slot
      if let successor = slot.successor(ofType: cell.index) {
        rest.append(successor)
        continue
      }
      if slot.isInCells && cell.isReady { continue }
      guard seen.insert(slot.key).inserted else { continue }
      if slot.isAwaited { return true }
      rest.append(contentsOf: slot.dependencies)
    }
    return false
  }

  /// Whether a look-up of a type would have to await something. Called within a look-up.
  ///
  /// - Throws: `ResolutionError` where several services could be meant, or want other arguments, or the container was disposed
  ///   of.
  func hasToAwait(_ type: Any.Type, _ request: Request) throws(ResolutionError) -> Bool {
    if let cell = try target(type, request) { return hasToAwait([cell]) }
    guard let form = type as? any LookUpForm.Type else { return false }
    if form is any CollectionForm.Type {
      return hasToAwait(providers(of: ObjectIdentifier(form.sought)).filter { $0.slot.parameters.isEmpty })
    }
    return form.isPutOff ? false : try hasToAwait(form.sought, request)
  }
}

extension LookUpForm {
  /// Whether the form itself awaits nothing, as it puts the look-up off.
  fileprivate static var isPutOff: Bool { !(self is any OptionalForm.Type) }
}
