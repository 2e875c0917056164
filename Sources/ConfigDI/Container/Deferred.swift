// SPDX-License-Identifier: Apache-2.0

/// A look-up that takes place later.
///
/// A service that the container caches may hold a deferred look-up. The look-up retains the state of the container, but
/// keeps neither instances nor registrations alive: the state is empty after the container was disposed of or released.
struct Deferred<Service>: Sendable {
  /// The target of the look-up.
  private enum Subject {
    /// The service of a cell, whose type is `Service`.
    case cell(Int)
    /// A form of other services.
    case form
    /// A form of the services of some cells, with the names of those that have one.
    case given(FormCells, names: [String])
  }

  private var state: ContainerState
  private var subject: Subject
  /// The scope in which the look-up takes place; `nil` for none but the container.
  private let scope: InstanceStore?
  /// The per-look-up store of the look-up to which this belongs; `nil` for a top-level look-up.
  private var shared: InstanceStore?
  private(set) var bound: RuntimeArguments?
  /// The name of the service: to look up a form, and for the error if the container is gone.
  private let name: String?
  /// The instance that holds this, if reloads may keep that; otherwise `nil`.
  let holder: KeptInstance?
  /// Where and by which name it was looked up; `nil` if that is the container and the name of its service.
  private var origin: (state: ContainerState, name: String?)?
  /// Keeps the container alive during the look-up, if nobody else may; otherwise `nil`.
  private var handle: (any Sendable)?

  /// Creates a look-up of the service of a cell, whose type is `Service`.
  ///
  /// - Parameters:
  ///   - sharing: whether it belongs to the look-up in which it is made.
  ///   - holder: the instance that holds it, if reloads may keep that.
  init(_ cell: CellReference, in resolution: Resolution, sharing: Bool, holder: KeptInstance? = nil) {
    let registration = cell.home.directory.registration(in: cell.number)?.0
    // Other types of a product that is not `Sendable` may be `Sendable`.
    let isConfined =
      registration.map { !$0.traits.contains(.isSendable) && $0.factory.productType == Service.self } ?? false
    self.init(
      cell.home, .cell(cell.number), name: registration?.name, resolution, sharing: sharing, isConfined: isConfined,
      holder)
  }

  /// Creates a look-up of a service, or of a form of the given services.
  ///
  /// - Parameter sharing: whether it belongs to the look-up in which it is made.
  init(_ given: FormCells, in context: FormContext, sharing: Bool) {
    if given.type == Service.self, let cell = given.first {
      self.init(cell, in: context.resolution, sharing: sharing, holder: context.holder)
      if context.state !== state { origin = (context.state, name) }
      return
    }
    let names = given.cells.compactMap { $0.home.directory.registration(in: $0.number)?.0.name }
    self.init(
      context.state, .given(given, names: names), name: nil, context.resolution, sharing: sharing, context.holder)
  }

  private init(
    _ state: ContainerState, _ subject: Subject, name: String?, _ resolution: Resolution, sharing: Bool,
    isConfined: Bool = false, _ holder: KeptInstance? = nil
  ) {
    self.holder = holder
    self.state = state
    self.subject = subject
    self.name = name
    scope = resolution.scope
    bound = resolution.arguments
    shared = !sharing ? nil : isConfined ? resolution.shared : resolution.shared?.ofAnotherDomain
  }

  /// The same look-up in a task of its own. Instances that are not `Sendable` stay with the original look-up.
  var inTask: Deferred { changed { $0.shared = shared.map(\.ofAnotherDomain) } }

  /// Returns the same look-up, which keeps the container alive.
  ///
  /// - Parameter handle: the container or scope in which it takes place.
  func retaining(_ handle: any Sendable) -> Deferred { changed { $0.handle = handle } }

  func binding(_ arguments: RuntimeArguments?) -> Deferred { changed { $0.bound = arguments } }

  private func changed(_ change: (inout Deferred) -> Void) -> Deferred {
    var other = self
    change(&other)
    return other
  }

  /// Returns the same look-up in the container in which it takes place now, and retains that container. In a container
  /// that reloads this is the container of the given scope; or the one to which the holder of this has passed; or, if
  /// that is gone, the one that replaced it.
  ///
  /// - Parameter scope: a scope in which to look up; `nil` for the one in which this was made.
  func current(in scope: Scope? = nil) -> Deferred {
    guard let own = state.generation, self.scope == nil else { return self }
    KeptInstance.recordUse(by: holder)
    // A scope of a child counts as a scope of the nearest parent that is reloaded.
    if let scope, let state = sequence(first: scope.state, next: \.parent).first(where: { $0.generation != nil }),
      let other = state.generation, other.family === own.family
    {
      return moved(to: Generation.Place(generation: other, state: state, handle: scope.container))
    }
    return own.place(for: holder).map(moved) ?? self
  }

  private func moved(to place: Generation.Place) -> Deferred {
    var other = self
    (other.state, other.handle) = (place.state, place.handle)
    // A child is not replaced by reloads.
    if origin?.state === state { other.origin?.state = place.state }
    guard place.state !== state else { return other }
    switch subject {
    case .cell:
      guard let cell = name.flatMap({ place.cell(of: $0, as: Service.self) }) else { return self }
      other.subject = .cell(cell.number)
    case .given(let given, let names):
      let cells = names.compactMap { place.cell(of: $0, as: given.type) }
      guard cells.count == given.cells.count else { return self }
      other.subject = .given(given.with(cells), names: names)
    case .form: break
    }
    return other
  }

  /// Returns the look-up of a form such as `Lazy<Service>`; `nil` if nothing is registered for `Service`.
  ///
  /// - Throws: `ResolutionError` if the look-up is ambiguous, or the services take other arguments.
  static func lookUp(
    _ request: Request, in state: ContainerState, sharing: Bool, takesArgumentsLater: Bool
  ) throws(ResolutionError) -> Deferred? {
    if let cell = try state.found(Service.self, request, takesArgumentsLater: takesArgumentsLater)?.place {
      var deferred = Deferred(cell, in: request.resolution, sharing: sharing)
      deferred.origin = (state, request.name)
      return deferred
    }
    guard try state.isRegistered(Service.self, request, isWrapped: takesArgumentsLater, countsEmpty: true) else {
      return nil
    }
    return Deferred(state, .form, name: request.name, request.resolution, sharing: sharing)
  }

  /// Returns the service.
  ///
  /// - Parameters:
  ///   - scope: a scope in which to look up; `nil` for the one in which this was made.
  ///   - arguments: the run-time arguments; `nil` for the bound ones.
  /// - Throws: `ResolutionError` if the container or the scope is closed, the service takes other arguments, or
  ///   building fails.
  func get(in scope: Scope? = nil, _ arguments: RuntimeArguments? = nil) throws(ResolutionError) -> Service {
    let (resolution, own) = try begin(in: scope, arguments)
    defer { end(own) }
    switch subject {
    case .cell(let cell): return try state.service(Service.self, in: cell, resolution)
    case .form, .given: return try parts(resolution).value(in: FormContext(state, resolution))
    }
  }

  /// Returns the parts of what is looked up.
  ///
  /// - Throws: `ResolutionError` if the look-up of a form is ambiguous, or nothing is registered that it can find.
  private func parts(_ resolution: Resolution) throws(ResolutionError) -> FormParts<Service> {
    switch subject {
    case .cell(let cell): return FormParts(CellReference(state, cell))
    case .given(let given, _): return FormParts(of: given)
    case .form:
      let request = Request(named: name, in: resolution)
      guard let parts = try state.parts(Service.self, request) else { throw state.missing(Service.self, request) }
      return parts
    }
  }

  /// The innermost store in which it looks up.
  var store: InstanceStore { scope ?? state.store }

  /// Returns the service as an instance that owns what its user disposes of: the product of a transient service, which
  /// is not cached, and the instances that its decorators wrap. For a form, those of its parts.
  func getOwned() throws(ResolutionError) -> AnyInstance {
    let (resolution, own) = try begin(in: nil, nil)
    defer { end(own) }
    return try parts(resolution).owned(in: FormContext(state, resolution))
  }

  /// Returns the service as an instance, in the form of `getOwned` if the user owns it, and awaits async builders.
  func awaited(
    in scope: Scope? = nil, _ arguments: RuntimeArguments? = nil, isOwned: Bool, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> AnyInstance {
    let (resolution, own) = try begin(in: scope, arguments)
    defer { end(own) }
    if !isOwned, case .cell(let cell) = subject {
      return try await state.awaitedInstance(in: cell, resolution, isolation: isolation)
    }
    let context = FormContext(state, resolution)
    return try await parts(resolution).awaited(in: context, isOwned: isOwned, isolation: isolation)
  }

  /// Looks up what building the service needs, and awaits builds of other look-ups. Then runs a closure.
  ///
  /// - Parameter body: receives a closure that builds the service as `getOwned` does, and calls it once or not at all.
  func withReady<Result>(
    isolation: isolated (any Actor)?,
    _ body: (_ build: () throws(ResolutionError) -> AnyInstance) throws(ResolutionError) -> Result
  ) async throws(ResolutionError) -> Result {
    let (resolution, own) = try begin(in: nil, nil)
    defer { end(own) }
    let context = FormContext(state, resolution)
    let parts = try parts(resolution)
    let ready = try await parts.ready(in: context, isolation: isolation)
    PausePoint.reach(.inputsReady)
    var isUsed = false
    defer { if !isUsed { for part in ready { part.discard() } } }
    return try body { () throws(ResolutionError) in
      isUsed = true
      return try parts.owned(in: context, ready)
    }
  }

  /// Begins the look-up. The container and the per-look-up store are kept alive until `end` is called.
  ///
  /// - Returns: the `Resolution` with which it takes place, and the per-look-up store that was made for it, for `end`.
  private func begin(
    in scope: Scope?, _ arguments: RuntimeArguments?
  ) throws(ResolutionError) -> (Resolution, own: InstanceStore?) {
    let resolution = try resolution(in: scope, arguments)
    shared?.resume()
    return state.begin(resolution)
  }

  private func end(_ own: InstanceStore?) {
    own?.suspend()
    shared?.suspendAll()
    withExtendedLifetime(handle) {}
  }

  /// Returns the `Resolution` with which the look-up takes place now.
  private func resolution(in scope: Scope?, _ arguments: RuntimeArguments?) throws(ResolutionError) -> Resolution {
    if let scope {
      // A scope of a child closes before this container does; one of a parent or of another child may not.
      guard sequence(first: scope.state, next: \.parent).contains(where: { $0 === state }) else {
        throw .foreignScope(scope.name, Service.self)
      }
      guard scope.isOpen else { throw .closed(scope: scope.name) }
    } else {
      guard self.scope?.isOpen ?? true else { throw .gone(Service.self, name: name) }
    }
    // A child may be closed although its parent, which has the service, is open.
    guard state.store.isOpen, origin?.state.store.isOpen ?? true else { throw .gone(Service.self, name: name) }
    var resolution = Resolution(scope: scope?.store ?? self.scope).with(arguments ?? bound)
    if let shared { resolution = resolution.with(shared: shared) }
    if case .cell(let cell) = subject {
      guard let (registration, _) = state.directory.registration(in: cell) else {
        throw .gone(Service.self, name: name)
      }
      guard registration.takes(resolution.arguments) else {
        throw .wrongArguments(
          [registration], given: resolution.arguments?.types ?? [], type: Service.self, name: registration.id)
      }
    }
    return resolution
  }

  /// Returns the look-up of a service of the same name or type that takes the given run-time arguments, if the current
  /// service does not take them; itself if there is no such service.
  ///
  /// - Throws: `ResolutionError.ambiguous` if there are several.
  func taking(_ arguments: RuntimeArguments?) throws(ResolutionError) -> Deferred {
    guard let arguments, let registration, !registration.takes(arguments) else { return self }
    let resolution = Resolution(scope: scope).with(arguments)
    let (place, name) = origin ?? (state, registration.name)
    let cell: CellReference
    do {
      guard let found = try place.found(Service.self, Request(named: name, in: resolution)) else { return self }
      cell = found.place
    } catch {
      if error.code == .ambiguous { throw error }
      return self
    }
    var other = Deferred(cell, in: resolution, sharing: false, holder: holder)
    (other.handle, other.origin) = (handle, origin)
    return other
  }

  /// Whether the look-up needs a builder that has to be awaited or called on the main actor. Does not cover built
  /// services, and what a builder looks up by itself.
  ///
  /// - Complexity: linear in the number of services that are needed.
  func hasToAwait() throws(ResolutionError) -> Bool {
    var open = try cells()
    var seen: Set<ObjectIdentifier> = []
    while let cell = open.popLast() {
      guard let (needed, _) = cell.home.directory.unbuilt(in: cell.number),
        seen.insert(ObjectIdentifier(needed)).inserted
      else { continue }
      for registration in sequence(first: needed, next: \.wrapped) {
        if registration.factory.calling != .anywhere { return true }
        for supplier in registration.suppliers ?? [] {
          if supplier.mayAwait { return true }
          open += supplier.targets
        }
      }
    }
    return false
  }

  /// Whether the container or a scope caches all instances that are looked up, so that each look-up returns the same ones.
  var isKeptByOthers: Bool {
    guard let cells = try? cells() else { return false }
    return cells.allSatisfy { cell in
      switch cell.home.directory.registration(in: cell.number)?.0.keeping {
      case .shared, .weak, .scope: true
      case .transient, .graph, .missingScope, nil: false
      }
    }
  }

  /// Returns the cells of the services that are looked up.
  private func cells() throws(ResolutionError) -> [CellReference] {
    switch subject {
    case .cell(let cell): [CellReference(state, cell)]
    case .given(let given, _): given.cells
    case .form: try parts(resolution(in: nil, nil)).cells
    }
  }

  /// The service that is looked up; `nil` for a form, or if the container is closed.
  var registration: Registration? {
    if case .cell(let cell) = subject { state.directory.registration(in: cell)?.0 } else { nil }
  }
}

extension InstanceStore {
  /// A store for a part of the look-up that may run in another isolation domain, which finds what threads may share.
  fileprivate var ofAnotherDomain: InstanceStore { InstanceStore(.lookUp, in: enclosing ?? self, users: 0) }
}

extension ContainerState {
  /// Returns whether a look-up of a service or a form would find something. Builds nothing.
  ///
  /// - Parameters:
  ///   - isWrapped: whether the look-up is that of a form such as `Lazy`, which finds a service that takes arguments.
  ///   - countsEmpty: whether an optional or a collection is found even if there is no service for it.
  /// - Throws: `ResolutionError` if the look-up is ambiguous, the services take other arguments, or the container was
  ///   disposed of.
  func isRegistered(
    _ type: Any.Type, _ request: Request, isWrapped: Bool = false, countsEmpty: Bool
  ) throws(ResolutionError) -> Bool {
    if try found(type, request, takesArgumentsLater: isWrapped) != nil { return true }
    guard let form = type as? any LookUpForm.Type else { return false }
    if form is any CollectionForm.Type {
      if countsEmpty { return request.name == nil }
      return try !elements(of: form.wrappedType, entersCollections: true).entries.isEmpty
    }
    if countsEmpty, form is any OptionalProtocol.Type { return true }
    return try isRegistered(form.wrappedType, request, isWrapped: true, countsEmpty: countsEmpty)
  }
}
