// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The ids that a module defines in some environment, for the schema of its files.
package struct ModuleIDs: Hashable, Sendable {
  /// What an id is of.
  package enum Kind: Hashable, Sendable {
    case parameters, templates, services, aliases, bindings, tags, scopes, environments, types
  }

  /// The ids of each kind.
  private var ids: [Kind: Set<String>] = [:]

  /// No ids.
  package init() {}

  /// The ids of a kind, ascending. Services that a condition disables are among them.
  package subscript(kind: Kind) -> [String] { (ids[kind] ?? []).ascending }

  /// Adds ids of a kind.
  package mutating func add(_ more: some Sequence<String>, to kind: Kind) { ids[kind, default: []].formUnion(more) }

  /// Adds the ids that a module has in one environment.
  package mutating func add(_ definition: ModuleDefinition) {
    func add(_ names: some Sequence<Name>, to kind: Kind) {
      self.add(names.lazy.map { definition.names[$0] }, to: kind)
    }
    add(definition.parameters.lazy.map(\.name), to: .parameters)
    add(definition.templates.lazy.map(\.name), to: .templates)
    add(definition.services.lazy.map(\.name), to: .services)
    add(definition.excluded.lazy.map(\.name), to: .services)
    add(definition.aliases.lazy.map(\.name), to: .aliases)
    add(definition.bindings.lazy.map(\.name), to: .bindings)
    add(definition.services.lazy.flatMap { $0.tags.lazy.map(\.name) }, to: .tags)
    add(definition.declaredTags.lazy.map(\.name), to: .tags)
    add(definition.scopes.lazy.map(\.name), to: .scopes)
    add(definition.services.lazy.compactMap { $0.declaration.type?.name }, to: .types)
  }
}
