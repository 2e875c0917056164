// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// Generates typed access to the public services of a module: a Swift property or function for each. Code that uses a
/// service no longer compiles after the service was renamed in a file.
///
/// A service that only some environments have is optional. A service that cannot have a member is left out, with a
/// reason.
package struct ServiceAccessors {
  /// The names in the generated code.
  package struct Names: Sendable {
    /// The property of containers that gives access to the services.
    package var accessor: String
    /// The type of that property. If `nil`, it is made from the module's name.
    package var type: String?
    /// The access level: `public`, `package` or `internal`.
    package var access = "internal"
    /// The Swift module that contains the generated code, whose types need no import. `nil` if it is not known.
    package var module: String?

    /// Creates names. The default access level is `internal`.
    package init(accessor: String, type: String? = nil, access: String = "internal", module: String? = nil) {
      (self.accessor, self.type, self.access, self.module) = (accessor, type, access, module)
    }
  }

  /// A generated property or function.
  struct Member {
    /// Its name in Swift, without backticks.
    let name: String
    /// The id of the service or alias.
    let id: String
    /// The merged facts of all environments that have the service.
    var facts: Facts
    /// The names of the registered types, each with its environments. One entry if all environments have the same type.
    var types: [(type: String, environments: [String])]
    /// Whether some environment does not have the service.
    var isOptional: Bool
  }

  /// The facts about a service in one environment.
  struct Facts {
    /// The type in Swift.
    var type: String
    /// The run-time arguments.
    var parameters: [Parameter]
    /// The scope that must be open, or `nil` if none.
    var scope: String?
    /// Whether the service has to be resolved asynchronously, because a builder may be asynchronous.
    var isAwaited: Bool
    /// Whether a builder may run on the main actor.
    var isOnMainActor: Bool
    /// The replacement to recommend if the type is deprecated, or `nil`.
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

  /// The reason why a service has no member.
  struct Obstacle: Error {
    /// The reason.
    let reason: String
  }

  /// The module's name.
  let module: String
  /// The names in the generated code.
  let names: Names
  /// The members, ascending by id.
  private(set) var members: [Member] = []
  /// The services and aliases without a member, ascending by id, each with the reason.
  package private(set) var omissions: [(id: String, reason: String)] = []

  /// Generates access to the services of a module.
  ///
  /// - Parameters:
  ///   - graphs: The module in each environment; at least one.
  ///   - catalog: The registered types, including facts that a check does not need.
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
    for (id, entries) in found.ascending(by: \.key) {
      do throws(Obstacle) {
        members.append(try Member(id, entries, isOptional: entries.count < graphs.count))
      } catch {
        omissions.append((id, error.reason))
      }
    }
    omitUnnamedScopes()
    omitDuplicateNames()
  }

  /// Removes the members of scopes that have no name in Swift, or the same name of their type as another scope, and
  /// records them as omissions.
  private mutating func omitUnnamedScopes() {
    let scopes = Dictionary(grouping: Set(members.compactMap(\.facts.scope))) { SwiftName(id: $0)?.capitalized }
    for (name, alike) in scopes where name == nil || alike.count > 1 {
      let reason =
        if let name {
          "the scopes \(quoted(alike.sorted())) would both be \"\(name)\""
        } else {
          "no name in Swift can be made of its scope"
        }
      omissions += members.filter { $0.facts.scope.map(alike.contains) ?? false }.map { ($0.id, reason) }
      members.removeAll { $0.facts.scope.map(alike.contains) ?? false }
    }
  }

  /// Removes the members of the same scope that have the same name, and records them as omissions.
  private mutating func omitDuplicateNames() {
    let groups = Dictionary(grouping: members) { "\($0.facts.scope ?? "").\($0.name)" }
    for (_, duplicates) in groups where duplicates.count > 1 {
      for member in duplicates {
        omissions.append((member.id, "\(quoted(duplicates.map(\.id))) would both be \"\(member.name)\""))
      }
    }
    members.removeAll { groups["\($0.facts.scope ?? "").\($0.name)"]?.count != 1 }
    omissions = omissions.ascending(by: \.id)
  }

  private func quoted(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: " and ") }
}

extension ServiceAccessors.Member {
  /// Creates a member from the facts of the environments that have the service.
  ///
  /// - Throws: `ServiceAccessors.Obstacle` if there is no Swift name, or the environments differ in type, run-time
  ///   arguments or scope.
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
      // Deprecated only if the type is deprecated in every environment.
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
  /// The requirements for building each service, including those of its dependencies. Services that are built while the
  /// module is loaded require nothing.
  private var requirements: [Requirements]

  /// The requirements for a look-up.
  private struct Requirements {
    var isAwaited = false
    var isOnMainActor = false
    /// The innermost scope that must be open.
    var scope: Int?

    /// Adds the requirements of another service.
    mutating func add(_ other: Requirements) {
      isAwaited = isAwaited || other.isAwaited
      isOnMainActor = isOnMainActor || other.isOnMainActor
      if let inner = other.scope { scope = max(scope ?? inner, inner) }
    }
  }

  /// Computes the requirements of the services of a graph.
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
    requirements = Array(repeating: Requirements(), count: services.count)
    for service in validated.buildingOrder {
      var own = Requirements()
      if !isStarted[service] {
        let holders = [graph.holders[service]] + graph.decorators(of: service)
        for type in holders.compactMap({ $0.type.map { types[$0.name] ?? $0 } }) {
          own.isAwaited = own.isAwaited || type.isAsync
          own.isOnMainActor = own.isOnMainActor || type.isOnMainActor
        }
        for other in needed[service] { own.add(requirements[other]) }
      }
      if case .scope(let number) = graph.lifetime(of: service) { own.scope = max(own.scope ?? number, number) }
      requirements[service] = own
    }
  }

  /// The facts, or the obstacle, for each public service and alias.
  var facts: [(id: String, facts: Result<ServiceAccessors.Facts, ServiceAccessors.Obstacle>)] {
    let definition = graph.definition
    let services = definition.services.indices.filter { !definition.services[$0].isPrivate }
      .map { (graph.id(of: $0), $0) }
    let aliases = definition.aliases.compactMap { alias in
      alias.service.map { (definition.names[alias.name], $0) }
    }
    return (services + aliases).map { id, service in
      (id, Result { () throws(ServiceAccessors.Obstacle) in try facts(of: service) })
    }
  }

  /// Returns the facts about a service.
  ///
  /// - Throws: `ServiceAccessors.Obstacle` if the service cannot have a member.
  private func facts(of service: Int) throws(ServiceAccessors.Obstacle) -> ServiceAccessors.Facts {
    let name = graph.definition.services[service].declaration.type.map { graph.definition.names[$0.name] } ?? ""
    guard let lookedUp = graph.lookUpType(of: service), let type = types[lookedUp] else {
      throw .init(reason: "its type \"\(name)\" is not registered")
    }
    guard let swiftType = type.swiftType else {
      throw .init(
        reason:
          "the catalog does not say how Swift names what \"\(type.name)\" is looked up by: the catalog is old, or "
          + "the code cannot name the type")
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
    let requirements = requirements[service]
    return ServiceAccessors.Facts(
      type: swiftType, parameters: parameters, scope: requirements.scope.map { graph.scopes[$0] },
      isAwaited: requirements.isAwaited,
      isOnMainActor: requirements.isOnMainActor, deprecated: types[name]?.deprecated, registeredType: name)
  }
}
