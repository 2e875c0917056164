// SPDX-License-Identifier: Apache-2.0

/// The registered types by the names that the files of a load use.
struct RegisteredTypes: Sendable {
  /// All types of the catalog.
  let catalog: Catalog
  /// For each name of the load the type that it is, or nil.
  private var types: [RegisteredType?]

  /// The types of a catalog.
  ///
  /// - Complexity: linear in the catalog.
  init(_ catalog: Catalog, names table: NameTable) {
    self.catalog = catalog
    types = Array(repeating: nil, count: table.count)
    for type in catalog.types {
      if let name = table.existingName(type.name) { types[Int(name.index)] = RegisteredType(type, names: table) }
    }
  }

  /// The type of a name, or nil where none is registered.
  subscript(name: Name) -> RegisteredType? {
    Int(name.index) < types.count ? types[Int(name.index)] : nil
  }
}

/// What an argument receives, without its type.
enum ArgumentRole: Sendable {
  /// A datum of a file.
  case value
  /// Services that a file names.
  case service(ArgumentDescriptor.Wrapper)
  /// What a decorator wraps.
  case decorated
  /// A value that the look-up brings along.
  case runtime
  /// Something of the container itself.
  case container

  /// The role of an argument.
  fileprivate init(_ kind: ArgumentDescriptor.Kind) {
    switch kind {
    case .value: self = .value
    case .service(_, let wrapper): self = .service(wrapper)
    case .decorated: self = .decorated
    case .runtime: self = .runtime
    case .scope, .resolver: self = .container
    }
  }
}

/// A registered type with what checks ask of it again and again: large types are asked of by many services.
final class RegisteredType: Sendable {
  /// What the catalog says of it.
  let descriptor: TypeDescriptor
  /// What each of its arguments receives.
  let roles: [ArgumentRole]
  /// For each argument that wants a datum its type.
  let data: [ValueType?]
  /// For each argument, whether it may receive a secret.
  let isSecret: [Bool]
  /// The names that it provides, where they are many.
  private let provided: Set<String>
  /// The places of the arguments for which a file must give something.
  let required: [Int]
  /// The places of those of them that receive services, descending by key.
  let bindable: [Int]
  /// The types that its decorated arguments want.
  let decorated: [String]
  /// The arguments that a look-up brings along.
  let runtime: [ArgumentDescriptor]
  /// The named scopes that its arguments open.
  let openedScopes: [String]
  /// What few types are, for those who have one.
  let traits: Holder.Traits
  /// The arguments whose keys some file holds, each with its place.
  private let places: [(name: Name, place: Int)]
  /// The same by name, where they are many.
  private let placesByName: [Name: Int]

  /// Up to this many are compared one by one, which is faster than a table.
  private static let few = 8

  /// A type of the catalog.
  fileprivate init(_ descriptor: TypeDescriptor, names: NameTable) {
    self.descriptor = descriptor
    provided = descriptor.provides.count > RegisteredType.few ? Set(descriptor.provides) : []
    let arguments = descriptor.arguments
    roles = arguments.map { ArgumentRole($0.kind) }
    data = arguments.map { if case .value(let type) = $0.kind { type } else { nil } }
    isSecret = arguments.map(\.isSecret)
    required = arguments.indices.filter { arguments[$0].isRequired }
    bindable =
      required
      .filter { if case .service = arguments[$0].kind { true } else { false } }
      .sorted { arguments[$1].key.utf8.lexicographicallyPrecedes(arguments[$0].key.utf8) }
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
    var byName: [Name: Int] = [:]
    for (place, argument) in arguments.enumerated() {
      if let name = names.existingName(argument.key), byName[name] == nil { byName[name] = place }
    }
    places = byName.count > RegisteredType.few ? [] : byName.map { ($0.key, $0.value) }
    placesByName = byName.count > RegisteredType.few ? byName : [:]
  }

  /// The type's name.
  var name: String { descriptor.name }

  /// The place of the argument of a key, or nil where the type has none.
  func place(of key: Name) -> Int? {
    for candidate in places where candidate.name == key { return candidate.place }
    return placesByName.isEmpty ? nil : placesByName[key]
  }

  /// Whether the argument at a place, if there is one, receives what files write as references, or as data.
  func receives(_ place: Int?, asReference: Bool) -> Bool {
    switch place.map({ roles[$0] }) {
    case .service?: asReference
    case .value?: !asReference
    case .decorated?, .runtime?, .container?, nil: false
    }
  }

  /// Whether the type provides a name.
  func provides(_ name: String) -> Bool {
    provided.isEmpty ? descriptor.provides.contains(name) : provided.contains(name)
  }

  /// What the type provides, in words.
  var providesInWords: String {
    "type \"\(name)\" provides " + (descriptor.provides.isEmpty ? "nothing" : descriptor.provides.quotedList)
  }
}

extension ArgumentDescriptor {
  /// Whether a file must give something for the argument.
  fileprivate var isRequired: Bool {
    switch kind {
    case .value(.optional): false
    case .value, .service: !isOptional && !hasDefault
    case .decorated, .runtime, .scope, .resolver: false
    }
  }
}
