// SPDX-License-Identifier: Apache-2.0

/// What a look-up asks for besides a type.
struct Request: Sendable {
  /// The name of the service; nil where the type alone decides.
  let name: String?
  /// The look-up, with its run-time arguments.
  let resolution: Resolution

  /// What a look-up asks for.
  init(named name: String?, in resolution: Resolution) {
    self.name = name
    self.resolution = resolution
  }

  /// The same request in another look-up.
  func with(_ resolution: Resolution) -> Request { Request(named: name, in: resolution) }
}

extension ContainerState {
  /// A service that the table does not have ready.
  @usableFromInline func resolve<Service>(
    _ type: Service.Type, named name: String?, _ resolution: Resolution
  ) throws(ResolutionError) -> Service {
    try instance(of: type, Request(named: name, in: resolution))
  }

  /// The service of a type, as a part of a look-up, where the compiler does not know the type.
  func injected<Service>(_ type: Service.Type, _ resolution: Resolution) throws(ResolutionError) -> Service {
    switch directory.content(ofType: ObjectIdentifier(type)) {
    case (.instance(let instance), _)?: return instance.value(as: type)
    case (.factory(let factory, let registration, _), _)?:
      return try registration.make(typed(factory, type), resolution)
    case (.registration(let registration, let index), let cell)?:
      return try registration.service(type, index, in: cell, resolution)
    case (.closed, _)?, nil: return try resolve(type, named: nil, resolution)
    }
  }

  /// The service that a look-up asks for.
  ///
  /// - Throws: `ResolutionError` where there is none or several are, and where building fails.
  func instance<Service>(of type: Service.Type, _ request: Request) throws(ResolutionError) -> Service {
    // Not by way of `find`, so that the metadata of the optional is not looked up.
    if let (place, cell) = try found(type, request) { return try service(type, cell, at: place, request) }
    return try presentForm(type, request)
  }

  /// A form of services.
  @inline(never) private func presentForm<Service>(
    _ type: Service.Type, _ request: Request
  ) throws(ResolutionError) -> Service {
    if let found = try form(type, request) { return found }
    throw missing(type, request)
  }

  /// The service that a look-up asks for, or nil where nothing is registered that can be looked up.
  ///
  /// - Throws: `ResolutionError` where several could be meant, or take other arguments, and where building fails.
  func find<Service>(_ type: Service.Type, _ request: Request) throws(ResolutionError) -> Service? {
    if let (place, cell) = try found(type, request) { return try service(type, cell, at: place, request) }
    return try form(type, request)
  }

  /// The service of a cell, in a look-up that may begin here.
  private func service<Service>(
    _ type: Service.Type, _ cell: Cell, at place: CellPlace, _ request: Request
  ) throws(ResolutionError) -> Service {
    try look(request.resolution) { resolution throws(ResolutionError) in
      if let factory = cell.factory { return try cell.registration.make(typed(factory, type), resolution) }
      return try place.home.service(type, in: place.number, resolution)
    }
  }

  /// A form of services, or nil where the type is none or nothing is registered that can be looked up.
  private func form<Service>(_ type: Service.Type, _ request: Request) throws(ResolutionError) -> Service? {
    try look(request.resolution) { resolution throws(ResolutionError) in
      guard let parts = try formParts(type, request.with(resolution)) else { return nil }
      return try value(of: parts, resolution)
    }
  }

  /// The place of the cell that a look-up asks for, or nil where nothing is registered that can be looked up.
  ///
  /// - Throws: as `found` does.
  func target(
    _ type: Any.Type, _ request: Request, takesArgumentsLater: Bool = false
  ) throws(ResolutionError) -> CellPlace? {
    try found(type, request, takesArgumentsLater: takesArgumentsLater)?.place
  }

  /// The cell that a look-up asks for, or nil where nothing is registered that can be looked up.
  ///
  /// - Parameter takesArgumentsLater: whether a look-up without arguments also finds a service that takes some.
  /// - Throws: `ResolutionError` where several could be meant, or take other arguments, or the container was disposed of.
  private func found(
    _ type: Any.Type, _ request: Request, takesArgumentsLater: Bool = false
  ) throws(ResolutionError) -> (place: CellPlace, cell: Cell)? {
    let id = ObjectIdentifier(type)
    let arguments = request.resolution.arguments
    let isOpen = takesArgumentsLater && arguments == nil
    if let name = request.name {
      let cells = directory.cells(named: name).filter { $0.cell.type == id }
      if let found = cells.first(where: { $0.cell.registration.takes(arguments) }) { return found }
      if isOpen, cells.count == 1 { return cells[0] }
      guard let cell = cells.first else {
        if directory.isClosed { throw .disposed }
        return nil
      }
      throw notFound(
        .wrongArguments([cell.cell.registration], given: arguments?.types ?? [], type: type, name: name))
    }
    switch directory.answer(for: id, arguments) {
    case .none:
      if directory.isClosed { throw .disposed }
      return nil
    case .one(let place, let cell): return (place, cell)
    case .several(let registrations): throw notFound(.ambiguous(type, among: registrations))
    case .wrongArguments(let registrations):
      if isOpen, registrations.count == 1, let registration = registrations.first {
        return directory.cell(of: id, registration)
      }
      throw notFound(.wrongArguments(registrations, given: arguments?.types ?? [], type: type, name: nil))
    }
  }

  /// Throws where something has the wanted name, but is not what is wanted.
  func refuse(_ type: Any.Type, _ request: Request) throws(ResolutionError) {
    guard let name = request.name else { return }
    let cells = directory.cells(named: name)
    guard let registration = cells.first?.cell.registration ?? directory.serviceWithoutTypes(named: name) else {
      return
    }
    let types = cells.filter { $0.cell.registration === registration }.map { registration.product.type($0.cell.index) }
    let sought = soughtType(type)
    // A list has no name, also where the service of that name provides what would be in it.
    throw notFound(
      .notProvided(registration, types.contains { $0 == sought } ? type : sought, name: name, provided: types))
  }

  /// The error of a look-up that finds nothing.
  func missing(_ type: Any.Type, _ request: Request) -> ResolutionError {
    if directory.isClosed { return .disposed }
    let sought = soughtType(type)
    // A list takes no arguments, also where there are services that would be in it.
    let isThere = sought != type && !directory.providers(of: ObjectIdentifier(sought)).isEmpty
    return notFound(.notRegistered(isThere ? type : sought, name: request.name, in: self))
  }

  /// Tells the observers of a look-up that found no service.
  func notFound(_ error: ResolutionError) -> ResolutionError {
    observers?.observers.forEach { $0.didNotFind(error) }
    return error
  }

  /// The type of the single services that a look-up of a type asks for.
  private func soughtType(_ type: Any.Type) -> Any.Type {
    var type = type
    while let form = type as? any LookUpForm.Type { type = form.sought }
    return type
  }
}

extension ContainerState {
  /// The instance of a cell, in a look-up of its own.
  ///
  /// - Throws: `ResolutionError` where building fails.
  func lookUp(_ cell: CellPlace, _ resolution: Resolution = Resolution()) throws(ResolutionError) -> AnyInstance {
    try look(resolution) { resolution throws(ResolutionError) in try cell.instance(resolution) }
  }

  /// The same, with builders awaited.
  ///
  /// - Throws: `ResolutionError` where building fails, and where the task is cancelled.
  func awaitedLookUp(
    _ cell: CellPlace, _ resolution: Resolution = Resolution(), isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> AnyInstance {
    let own = ownStore(resolution)
    defer { own?.suspend() }
    return try await cell.home.awaitedInstance(
      in: cell.number, own.map { resolution.with(shared: $0) } ?? resolution, isolation: isolation)
  }

  /// A service, with builders awaited.
  @usableFromInline func resolveAsync<Service>(
    _ type: Service.Type, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> Service {
    try await awaitedInstance(of: type, Request(named: nil, in: Resolution()), isolation: isolation)
  }

  /// The service that a look-up asks for, with builders awaited.
  ///
  /// - Throws: as `instance` does, and where the task is cancelled.
  func awaitedInstance<Service>(
    of type: Service.Type, _ request: Request, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> Service {
    if let found = try await awaitedFind(type, request, isolation: isolation) { return found }
    throw missing(type, request)
  }

  /// The service that a look-up asks for, with builders awaited, or nil where nothing is registered that can be looked up.
  ///
  /// - Throws: as `find` does, and where the task is cancelled.
  func awaitedFind<Service>(
    _ type: Service.Type, _ request: Request, isolation: isolated (any Actor)?
  ) async throws(ResolutionError) -> Service? {
    let own = ownStore(request.resolution)
    defer { own?.suspend() }
    let request = own.map { request.with(request.resolution.with(shared: $0)) } ?? request
    if let cell = try target(type, request) {
      let instance = try await cell.home.awaitedInstance(in: cell.number, request.resolution, isolation: isolation)
      return instance.value(as: type)
    }
    guard let parts = try formParts(type, request) else { return nil }
    return try await awaitedValue(of: parts, request.resolution, isolation: isolation)
  }
}
