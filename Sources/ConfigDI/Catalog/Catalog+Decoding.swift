// SPDX-License-Identifier: Apache-2.0

extension Catalog {
  /// Reads a catalog from a document, and reports its errors in the same way as those of a module file.
  ///
  /// - Returns: `nil` if the catalog has an error, since a part of it would make misspelt types look unknown.
  package init?(decoding document: Document, bag: inout DiagnosticBag) {
    var decoder = ShapeReader(document: document)
    let types = decoder.types()
    bag.append(decoder.bag)
    guard document.isComplete, !decoder.isMalformed else { return nil }
    self.init(types: types)
  }
}

/// Encodes and decodes the structure of `json`, in any format.
extension Catalog: Codable {
  /// Reads a catalog.
  ///
  /// - Throws: `DecodingError` with the first finding if the structure is malformed or the version is not supported.
  public init(from decoder: any Decoder) throws {
    let text = JSONWriter.text(of: try Value(from: decoder), .line)
    var bag = DiagnosticBag()
    let document = Document(reading: SourceFile(name: "", text: text), file: FileID(0), syntax: .json, bag: &bag)
    guard let catalog = Catalog(decoding: document, bag: &bag) else {
      let message = bag.findings.first?.message ?? "this is no catalog"
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: message))
    }
    self = catalog
  }

  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension ShapeReader {
  /// Returns the types of the root.
  mutating func types() -> [TypeDescriptor] {
    guard !document.nodes.isEmpty, expect(.map, at: 0), isVersionSupported() else { return [] }
    let fields = fields(
      of: 0, "the catalog", required: [CatalogKey.version, CatalogKey.types], optional: ["$schema"])
    var seen: [ScalarString: UInt32] = [:]
    return elements(of: fields[CatalogKey.types]).compactMap { node in
      guard let type = type(at: node) else { return nil }
      reportRepetition(of: type.name, at: type.node, in: &seen)
      return type.descriptor
    }
  }

  /// Returns whether this library can read the version of the catalog. If not, reports only that.
  private mutating func isVersionSupported() -> Bool {
    guard let key = document.keys(of: 0).first(where: { document.text(of: $0) == CatalogKey.version }) else {
      return true
    }
    guard expect(.integer, at: key + 1) else { return false }
    guard document[key + 1].payload != Catalog.version else { return true }
    report(.unsupportedCatalog(version: document[key + 1].payload, at: document.reference(key + 1)))
    return false
  }
}

// MARK: - Types and arguments

extension ShapeReader {
  /// Returns a type and the node of its name.
  private mutating func type(at node: UInt32) -> (name: String, node: UInt32, descriptor: TypeDescriptor)? {
    guard expect(.map, at: node) else { return nil }
    let fields = fields(
      of: node, "the type",
      required: [
        CatalogKey.name, CatalogKey.provides, CatalogKey.kind, CatalogKey.isSendable, CatalogKey.arguments,
      ],
      optional: [
        CatalogKey.isAsync, CatalogKey.isGiven, CatalogKey.isOnMainActor, CatalogKey.swiftType, CatalogKey.deprecated,
        CatalogKey.source,
      ])
    let name = name(at: fields[CatalogKey.name])
    // Without duplicates, since a name that is listed twice would count as provided by two services.
    var provided: Set<String> = []
    let provides = elements(of: fields[CatalogKey.provides]).compactMap { typeText(at: $0) }
      .filter { provided.insert($0).inserted }
    let kind = word(at: fields[CatalogKey.kind], of: TypeDescriptor.Kind.allCases.map(\.rawValue))
      .flatMap(TypeDescriptor.Kind.init)
    let isSendable = boolean(at: fields[CatalogKey.isSendable])
    let isAsync = boolean(at: fields[CatalogKey.isAsync])
    let isGiven = boolean(at: fields[CatalogKey.isGiven])
    let deprecated = string(at: fields[CatalogKey.deprecated])
    let source = string(at: fields[CatalogKey.source])
    let isOnMainActor = boolean(at: fields[CatalogKey.isOnMainActor])
    let swiftType = string(at: fields[CatalogKey.swiftType])
    var seen: [ScalarString: UInt32] = [:]
    let arguments = elements(of: fields[CatalogKey.arguments]).compactMap { node -> ArgumentDescriptor? in
      guard let argument = argument(at: node) else { return nil }
      reportRepetition(of: argument.descriptor.key, at: argument.node, in: &seen)
      return argument.descriptor
    }
    guard let name, let kind, let isSendable, let nameNode = fields[CatalogKey.name] else { return nil }
    return (
      name, nameNode,
      TypeDescriptor(
        name: name, provides: provides, kind: kind, isSendable: isSendable, isAsync: isAsync ?? false,
        isGiven: isGiven ?? false, deprecated: deprecated, source: source ?? "", arguments: arguments,
        isOnMainActor: isOnMainActor ?? false, swiftType: swiftType)
    )
  }

  /// Returns an argument and the node of its key.
  private mutating func argument(at node: UInt32) -> (node: UInt32, descriptor: ArgumentDescriptor)? {
    guard expect(.map, at: node) else { return nil }
    let word = document.keys(of: node).first { document.text(of: $0) == CatalogKey.kind }
      .map { document[$0 + 1].kind == .string ? document.text(of: $0 + 1) : "" }
    let fields = fields(
      of: node, "the argument",
      required: [CatalogKey.key, CatalogKey.kind] + ArgumentDescriptor.Kind.requiredKeys(word: word ?? ""),
      optional: [CatalogKey.isOptional] + ArgumentDescriptor.Kind.furtherKeys(word: word ?? ""))
    let key = string(at: fields[CatalogKey.key])
    if key == "", let node = fields[CatalogKey.key] { report(.emptyKey(at: document.reference(node))) }
    var isOptional = boolean(at: fields[CatalogKey.isOptional]) ?? false
    let isSecret = boolean(at: fields[CatalogKey.isSecret]) ?? false
    let isHashable = boolean(at: fields[CatalogKey.isHashable]) ?? false
    let swiftType = string(at: fields[CatalogKey.swiftType])
    let wrapper = self.word(
      at: fields[CatalogKey.wrapper], of: ArgumentDescriptor.Wrapper.allCases.map(\.rawValue))
    guard let kindWord = self.word(at: fields[CatalogKey.kind], of: ArgumentDescriptor.Kind.words),
      let keyNode = fields[CatalogKey.key]
    else { return nil }

    var defaultValue: Value?
    let kind: ArgumentDescriptor.Kind
    if kindWord == "resolver" {
      kind = .resolver
    } else if kindWord == "scope" {
      guard let scope = string(at: fields[CatalogKey.scope]) else { return nil }
      kind = .scope(scope)
    } else if kindWord == "value" {
      guard let typeNode = fields[CatalogKey.type], let type = valueType(at: typeNode)?.madeOptional(isOptional) else {
        return nil
      }
      if case .optional = type { isOptional = true }
      defaultValue = fields[CatalogKey.defaultValue].flatMap { datum(at: $0, of: type) }
      kind = .value(type)
    } else {
      guard let typeNode = fields[CatalogKey.type], let type = typeText(at: typeNode) else { return nil }
      kind =
        switch kindWord {
        case "service": .service(type: type, wrapper: wrapper.flatMap(ArgumentDescriptor.Wrapper.init) ?? .direct)
        case "decorated": .decorated(type: type)
        default: .runtime(type: type, isHashable: isHashable)
        }
    }
    guard let key else { return nil }
    return (
      keyNode,
      ArgumentDescriptor(
        key: key, kind: kind, isOptional: isOptional, defaultValue: defaultValue, isSecret: isSecret,
        swiftType: swiftType)
    )
  }

  /// Returns the text of a Swift type that services provide or arguments receive, such as `Logger & Health`; `nil` if
  /// it is empty. Unlike the name of a registered type, it need not follow the grammar of names in files.
  private mutating func typeText(at node: UInt32) -> String? {
    guard let text = string(at: node) else { return nil }
    if !text.isEmpty { return text }
    report(.emptyKey(at: document.reference(node)))
    return nil
  }

  /// Returns the type of a value, written as a text, or as a map if it contains an enumeration.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func valueType(at node: UInt32) -> ValueType? {
    if document[node].kind == .string { return typeText(at: node).map(ValueType.init(notation:)) }
    guard expect(.map, at: node) else { return nil }
    let others = [CatalogKey.list, CatalogKey.map, CatalogKey.isOptional]
    let isOther = document.keys(of: node).contains { others.contains(document.text(of: $0)) }
    let fields = fields(
      of: node, "the enumeration", required: isOther ? [] : [CatalogKey.oneOf],
      optional: isOther ? [CatalogKey.oneOf] + others : others)
    let values = fields.values.sorted()
    if values.count > 1 {
      report(.severalForms(at: document.reference(values[1] - 1), first: document.reference(values[0] - 1)))
    }
    guard fields.count == 1, let (form, inner) = fields.first else { return nil }
    switch form {
    case CatalogKey.list: return valueType(at: inner).map(ValueType.list)
    case CatalogKey.map: return valueType(at: inner).map(ValueType.map)
    case CatalogKey.isOptional: return valueType(at: inner).map(ValueType.optional)
    default:
      return .oneOf(
        elements(of: inner).compactMap { element in
          if document[element].kind == .integer { return Value(element, of: document) }
          return string(at: element).map(Value.string)
        })
    }
  }

  /// Returns a default value. Reports it if it does not have the argument's type.
  private mutating func datum(at node: UInt32, of type: ValueType) -> Value? {
    guard let value = Value(node, of: document) else {
      isMalformed = true
      return nil
    }
    for mismatch in type.mismatches(of: value) {
      let place = document.reference(document.node(mismatch.path, below: node))
      report(Finding(.wrongKind, mismatch.message, at: place))
    }
    return value
  }

  /// Reports a name that is a duplicate.
  private mutating func reportRepetition(of name: String, at node: UInt32, in seen: inout [ScalarString: UInt32]) {
    if let first = seen.updateValue(node, forKey: ScalarString(name)) {
      report(.repeated(name, at: document.reference(node), first: document.reference(first)))
    }
  }
}

extension ValueType {
  /// Returns the type as `T?` if `isOptional` is true and it contains an enumeration, which has no notation.
  fileprivate func madeOptional(_ isOptional: Bool) -> ValueType {
    if case .optional = self { return self }
    return isOptional && holdsEnumeration ? .optional(self) : self
  }
}

extension ArgumentDescriptor.Kind {
  /// Returns the additional required keys of arguments of a kind. For an unknown kind, those of most kinds.
  fileprivate static func requiredKeys(word: String) -> [String] {
    switch word {
    case "scope": [CatalogKey.scope]
    case "resolver": []
    default: [CatalogKey.type]
    }
  }

  /// Returns the additional optional keys of arguments of a kind. For an unknown kind, those of all kinds.
  fileprivate static func furtherKeys(word: String) -> [String] {
    switch word {
    case "value": [CatalogKey.defaultValue, CatalogKey.isSecret]
    case "service": [CatalogKey.wrapper]
    case "decorated", "scope", "resolver": []
    case "runtime": [CatalogKey.isHashable, CatalogKey.swiftType]
    default:
      [CatalogKey.defaultValue, CatalogKey.isSecret, CatalogKey.wrapper, CatalogKey.isHashable, CatalogKey.swiftType]
    }
  }
}

extension Document {
  /// Returns the node at the end of a path below a node. Ignores steps that lead nowhere.
  fileprivate func node(_ path: [ValueType.Mismatch.Step], below root: UInt32) -> UInt32 {
    path.reduce(root) { node, step in
      switch step {
      case .index(let index): elements(of: node).dropFirst(index).first { _ in true } ?? node
      case .key(let key): keys(of: node).first { text(of: $0).utf8.elementsEqual(key.utf8) }.map { $0 + 1 } ?? node
      }
    }
  }
}

// MARK: - Messages

extension Finding {
  /// CDI0205: a catalog of an unsupported version.
  fileprivate static func unsupportedCatalog(version: Int64, at node: NodeRef) -> Finding {
    Finding(
      .unsupportedVersion, "catalog version \(version) is not supported, expected \(Catalog.version)", at: node)
  }

  /// CDI0204: an empty key of an argument, or an empty type.
  fileprivate static func emptyKey(at node: NodeRef) -> Finding {
    Finding(.invalidName, "the empty string is not a valid name", at: node)
  }

  /// CDI0202: a duplicate type, or a duplicate argument of a type.
  fileprivate static func repeated(_ name: String, at node: NodeRef, first: NodeRef) -> Finding {
    Finding(
      .wrongKind, "duplicate name \"\(name)\"", at: node, related: [Finding.Related(.node(first), "first listed here")])
  }

  /// CDI0207: a type of a value that is given in several forms.
  fileprivate static func severalForms(at node: NodeRef, first: NodeRef) -> Finding {
    Finding(
      .excludingKeys, "the type of a value must be given once", at: node,
      related: [Finding.Related(.node(first), "also given here")])
  }
}
