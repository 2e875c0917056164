// SPDX-License-Identifier: Apache-2.0

extension Container {
  /// The service of a name, by its id or an alias.
  ///
  /// A private service is found by its aliases alone.
  ///
  /// ```swift
  /// let audit: any Logger = try container.resolve(named: "logger.audit")
  /// ```
  ///
  /// - Throws: `ResolutionError` where no service has the name, or it does not provide the type, or building fails.
  public func resolve<Service>(
    _ type: Service.Type = Service.self, named name: String
  ) throws(ResolutionError) -> Service {
    guard let entry = directory.names[ScalarString(name)] else {
      throw .notRegistered(name: name, type: TypeName.name(of: type), near: namesNear(name))
    }
    return try instance(of: entry, as: type, name: name)
  }

  /// The service that provides a type, or nil where none does that can be looked up.
  ///
  /// - Throws: `ResolutionError` where several services provide the type, and where building fails.
  public func resolveOptional<Service>(
    _ type: Service.Type = Service.self
  ) throws(ResolutionError) -> Service? {
    let id = ObjectIdentifier(type)
    guard types.cell(of: id) != nil || directory.providers[id] != nil || type is any LookUpForm.Type else { return nil }
    return try resolve(type)
  }

  /// The service of a name, by its id or an alias, or nil where there is none that can be looked up.
  ///
  /// - Throws: `ResolutionError` where the service does not provide the type, or building fails.
  public func resolveOptional<Service>(
    _ type: Service.Type = Service.self, named name: String
  ) throws(ResolutionError) -> Service? {
    guard let entry = directory.names[ScalarString(name)], entry.isPublic else { return nil }
    return try instance(of: entry, as: type, name: name)
  }

  /// The service that provides a type, for code that cannot do without.
  ///
  /// ```swift
  /// let mailer = container[(any Mailer).self]
  /// ```
  ///
  /// Stops the program with the whole message where `resolve` throws.
  public subscript<Service>(type: Service.Type) -> Service {
    do {
      return try resolve(type)
    } catch {
      fatalError(error.description)
    }
  }

  /// The instance of a service that was found by name.
  private func instance<Service>(
    of entry: Directory.Entry, as type: Service.Type, name: String
  ) throws(ResolutionError) -> Service {
    let slot = slots[entry.slot]
    let id = ObjectIdentifier(type)
    guard entry.isPublic else { throw .isPrivate(slot, type: TypeName.name(of: type), name: name) }
    guard let index = slot.provided.firstIndex(where: { $0.id == id }), slot.answers[index] else {
      throw .notProvided(slot, type: TypeName.name(of: type), name: name)
    }
    return try instance(in: cells[slot.firstCell + index])
  }

  /// The names of services and aliases that code may look up and that come near a text.
  private func namesNear(_ text: String) -> [String] {
    suggestions(for: text, among: directory.names.filter(\.value.isPublic).map(\.key.text))
  }
}

extension Container {
  /// Looks up a type for which no single service answers: a form of another type, or a failure.
  @usableFromInline func resolveWithoutAnswer<Service>() throws(ResolutionError) -> Service {
    if let services = directory.providers[ObjectIdentifier(Service.self)] {
      throw .ambiguous(type: TypeName.name(of: Service.self), among: services.map { slots[$0.slot].id })
    }
    if let form = Service.self as? any LookUpForm.Type, let found = try form.lookUp(in: self) as? Service {
      return found
    }
    throw missing(Service.self)
  }

  /// All services that provide a type and can be looked up, ascending by id.
  fileprivate func all<Service>(_ type: Service.Type) throws(ResolutionError) -> [Service] {
    var services: [Service] = []
    for provider in directory.providers[ObjectIdentifier(type)] ?? [] {
      services.append(try instance(in: cells[slots[provider.slot].firstCell + provider.index]))
    }
    return services
  }

  /// Why no service answers for a type that none provides to code.
  private func missing(_ type: Any.Type) -> ResolutionError {
    let id = ObjectIdentifier(type)
    let name = TypeName.name(of: type)
    for slot in slots where slot.isPrivate {
      if zip(slot.provided, slot.answers).contains(where: { $0.id == id && $1 }) {
        return .isPrivate(slot, type: name, name: nil)
      }
    }
    var provided: Set<String> = []
    for services in directory.providers.values {
      for service in services { provided.insert(slots[service.slot].provided[service.index].name) }
    }
    return .notRegistered(type: name, near: suggestions(for: name, among: provided))
  }
}

/// A type that is looked up by way of another: a list of services, or one that may be missing.
private protocol LookUpForm {
  /// Looks the form up.
  static func lookUp(in container: Container) throws(ResolutionError) -> Self
}

extension Array: LookUpForm {
  fileprivate static func lookUp(in container: Container) throws(ResolutionError) -> [Element] {
    try container.all(Element.self)
  }
}

extension Optional: LookUpForm {
  fileprivate static func lookUp(in container: Container) throws(ResolutionError) -> Wrapped? {
    try container.resolveOptional(Wrapped.self)
  }
}
