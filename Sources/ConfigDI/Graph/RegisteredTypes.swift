// SPDX-License-Identifier: Apache-2.0

/// The registered types by the names that the files of a load use.
struct RegisteredTypes: Sendable {
  /// The types of the catalog.
  let types: [TypeDescriptor]
  /// The place in `types` of each name of the load.
  private var places: [Name: Int] = [:]

  /// The types of a catalog.
  init(_ catalog: Catalog, names: NameTable) {
    types = catalog.types
    for (place, type) in types.enumerated() {
      if let name = names.existingName(type.name) { places[name] = place }
    }
  }

  /// The type of a name, or nil where none is registered.
  subscript(name: Name) -> TypeDescriptor? { places[name].map { types[$0] } }
}
