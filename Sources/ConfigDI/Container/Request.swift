// SPDX-License-Identifier: Apache-2.0

/// The parameters of a look-up other than its type.
struct Request: Sendable {
  let name: String?
  /// The look-up, with its run-time arguments.
  let resolution: Resolution

  init(named name: String?, in resolution: Resolution) {
    self.name = name
    self.resolution = resolution
  }

  func with(_ resolution: Resolution) -> Request { Request(named: name, in: resolution) }
}

extension ContainerState {
  /// Returns the service for a type or name that the inlined look-up did not find in its table.
  @usableFromInline func resolve<Service>(
    _ type: Service.Type, named name: String?, _ resolution: Resolution
  ) throws(ResolutionError) -> Service {
    try instance(of: type, Request(named: name, in: resolution))
  }

  /// Returns the service of a type, as part of a look-up. Not specialized: for callers to which the type is generic.
  func injected<Service>(_ type: Service.Type, _ resolution: Resolution) throws(ResolutionError) -> Service {
    switch directory.content(ofType: ObjectIdentifier(type)) {
    case (.instance(let instance), _)?: return instance.value(as: type)
    case (.registration(let registration, let index), let cell)?:
      return try registration.service(type, index, in: cell, resolution)
    case (.closed, _)?, nil: return try resolve(type, named: nil, resolution)
    }
  }

  /// Returns the service for a request.
  ///
  /// - Throws: `ResolutionError` if there is no service or more than one, or building fails.
  func instance<Service>(of type: Service.Type, _ request: Request) throws(ResolutionError) -> Service {
    // Does not call `find`, which would look up the metadata of the optional type.
    if let (place, cell) = try found(type, request) { return try service(type, cell, at: place, request) }
    return try presentForm(type, request)
  }

  /// Returns a form of services, or throws the error of a look-up that finds nothing.
  @inline(never) private func presentForm<Service>(
    _ type: Service.Type, _ request: Request
  ) throws(ResolutionError) -> Service {
    if let found = try form(type, request) { return found }
    throw missing(type, request)
  }

  /// Returns the service for a request; `nil` if no service is registered that can be looked up.
  ///
  /// - Throws: `ResolutionError` if the look-up is ambiguous, the services take other arguments, or building fails.
  func find<Service>(_ type: Service.Type, _ request: Request) throws(ResolutionError) -> Service? {
    if let (place, cell) = try found(type, request) { return try service(type, cell, at: place, request) }
    return try form(type, request)
  }

  /// Returns the service of a cell, in the given look-up, which may be a new top-level one.
  private func service<Service>(
    _ type: Service.Type, _ cell: Cell, at place: CellReference, _ request: Request
  ) throws(ResolutionError) -> Service {
    let (resolution, own) = begin(request.resolution)
    defer { own?.suspend() }
    if cell.registration.keeping == .transient { return try cell.registration.make(type, cell.index, resolution) }
    return try place.home.service(type, in: place.number, resolution)
  }

  /// Returns a form of services; `nil` if the type is not a form, or if no service is registered that can be looked up.
  private func form<Service>(_ type: Service.Type, _ request: Request) throws(ResolutionError) -> Service? {
    let (resolution, own) = begin(request.resolution)
    defer { own?.suspend() }
    return try formParts(type, request.with(resolution))?.value(in: FormContext(self, resolution))
  }

  /// Returns the cell for a request; `nil` if no service is registered that can be looked up.
  ///
  /// - Parameter takesArgumentsLater: whether a look-up without arguments also finds a service that takes some.
  /// - Throws: `ResolutionError` if the look-up is ambiguous, the services take other arguments, or the container was
  ///   disposed of.
  func found(
    _ type: Any.Type, _ request: Request, takesArgumentsLater: Bool = false
  ) throws(ResolutionError) -> CellEntry? {
    let id = ObjectIdentifier(type)
    let arguments = request.resolution.arguments
    let others: [CellEntry]
    if let name = request.name {
      others = directory.cells(named: name).filter { $0.cell.type == id }
      if let found = others.first(where: { $0.cell.registration.takes(arguments) }) { return found }
    } else {
      switch directory.answer(for: id, arguments) {
      case .one(let found): return found
      case .several(let registrations): throw notFound(.ambiguous(type, among: registrations))
      case .wrongArguments(let found): others = found
      }
    }
    if others.isEmpty {
      if directory.isClosed { throw .disposed }
      return nil
    }
    if takesArgumentsLater, arguments == nil, others.count == 1 { return others[0] }
    throw notFound(
      .wrongArguments(
        others.map(\.cell.registration), given: arguments?.types ?? [], type: type, name: request.name))
  }

  /// Throws if a service has the name of the request but does not provide the type.
  func refuse(_ type: Any.Type, _ request: Request) throws(ResolutionError) {
    guard let name = request.name else { return }
    let cells = directory.cells(named: name)
    guard let registration = cells.first?.cell.registration ?? directory.serviceWithoutTypes(named: name) else {
      return
    }
    let types = cells.map { $0.cell.registration.factory.type($0.cell.index) }
    let sought = leafType(of: type)
    // A list has no name, even if the service of that name provides the type of its elements.
    throw notFound(
      .notProvided(registration, types.contains { $0 == sought } ? type : sought, name: name, provided: types))
  }

  /// Returns the error of a look-up that finds nothing.
  func missing(_ type: Any.Type, _ request: Request) -> ResolutionError {
    if directory.isClosed { return .disposed }
    let sought = leafType(of: type)
    // A list takes no arguments, even if there are services that it would contain.
    let isRegistered = sought != type && !directory.providers(of: ObjectIdentifier(sought)).isEmpty
    return notFound(.notRegistered(isRegistered ? type : sought, name: request.name, in: self))
  }

  /// Reports a look-up that found no service to the observers, and returns its error.
  func notFound(_ error: ResolutionError) -> ResolutionError {
    for observer in observers { observer.didNotFind(error) }
    return error
  }
}

extension ContainerState {
  /// Returns the instance of a cell, in a look-up of its own.
  func lookUp(_ cell: CellReference, _ resolution: Resolution = Resolution()) throws(ResolutionError) -> AnyInstance {
    let (resolution, own) = begin(resolution)
    defer { own?.suspend() }
    return try cell.instance(resolution)
  }

  /// Returns the instance of a cell, in a look-up of its own, and awaits async builders.
  func awaitedLookUp(
    _ cell: CellReference, _ resolution: Resolution = Resolution(), isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> AnyInstance {
    let (resolution, own) = begin(resolution)
    defer { own?.suspend() }
    return try await cell.home.awaitedInstance(in: cell.number, resolution, isolation: isolation)
  }

  /// Returns the service for a request, and awaits async builders; `nil` if no service is registered that can be looked
  /// up.
  func awaitedFind<Service>(
    _ type: Service.Type, _ request: Request, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> Service? {
    let (resolution, own) = begin(request.resolution)
    defer { own?.suspend() }
    let request = request.with(resolution)
    if let cell = try found(type, request)?.place {
      let instance = try await cell.home.awaitedInstance(in: cell.number, resolution, isolation: isolation)
      return instance.value(as: type)
    }
    guard let parts = try formParts(type, request) else { return nil }
    return try await parts.awaited(in: FormContext(self, resolution), isolation: isolation).value(as: type)
  }
}
