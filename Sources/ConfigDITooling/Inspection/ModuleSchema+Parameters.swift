// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

extension ModuleSchema {
  /// Returns the schema of a parameter: a literal or a descriptor. Under `override` (`isChange`), no source is
  /// required.
  func parameter(isChange: Bool) -> Value {
    let literal: Value = ["type": ["string", "number", "boolean", "array"]]
    return ["anyOf": [literal.described("The value itself."), descriptor(isChange: isChange)]]
  }

  /// Returns the schema of a descriptor, which has the source of the parameter's value and its constraints.
  private func descriptor(isChange: Bool) -> Value {
    var schemas: [Keyword: Value] = [
      .value: Value.ref("datum").described("The value itself; texts in it may refer to parameters by ${name}."),
      .sources: sources,
      .type: .words(ParameterType.declarable.map(\.rawValue), "What the text is converted to; without it a string."),
      .default: Value.ref("datum").described("The value if the source of the parameter is missing."),
      .oneOf: .list(of: .ref("datum"), "The allowed values."),
      .min: ["type": ["number", "string"], "description": "The smallest allowed value."],
      .max: ["type": ["number", "string"], "description": "The greatest allowed value."],
      .secret: .flag("Whether the value is never printed."),
      .unset: .ref("paths"),
      .suppress: .ref("suppressions"),
      .deprecated: .anyText("What to use instead; uses of the parameter are reported as warnings."),
    ]
    schemas.merge(ModuleSchema.textSources) { $1 }
    var conditions = ModuleSchema.sourceExclusions + ModuleSchema.typeConditions
    if !isChange { conditions.append(["anyOf": .list(Keyword.sourceKeys.map { ["required": [.string($0.text)]] })]) }
    let keys = isChange ? Keyword.overriding(Keyword.parameterKeys) : Keyword.parameterKeys
    return .closedMap(keys, schemas, also: ["allOf": .list(conditions)])
  }

  /// The schemas of the sources outside the module.
  private static let textSources: [Keyword: Value] = [
    .env: .nonEmptyText("The environment variable that the value comes from."),
    .file: .nonEmptyText("The file whose text is the value, without one line break at its end."),
    .config: .nonEmptyText("The key in the application's configuration under which the value stands."),
  ]

  /// The schema of a list of sources, of which the first that is present gives the value.
  private var sources: Value {
    let forms = Keyword.sourceForms.map { ["required": .list($0.map { .string($0.text) })] as Value }
    let source = Value.closedMap(
      Keyword.sourceForms.flatMap { $0 }, ModuleSchema.textSources, also: ["oneOf": .list(forms)])
    return Value.list(of: source, "Where the value may come from; the first that is present gives it.")
      .adding(["minItems": 1])
  }

  /// Conditions: a parameter has at most one source, and no default beside a value.
  private static let sourceExclusions: [Value] = {
    let keys = Keyword.sourceKeys
    let pairs =
      keys.indices.flatMap { first in keys[(first + 1)...].map { [keys[first], $0] } } + [[.value, .default]]
    return pairs.map { pair in ["not": ["required": .list(pair.map { .string($0.text) })]] }
  }()

  /// Conditions: for each type, the literals beside it must be of that type.
  private static let typeConditions: [Value] = ParameterType.declarable.map { type in
    let (literal, bound) = (type.literal, type.isOrdered ? type.literal : false)
    let properties = Value([
      "default": literal, "value": type == .json ? nil : ["anyOf": [literal, .placeholder]],
      "oneOf": type == .json ? nil : .list(of: literal), "min": bound, "max": bound,
    ])
    return .when("type", is: .string(type.rawValue), then: ["properties": properties])
  }
}

extension ParameterType {
  /// The schema of a literal of the type.
  fileprivate var literal: Value {
    switch self {
    case .string: ["type": "string"]
    case .int: ["type": "integer"]
    case .double: ["type": "number"]
    case .bool: ["type": "boolean"]
    case .duration: .pattern(ModuleSchema.durationPattern)
    case .size: .pattern(ModuleSchema.sizePattern)
    case .list: ["type": "array"]
    case .json: .ref("datum")
    case .map: ["type": "object"]
    }
  }
}

extension ModuleSchema {
  /// The pattern of a duration.
  static let durationPattern = #"^[0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h|d)$"#
  /// The pattern of a size in bytes.
  static let sizePattern = "^[0-9]+(B|kB|MB|GB|KiB|MiB|GiB)$"
}

extension Value {
  /// The schema of a string that is one placeholder, and so may be of any type after expansion.
  static var placeholder: Value { .pattern("^\\$\\{\(ModuleSchema.idPattern)\\}$") }

  /// The schema of a string with a placeholder, whose expanded text is not known.
  static var interpolated: Value { .pattern("\\$\\{\(ModuleSchema.idPattern)\\}") }
}
