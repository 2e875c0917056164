// SPDX-License-Identifier: Apache-2.0

/// The dependency graph of a module's services. A service's number is its index in `ModuleDefinition.services`.
///
/// A class, because all checks and inspections share it.
package final class WiringGraph: Sendable {
  /// The composed module.
  package let definition: ModuleDefinition
  /// The registered types; `nil` if they are not known.
  let types: RegisteredTypes?
  /// All holders: first the services, each at its own number, then decorators, then loose templates.
  package let holders: [Holder]
  /// The references from service to service, ascending by the number of the service that has them.
  package let edges: [Edge]
  /// The indices of the holders of each service's decorators, innermost first, by the service's number.
  private let decoratorHolders: [Int: [Int]]
  /// The faults of decorators, ascending by the number of the holder.
  let decoratorFaults: [(holder: Int, fault: DecoratorChains.Fault)]
  /// The type that look-ups of a decorated service receive, by the service's number.
  private let outermostTypes: [Int: RegisteredType]
  /// The names for which binding by type found several services.
  let ambiguousNames: Set<String>
  /// The aliases that references use.
  let usedAliases: Set<Name>
  /// The tokens of tag references. Those of a template occur once for each service that extends it.
  package let referencedTags: [Token]
  /// Whether there are more references than a load may have, so that not all were linked. This has been reported.
  let isCutShort: Bool
  /// The names of the named scopes, outermost first.
  package let scopes: [String]
  /// The number of each named scope, the index in `scopes`.
  private let scopeNumbers: [Name: Int]

  /// Links all references of a module, including those bound by type. Reports references without a target.
  ///
  /// - Complexity: Linear in services and references. Those by tag and by type are limited by `limits.fileSize`.
  package init(
    linking definition: ModuleDefinition, catalog: Catalog?, limits: Limits = Limits(), bag: inout DiagnosticBag
  ) {
    self.definition = definition
    scopes = definition.scopes.map { definition.names[$0.name] }
    scopeNumbers = Dictionary(definition.scopes.enumerated().map { ($1.name, $0) }) { first, _ in first }
    let types = catalog.map { RegisteredTypes($0, names: definition.names) }
    self.types = types
    // The only owner of the holders, so that linking the first one does not copy the array.
    var linker = ReferenceLinker(definition, types, limits: limits)
    var decorators: [Int: [Int]] = [:]
    // The holders of services come first.
    for place in linker.holders.indices.dropFirst(definition.services.count) {
      if case .decorator(let service, _) = linker.holders[place].kind { decorators[service, default: []].append(place) }
    }
    let chains = DecoratorChains(definition, linker.holders)
    (decoratorFaults, outermostTypes) = (chains.faults, chains.outermost)
    // References of a decorator become edges of its service.
    for service in definition.services.indices {
      linker.link(at: service)
      for place in decorators[service] ?? [] { linker.link(at: place) }
    }
    for place in linker.holders.indices.dropFirst(definition.services.count)
    where linker.holders[place].service == nil {
      linker.link(at: place)
    }
    holders = linker.holders
    decoratorHolders = decorators
    edges = linker.edges
    ambiguousNames = linker.ambiguousNames
    usedAliases = linker.usedAliases
    referencedTags = linker.referencedTags
    isCutShort = linker.isExhausted
    bag.append(linker.bag)
  }
}

extension WiringGraph {
  /// A reference from one service to another.
  package struct Edge: Sendable {
    /// The numbers in 32 bits each, because a module has more references than anything else.
    private let numbers: (from: UInt32, to: UInt32, holder: UInt32, injection: UInt32)
    /// The form of the reference.
    package let kind: EdgeKind
    /// The time at which the argument receives the service.
    package let access: Access
    /// The token of the service's id or of the tag; for a reference bound by type, the key of the service.
    package let node: NodeRef

    /// Creates the edge of an argument.
    init(from: Int, to: Int, holder: Int, injection: Int, kind: EdgeKind, access: Access, node: NodeRef) {
      numbers = (UInt32(from), UInt32(to), UInt32(holder), UInt32(injection))
      self.kind = kind
      self.access = access
      self.node = node
    }

    /// The number of the service that has the reference, itself or in one of its decorators.
    package var from: Int { Int(numbers.from) }
    /// The number of the service that the reference leads to.
    package var to: Int { Int(numbers.to) }
    /// The number of the holder that has the argument.
    package var holder: Int { Int(numbers.holder) }
    /// The index of the reference in the holder's `injections`.
    package var injection: Int { Int(numbers.injection) }

    /// Whether the target must be built before the service that has the reference.
    package var isNeededToBuild: Bool { access == .immediate }

    /// Whether the service keeps the target, at the latest from its first use.
    var isHeld: Bool { access == .immediate || access == .lazy }
  }

  /// The forms of references from one service to another.
  package enum EdgeKind: String, Hashable, Sendable {
    case direct, optional, list, map, lazy, provider, decorator
  }

  /// The times at which an argument can receive a service.
  package enum Access: Hashable, Sendable {
    /// While its holder is built.
    case immediate
    /// Once, on first use.
    case lazy
    /// On each use. The holder keeps nothing.
    case provider
    /// Never, because the type has no such argument, or because the argument does not take services. This is reported as
    /// an error.
    case never
  }

  /// Returns the key of an edge's argument. For a decorator's argument, it is preceded by the index of the decorator.
  package func argument(of edge: Edge) -> String {
    let key = holders[edge.holder].injections[edge.injection].key
    guard case .decorator(_, let place) = holders[edge.holder].kind else { return key }
    return "decorate[\(place)].\(key)"
  }

  /// Returns the type that look-ups of a service receive: that of its outermost decorator, or its own without
  /// decorators; `nil` if it is not known.
  func outermostType(of service: Int) -> RegisteredType? { outermostTypes[service] ?? holders[service].registered }

  /// Returns the name of the type that look-ups of a service receive; `nil` if it is not known.
  package func lookUpType(of service: Int) -> String? { outermostType(of: service)?.name }

  /// Returns the decorators of a service, innermost first.
  package func decorators(of service: Int) -> [Holder] { (decoratorHolders[service] ?? []).map { holders[$0] } }

  /// Returns the id of a service.
  package func id(of service: Int) -> String { definition.names[definition.services[service].name] }

  /// Returns the lifetime of a service; `nil` if its word is unknown, or an unsound template may define it.
  package func lifetime(of service: Int) -> Lifetime? {
    guard holders[service].traits.contains(.scoped) else { return .shared }
    let service = definition.services[service]
    guard let scope = service.declaration.scope else { return service.hasInvalidTemplate ? nil : .shared }
    return lifetime(named: scope.name)
  }

  /// Returns the lifetime with a name in the module; `nil` if there is none.
  func lifetime(named name: Name) -> Lifetime? {
    Lifetime(word: definition.names[name]) ?? scopeNumbers[name].map(Lifetime.scope)
  }

  /// Returns whether the module declares a named scope.
  func declaresScope(_ name: String) -> Bool {
    definition.names.existingName(name).map { scopeNumbers[$0] != nil } ?? false
  }
}

/// A reference of one argument, with the services that it leads to.
package struct LinkedInjection: Sendable {
  /// The argument key.
  package var key: String
  /// The target of the reference.
  package var reference: LinkedReference
  /// Whether the reference is bound by type, not given in a file.
  package var isAutowired: Bool
  /// The index of the argument in the registered type, or -1. In 32 bits, because a module has very many references.
  private var place: Int32
  /// The token of the argument key; for a reference bound by type, the key of the service.
  package var node: NodeRef

  /// Creates the reference of an argument.
  init(key: String, node: NodeRef, argument: Int?, isAutowired: Bool, reference: LinkedReference) {
    self.key = key
    self.reference = reference
    self.isAutowired = isAutowired
    place = argument.map { Int32(truncatingIfNeeded: $0) } ?? -1
    self.node = node
  }

  /// The index of the argument in the registered type; `nil` if the type is not known or has no such argument.
  var argument: Int? { place < 0 ? nil : Int(place) }
}

/// The target of a reference.
package enum LinkedReference: Sendable {
  /// A service, with its number and the token of its id or tag.
  case service(Int, NodeRef)
  /// No service: an optional reference to a service that is absent.
  case absent
  /// Several services in order, with the token of the list or tag.
  case list([LinkedReference], NodeRef)
  /// Several services by key, with the token of the map or tag.
  case map([Entry], NodeRef)
  /// A target with an error that is already reported. Checks skip it.
  case broken

  /// One entry of a map of references.
  package struct Entry: Sendable {
    /// The key.
    package var key: String
    /// The target under the key.
    package var reference: LinkedReference
  }
}
