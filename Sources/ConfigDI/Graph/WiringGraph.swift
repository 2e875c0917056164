// SPDX-License-Identifier: Apache-2.0

/// The services of a module and what each holds of the others, by number. A service's number is its place in the definition.
package struct WiringGraph: Sendable {
  /// The composed module.
  package let definition: ModuleDefinition
  /// The registered types, or nil where they are not known.
  let types: RegisteredTypes?
  /// All that have a type and arguments: first the services, each at its own number, then decorators, then loose templates.
  package private(set) var holders: [Holder]
  /// The references from service to service, ascending by the service that holds them.
  package private(set) var edges: [Edge]
  /// The holders of each service's decorators, innermost first, by the service's number.
  private var decoratorHolders: [Int: [Int]] = [:]
  /// The names by which something was to be bound by type, for which several services could answer.
  let ambiguousNames: Set<String>
  /// The words of the named scopes, outermost first.
  package let scopes: [String]

  /// Finds what every reference leads to, written or bound by type; a reference that leads nowhere is told.
  ///
  /// - Complexity: linear in services and references; what tagged lists multiply is bounded by `limits.fileSize`.
  package init(
    linking definition: ModuleDefinition, catalog: Catalog?, limits: Limits = Limits(), bag: inout DiagnosticBag
  ) {
    self.definition = definition
    scopes = definition.scopes.map { definition.names[$0.name] }
    let types = catalog.map { RegisteredTypes($0, names: definition.names) }
    self.types = types
    holders = Holder.all(of: definition, types)
    for (place, holder) in holders.enumerated() {
      if case .decorator(let service, _) = holder.kind { decoratorHolders[service, default: []].append(place) }
    }
    var linker = ReferenceLinker(definition, types, limits: limits)
    for place in holders.indices { linker.link(&holders[place], at: place) }
    edges = linker.edges
    ambiguousNames = linker.ambiguousNames
    bag.append(linker.bag)
    // Decorators stand behind all services, but hold what they hold in the name of theirs.
    if !decoratorHolders.isEmpty {
      edges.sort { ($0.from, $0.holder, $0.injection) < ($1.from, $1.holder, $1.injection) }
    }
  }
}

extension WiringGraph {
  /// One reference from one service to another.
  package struct Edge: Hashable, Sendable {
    /// The service that holds the reference, by itself or by a decorator.
    package var from: Int
    /// The service that it leads to.
    package var to: Int
    /// The holder of the argument, by its number.
    package var holder: Int
    /// The place of the argument among the holder's injections.
    package var injection: Int
    /// What the reference is.
    package var kind: EdgeKind
    /// When the argument reaches the service.
    package var access: Access
    /// The string that names the service or the tag; of a reference bound by type the service's key.
    package var node: NodeRef

    /// Whether the holder cannot be built before what the reference leads to.
    package var isNeededToBuild: Bool { access == .immediate }
  }

  /// What a reference from one service to another is.
  package enum EdgeKind: String, Hashable, Sendable {
    case direct, optional, list, map, lazy, provider, decorator
  }

  /// When an argument reaches a service.
  package enum Access: Hashable, Sendable {
    /// While its holder is built.
    case immediate
    /// Once, when it is first wanted.
    case lazy
    /// Each time that it is wanted; nothing is held.
    case provider
  }

  /// The argument that holds an edge: its key, and in front of that of a decorator which one it is.
  package func argument(of edge: Edge) -> String {
    let key = holders[edge.holder].injections[edge.injection].key
    guard case .decorator(_, let place) = holders[edge.holder].kind else { return key }
    return "decorate[\(place)].\(key)"
  }

  /// The registered type of a service, or nil where it is not known.
  func type(of service: Int) -> TypeDescriptor? { holders[service].type }

  /// The registered type of what those receive who ask for a service: that of its outermost decorator, else its own; nil
  /// where it is not known.
  func outermostType(of service: Int) -> TypeDescriptor? {
    guard let outermost = decoratorHolders[service]?.last else { return type(of: service) }
    return holders[outermost].type
  }

  /// The decorators of a service, innermost first.
  package func decorators(of service: Int) -> [Holder] { (decoratorHolders[service] ?? []).map { holders[$0] } }

  /// The id of a service.
  package func id(of service: Int) -> String { definition.names[definition.services[service].name] }

  /// The lifetime of a service, or nil where its word is unknown.
  package func lifetime(of service: Int) -> Lifetime? {
    guard let scope = definition.services[service].declaration.scope else { return .shared }
    return Lifetime(word: definition.names[scope.name], scopes: scopes)
  }
}

/// A reference under its argument key, with the services that it leads to.
package struct LinkedInjection: Sendable {
  /// The argument key.
  package var key: String
  /// The key's token; of a reference bound by type the service's key.
  package var node: NodeRef
  /// Whether no file names it: it is bound by type.
  package var isAutowired: Bool
  /// What the argument receives.
  package var reference: LinkedReference
}

/// What a reference leads to.
package indirect enum LinkedReference: Sendable {
  /// A service, by its number, and the string that names it or its tag.
  case service(Int, NodeRef)
  /// Nothing: an optional reference to a service that is not there.
  case absent
  /// Several, in order, and the list's token, or the string that names the tag.
  case list([LinkedReference], NodeRef)
  /// Several by key, and the map's token, or the string that names the tag.
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
