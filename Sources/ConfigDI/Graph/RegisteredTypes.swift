// SPDX-License-Identifier: Apache-2.0

/// The registered types by the names that the files of a load use.
struct RegisteredTypes: Sendable {
  /// All types of the catalog.
  let catalog: Catalog
  /// The types that some file of the load names.
  private var types: [Name: RegisteredType] = [:]

  /// The types of a catalog.
  ///
  /// - Complexity: linear in the catalog.
  init(_ catalog: Catalog, names table: NameTable) {
    self.catalog = catalog
    for type in catalog.types {
      if let name = table.existingName(type.name) { types[name] = RegisteredType(type, names: table) }
    }
  }

  /// The type of a name, or nil where none is registered.
  subscript(name: Name) -> RegisteredType? { types[name] }
}

/// A registered type with what checks ask of it again and again: large types are asked of by many services.
final class RegisteredType: Sendable {
  /// What the catalog says of it.
  let descriptor: TypeDescriptor
  /// The names that it provides.
  let provides: Set<String>
  /// The places of the arguments for which a file must give something.
  let required: [Int]
  /// The places of those of them that receive services, descending by key.
  let bindable: [Int]
  /// The types that its decorated arguments want.
  let decorated: [String]
  /// The arguments that a look-up brings along.
  let runtime: [ArgumentDescriptor]
  /// The places of the arguments whose keys some file holds.
  private let places: [Name: Int]

  /// A type of the catalog.
  fileprivate init(_ descriptor: TypeDescriptor, names: NameTable) {
    self.descriptor = descriptor
    provides = Set(descriptor.provides)
    let arguments = descriptor.arguments
    required = arguments.indices.filter { arguments[$0].isRequired }
    bindable =
      required
      .filter { if case .service = arguments[$0].kind { true } else { false } }
      .sorted { arguments[$1].key.utf8.lexicographicallyPrecedes(arguments[$0].key.utf8) }
    decorated = arguments.compactMap { if case .decorated(let type) = $0.kind { type } else { nil } }
    runtime = arguments.filter { if case .runtime = $0.kind { true } else { false } }
    var places: [Name: Int] = [:]
    for (place, argument) in arguments.enumerated() {
      if let name = names.existingName(argument.key), places[name] == nil { places[name] = place }
    }
    self.places = places
  }

  /// The type's name.
  var name: String { descriptor.name }

  /// The place of the argument of a key, or nil where the type has none.
  func place(of key: Name) -> Int? { places[key] }

  /// What the type provides, in words.
  var providesInWords: String {
    "type \"\(name)\" provides " + (descriptor.provides.isEmpty ? "nothing" : descriptor.provides.shortList)
  }
}

extension ArgumentDescriptor {
  /// Whether a file must give something for the argument.
  fileprivate var isRequired: Bool {
    switch kind {
    case .value(.optional): false
    case .value, .service: !isOptional && !hasDefault
    case .decorated, .runtime: false
    }
  }
}
