// SPDX-License-Identifier: Apache-2.0

extension Catalog {
  /// The version of the catalog format that this library writes and reads.
  static let version: Int64 = 1

  /// The catalog as JSON for tools that run without the application. Ends with a line break.
  ///
  /// Equal catalogs give equal bytes, so the text can be put under version control and compared:
  ///
  /// ```swift
  /// let catalog = Catalog(types: [TypeDescriptor(name: "ConsoleLogger", provides: ["Logger"])])
  /// print(catalog.json, terminator: "")
  /// ```
  public var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key(CatalogKey.version)
      writer.integer(Catalog.version)
      writer.key(CatalogKey.types)
      writer.array { writer in
        for type in ascendingTypes { writer.type(type) }
      }
    }
    return writer.text + "\n"
  }

  /// The types in ascending order of their names, even if `types` was changed.
  fileprivate var ascendingTypes: [TypeDescriptor] { types.ascending(by: \.name) }

  /// The catalog as a value.
  var value: Value {
    [CatalogKey.version: .integer(Catalog.version), CatalogKey.types: .list(ascendingTypes.map(\.value))]
  }
}

extension JSONWriter {
  /// Writes a type, with one argument on each line.
  fileprivate mutating func type(_ type: TypeDescriptor) {
    guard case .map(let entries) = type.value else { return }
    object { writer in
      for entry in entries {
        writer.key(entry.key)
        if case .list(let arguments) = entry.value, entry.key == CatalogKey.arguments {
          writer.array { for argument in arguments { $0.value(argument, .line) } }
        } else {
          writer.value(entry.value)
        }
      }
    }
  }
}

/// The keys of the maps in a catalog.
enum CatalogKey {
  static let version = "configdi-catalog"
  static let types = "types"

  static let name = "name"
  static let provides = "provides"
  static let isSendable = "sendable"
  static let isAsync = "async"
  static let isGiven = "given"
  static let isOnMainActor = "mainActor"
  static let deprecated = "deprecated"
  static let source = "source"
  static let arguments = "arguments"

  static let key = "key"
  /// A key of types and of arguments.
  static let kind = "kind"
  static let type = "type"
  /// A key of types and of run-time arguments.
  static let swiftType = "swiftType"
  static let isOptional = "optional"
  static let defaultValue = "default"
  static let isSecret = "secret"
  static let wrapper = "wrapper"
  static let isHashable = "hashable"
  static let scope = "scope"

  /// The key of the map of an enumeration.
  static let oneOf = "oneOf"
  /// The key of the map of a list whose elements contain an enumeration.
  static let list = "list"
  /// The key of the map of a map whose values contain an enumeration.
  static let map = "map"
}

extension TypeDescriptor {
  /// The type as a value.
  var value: Value {
    Value([
      CatalogKey.name: .string(name),
      CatalogKey.provides: .list(provides.map(Value.string)),
      CatalogKey.kind: .string(kind.rawValue),
      CatalogKey.isSendable: .boolean(isSendable),
      CatalogKey.isAsync: .boolean(isAsync),
      CatalogKey.isOnMainActor: isOnMainActor ? true : nil,
      CatalogKey.isGiven: isGiven ? true : nil,
      CatalogKey.swiftType: swiftType.map(Value.string),
      CatalogKey.deprecated: deprecated.map(Value.string),
      CatalogKey.source: .string(source),
      CatalogKey.arguments: .list(arguments.map(\.value)),
    ])
  }
}

extension ArgumentDescriptor {
  /// The argument as a value.
  ///
  /// An argument whose default cannot be expressed in JSON is written as optional. For module files this is equivalent.
  var value: Value {
    var entries: [Value.Entry] = [
      .init(key: CatalogKey.key, value: .string(key)),
      .init(key: CatalogKey.kind, value: .string(kind.word)),
    ]
    var hasOptionalNotation = false
    switch kind {
    case .value(let type):
      // `T?` expresses this, but the map of an enumeration has no question mark.
      if case .optional(let wrapped) = type, type.holdsEnumeration {
        entries.append(.init(key: CatalogKey.type, value: wrapped.value))
      } else {
        entries.append(.init(key: CatalogKey.type, value: type.value))
        if case .optional = type { hasOptionalNotation = true }
      }
    case .service(let type, _), .decorated(let type), .runtime(let type, _):
      entries.append(.init(key: CatalogKey.type, value: .string(type)))
    case .scope(let name): entries.append(.init(key: CatalogKey.scope, value: .string(name)))
    case .resolver: break
    }
    let expressible = shownDefault.flatMap { $0.isFinite ? $0 : nil }
    let mayStayAway = isOptional || (hasDefault && expressible == nil)
    if mayStayAway, !hasOptionalNotation { entries.append(.init(key: CatalogKey.isOptional, value: true)) }
    if let expressible { entries.append(.init(key: CatalogKey.defaultValue, value: expressible)) }
    if isSecret { entries.append(.init(key: CatalogKey.isSecret, value: true)) }
    switch kind {
    case .service(_, let wrapper) where wrapper != .direct:
      entries.append(.init(key: CatalogKey.wrapper, value: .string(wrapper.rawValue)))
    case .runtime(_, let isHashable):
      entries.append(.init(key: CatalogKey.isHashable, value: .boolean(isHashable)))
      if let swiftType { entries.append(.init(key: CatalogKey.swiftType, value: .string(swiftType))) }
    default: break
    }
    return .map(entries)
  }
}

extension ArgumentDescriptor.Kind {
  /// The names of all kinds in the catalog.
  static let words = ["value", "service", "decorated", "runtime", "scope", "resolver"]

  /// The name of the kind in the catalog.
  var word: String {
    switch self {
    case .value: "value"
    case .service: "service"
    case .decorated: "decorated"
    case .runtime: "runtime"
    case .scope: "scope"
    case .resolver: "resolver"
    }
  }
}

extension ValueType {
  /// The type as a value: its notation, or a map if it contains an enumeration.
  ///
  /// Recursive, with one stack frame for each level of the type.
  var value: Value {
    guard holdsEnumeration else { return .string(notation) }
    return switch self {
    case .oneOf(let values): [CatalogKey.oneOf: .list(values)]
    case .list(let element): [CatalogKey.list: element.value]
    case .map(let element): [CatalogKey.map: element.value]
    case .optional(let wrapped): [CatalogKey.isOptional: wrapped.value]
    default: .string(notation)
    }
  }
}
