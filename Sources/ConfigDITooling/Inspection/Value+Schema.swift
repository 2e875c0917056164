// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// JSON Schema building blocks.
extension Value {
  /// Returns a reference to a definition of the schema.
  static func ref(_ name: String) -> Value { ["$ref": .string("#/$defs/" + name)] }

  /// Returns the schema of a string.
  static func anyText(_ words: String) -> Value { ["type": "string", "description": .string(words)] }

  /// Returns the schema of a string that is not empty.
  static func nonEmptyText(_ words: String) -> Value {
    ["type": "string", "minLength": 1, "description": .string(words)]
  }

  /// Returns the schema of a boolean.
  static func flag(_ words: String) -> Value { ["type": "boolean", "description": .string(words)] }

  /// Returns the schema of a string that matches a pattern (ECMA-262).
  static func pattern(_ pattern: String, _ words: String? = nil) -> Value {
    let schema: Value = ["type": "string", "pattern": .string(pattern)]
    return schema.described(words)
  }

  /// Returns the schema of one of the given strings.
  static func words(_ words: [String], _ description: String? = nil) -> Value {
    let schema: Value = ["enum": .list(words.map(Value.string))]
    return schema.described(description)
  }

  /// Returns the schema of a value that matches at least one of the schemas.
  static func any(of schemas: [Value]) -> Value { schemas.count == 1 ? schemas[0] : ["anyOf": .list(schemas)] }

  /// Returns the schema of a list.
  static func list(of element: Value, _ words: String? = nil) -> Value {
    let schema: Value = ["type": "array", "items": element]
    return schema.described(words)
  }

  /// Returns the schema of a name, some of which are suggested. Any other name that fits the definition is valid, too.
  ///
  /// - Parameter doc: Returns the description of a name, for editors that support `enumDescriptions`.
  static func offered(
    _ names: [String], else definition: String = "id", _ words: String? = nil, doc: (String) -> String? = { _ in nil }
  ) -> Value {
    let other = Value.ref(definition)
    let docs = names.map { doc($0) ?? "" }
    let descriptions = docs.allSatisfy(\.isEmpty) ? nil : Value.list(docs.map(Value.string))
    let known = Value.words(names).adding(["enumDescriptions": descriptions])
    let offered: Value = names.isEmpty ? other : ["anyOf": [known, other]]
    return offered.described(words)
  }

  /// Returns the schema of a map with the given keys, and with those that every such map may have: `doc`, and keys that
  /// begin with `x-`.
  static func closedMap(
    _ keys: [Keyword], _ schemas: [Keyword: Value], required: [Keyword] = [], _ words: String? = nil,
    also: Value = [:]
  ) -> Value {
    let properties = Value.map(keys.map { Entry(key: $0.text, value: schemas[$0] ?? true) })
    let schema = Value([
      "type": "object",
      "properties": properties.adding(["doc": .anyText("What readers should know.")]),
      "patternProperties": ["^x-": true], "additionalProperties": false,
      "required": Value.list(required.map { .string($0.text) }).unlessEmpty,
    ])
    return Value.map(schema.entries + also.entries).described(words)
  }

  /// Returns the schema of a map from ids, some of which are suggested.
  static func idMap(_ ids: [String], to entry: Value, _ words: String? = nil) -> Value {
    .openMap(to: entry, names: .ref("id"), words, offering: ids.map { Entry(key: $0, value: entry) })
  }

  /// Returns the schema of a map from names, some of which are suggested, each with a schema of its own.
  static func openMap(
    to entry: Value, names: Value, _ words: String? = nil, offering offered: [Entry] = []
  ) -> Value {
    let schema = Value([
      "type": "object", "propertyNames": names, "properties": Value.map(offered).unlessEmpty,
      "additionalProperties": entry,
    ])
    return schema.described(words)
  }

  /// Returns a schema that applies if a key has a value.
  static func when(_ key: String, is value: Value, then schema: Value) -> Value {
    [
      "if": ["properties": [key: ["const": value]], "required": [.string(key)]],
      "then": schema,
    ]
  }

  /// Returns the schema with a description.
  func described(_ words: String?) -> Value {
    adding(["description": words.map(Value.string)])
  }
}
