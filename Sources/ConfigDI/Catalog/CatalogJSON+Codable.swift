// SPDX-License-Identifier: Apache-2.0

/// The same shape as `json`, in any format.
extension Catalog: Codable {
  /// Reads a catalog.
  ///
  /// - Throws: `DecodingError` where the shape or the version is another.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: TextKey.self)
    let version = try container.decode(Int64.self, forKey: TextKey(CatalogKey.version))
    guard version == Catalog.version else {
      throw DecodingError.dataCorruptedError(
        forKey: TextKey(CatalogKey.version), in: container, debugDescription: "version \(version) is not supported")
    }
    self.init(types: try container.decode([TypeDescriptor].self, forKey: TextKey(CatalogKey.types)))
  }

  public func encode(to encoder: any Encoder) throws {
    try value.encode(to: encoder)
  }
}

extension TypeDescriptor: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: TextKey.self)
    self.init(
      name: try container.decode(String.self, forKey: TextKey(CatalogKey.name)),
      provides: try container.decode([String].self, forKey: TextKey(CatalogKey.provides)),
      kind: try container.word(Kind.self, CatalogKey.kind),
      isSendable: try container.decode(Bool.self, forKey: TextKey(CatalogKey.isSendable)),
      isAsync: try container.decodeIfPresent(Bool.self, forKey: TextKey(CatalogKey.isAsync)) ?? false,
      isGiven: try container.flag(CatalogKey.isGiven),
      deprecated: try container.decodeIfPresent(String.self, forKey: TextKey(CatalogKey.deprecated)),
      source: try container.decodeIfPresent(String.self, forKey: TextKey(CatalogKey.source)) ?? "",
      arguments: try container.decode([ArgumentDescriptor].self, forKey: TextKey(CatalogKey.arguments)),
      isOnMainActor: try container.flag(CatalogKey.isOnMainActor),
      swiftType: try container.decodeIfPresent(String.self, forKey: TextKey(CatalogKey.swiftType)))
  }

  public func encode(to encoder: any Encoder) throws {
    try value.encode(to: encoder)
  }
}

extension ArgumentDescriptor: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: TextKey.self)
    let typeKey = TextKey(CatalogKey.type)
    var isOptional = try container.flag(CatalogKey.isOptional)
    let kind: Kind
    switch try container.decode(String.self, forKey: TextKey(CatalogKey.kind)) {
    case "value":
      let type = try container.decode(ValueType.self, forKey: typeKey).madeOptional(isOptional)
      if case .optional = type { isOptional = true }
      kind = .value(type)
    case "service":
      let hasWrapper = container.contains(TextKey(CatalogKey.wrapper))
      kind = .service(
        type: try container.decode(String.self, forKey: typeKey),
        wrapper: hasWrapper ? try container.word(Wrapper.self, CatalogKey.wrapper) : .direct)
    case "decorated":
      kind = .decorated(type: try container.decode(String.self, forKey: typeKey))
    case "runtime":
      kind = .runtime(
        type: try container.decode(String.self, forKey: typeKey),
        isHashable: try container.flag(CatalogKey.isHashable))
    case "scope": kind = .scope(try container.decode(String.self, forKey: TextKey(CatalogKey.scope)))
    case "resolver": kind = .resolver
    case let word:
      throw DecodingError.dataCorruptedError(
        forKey: TextKey(CatalogKey.kind), in: container, debugDescription: "\"\(word)\" is not a kind of argument")
    }
    self.init(
      key: try container.decode(String.self, forKey: TextKey(CatalogKey.key)), kind: kind, isOptional: isOptional,
      defaultValue: try container.decodeIfPresent(Value.self, forKey: TextKey(CatalogKey.defaultValue)),
      isSecret: try container.flag(CatalogKey.isSecret),
      swiftType: try container.decodeIfPresent(String.self, forKey: TextKey(CatalogKey.swiftType)))
  }

  public func encode(to encoder: any Encoder) throws {
    try value.encode(to: encoder)
  }
}

extension ValueType: Codable {
  public init(from decoder: any Decoder) throws {
    if let notation = try? decoder.singleValueContainer().decode(String.self) {
      self.init(notation: notation)
      return
    }
    let container = try decoder.container(keyedBy: TextKey.self)
    if container.contains(TextKey(CatalogKey.list)) {
      self = .list(try container.decode(ValueType.self, forKey: TextKey(CatalogKey.list)))
    } else if container.contains(TextKey(CatalogKey.map)) {
      self = .map(try container.decode(ValueType.self, forKey: TextKey(CatalogKey.map)))
    } else if container.contains(TextKey(CatalogKey.isOptional)) {
      self = .optional(try container.decode(ValueType.self, forKey: TextKey(CatalogKey.isOptional)))
    } else {
      self = .oneOf(try container.decode([Value].self, forKey: TextKey(CatalogKey.oneOf)))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try value.encode(to: encoder)
  }

  /// The type, as `T?` where the argument's own key says so because an enumeration has no notation.
  package func madeOptional(_ isOptional: Bool) -> ValueType {
    if case .optional = self { return self }
    return isOptional && holdsEnumeration ? .optional(self) : self
  }
}

extension KeyedDecodingContainer<TextKey> {
  /// A truth value that is false where it is absent.
  fileprivate func flag(_ key: String) throws -> Bool {
    try decodeIfPresent(Bool.self, forKey: TextKey(key)) ?? false
  }

  /// A word of a closed list.
  fileprivate func word<Word: RawRepresentable<String>>(_ type: Word.Type, _ key: String) throws -> Word {
    let word = try decode(String.self, forKey: TextKey(key))
    guard let found = Word(rawValue: word) else {
      throw DecodingError.dataCorruptedError(
        forKey: TextKey(key), in: self, debugDescription: "\"\(word)\" is not allowed here")
    }
    return found
  }
}
