// SPDX-License-Identifier: Apache-2.0

/// The registered types, by the names that occur in the files of a load.
struct RegisteredTypes: Sendable {
  /// All types of the catalog.
  let catalog: Catalog
  /// The type for each name of the load, by the name's index; `nil` if the name is not that of a type.
  private var types: [RegisteredType?]

  /// Indexes the types of a catalog.
  ///
  /// - Complexity: Linear in the catalog.
  init(_ catalog: Catalog, names table: NameTable) {
    self.catalog = catalog
    types = Array(repeating: nil, count: table.count)
    for type in catalog.types {
      if let name = table.existingName(type.name) { types[Int(name.index)] = RegisteredType(type, names: table) }
    }
  }

  /// Returns the type with a name; `nil` if none is registered.
  subscript(name: Name) -> RegisteredType? {
    Int(name.index) < types.count ? types[Int(name.index)] : nil
  }
}

/// A registered type, with properties that checks would otherwise compute anew for each service of the type.
final class RegisteredType: Sendable {
  /// The catalog's descriptor of the type.
  let descriptor: TypeDescriptor
  /// The kind of each argument.
  let kinds: [ArgumentDescriptor.Kind]
  /// The value type of each argument; `nil` for arguments that take no value from a file.
  let data: [ValueType?]
  /// Whether each argument may receive a secret.
  let isSecret: [Bool]
  /// The provided names.
  private let provided: Set<String>
  /// The indices of the arguments that a file must supply.
  let required: [Int]
  /// The indices of the required arguments that take services, descending by key.
  let bindable: [Int]
  /// The names that its decorated arguments require.
  let decorated: [String]
  /// The run-time arguments.
  let runtime: [ArgumentDescriptor]
  /// The named scopes that its arguments open.
  let openedScopes: [String]
  /// The traits that holders of the type have because of it.
  let traits: Holder.Traits
  /// The indices of the arguments whose keys occur in files.
  private let places: [Name: Int]

  /// Creates a type from its catalog entry.
  fileprivate init(_ descriptor: TypeDescriptor, names: NameTable) {
    self.descriptor = descriptor
    provided = Set(descriptor.provides)
    let arguments = descriptor.arguments
    kinds = arguments.map(\.kind)
    data = arguments.map { if case .value(let type) = $0.kind { type } else { nil } }
    isSecret = arguments.map(\.isSecret)
    required = arguments.indices.filter { arguments[$0].isRequired }
    bindable =
      required
      .filter { if case .service = arguments[$0].kind { true } else { false } }
      .ascending { arguments[$0].key }.reversed()
    decorated = arguments.compactMap { if case .decorated(let type) = $0.kind { type } else { nil } }
    runtime = arguments.filter { if case .runtime = $0.kind { true } else { false } }
    openedScopes = arguments.compactMap { if case .scope(let name) = $0.kind { name } else { nil } }
    var traits: Holder.Traits = []
    if descriptor.isGiven { traits.insert(.given) }
    if !openedScopes.isEmpty { traits.insert(.opening) }
    if descriptor.deprecated != nil { traits.insert(.deprecatedType) }
    if !decorated.isEmpty { traits.insert(.wrapping) }
    if !descriptor.isSendable { traits.insert(.unsendable) }
    if !runtime.isEmpty { traits.insert(.parametrized) }
    self.traits = traits
    let keys = arguments.enumerated().compactMap { place, argument in
      names.existingName(argument.key).map { ($0, place) }
    }
    places = Dictionary(keys) { first, _ in first }
  }

  /// The name under which the type is registered.
  var name: String { descriptor.name }

  /// Returns the index of the argument with a key; `nil` if the type has none.
  func place(of key: Name) -> Int? { places[key] }

  /// Returns whether the argument at an index takes a reference, or if `asReference` is `false` a value, from a file.
  /// Returns `false` if the index is `nil`.
  func receives(_ place: Int?, asReference: Bool) -> Bool {
    switch place.map({ kinds[$0] }) {
    case .service?: asReference
    case .value?: !asReference
    case .decorated?, .runtime?, .scope?, .resolver?, nil: false
    }
  }

  /// Returns whether the type provides a name.
  func provides(_ name: String) -> Bool { provided.contains(name) }

  /// The provided names in words, for messages.
  var providesInWords: String {
    "type \"\(name)\" provides " + (descriptor.provides.isEmpty ? "nothing" : descriptor.provides.quotedList)
  }
}

extension ArgumentDescriptor {
  /// Whether a file must supply the argument.
  fileprivate var isRequired: Bool {
    switch kind {
    case .value(.optional): false
    case .value, .service: !isOptional && !hasDefault
    case .decorated, .runtime, .scope, .resolver: false
    }
  }
}
