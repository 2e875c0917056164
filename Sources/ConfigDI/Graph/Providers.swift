// SPDX-License-Identifier: Apache-2.0

/// What answers for each provided name: the bindings, and the services that provide it.
struct Providers {
  /// What a binding leads to.
  enum Binding {
    /// A service, by its number.
    case service(Int)
    /// A service that a condition disables, by its place.
    case excluded(Int)
    /// Nothing, which is reported where the binding stands.
    case dead
  }

  /// The services by the names that they provide. A malformed one counts: references to it are fine.
  var index: ProviderIndex
  /// The bindings by the name that they bind.
  let bindings: [String: Binding]
  /// What services may provide of which something is reported that hides it.
  private let guesses: Guesses

  /// The providers of a module.
  init(_ definition: ModuleDefinition, _ holders: [Holder], _ types: RegisteredTypes?) {
    index = ProviderIndex(definition, holders)
    bindings = Dictionary(
      definition.bindings.map { binding in
        let target = binding.service.map(Binding.service) ?? binding.excluded.map(Binding.excluded) ?? .dead
        return (definition.names[binding.name], target)
      }
    ) { first, _ in first }
    guesses = Guesses(definition, holders, types)
  }

  /// Whether some service may provide a name, once what was reported of its type is corrected.
  func mayProvide(_ name: String) -> Bool { guesses.isEverythingPossible || guesses.names.contains(name) }
}

/// What services may provide beside what they are known to, so that nothing is called missing for a mistake reported elsewhere.
private struct Guesses {
  /// Whether nothing at all is known of some service.
  var isEverythingPossible = false
  /// The names that services claim and their types do not provide, and those of the types that come near to unknown ones.
  var names: Set<String> = []

  /// Looks at what services claim, and at those that claim nothing and are not of a known type.
  init(_ definition: ModuleDefinition, _ holders: [Holder], _ types: RegisteredTypes?) {
    guard let types else { return }
    var misspelt: Set<Name> = []
    for (place, service) in definition.services.enumerated() {
      if let said = service.provides {
        names.formUnion(said.map { definition.names[$0.name] })
      } else if holders[place].registered == nil {
        if let type = service.declaration.type { misspelt.insert(type.name) } else { isEverythingPossible = true }
      }
    }
    guard !misspelt.isEmpty else { return }
    let index = SuggestionIndex(types.catalog.types.map(\.name))
    var near: Set<String> = []
    for name in misspelt.sorted(by: { $0.index < $1.index }) {
      near.formUnion(index.suggestions(for: definition.names[name]))
    }
    for type in types.catalog.types where near.contains(type.name) { names.formUnion(type.provides) }
  }
}
