// SPDX-License-Identifier: Apache-2.0

/// The ids that can be suggested for an unknown one: those of all services, including private and disabled ones, and of
/// all aliases.
struct ReferenceCandidates {
  private let definition: ModuleDefinition
  private let types: RegisteredTypes?
  /// The search index over the ids.
  private let index: SuggestionIndex
  /// The key that defines each id.
  private let keys: [Name: NodeRef]
  /// The declared type of the service that each id leads to.
  private let typeNames: [Name: Name]
  /// The enabled service that each id leads to.
  private let services: [Name: Int]

  /// Collects the ids of a module.
  init(_ definition: ModuleDefinition, _ types: RegisteredTypes?) {
    self.definition = definition
    self.types = types
    var keys: [Name: NodeRef] = [:]
    var typeNames: [Name: Name] = [:]
    var services: [Name: Int] = [:]
    for (place, service) in definition.services.enumerated() {
      keys[service.name] = service.key
      services[service.name] = place
      typeNames[service.name] = service.declaration.type?.name
    }
    for service in definition.excluded {
      keys[service.name] = service.key
      typeNames[service.name] = service.type
    }
    for alias in definition.aliases {
      keys[alias.name] = alias.key
      services[alias.name] = alias.service
      typeNames[alias.name] =
        alias.service.flatMap { definition.services[$0].declaration.type?.name }
        ?? alias.excluded.flatMap { definition.excluded[$0].type }
    }
    self.keys = keys
    self.typeNames = typeNames
    self.services = services
    index = SuggestionIndex(keys.keys.map { definition.names[$0] })
  }

  /// Returns the ids similar to an unknown one, the key that defines the nearest of them, and whether replacing the id
  /// by it causes no further finding. Ids of services that provide `wanted` come first. The service that has the unknown
  /// id, under whatever id, is left out.
  ///
  /// Leading characters of the id are ignored up to the first letter or `_`, such as the `@` of `@logger`.
  func nearest(
    to id: String, for holder: Int?, providing wanted: String?
  ) -> (near: [String], place: NodeRef?, fits: Bool) {
    let bare = String(id.drop { !$0.isLetter && $0 != "_" })
    var near: [String] = []
    func isOwn(_ id: String) -> Bool {
      holder != nil && definition.names.existingName(id).flatMap { services[$0] } == holder
    }
    if let name = definition.names.existingName(bare), keys[name] != nil, !isOwn(bare) {
      near = [bare]
    } else {
      near = index.suggestions(for: bare, excluding: isOwn, preferring: preference(for: wanted))
    }
    guard let first = near.first, let name = definition.names.existingName(first) else { return (near, nil, false) }
    let provides = preference(for: wanted).map { $0(first) || !isKnown(typeOf: name) } ?? true
    return (near, keys[name], provides && services[name] != nil)
  }

  /// Returns whether the type of an id's service is registered.
  private func isKnown(typeOf name: Name) -> Bool { typeNames[name].flatMap { types?[$0] } != nil }

  /// Returns whether the service of an id provides a name, as a predicate; `nil` if name or types are not known.
  private func preference(for wanted: String?) -> ((String) -> Bool)? {
    guard let wanted, let types else { return nil }
    return { [definition, typeNames] id in
      guard let type = definition.names.existingName(id).flatMap({ typeNames[$0] }) else { return false }
      return types[type]?.provides(wanted) ?? false
    }
  }
}
