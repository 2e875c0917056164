// SPDX-License-Identifier: Apache-2.0

/// What a look-up asks for besides a type.
struct Request {
  /// The name of the service; nil where the type alone decides.
  let name: String?
  /// The look-up, with what it brings along.
  let resolution: Resolution

  /// What a look-up asks for.
  init<each Argument>(named name: String?, arguments: repeat each Argument, in resolution: Resolution) {
    self.name = name
    var isEmpty = true
    for _ in repeat each arguments { isEmpty = false }
    self.resolution =
      isEmpty ? resolution : resolution.with { $0.arguments = RuntimeArguments(repeat each arguments) }
  }
}

extension Request {
  /// Whether a look-up asks for nothing but a type.
  var isPlain: Bool { name == nil && resolution.arguments == nil }
}

extension Container {
  public var resolver: Resolver {
    get throws(ResolutionError) { Resolver(core, Resolution()) }
  }

  public func resolve<Service, each Argument>(
    _ type: Service.Type, named name: String?, arguments: repeat each Argument
  ) throws(ResolutionError) -> Service {
    try core.instance(of: type, Request(named: name, arguments: repeat each arguments, in: Resolution()))
  }

  public func resolveOptional<Service, each Argument>(
    _ type: Service.Type, named name: String?, arguments: repeat each Argument
  ) throws(ResolutionError) -> Service? {
    try core.find(type, Request(named: name, arguments: repeat each arguments, in: Resolution()))
  }
}

extension Core {
  /// Runs a look-up that begins here.
  func look<Result>(
    _ resolution: Resolution = Resolution(), _ body: (Resolution) throws(ResolutionError) -> Result
  ) throws(ResolutionError) -> Result {
    let visit = readers.enter(at: StackExtent.here)
    defer { readers.leave(visit) }
    return try body(resolution.with { $0.isDeep = $0.isDeep || visit.isDeep })
  }

  /// Looks up a type for which no single service of this container answers: one of a parent, a form of another type, or a
  /// failure.
  @usableFromInline func resolveWithoutAnswer<Service>(_ resolution: Resolution) throws(ResolutionError) -> Service {
    try instance(of: Service.self, Request(named: nil, in: resolution))
  }

  /// The service that a look-up asks for.
  ///
  /// - Throws: `ResolutionError` where there is none or several are, and where building fails.
  func instance<Service>(of type: Service.Type, _ request: Request) throws(ResolutionError) -> Service {
    if let found = try find(type, request) { return found }
    throw missing((type as? any LookUpForm.Type)?.sought ?? type, request.name)
  }

  /// The service that a look-up asks for, or nil where nothing is registered that can be looked up.
  ///
  /// - Throws: `ResolutionError` where several could be meant, or want other arguments, and where building fails.
  func find<Service>(_ type: Service.Type, _ request: Request) throws(ResolutionError) -> Service? {
    try look(request.resolution) { resolution throws(ResolutionError) in
      if request.isPlain, let cell = types.finding(of: ObjectIdentifier(type)).cell {
        return try instance(of: type, in: cell, resolution)
      }
      if let cell = try target(type, request) { return try instance(of: type, in: cell, resolution) }
      if let form = type as? any LookUpForm.Type {
        // Told by its own type, which `form` is.
        if let found = try form.lookUp(request, in: self) as? Service { return found }
      }
      try refuse(type, request)
      return nil
    }
  }

  /// The instance of a cell whose type is the given one. Named, as where an optional is wanted the compiler would look for one.
  private func instance<Service>(
    of type: Service.Type, in cell: Cell, _ resolution: Resolution
  ) throws(ResolutionError) -> Service {
    try instance(in: cell, resolution)
  }

  /// Throws where something of the wanted name is there, but not what is wanted.
  func refuse(_ type: Any.Type, _ request: Request) throws(ResolutionError) {
    guard let name = request.name else { return }
    let sought = (type as? any LookUpForm.Type)?.sought ?? type
    for entry in entries(named: name) where entry.isPublic {
      throw .notProvided(entry.slot, type: sought, name: name)
    }
  }

  /// The cell that a look-up asks for, or nil where nothing is registered that can be looked up.
  ///
  /// - Parameter takesArgumentsLater: whether a look-up that brings no arguments also finds a service that wants some.
  /// - Throws: `ResolutionError` where several could be meant, or want other arguments, or the container was disposed of.
  func target(
    _ type: Any.Type, _ request: Request, takesArgumentsLater: Bool = false
  ) throws(ResolutionError) -> Cell? {
    if isEnded { throw .disposed }
    let id = ObjectIdentifier(type)
    let given = request.resolution.arguments?.types ?? []
    let signature = given.map { ObjectIdentifier($0) }
    let isOpen = takesArgumentsLater && given.isEmpty
    if let name = request.name {
      let cells = entries(named: name).filter(\.isPublic).compactMap { $0.slot.answeringCell(of: id) }
      if let cell = cells.first(where: { $0.slot.signature == signature }) {
        if given.isEmpty { remember(cell, named: name, id) }
        return cell
      }
      if isOpen, cells.count == 1 { return cells[0] }
      guard let cell = cells.first else { return nil }
      throw .wrongArguments(cell.slot, given: given, name: name)
    }
    switch answer(for: id, arguments: signature) {
    case .none: return nil
    case .one(let target): return target
    case .several(let services):
      throw .ambiguous(type: TypeName.name(of: type), among: services.map(\.slot.id))
    case .wrongArguments(let services) where isOpen && services.count == 1: return services[0]
    case .wrongArguments(let services):
      throw .wrongArguments(services.map(\.slot), given: given, type: TypeName.name(of: type))
    }
  }

  /// Remembers who answers for a name and a type, where that is a service of this container.
  private func remember(_ cell: Cell, named name: String, _ type: ObjectIdentifier) {
    let old = withState { state -> Hold<[Any]> in
      // It may have been replaced meanwhile.
      let entries = state.directory.entries(named: name)
      guard entries.contains(where: { $0.isPublic && $0.slot.answeringCell(of: type) == cell }) else { return Hold([]) }
      return Hold(namedCells.add(name, type, cell))
    }
    readers.retire(old?.value ?? [])
  }

  /// The service of a name, which no look-up has found since something was registered.
  @usableFromInline func resolveUnknown<Service>(
    _ type: Service.Type, named name: String, _ resolution: Resolution
  ) throws(ResolutionError) -> Service {
    try instance(of: type, Request(named: name, in: resolution))
  }

  /// All services that provide a type, can be looked up and want no run-time arguments, ascending by id.
  func all<Service>(_ type: Service.Type, _ resolution: Resolution) throws(ResolutionError) -> [Service] {
    if isEnded { throw .disposed }
    var services: [Service] = []
    for provider in providers(of: ObjectIdentifier(type)) where provider.slot.parameters.isEmpty {
      services.append(try instance(in: provider, resolution))
    }
    return services
  }
}

/// A type that is looked up by way of another: several services, one that may be missing, or one that is put off.
protocol LookUpForm {
  /// The type of the services.
  static var sought: Any.Type { get }

  /// Looks the form up; nil where nothing is registered that can be looked up.
  static func lookUp(_ request: Request, in core: Core) throws(ResolutionError) -> Self?

  /// Does the same, and awaits builders.
  static func lookUpAwaiting(_ request: Request, in core: Core) async throws(ResolutionError) -> Hold<Self?>
}

extension LookUpForm {
  // What is put off awaits nothing now.
  static func lookUpAwaiting(_ request: Request, in core: Core) async throws(ResolutionError) -> Hold<Self?> {
    Hold(try core.look { _ throws(ResolutionError) in try lookUp(request, in: core) })
  }
}

/// A type that is looked up as all services of another one, so that the look-up finds it though there are none.
protocol CollectionForm: LookUpForm {}

extension Array: CollectionForm {
  static var sought: Any.Type { Element.self }

  static func lookUp(_ request: Request, in core: Core) throws(ResolutionError) -> [Element]? {
    guard request.isPlain else { return nil }
    return try core.all(Element.self, request.resolution)
  }

  static func lookUpAwaiting(_ request: Request, in core: Core) async throws(ResolutionError) -> Hold<[Element]?> {
    guard request.isPlain else { return Hold(nil) }
    return Hold(try await core.allAwaiting(Element.self, request.resolution).value)
  }
}

extension Dictionary: LookUpForm, CollectionForm where Key == String {
  static var sought: Any.Type { Value.self }

  static func lookUp(_ request: Request, in core: Core) throws(ResolutionError) -> [String: Value]? {
    guard request.isPlain else { return nil }
    return try core.allByID(Value.self, request.resolution)
  }

  static func lookUpAwaiting(
    _ request: Request, in core: Core
  ) async throws(ResolutionError) -> Hold<[String: Value]?> {
    guard request.isPlain else { return Hold(nil) }
    return Hold(try await core.allByIDAwaiting(Value.self, request.resolution).value)
  }
}

extension Optional: LookUpForm {
  static var sought: Any.Type { Wrapped.self }

  static func lookUp(_ request: Request, in core: Core) throws(ResolutionError) -> Wrapped?? {
    .some(try core.find(Wrapped.self, request))
  }

  static func lookUpAwaiting(_ request: Request, in core: Core) async throws(ResolutionError) -> Hold<Wrapped??> {
    Hold(.some(try await core.findAwaiting(Wrapped.self, request)?.value))
  }
}
