// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The sources, such as environment variables, that the parameters of a module read in each environment, with the
/// parameters and services that use them.
///
/// ```swift
/// var requirements = SourceRequirements()
/// let check = ModuleCheck(checking: request, environments: nil, files: files) { requirements.add($0) }
/// requirements[.env, "DB_PASSWORD"]?.environments.filter(\.isRequired)
/// ```
package struct SourceRequirements: Sendable {
  /// The uses of one source.
  package struct Requirement: Sendable {
    /// The use in each environment that reads the source, in the order in which the environments were checked.
    package fileprivate(set) var environments: [EnvironmentUse] = []
    /// The ids of the parameters that read the source in any environment.
    fileprivate var parameterIDs: Set<String> = []
    /// The ids of the services that use one of these parameters, directly or through other parameters.
    fileprivate var serviceIDs: Set<String> = []

    /// The ids of the parameters that read the source in any environment, ascending.
    package var parameters: [String] { parameterIDs.ascending }
    /// The ids of the services that use one of these parameters in any environment, ascending.
    package var services: [String] { serviceIDs.ascending }
    /// Whether any environment has no default for the source.
    package var isRequired: Bool { environments.contains(where: \.isRequired) }
  }

  /// The use of a source in one environment.
  package struct EnvironmentUse: Sendable {
    /// The environment, or `nil` if the module was composed without one.
    package let environment: String?
    /// Whether the source is present, has a default, and may be printed.
    package let use: SourceUse
    /// The location where a layer removed the default, or `nil` if no default was removed.
    package let defaultRemoval: Diagnostic.Location?
    /// Whether a load fails if the source is missing.
    package var isRequired: Bool { !use.hasDefault }
  }

  /// The requirements, by kind and name of the source.
  private var requirements: [TextSource.Kind: [ScalarString: Requirement]] = [:]

  /// Creates an empty collection.
  package init() {}

  /// Whether no environment reads a source.
  package var isEmpty: Bool { requirements.isEmpty }

  /// The uses of a source, or `nil` if no environment reads it.
  package subscript(kind: TextSource.Kind, name: String) -> Requirement? {
    requirements[kind]?[ScalarString(name)]
  }

  /// Adds the sources of the composition of one environment.
  ///
  /// - Complexity: linear in the size of the module and the number of pairs of a source and a service that uses it.
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
        requirements[kind, default: [:]][name, default: Requirement()].environments.append(
          EnvironmentUse(
            environment: composition.environment, use: use, defaultRemoval: removalsByName[kind]?[name]))
      }
    }
    let users = ParameterUsers(of: definition)
    for parameter in readers {
      let services = users.services(of: parameter.name).map { definition.names[$0] }
      for source in sources(of: parameter) {
        let name = ScalarString(source.name)
        requirements[source.kind]?[name]?.parameterIDs.insert(definition.names[parameter.name])
        requirements[source.kind]?[name]?.serviceIDs.formUnion(services)
      }
    }
  }

  /// Returns the sources that a parameter may read.
  private func sources(of parameter: ComposedParameter) -> [TextSource] { parameter.declaration.source?.texts ?? [] }

  /// Returns the locations where layers removed the defaults of parameters.
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

/// The services that use each parameter in their values or conditions.
private struct ParameterUsers {
  /// The services that directly use each parameter.
  private var services: [Name: Set<Name>] = [:]
  /// The parameters whose values contain a placeholder of each parameter.
  private var parameters: [Name: [Name]] = [:]

  /// Collects the users of the parameters of a module.
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

  /// Returns the services that use a parameter, directly or through other parameters.
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
