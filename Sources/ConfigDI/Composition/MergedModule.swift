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

  /// The entries of a section, whatever their bodies are.
  subscript(section: Section) -> any SectionTable {
    switch section {
    case .parameters: parameters
    case .templates: templates
    case .services: services
    case .aliases: aliases
    case .bindings: bindings
    }
  }

  /// Returns the ids of a section's entries, in no particular order.
  func ids(of section: Section) -> [String] { self[section].names.map { names[$0] } }
}
