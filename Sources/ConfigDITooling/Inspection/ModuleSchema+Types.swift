// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension ModuleSchema {
  /// Returns the schema of the name of a registered type: a decorator type, or a type for services.
  func type(isDecorator: Bool) -> Value {
    let words =
      isDecorator ? "The registered type that wraps the instance." : "The registered type's name."
    guard let catalog else { return Value.ref("typeName").described(words) }
    let types = catalog.types.filter { $0.isDecorator == isDecorator }
    return Value.words(types.map(\.name)).adding(["enumDescriptions": .list(types.map { .string($0.words) })])
      .described(words)
  }

  /// The schema of a name that a type provides.
  var providedName: Value {
    guard let catalog else { return .ref("typeName") }
    return .words(Set(catalog.types.flatMap(\.provides)).ascending)
  }

  /// Returns the conditions that each registered type, and each template of known type, imposes on arguments beside it.
  func typed(_ catalog: Catalog) -> Value {
    let types = catalog.types.enumerated().map { number, type in
      Value.when("type", is: .string(type.name), then: .ref("type\(number)"))
    }
    let templates = (ids?[.templates] ?? []).compactMap { id in
      union(of: ids?.types(of: id, .templates) ?? []).map { types -> Value in
        [
          "if": [
            "properties": ["extends": ["const": .string(id)]], "required": ["extends"],
            "not": ["required": ["type"]],
          ], "then": types,
        ]
      }
    }
    return ["allOf": .list(types + templates)]
  }

  /// Returns the schema of a service of one of the types, or `nil` if one of them is not registered or there are none.
  func union(of types: [String]) -> Value? {
    let known = types.compactMap { typeNumbers[$0] }
    guard !types.isEmpty, known.count == types.count else { return nil }
    return .any(of: known.map { .ref("type\($0)") })
  }

  /// Returns the services and aliases that may provide a name, including those whose provided names are not known.
  /// Returns all of them if none is known to provide it.
  func services(providing name: String) -> [String] {
    guard providers.contains(where: { $0.provides?.contains(name) == true }) else { return serviceIDs }
    return providers.filter { $0.provides?.contains(name) ?? true }.map(\.id)
  }

  /// Returns the schema of a service, template or decorator of a type.
  func schema(of type: TypeDescriptor) -> Value {
    type.schema { name in .ref(wantedNumbers[name].map { "wanted\($0)" } ?? "reference") }
  }
}

extension TypeDescriptor {
  /// Whether the type decorates another instance.
  var isDecorator: Bool {
    arguments.contains { if case .decorated = $0.kind { true } else { false } }
  }

  /// Returns the schema of a service, template or decorator of the type. `reference` returns the schema of a reference
  /// for an argument that requires a provided name.
  fileprivate func schema(_ reference: (String) -> Value) -> Value {
    var inject: [Value.Entry] = []
    var values: [Value.Entry] = []
    for argument in arguments {
      switch argument.kind {
      case .service(let type, let wrapper):
        let words = wrapper == .direct ? type : "\(type), \(wrapper.rawValue)"
        inject.append(Value.Entry(key: argument.key, value: (["allOf": [reference(type)]] as Value).described(words)))
      case .value(let type):
        let shown = argument.shownDefault.flatMap { $0.isFinite ? $0 : nil }
        let schema = type.schema.described(argument.words(for: type)).adding(["default": shown])
        values.append(Value.Entry(key: argument.key, value: schema))
      case .decorated, .runtime, .scope, .resolver: break
      }
    }
    let provides = Value.words(self.provides)
    return [
      "properties": [
        "type": Value(["description": .string(words), "deprecated": deprecated == nil ? nil : true]),
        "provides": [
          "items": provides, "properties": ["append": ["items": provides], "prepend": ["items": provides]],
        ],
        "inject": ["properties": .map(inject), "additionalProperties": false],
        "values": ["properties": .map(values), "additionalProperties": false],
      ]
    ]
  }

  /// The description of the type for editors.
  fileprivate var words: String {
    var words = [name]
    if let kind = kind.inWords { words.append(kind) }
    if !provides.isEmpty { words.append("provides " + provides.joined(separator: ", ")) }
    if !source.isEmpty { words.append("registered at " + source) }
    if let deprecated { words.append("deprecated: " + deprecated) }
    return words.joined(separator: "; ")
  }
}

extension TypeDescriptor.Kind {
  /// The kind with its article, or `nil` if only a protocol is known.
  fileprivate var inWords: String? {
    switch self {
    case .class: "a class"
    case .struct: "a structure"
    case .enum: "an enumeration"
    case .actor: "an actor"
    case .any: nil
    }
  }
}

extension ArgumentDescriptor {
  /// Returns the description of an argument that receives a datum, for editors.
  fileprivate func words(for type: ValueType) -> String {
    var words = [type.notation]
    if isOptional { words.append("may stay away") } else if !hasDefault { words.append("required") }
    if isSecret { words.append("may be a secret") }
    return words.joined(separator: ", ")
  }
}

extension ValueType {
  /// The schema of a datum of the type. A string that is one placeholder fits any type.
  ///
  /// Recursive: one frame for each level of the type.
  fileprivate var schema: Value {
    switch self {
    case .string: ["type": "string"]
    case .integer(let type):
      .any(of: [type.schema, .placeholder])
    case .real: .any(of: [["type": "number"], .placeholder])
    case .boolean: .any(of: [["type": "boolean"], .placeholder])
    case .duration: .any(of: [.pattern(ModuleSchema.durationPattern), .interpolated])
    case .size: .any(of: [.pattern(ModuleSchema.sizePattern), .interpolated])
    case .bytes: .any(of: [.pattern("^[A-Za-z0-9+/]*={0,2}$"), .interpolated])
    case .url: .any(of: [.pattern(#"^[A-Za-z][A-Za-z0-9+.-]*:\S*$"#), .interpolated])
    case .list(let element): .any(of: [.list(of: element.schema), .placeholder])
    case .map(let element):
      .any(of: [["type": "object", "additionalProperties": element.schema], .placeholder])
    case .optional(let wrapped): wrapped.schema
    case .oneOf(let values): .any(of: [["enum": .list(values)], .interpolated])
    case .named: .ref("datum")
    }
  }
}

extension ValueType.IntegerType {
  /// The schema of an integer of the type. A bound is omitted if no integer in a file can exceed it.
  fileprivate var schema: Value {
    Value([
      "type": "integer", "minimum": range.lowerBound == .min ? nil : .integer(range.lowerBound),
      "maximum": range.upperBound == .max ? nil : .integer(range.upperBound),
    ])
  }
}
