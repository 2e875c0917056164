// SPDX-License-Identifier: Apache-2.0

@testable import ConfigDI
@testable import ConfigDITooling

/// A simple, slow evaluator for the keywords of JSON Schema that the schema of modules uses.
struct SchemaEvaluator {
  /// The schema with its definitions.
  let root: Value

  /// Creates an evaluator of a schema.
  init(_ schema: ModuleSchema) { root = schema.value }

  /// Returns whether a document is valid.
  func accepts(_ document: Value) -> Bool { accepts(document, root) }

  /// Keywords without effect on validity, and keywords that are evaluated together with another one.
  private static let silent = [
    "$schema", "$defs", "title", "description", "deprecated", "default", "then", "additionalProperties",
    "enumDescriptions",
    "patternProperties",
  ]

  /// Returns whether a document is valid against a part of the schema.
  func accepts(_ document: Value, _ schema: Value) -> Bool {
    if case .boolean(let truth) = schema { return truth }
    return schema.entries.allSatisfy { keyword in
      SchemaEvaluator.silent.contains(keyword.key) || accepts(document, keyword.key, keyword.value)
    } && acceptsRest(document, schema)
  }

  /// Returns whether a document is valid against one keyword.
  private func accepts(_ document: Value, _ keyword: String, _ value: Value) -> Bool {
    switch keyword {
    case "$ref":
      let name = (value.text ?? "").split(separator: "/").last.map(String.init) ?? ""
      guard let definition = root.member("$defs")?.member(name) else { preconditionFailure("no definition \(name)") }
      return accepts(document, definition)
    case "type": return (value.text.map { [.string($0)] } ?? value.elements).contains { isOf($0.text ?? "", document) }
    case "const": return document == value
    case "enum": return value.elements.contains(document)
    case "pattern": return document.text.map { matches($0, value) } ?? true
    case "minLength": return document.text.map { .integer(Int64($0.count)) >= value } ?? true
    case "minimum": return document.isNumber ? document >= value : true
    case "maximum": return document.isNumber ? value >= document : true
    case "items": return document.elements.allSatisfy { accepts($0, value) }
    case "properties":
      return value.entries.allSatisfy { entry in document.member(entry.key).map { accepts($0, entry.value) } ?? true }
    case "propertyNames": return document.entries.allSatisfy { accepts(.string($0.key), value) }
    case "required":
      guard case .map = document else { return true }
      return value.elements.allSatisfy { document.member($0.text ?? "") != nil }
    case "anyOf": return value.elements.contains { accepts(document, $0) }
    case "oneOf": return value.elements.count { accepts(document, $0) } == 1
    case "minItems":
      if case .list(let elements) = document { return .integer(Int64(elements.count)) >= value } else { return true }
    case "allOf": return value.elements.allSatisfy { accepts(document, $0) }
    case "not": return !accepts(document, value)
    case "if": return true
    default: preconditionFailure("the keyword \(keyword) is unknown")
    }
  }

  /// Returns whether a document is valid against the keywords that depend on each other.
  private func acceptsRest(_ document: Value, _ schema: Value) -> Bool {
    if let condition = schema.member("if"), accepts(document, condition), let then = schema.member("then"),
      !accepts(document, then)
    {
      return false
    }
    guard let additional = schema.member("additionalProperties") else { return true }
    let patterns = schema.member("patternProperties")?.entries ?? []
    return document.entries.allSatisfy { entry in
      schema.member("properties")?.member(entry.key) != nil
        || patterns.contains { matches(entry.key, .string($0.key)) } || accepts(entry.value, additional)
    }
  }

  /// Returns whether a part of a text matches a pattern.
  private func matches(_ text: String, _ pattern: Value) -> Bool {
    guard let expression = try? Regex(pattern.text ?? "") else { preconditionFailure("an invalid pattern") }
    return text.firstMatch(of: expression) != nil
  }

  /// Returns whether a document is of a JSON type.
  private func isOf(_ type: String, _ document: Value) -> Bool {
    switch (type, document) {
    case ("string", .string), ("boolean", .boolean), ("array", .list), ("object", .map), ("integer", .integer),
      ("number", .integer), ("number", .real):
      true
    default: false
    }
  }
}

extension Value {
  /// Whether the value is a number.
  fileprivate var isNumber: Bool { number != nil }

  /// The value of a number.
  private var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }

  /// Returns whether a number is greater than or equal to another.
  fileprivate static func >= (left: Value, right: Value) -> Bool { (left.number ?? 0) >= (right.number ?? 0) }
}
