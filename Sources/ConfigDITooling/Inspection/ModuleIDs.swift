// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The ids that a module defines in some environment, for the schema of its files. Each list ascends.
package struct ModuleIDs: Hashable, Sendable {
  /// The parameters.
  var parameters: [String] = []
  /// The templates.
  var templates: [String] = []
  /// The services, those that a condition takes out too.
  var services: [String] = []
  /// The aliases.
  var aliases: [String] = []
  /// The provided names that have a binding.
  var bindings: [String] = []
  /// The tags.
  var tags: [String] = []
  /// The named scopes.
  var scopes: [String] = []
  /// The environments.
  var environments: [String] = []

  /// No ids.
  init() {}

  /// The ids that a module has in some environments.
  package init(of definitions: [ModuleDefinition], environments: [String]) {
    func ids(_ names: (ModuleDefinition) -> [Name]) -> [String] {
      Set(definitions.flatMap { definition in names(definition).map { definition.names[$0] } }).ascending
    }
    parameters = ids { $0.parameters.map(\.name) }
    templates = ids { $0.templates.map(\.name) }
    services = ids { $0.services.map(\.name) + $0.excluded.map(\.name) }
    aliases = ids { $0.aliases.map(\.name) }
    bindings = ids { $0.bindings.map(\.name) }
    tags = ids { $0.services.flatMap { $0.tags.map(\.name) } }
    scopes = ids { $0.scopes.map(\.name) }
    self.environments = environments.ascending
  }
}
