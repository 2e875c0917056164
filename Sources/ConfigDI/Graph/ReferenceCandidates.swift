// SPDX-License-Identifier: Apache-2.0

/// The ids that a reference could have meant: those of all services, also of such that are private or that a condition took
/// out, and of all aliases.
struct ReferenceCandidates {
  /// The composed module.
  private let definition: ModuleDefinition
  /// The registered types.
  private let types: RegisteredTypes?
  /// The ids in the order that makes near ones quick to find.
  private let index: SuggestionIndex
  /// The key that defines each id.
  private let keys: [Name: NodeRef]
  /// The declared type of each id's service.
  private let typeNames: [Name: Name]
  /// The ids of services that a condition disables, and of aliases of them.
  private let disabled: Set<Name>

  /// The ids of a module.
  init(_ definition: ModuleDefinition, _ types: RegisteredTypes?) {
    self.definition = definition
    self.types = types
    var keys: [Name: NodeRef] = [:]
    var typeNames: [Name: Name] = [:]
    for service in definition.services {
      keys[service.name] = service.key
      typeNames[service.name] = service.declaration.type?.name
    }
    for service in definition.excluded {
      keys[service.name] = service.key
      typeNames[service.name] = service.type
    }
    for alias in definition.aliases {
      keys[alias.name] = alias.key
      typeNames[alias.name] =
        alias.service.flatMap { definition.services[$0].declaration.type?.name }
        ?? alias.excluded.flatMap { definition.excluded[$0].type }
    }
    self.keys = keys
    self.typeNames = typeNames
    disabled = Set(definition.excluded.map(\.name) + definition.aliases.filter { $0.service == nil }.map(\.name))
    index = SuggestionIndex(keys.keys.map { definition.names[$0] })
  }

  /// The ids that come near to one that is not there, those first that provide a name; the key that defines the nearest;
  /// whether the nearest can take the place of the id without another finding.
  ///
  /// A sigil in front of the id is passed over.
  func nearest(
    to id: String, excluding own: String?, providing wanted: String?
  ) -> (near: [String], place: NodeRef?, fits: Bool) {
    let bare = String(id.drop { !$0.isLetter && $0 != "_" })
    var near: [String] = []
    if bare != own, let name = definition.names.existingName(bare), keys[name] != nil {
      near = [bare]
    } else {
      near = index.suggestions(for: bare, excluding: own, preferring: preference(for: wanted))
    }
    guard let first = near.first, let name = definition.names.existingName(first) else { return (near, nil, false) }
    let provides = preference(for: wanted).map { $0(first) || !isKnown(typeOf: name) } ?? true
    return (near, keys[name], provides && !disabled.contains(name))
  }

  /// Whether the type of an id's service is registered.
  private func isKnown(typeOf name: Name) -> Bool { typeNames[name].flatMap { types?[$0] } != nil }

  /// Whether the service of an id provides a name; nil where no name is wanted.
  private func preference(for wanted: String?) -> ((String) -> Bool)? {
    guard let wanted, let types else { return nil }
    return { [definition, typeNames] id in
      guard let type = definition.names.existingName(id).flatMap({ typeNames[$0] }) else { return false }
      return types[type]?.provides(wanted) ?? false
    }
  }
}
