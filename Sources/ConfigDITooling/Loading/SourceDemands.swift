// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// What each environment asks of the sources that its parameters read, such as variables, and for whom.
///
/// ```swift
/// var demands = SourceDemands()
/// let check = ModuleCheck(checking: request, environments: nil, files: files) { demands.add($0) }
/// demands[.env, "DB_PASSWORD"]?.environments.filter(\.isRequired)
/// ```
package struct SourceDemands: Sendable {
  /// What is asked of one source.
  package struct Demand: Sendable {
    /// What each environment that reads it asks, in the order in which they were checked.
    package fileprivate(set) var environments: [InEnvironment] = []
    /// The ids of the parameters that read it in some environment.
    fileprivate var parameterIDs: Set<String> = []
    /// The ids of the services that use one of them, directly or through other parameters.
    fileprivate var serviceIDs: Set<String> = []

    /// The ids of the parameters that read it in some environment, ascending.
    package var parameters: [String] { parameterIDs.ascending }
    /// The ids of the services that use one of them in some environment, ascending.
    package var services: [String] { serviceIDs.ascending }
    /// Whether some environment has no default for it.
    package var isRequired: Bool { environments.contains(where: \.isRequired) }
  }

  /// What one environment asks.
  package struct InEnvironment: Sendable {
    /// The environment; nil for a module that declares none.
    package let environment: String?
    /// Whether it is there, whether a default stands in for it, whether its value is printed.
    package let use: SourceUse
    /// Where a layer removed the default; nil where there is one, and where there was none.
    package let defaultRemoval: Diagnostic.Location?
    /// Whether a load without it fails.
    package var isRequired: Bool { !use.hasDefault }
  }

  /// The demands by kind and name.
  private var demands: [TextSource.Kind: [ScalarString: Demand]] = [:]

  /// No demands.
  package init() {}

  /// Whether no environment reads any.
  package var isEmpty: Bool { demands.isEmpty }

  /// What is asked of a source; nil where no environment reads it.
  package subscript(kind: TextSource.Kind, name: String) -> Demand? {
    demands[kind]?[ScalarString(name)]
  }

  /// Adds what was composed in an environment.
  ///
  /// - Complexity: linear in the size of the module.
  package mutating func add(_ composition: ModuleCheck.Composition) {
    guard let definition = composition.definition else { return }
    let readers = definition.parameters.filter { !sources(of: $0).isEmpty }
    guard !readers.isEmpty else { return }
    let removals = defaultRemovals(readers, definition)
    var removalsByName: [TextSource.Kind: [ScalarString: Diagnostic.Location]] = [:]
    for parameter in readers {
      guard let removal = removals[parameter.name] else { continue }
      for source in sources(of: parameter) {
        removalsByName[source.kind, default: [:]][ScalarString(source.name)] = removal
      }
    }
    for kind in TextSource.Kind.allCases {
      for (name, use) in definition.sourceUses[kind] {
        demands[kind, default: [:]][name, default: Demand()].environments.append(
          InEnvironment(
            environment: composition.environment, use: use, defaultRemoval: removalsByName[kind]?[name]))
      }
    }
    let users = ParameterUsers(of: definition)
    for parameter in readers {
      let services = users.services(of: parameter.name).map { definition.names[$0] }
      for source in sources(of: parameter) {
        let name = ScalarString(source.name)
        demands[source.kind]?[name]?.parameterIDs.insert(definition.names[parameter.name])
        demands[source.kind]?[name]?.serviceIDs.formUnion(services)
      }
    }
  }

  /// The texts that a parameter may read.
  private func sources(of parameter: ComposedParameter) -> [TextSource] { parameter.declaration.source?.texts ?? [] }

  /// Where layers removed the defaults of parameters.
  private func defaultRemovals(
    _ parameters: [ComposedParameter], _ definition: ModuleDefinition
  ) -> [Name: Diagnostic.Location] {
    var removers: [Name: Place] = [:]
    for parameter in parameters where parameter.declaration.fallback == nil {
      let removals = definition.history.removals(of: parameter.name, in: .parameters)
      if let removal = removals.last(where: { $0.path == "default" }) {
        removers[parameter.name] = .node(removal.remover)
      }
    }
    guard !removers.isEmpty else { return [:] }
    let places = ResolvedPlaces(of: [], and: Array(removers.values), in: definition.documents.documents)
    return removers.mapValues { places.location(of: $0) }
  }
}

/// Which services use which parameters in their data or conditions.
private struct ParameterUsers {
  /// The services that name each parameter.
  private var services: [Name: Set<Name>] = [:]
  /// The parameters whose values name each parameter.
  private var parameters: [Name: [Name]] = [:]

  /// The users of the parameters of a module.
  init(of definition: ModuleDefinition) {
    for service in definition.services {
      let declaration = service.declaration
      let decorators = declaration.decorators?.appended ?? []
      for argument in declaration.arguments.values + decorators.flatMap(\.arguments.values) {
        argument.content.forEachPlaceholder { name, _ in services[name, default: []].insert(service.name) }
      }
    }
    for use in definition.conditionUses { services[use.parameter.name, default: []].insert(use.service) }
    for parameter in definition.parameters {
      parameter.declaration.source?.literal?.forEachPlaceholder { name, _ in
        parameters[name, default: []].append(parameter.name)
      }
    }
  }

  /// The services that use a parameter, directly or through others.
  func services(of parameter: Name) -> Set<Name> {
    var found: Set<Name> = []
    var seen: Set<Name> = [parameter]
    var pending = [parameter]
    while let next = pending.popLast() {
      found.formUnion(services[next] ?? [])
      for user in parameters[next] ?? [] where seen.insert(user).inserted { pending.append(user) }
    }
    return found
  }
}
