// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension ModuleSchema {
  /// The name of a registered type: of one that a service may have, or of one that wraps another.
  func type(isDecorator: Bool) -> Value {
    let words =
      isDecorator ? "The registered type that wraps the instance." : "The registered type's name."
    guard let catalog else { return Value.ref("typeName").described(words) }
    return .words(catalog.types.filter { $0.isDecorator == isDecorator }.map(\.name), words)
  }

  /// A name that a type provides.
  var providedName: Value {
    guard let catalog else { return .ref("typeName") }
    return .words(Set(catalog.types.flatMap(\.provides)).ascending)
  }

  /// What each registered type says of the arguments beside it; nil where the types are not known.
  var typed: Value? {
    guard let catalog else { return nil }
    return [
      "allOf": .list(catalog.types.map { .when("type", is: .string($0.name), then: $0.schema) })
    ]
  }
}

extension TypeDescriptor {
  /// Whether the type wraps another instance.
  fileprivate var isDecorator: Bool {
    arguments.contains { if case .decorated = $0.kind { true } else { false } }
  }

  /// What a service of the type, a template or a decorator looks like.
  fileprivate var schema: Value {
    var inject: [Value.Entry] = []
    var values: [Value.Entry] = []
    for argument in arguments {
      switch argument.kind {
      case .service(let type, let wrapper):
        let words = wrapper == .direct ? type : "\(type), \(wrapper.rawValue)"
        inject.append(Value.Entry(key: argument.key, value: Value.ref("reference").described(words)))
      case .value(let type):
        var schema = type.schema.described(argument.words(for: type))
        if let defaultValue = argument.defaultValue, defaultValue.isFinite {
          schema = .map(schema.entries + [Value.Entry(key: "default", value: defaultValue)])
        }
        values.append(Value.Entry(key: argument.key, value: schema))
      case .decorated, .runtime, .scope, .resolver: break
      }
    }
    var type = [Value.Entry(key: "description", value: .string(words))]
    if deprecated != nil { type.append(Value.Entry(key: "deprecated", value: true)) }
    let provides = Value.words(self.provides)
    return [
      "properties": [
        "type": .map(type),
        "provides": [
          "items": provides, "properties": ["append": ["items": provides], "prepend": ["items": provides]],
        ],
        "inject": ["properties": .map(inject), "additionalProperties": false],
        "values": ["properties": .map(values), "additionalProperties": false],
      ]
    ]
  }

  /// What readers should know of the type.
  private var words: String {
    var words = [name]
    if let kind = kind.inWords { words.append(kind) }
    if !provides.isEmpty { words.append("provides " + provides.joined(separator: ", ")) }
    if !source.isEmpty { words.append("registered at " + source) }
    if let deprecated { words.append("deprecated: " + deprecated) }
    return words.joined(separator: "; ")
  }
}

extension TypeDescriptor.Kind {
  /// The kind with its article; nil where only a protocol is known.
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
  /// What readers should know of an argument that receives a datum.
  fileprivate func words(for type: ValueType) -> String {
    var words = [type.notation]
    if isOptional { words.append("may stay away") } else if !hasDefault { words.append("required") }
    if isSecret { words.append("may be a secret") }
    return words.joined(separator: ", ")
  }
}

extension ValueType {
  /// The schema of a datum of the type; a text that stands for a parameter is one of any.
  ///
  /// Recursive, one frame a level of the type.
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
    case .url: .any(of: [.pattern(#"^[A-Za-z][A-Za-z0-9+.-]*:\S+$"#), .interpolated])
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
  /// The schema of an integer of the type; the widest have no bounds that a file could pass.
  fileprivate var schema: Value {
    var entries = [Value.Entry(key: "type", value: "integer")]
    if range.lowerBound != .min { entries.append(Value.Entry(key: "minimum", value: .integer(range.lowerBound))) }
    if range.upperBound != .max { entries.append(Value.Entry(key: "maximum", value: .integer(range.upperBound))) }
    return .map(entries)
  }
}
