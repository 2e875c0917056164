// SPDX-License-Identifier: Apache-2.0

/// The services of a module and what each holds of the others, by number. A service's number is its place in the definition.
///
/// A class, as every check and all that inspects a module has it.
package final class WiringGraph: Sendable {
  /// The composed module.
  package let definition: ModuleDefinition
  /// The registered types, or nil where they are not known.
  let types: RegisteredTypes?
  /// All that have a type and arguments: first the services, each at its own number, then decorators, then loose templates.
  package let holders: [Holder]
  /// The references from service to service, ascending by the service that holds them.
  package let edges: [Edge]
  /// The holders of each service's decorators, innermost first, by the service's number.
  private let decoratorHolders: [Int: [Int]]
  /// What is wrong with decorators, by the number of the holder, ascending.
  let decoratorFaults: [(holder: Int, fault: DecoratorChains.Fault)]
  /// The type of what those receive who ask for a decorated service, by the service's number.
  private let outermostTypes: [Int: RegisteredType]
  /// The names by which something was to be bound by type, for which several services could answer.
  let ambiguousNames: Set<String>
  /// The aliases that references go through.
  let usedAliases: Set<Name>
  /// The strings that ask for a tag; one of a template once for each service that extends it.
  package let askedTags: [Token]
  /// Whether there are more references than a load may hold, so that not all were followed. This was reported.
  let isCutShort: Bool
  /// The words of the named scopes, outermost first.
  package let scopes: [String]

  /// Finds what every reference leads to, written or bound by type; a reference that leads nowhere is reported.
  ///
  /// - Complexity: linear in services and references; what tagged lists multiply is bounded by `limits.fileSize`.
  package init(
    linking definition: ModuleDefinition, catalog: Catalog?, limits: Limits = Limits(), bag: inout DiagnosticBag
  ) {
    self.definition = definition
    scopes = definition.scopes.map { definition.names[$0.name] }
    let types = catalog.map { RegisteredTypes($0, names: definition.names) }
    self.types = types
    // It alone has the holders, so that they are not copied when the first is linked.
    var linker = ReferenceLinker(definition, types, limits: limits)
    var decorators: [Int: [Int]] = [:]
    // The services come first.
    for place in linker.holders.indices.dropFirst(definition.services.count) {
      if case .decorator(let service, _) = linker.holders[place].kind { decorators[service, default: []].append(place) }
    }
    let chains = DecoratorChains(definition, linker.holders)
    (decoratorFaults, outermostTypes) = (chains.faults, chains.outermost)
    // What decorators hold, they hold in the name of their service.
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
    askedTags = linker.askedTags
    isCutShort = linker.isExhausted
    bag.append(linker.bag)
  }
}

extension WiringGraph {
  /// One reference from one service to another.
  package struct Edge: Sendable {
    /// The services and the holder, in four bytes each: a module has more references than anything else.
    private let numbers: (from: UInt32, to: UInt32, holder: UInt32, injection: UInt32)
    /// What the reference is.
    package let kind: EdgeKind
    /// When the argument reaches the service.
    package let access: Access
    /// The string that names the service or the tag; of a reference bound by type the service's key.
    package let node: NodeRef

    /// A reference of an argument.
    init(from: Int, to: Int, holder: Int, injection: Int, kind: EdgeKind, access: Access, node: NodeRef) {
      numbers = (UInt32(from), UInt32(to), UInt32(holder), UInt32(injection))
      self.kind = kind
      self.access = access
      self.node = node
    }

    /// The service that holds the reference, by itself or by a decorator.
    package var from: Int { Int(numbers.from) }
    /// The service that it leads to.
    package var to: Int { Int(numbers.to) }
    /// The holder of the argument, by its number.
    package var holder: Int { Int(numbers.holder) }
    /// The place of the argument among the holder's injections.
    package var injection: Int { Int(numbers.injection) }

    /// Whether the holder cannot be built before what the reference leads to.
    package var isNeededToBuild: Bool { access == .immediate }

    /// Whether the holder keeps what the reference leads to, at the latest when it first wants it.
    var isHeld: Bool { access == .immediate || access == .lazy }
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
    /// Never: the argument is not one for services, which is reported as an error.
    case never
  }

  /// The argument that holds an edge: its key, and in front of that of a decorator which one it is.
  package func argument(of edge: Edge) -> String {
    let key = holders[edge.holder].injections[edge.injection].key
    guard case .decorator(_, let place) = holders[edge.holder].kind else { return key }
    return "decorate[\(place)].\(key)"
  }

  /// The registered type of what those receive who ask for a service: that of its outermost decorator, else its own; nil
  /// where it is not known.
  func outermostType(of service: Int) -> RegisteredType? { outermostTypes[service] ?? holders[service].registered }

  /// The name of the same type; nil where it is not known.
  package func lookUpType(of service: Int) -> String? { outermostType(of: service)?.name }

  /// The decorators of a service, innermost first.
  package func decorators(of service: Int) -> [Holder] { (decoratorHolders[service] ?? []).map { holders[$0] } }

  /// The id of a service.
  package func id(of service: Int) -> String { definition.names[definition.services[service].name] }

  /// The lifetime of a service, or nil where it is not known: its word is unknown, or its template, which may say one.
  package func lifetime(of service: Int) -> Lifetime? {
    guard holders[service].traits.contains(.scoped) else { return .shared }
    let service = definition.services[service]
    guard let scope = service.declaration.scope else { return service.hasUnsoundTemplate ? nil : .shared }
    return Lifetime(word: definition.names[scope.name], scopes: scopes)
  }
}

/// A reference under its argument key, with the services that it leads to.
package struct LinkedInjection: Sendable {
  /// The argument key.
  package var key: String
  /// What the argument receives.
  package var reference: LinkedReference
  /// Whether no file names it: it is bound by type.
  package var isAutowired: Bool
  /// The place of the argument in the registered type, or -1. In four bytes, as a module has very many references.
  private var place: Int32
  /// The key's token; of a reference bound by type the service's key.
  package var node: NodeRef

  /// A reference under the key of an argument.
  init(key: String, node: NodeRef, argument: Int?, isAutowired: Bool, reference: LinkedReference) {
    self.key = key
    self.reference = reference
    self.isAutowired = isAutowired
    place = argument.map { Int32(truncatingIfNeeded: $0) } ?? -1
    self.node = node
  }

  /// The place of the argument in the registered type; nil where the type is not known, or has no such argument.
  var argument: Int? { place < 0 ? nil : Int(place) }
}

/// What a reference leads to.
package enum LinkedReference: Sendable {
  /// A service, by its number, and the string that names it or its tag.
  case service(Int, NodeRef)
  /// Nothing: an optional reference to a service that is not there.
  case absent
  /// Several, in order, and the list's token, or the string that names the tag.
  case list([LinkedReference], NodeRef)
  /// Several by key, and the map's token, or the string that names the tag.
  case map([Entry], NodeRef)
  /// Something that was reported as an error. Nothing more is said of it.
  case broken

  /// One entry of a map of references.
  package struct Entry: Sendable {
    /// The key.
    package var key: String
    /// What stands under it.
    package var reference: LinkedReference
  }
}
