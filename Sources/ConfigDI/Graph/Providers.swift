// SPDX-License-Identifier: Apache-2.0

/// The providers of each name: the binding, and the services that provide it.
struct Providers {
  /// The services by the names that they provide. Includes malformed services, as references to them are valid.
  var index: ProviderIndex
  /// The bindings, by the bound name.
  let bindings: [String: ComposedTarget]
  /// Whether services may provide any name, because some service declares neither a type nor provided names.
  private var mayProvideAll = false
  /// The names that services list in `provides`, and those provided by types whose names are similar to an unknown one.
  /// With them, no name is reported as missing because of an error that is reported elsewhere.
  private var possibleNames: Set<String> = []

  /// Indexes the providers of a module.
  init(_ definition: ModuleDefinition, _ holders: [Holder], _ types: RegisteredTypes?) {
    index = ProviderIndex(definition, holders)
    bindings = Dictionary(definition.bindings.map { (definition.names[$0.name], $0) }) { first, _ in first }
    guard let types else { return }
    var misspelt: Set<Name> = []
    for (place, service) in definition.services.enumerated() {
      if let said = service.provides {
        possibleNames.formUnion(said.map { definition.names[$0.name] })
      } else if holders[place].registered == nil {
        if let type = service.declaration.type { misspelt.insert(type.name) } else { mayProvideAll = true }
      }
    }
    guard !misspelt.isEmpty else { return }
    let similar = SuggestionIndex(types.catalog.types.map(\.name))
    var near: Set<String> = []
    for name in misspelt.ascending(by: \.index) {
      near.formUnion(similar.suggestions(for: definition.names[name]))
    }
    for type in types.catalog.types where near.contains(type.name) { possibleNames.formUnion(type.provides) }
  }

  /// Returns whether some service may provide a name after errors in its type or `provides` are corrected.
  func mayProvide(_ name: String) -> Bool { mayProvideAll || possibleNames.contains(name) }
}
