// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// Typed access to the public services of a module: for each a property or a function in Swift, so that code which uses a
/// service that was renamed in a file does not compile.
///
/// A service that only some environments have is optional. What cannot be given a property is left out with a reason.
package struct ServiceAccessors {
  /// How the generated code is called.
  package struct Names: Sendable {
    /// The property of containers that has the services.
    package var accessor: String
    /// The type of that property; nil: made of the module's name.
    package var type: String?
    /// The access level: `public`, `package` or `internal`.
    package var access = "internal"
    /// The Swift module that the code becomes a part of, whose types need no import; nil where that is not known.
    package var module: String?

    /// Names with the default access.
    package init(accessor: String, type: String? = nil, access: String = "internal", module: String? = nil) {
      (self.accessor, self.type, self.access, self.module) = (accessor, type, access, module)
    }
  }

  /// A property or a function.
  struct Member {
    /// Its name in Swift, without backticks.
    let name: String
    /// The id or alias.
    let id: String
    /// What it is in each environment that has it.
    var facts: Facts
    /// The names of the registered types, with the environments that have them; one entry where all have the same.
    var types: [(type: String, environments: [String])]
    /// Whether some environment does not have it.
    var isOptional: Bool
  }

  /// What a member is in one environment.
  struct Facts {
    /// The type in Swift.
    var type: String
    /// The run-time arguments: key and type in Swift.
    var parameters: [Parameter]
    /// The scope that has to be open, or nil.
    var scope: String?
    /// Whether a builder may have to be awaited.
    var isAwaited: Bool
    /// Whether a builder may be called on the main actor.
    var isOnMainActor: Bool
    /// What to use instead, or nil.
    var deprecated: String?
    /// The registered type.
    var registeredType: String
  }

  /// A run-time argument.
  struct Parameter: Hashable {
    /// The argument's key.
    let key: String
    /// The type in Swift.
    let type: String
  }

  /// Why a service has no member.
  struct Obstacle: Error {
    /// The reason.
    let reason: String
  }

  /// The module's name.
  let module: String
  /// What the code is called.
  let names: Names
  /// The members, ascending by id.
  private(set) var members: [Member] = []
  /// What has no member, ascending by id, and why.
  package private(set) var omissions: [(id: String, reason: String)] = []

  /// The access to the services of a module.
  ///
  /// - Parameters:
  ///   - graphs: The module in each environment; at least one.
  ///   - catalog: The registered types, with what a check need not know of them.
  package init(to graphs: [(environment: String?, graph: ValidatedGraph)], catalog: Catalog, names: Names) {
    self.names = names
    module = graphs.first.map { $0.graph.graph.definition.module } ?? ""
    let types = Dictionary(catalog.types.map { ($0.name, $0) }) { first, _ in first }
    var found: [String: [(environment: String, facts: Result<Facts, Obstacle>)]] = [:]
    for (environment, graph) in graphs {
      for (id, facts) in PublicServices(graph, types).facts {
        found[id, default: []].append((environment ?? "", facts))
      }
    }
    for (id, entries) in found.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      do throws(Obstacle) {
        members.append(try Member(id, entries, isOptional: entries.count < graphs.count))
      } catch {
        omissions.append((id, error.reason))
      }
    }
    leaveOutNamesakes()
  }

  /// Leaves out the members that would bear one name.
  private mutating func leaveOutNamesakes() {
    let groups = Dictionary(grouping: members) { "\($0.facts.scope ?? "").\($0.name)" }
    for (_, namesakes) in groups where namesakes.count > 1 {
      let ids = namesakes.map { "\"\($0.id)\"" }.joined(separator: " and ")
      for member in namesakes {
        omissions.append((member.id, "\(ids) would both be \"\(member.name)\""))
      }
    }
    members.removeAll { groups["\($0.facts.scope ?? "").\($0.name)"]?.count != 1 }
    omissions.sort { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
  }
}

extension ServiceAccessors.Member {
  /// The member for what a name is in the environments that have it.
  fileprivate init(
    _ id: String, _ entries: [(environment: String, facts: Result<ServiceAccessors.Facts, ServiceAccessors.Obstacle>)],
    isOptional: Bool
  ) throws(ServiceAccessors.Obstacle) {
    guard let name = SwiftName(id: id) else { throw .init(reason: "no name in Swift can be made of it") }
    var (merged, types): (ServiceAccessors.Facts?, [(type: String, environments: [String])]) = (nil, [])
    for (environment, entry) in entries {
      let facts = try entry.get()
      if let place = types.firstIndex(where: { $0.type == facts.registeredType }) {
        types[place].environments.append(environment)
      } else {
        types.append((facts.registeredType, [environment]))
      }
      guard let before = merged else {
        merged = facts
        continue
      }
      if before.type != facts.type {
        throw .init(
          reason:
            "it is \(before.type) in \(entries[0].environment) and \(facts.type) in \(environment); register both "
            + "types as one that they have in common")
      }
      if before.parameters != facts.parameters || before.scope != facts.scope {
        throw .init(
          reason: "its run-time arguments or its scope differ between \(entries[0].environment) and \(environment)")
      }
      merged?.isAwaited = before.isAwaited || facts.isAwaited
      merged?.isOnMainActor = before.isOnMainActor || facts.isOnMainActor
      // Deprecated only where every environment has a deprecated type.
      merged?.deprecated = facts.deprecated == nil ? nil : before.deprecated
    }
    guard let merged else { throw .init(reason: "no environment has it") }
    self.init(name: name.text, id: id, facts: merged, types: types, isOptional: isOptional)
  }
}

// MARK: - One environment

/// The services of one environment that code may look up by name.
private struct PublicServices {
  /// The graph.
  private let graph: WiringGraph
  /// The registered types by name.
  private let types: [String: TypeDescriptor]
  /// What each service needs before it is there, itself included, but for what the load has built.
  private var needs: [Needs]

  /// What a look-up may meet.
  private struct Needs {
    var isAwaited = false
    var isOnMainActor = false
    /// The innermost scope that has to be open.
    var scope: Int?

    /// Adds what another service needs.
    mutating func add(_ other: Needs) {
      isAwaited = isAwaited || other.isAwaited
      isOnMainActor = isOnMainActor || other.isOnMainActor
      if let inner = other.scope { scope = max(scope ?? inner, inner) }
    }
  }

  /// The services of a graph.
  ///
  /// - Complexity: linear in services and references.
  init(_ validated: ValidatedGraph, _ types: [String: TypeDescriptor]) {
    graph = validated.graph
    self.types = types
    let services = graph.definition.services
    var isStarted = Array(repeating: false, count: services.count)
    for service in validated.startOrder where graph.lifetime(of: service) == .shared { isStarted[service] = true }
    var needed = Array(repeating: [Int](), count: services.count)
    for edge in graph.edges where edge.isNeededToBuild { needed[edge.from].append(edge.to) }
    needs = Array(repeating: Needs(), count: services.count)
    for service in validated.buildingOrder {
      var own = Needs()
      if !isStarted[service] {
        let holders = [graph.holders[service]] + graph.decorators(of: service)
        for type in holders.compactMap({ $0.type.map { types[$0.name] ?? $0 } }) {
          own.isAwaited = own.isAwaited || type.isAsync
          own.isOnMainActor = own.isOnMainActor || type.isOnMainActor
        }
        for other in needed[service] { own.add(needs[other]) }
      }
      if case .scope(let number) = graph.lifetime(of: service) { own.scope = max(own.scope ?? number, number) }
      needs[service] = own
    }
  }

  /// What each public id and alias is.
  var facts: [(id: String, facts: Result<ServiceAccessors.Facts, ServiceAccessors.Obstacle>)] {
    let definition = graph.definition
    let services = definition.services.indices.filter { definition.services[$0].declaration.isPrivate?.value != true }
      .map { (graph.id(of: $0), $0) }
    let aliases = definition.aliases.compactMap { alias in
      alias.service.map { (definition.names[alias.name], $0) }
    }
    return (services + aliases).map { id, service in
      (id, Result { () throws(ServiceAccessors.Obstacle) in try facts(of: service) })
    }
  }

  /// What a service is.
  private func facts(of service: Int) throws(ServiceAccessors.Obstacle) -> ServiceAccessors.Facts {
    let name = graph.definition.services[service].declaration.type.map { graph.definition.names[$0.name] } ?? ""
    guard let lookedUp = graph.lookUpType(of: service), let type = types[lookedUp] else {
      throw .init(reason: "its type \"\(name)\" is not registered")
    }
    guard let swiftType = type.swiftType else {
      throw .init(
        reason:
          "the catalog does not say how Swift names what \"\(type.name)\" is looked up by: the catalog is old, or the "
          + "type is private")
    }
    if let provides = graph.definition.services[service].declaration.provides {
      let names = provides.appended.map { graph.definition.names[$0.name] }
      guard names.contains(where: { SwiftName.isName($0, of: swiftType) }) else {
        throw .init(
          reason: "\"provides\" leaves out \(swiftType), the first type by which \"\(type.name)\" is looked up")
      }
    }
    var parameters: [ServiceAccessors.Parameter] = []
    for holder in [graph.holders[service]] + graph.decorators(of: service) {
      for argument in holder.type.flatMap({ types[$0.name] })?.arguments ?? [] {
        guard case .runtime = argument.kind else { continue }
        guard let type = argument.swiftType else {
          throw .init(reason: "the catalog does not say how Swift names the run-time argument \"\(argument.key)\"")
        }
        parameters.append(.init(key: argument.key, type: type))
      }
    }
    let needs = needs[service]
    return ServiceAccessors.Facts(
      type: swiftType, parameters: parameters, scope: needs.scope.map { graph.scopes[$0] }, isAwaited: needs.isAwaited,
      isOnMainActor: needs.isOnMainActor, deprecated: types[name]?.deprecated, registeredType: name)
  }
}
