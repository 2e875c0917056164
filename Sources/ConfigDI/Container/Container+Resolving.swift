// SPDX-License-Identifier: Apache-2.0

/// What a look-up asks for besides a type.
struct Request {
  /// The name of the service; nil where the type alone decides.
  let name: String?
  /// What the look-up brings along; nil where it brings nothing.
  let arguments: RuntimeArguments?
  /// The scope in which the look-up takes place; nil: none but the container.
  let scope: InstanceStore?

  /// What a look-up asks for.
  init<each Argument>(named name: String?, arguments: repeat each Argument, in scope: InstanceStore?) {
    self.name = name
    var isEmpty = true
    for _ in repeat each arguments { isEmpty = false }
    self.arguments = isEmpty ? nil : RuntimeArguments(repeat each arguments)
    self.scope = scope
  }
}

extension Container {
  public func resolve<Service, each Argument>(
    _ type: Service.Type, named name: String?, arguments: repeat each Argument
  ) throws(ResolutionError) -> Service {
    try instance(of: type, Request(named: name, arguments: repeat each arguments, in: nil))
  }

  public func resolveOptional<Service, each Argument>(
    _ type: Service.Type, named name: String?, arguments: repeat each Argument
  ) throws(ResolutionError) -> Service? {
    try find(type, Request(named: name, arguments: repeat each arguments, in: nil))
  }

  /// Looks up a type for which no single service answers: a form of another type, or a failure.
  @usableFromInline func resolveWithoutAnswer<Service>(
    in scope: InstanceStore?
  ) throws(ResolutionError) -> Service {
    try instance(of: Service.self, Request(named: nil, in: scope))
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
    if request.name == nil, request.arguments == nil, let cell = types.cell(of: ObjectIdentifier(type)) {
      return try instance(in: cell, Resolution(scope: request.scope))
    }
    if let target = try target(type, request) {
      return try instance(in: cell(of: target), Resolution(scope: request.scope, arguments: request.arguments))
    }
    let form = type as? any LookUpForm.Type
    if let found = try form?.lookUp(request, in: self) as? Service { return found }
    if let name = request.name, let entry = directory.names[ScalarString(name)], entry.isPublic {
      throw .notProvided(slots[entry.slot], type: TypeName.name(of: form?.sought ?? type), name: name)
    }
    return nil
  }

  /// The type of a slot that a look-up asks for, or nil where nothing is registered that can be looked up.
  ///
  /// - Parameter takesArgumentsLater: whether a look-up that brings no arguments also finds a service that wants some.
  /// - Throws: `ResolutionError` where several could be meant, or want other arguments.
  func target(
    _ type: Any.Type, _ request: Request, takesArgumentsLater: Bool = false
  ) throws(ResolutionError) -> SlotType? {
    let id = ObjectIdentifier(type)
    let given = request.arguments?.types ?? []
    let signature = given.map { ObjectIdentifier($0) }
    let isOpen = takesArgumentsLater && given.isEmpty
    if let name = request.name {
      guard let entry = directory.names[ScalarString(name)], entry.isPublic,
        let index = slots[entry.slot].provided.firstIndex(where: { $0.id == id }), slots[entry.slot].answers[index]
      else { return nil }
      guard isOpen || slots[entry.slot].parameters.map({ ObjectIdentifier($0) }) == signature else {
        throw .wrongArguments(slots[entry.slot], given: given, name: name)
      }
      return SlotType(slot: entry.slot, index: index)
    }
    switch directory.answer(for: id, arguments: signature) {
    case .none: return nil
    case .one(let target): return target
    case .several(let services):
      throw .ambiguous(type: TypeName.name(of: type), among: services.map { slots[$0.slot].id })
    case .wrongArguments(let services) where isOpen && services.count == 1: return services[0]
    case .wrongArguments(let services):
      throw .wrongArguments(services.map { slots[$0.slot] }, given: given, type: TypeName.name(of: type))
    }
  }

  /// All services that provide a type, can be looked up and want no run-time arguments, ascending by id.
  fileprivate func all<Service>(_ type: Service.Type, in scope: InstanceStore?) throws(ResolutionError) -> [Service] {
    var services: [Service] = []
    for provider in directory.providers[ObjectIdentifier(type)] ?? [] where slots[provider.slot].parameters.isEmpty {
      services.append(try instance(in: cell(of: provider), Resolution(scope: scope)))
    }
    return services
  }

  /// Why nothing answers for a type, or for a name.
  private func missing(_ type: Any.Type, _ name: String?) -> ResolutionError {
    let typeName = TypeName.name(of: type)
    if let name {
      if let entry = directory.names[ScalarString(name)], !entry.isPublic {
        return .isPrivate(slots[entry.slot], type: typeName, name: name)
      }
      let names = directory.names.filter(\.value.isPublic).map(\.key.text)
      return .notRegistered(name: name, type: typeName, near: suggestions(for: name, among: names))
    }
    let id = ObjectIdentifier(type)
    for slot in slots where slot.isPrivate && !slot.isDecorated {
      if zip(slot.provided, slot.answers).contains(where: { $0.id == id && $1 }) {
        return .isPrivate(slot, type: typeName, name: nil)
      }
    }
    var provided: Set<String> = []
    for services in directory.providers.values {
      for service in services { provided.insert(slots[service.slot].provided[service.index].name) }
    }
    return .notRegistered(type: typeName, near: suggestions(for: typeName, among: provided))
  }
}

/// A type that is looked up by way of another: several services, one that may be missing, or one that is put off.
protocol LookUpForm {
  /// The type of the services.
  static var sought: Any.Type { get }

  /// Looks the form up; nil where nothing is registered that can be looked up.
  static func lookUp(_ request: Request, in container: Container) throws(ResolutionError) -> Self?
}

extension Array: LookUpForm {
  static var sought: Any.Type { Element.self }

  static func lookUp(_ request: Request, in container: Container) throws(ResolutionError) -> [Element]? {
    guard request.name == nil, request.arguments == nil else { return nil }
    return try container.all(Element.self, in: request.scope)
  }
}

extension Optional: LookUpForm {
  static var sought: Any.Type { Wrapped.self }

  static func lookUp(_ request: Request, in container: Container) throws(ResolutionError) -> Wrapped?? {
    .some(try container.find(Wrapped.self, request))
  }
}
