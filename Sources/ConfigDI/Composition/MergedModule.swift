// SPDX-License-Identifier: Apache-2.0

/// The entries of all files of one environment, merged, with nothing expanded.
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
  /// Whether a file has a service that extends a template.
  var hasExtendingService = false
  /// What stood at each place before.
  var history = History()
  /// The parameters that some file of the load declares secret, whether that declaration is valid or not.
  let secretParameters: Set<Name>

  /// A module without entries.
  init(names: NameTable, secretParameters: Set<Name>) {
    self.names = names
    self.secretParameters = secretParameters
    parameters = EntryTable(for: names)
    templates = EntryTable(for: names)
    services = EntryTable(for: names)
    aliases = EntryTable(for: names)
    bindings = EntryTable(for: names)
  }

  /// Whether a section has an entry of an id.
  func contains(_ name: Name, in section: Section) -> Bool {
    switch section {
    case .parameters: parameters.contains(name)
    case .templates: templates.contains(name)
    case .services: services.contains(name)
    case .aliases: aliases.contains(name)
    case .bindings: bindings.contains(name)
    }
  }

  /// The key that defines the entry of an id in a section, or nil.
  func key(of name: Name, in section: Section) -> NodeRef? {
    switch section {
    case .parameters: parameters[name]?.key
    case .templates: templates[name]?.key
    case .services: services[name]?.key
    case .aliases: aliases[name]?.key
    case .bindings: bindings[name]?.key
    }
  }

  /// The names of a section's entries, in no order.
  func names(of section: Section) -> [Name] {
    switch section {
    case .parameters: parameters.all.map(\.name)
    case .templates: templates.all.map(\.name)
    case .services: services.all.map(\.name)
    case .aliases: aliases.all.map(\.name)
    case .bindings: bindings.all.map(\.name)
    }
  }

  /// The ids of a section, in no order.
  func ids(of section: Section) -> [String] { names(of: section).map { names[$0] } }
}
