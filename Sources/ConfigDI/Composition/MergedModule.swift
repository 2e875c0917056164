// SPDX-License-Identifier: Apache-2.0

/// The merged entries of all files of one environment, before expansion.
struct MergedModule: Sendable {
  /// The names of the load.
  var names: NameTable
  /// The parameters.
  var parameters: EntryTable<ParameterDeclaration>
  /// The templates.
  var templates: EntryTable<ServiceDeclaration>
  /// The services.
  var services: EntryTable<ServiceDeclaration>
  /// The aliases.
  var aliases: EntryTable<Token>
  /// The bindings.
  var bindings: EntryTable<Token>
  /// Whether a service in some file extends a template.
  var hasExtendingService = false
  /// The tokens that were replaced, and the removals.
  var history = History()
  /// The parameters that a file of the load declares secret, whether or not that declaration is valid.
  let secretParameters: Set<Name>

  /// Creates a module without entries.
  init(names: NameTable, secretParameters: Set<Name>) {
    self.names = names
    self.secretParameters = secretParameters
    parameters = EntryTable(for: names)
    templates = EntryTable(for: names)
    services = EntryTable(for: names)
    aliases = EntryTable(for: names)
    bindings = EntryTable(for: names)
  }

  /// Whether a section has an entry with an id.
  func contains(_ name: Name, in section: Section) -> Bool {
    switch section {
    case .parameters: parameters.contains(name)
    case .templates: templates.contains(name)
    case .services: services.contains(name)
    case .aliases: aliases.contains(name)
    case .bindings: bindings.contains(name)
    }
  }

  /// Returns the key that defines an entry, or `nil` if the section has no entry with the id.
  func key(of name: Name, in section: Section) -> NodeRef? {
    switch section {
    case .parameters: parameters[name]?.key
    case .templates: templates[name]?.key
    case .services: services[name]?.key
    case .aliases: aliases[name]?.key
    case .bindings: bindings[name]?.key
    }
  }

  /// Returns the names of a section's entries, in no particular order.
  func names(of section: Section) -> [Name] {
    switch section {
    case .parameters: parameters.all.map(\.name)
    case .templates: templates.all.map(\.name)
    case .services: services.all.map(\.name)
    case .aliases: aliases.all.map(\.name)
    case .bindings: bindings.all.map(\.name)
    }
  }

  /// Returns the ids of a section's entries, in no particular order.
  func ids(of section: Section) -> [String] { names(of: section).map { names[$0] } }
}
