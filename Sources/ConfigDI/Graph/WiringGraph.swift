// SPDX-License-Identifier: Apache-2.0

/// The services of a module and what each holds of the others, by number. A service's number is its place in the definition.
package struct WiringGraph: Sendable {
  /// The composed module.
  package let definition: ModuleDefinition
  /// The registered types, or nil where they are not known.
  let types: RegisteredTypes?
  /// The references of each service, ascending by argument key. None where the service has an error of shape.
  package private(set) var injections: [[LinkedInjection]] = []
  /// The edges, ascending by service.
  package private(set) var edges: [Edge] = []

  /// One reference from one service to another.
  package struct Edge: Hashable, Sendable {
    /// The service that holds the reference.
    package var from: Int
    /// The service that it leads to.
    package var to: Int
    /// The argument key.
    package var argument: Name
    /// What the reference is.
    package var kind: EdgeKind
    /// The string that names the service.
    package var node: NodeRef
  }

  /// What a reference from one service to another is.
  package enum EdgeKind: String, Hashable, Sendable {
    case direct, optional, list, map, lazy, provider

    /// Whether the holder cannot be built before what the reference leads to.
    package var isNeededToBuild: Bool { self != .lazy && self != .provider }
  }
}

/// A reference under its argument key, with the services that it leads to.
package struct LinkedInjection: Sendable {
  /// The argument key.
  package var name: Name
  /// The key's token.
  package var key: NodeRef
  /// What the argument receives.
  package var reference: LinkedReference
}

/// What a reference leads to.
package indirect enum LinkedReference: Sendable {
  /// A service, by its number, and the string that names it.
  case service(Int, NodeRef)
  /// Nothing: an optional reference to a service that is not there.
  case absent
  /// Several, in order, and the list's token.
  case list([LinkedReference], NodeRef)
  /// Several by key, and the map's token.
  case map([Entry], NodeRef)
  /// Something that was told as an error. Nothing more is said of it.
  case broken

  /// One entry of a map of references.
  package struct Entry: Sendable {
    /// The key.
    package var key: String
    /// What stands under it.
    package var reference: LinkedReference
  }
}

// MARK: - Linking

extension WiringGraph {
  /// Finds what every reference leads to; a reference that leads nowhere is told.
  ///
  /// - Complexity: linear in services and references.
  package init(linking definition: ModuleDefinition, catalog: Catalog?, bag: inout DiagnosticBag) {
    self.definition = definition
    types = catalog.map { RegisteredTypes($0, names: definition.names) }
    var linker = ReferenceLinker(definition, types)
    injections.reserveCapacity(definition.services.count)
    for (place, service) in definition.services.enumerated() {
      injections.append(service.isMisshapen ? [] : linker.link(service, at: place))
    }
    edges = linker.edges
    bag.append(linker.bag)
  }

  /// The registered type of a service, or nil where it is not known.
  func type(of service: Int) -> TypeDescriptor? {
    guard let name = definition.services[service].declaration.type?.name else { return nil }
    return types?[name]
  }

  /// The id of a service.
  package func id(of service: Int) -> String { definition.names[definition.services[service].name] }

  /// The lifetime of a service, or nil where its word is unknown.
  func lifetime(of service: Int) -> Lifetime? {
    guard let scope = definition.services[service].declaration.scope else { return .shared }
    return Lifetime(word: definition.names[scope.name], scopes: [])
  }
}
