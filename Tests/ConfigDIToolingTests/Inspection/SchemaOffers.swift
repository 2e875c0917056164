// SPDX-License-Identifier: Apache-2.0

@testable import ConfigDI
@testable import ConfigDITooling

/// The completions that an editor offers at a cursor by a schema, found in the same way as by VS Code's JSON service.
///
/// The service collects the schemas that apply to the map around the cursor: the valid alternatives, or all if none is
/// valid, and the consequences of conditions. Offered keys are those of their `properties` and the `enum` values of
/// their `propertyNames`. Offered values are the keywords, constants and booleans in the schema of the key, in any
/// alternative.
struct SchemaOffers {
  /// The schema.
  private let evaluator: SchemaEvaluator
  /// The document without the cursor's key.
  private let document: Value
  /// The keys and indices that lead to the map or list around the cursor.
  private let path: [Step]
  /// The key or index of the value that is being typed, or `nil` if a key is being typed.
  private let last: Step?

  /// A step from a value of a document to a part of it.
  private enum Step {
    case key(String)
    case element(Int)
  }

  /// A completion, with the description that the editor shows.
  struct Offer: Hashable {
    let text: String
    let doc: String?
  }

  /// The mark of the cursor.
  private static let cursor = "‸"

  /// Creates the offers for a document in which one key or one string is the mark of the cursor. Returns `nil` if there
  /// is no mark.
  init?(_ schema: ModuleSchema, _ document: Value) {
    evaluator = SchemaEvaluator(schema)
    guard let (path, last, rest) = SchemaOffers.find(in: document) else { return nil }
    (self.path, self.last, self.document) = (path, last, rest)
  }

  /// Returns the path to the cursor, the step to the value that is being typed, and the document without the cursor's
  /// key.
  private static func find(in value: Value) -> ([Step], Step?, Value)? {
    switch value {
    case .map(let entries):
      if entries.contains(where: { $0.key == cursor }) {
        return ([], nil, .map(entries.filter { $0.key != cursor }))
      }
      for (place, entry) in entries.enumerated() {
        let step = Step.key(entry.key)
        if entry.value == .string(cursor) { return ([], step, value) }
        guard let (path, last, rest) = find(in: entry.value) else { continue }
        var changed = entries
        changed[place].value = rest
        return ([step] + path, last, .map(changed))
      }
    case .list(let elements):
      for (place, element) in elements.enumerated() {
        if element == .string(cursor) { return ([], .element(place), value) }
        guard let (path, last, rest) = find(in: element) else { continue }
        var changed = elements
        changed[place] = rest
        return ([.element(place)] + path, last, .list(changed))
      }
    default: break
    }
    return nil
  }

  /// The completions, in ascending order of their texts.
  var offers: [Offer] {
    let around = applicable(evaluator.root, document, path[...])
    let node = path.reduce(document) { SchemaOffers.child($0, $1) ?? $0 }
    let present = Set(node.entries.map(\.key))
    let found: [Offer]
    if let last {
      found = around.flatMap { schema in below(schema, last).flatMap(values) }
    } else {
      found = around.flatMap(keys).filter { !present.contains($0.text) }
    }
    // Of several offers with the same text, the first one with a description is shown.
    var doc: [String: String?] = [:]
    for offer in found where doc[offer.text] == nil || doc[offer.text] == .some(nil) {
      doc[offer.text] = offer.doc
    }
    return doc.sorted { $0.key < $1.key }.map { Offer(text: $0.key, doc: $0.value) }
  }

  /// The texts of the completions, in ascending order.
  var texts: [String] { offers.map(\.text) }

  // MARK: - Steps

  /// Returns the value at a step, or `nil` if there is none.
  private static func child(_ value: Value, _ step: Step) -> Value? {
    switch step {
    case .key(let key): value.member(key)
    case .element(let place): value.elements.indices.contains(place) ? value.elements[place] : nil
    }
  }

  /// Returns the schemas that a single schema has for the value at a step.
  private func below(_ schema: Value, _ step: Step) -> [Value] {
    switch step {
    case .key(let key):
      if let property = schema.member("properties")?.member(key) { return [property] }
      return [schema.member("additionalProperties")].compactMap(\.self)
    case .element: return [schema.member("items")].compactMap(\.self)
    }
  }

  /// Returns a schema with the keywords of the definition that it refers to. They take precedence over its own.
  private func resolved(_ schema: Value) -> Value {
    guard let name = schema.member("$ref")?.text?.split(separator: "/").last else { return schema }
    let definition = evaluator.root.member("$defs")?.member(String(name))?.entries ?? []
    return .map(
      schema.entries.filter { own in own.key != "$ref" && !definition.contains { $0.key == own.key } } + definition)
  }

  /// Returns the schemas that apply to the value at the end of a path.
  private func applicable(_ schema: Value, _ node: Value, _ path: ArraySlice<Step>) -> [Value] {
    var found: [Value] = []
    let schema = resolved(schema)
    if let step = path.first {
      guard let child = SchemaOffers.child(node, step) else { return [] }
      for next in below(schema, step) { found += applicable(next, child, path.dropFirst()) }
    } else {
      found.append(schema)
    }
    for part in schema.member("allOf")?.elements ?? [] { found += applicable(part, node, path) }
    let alternatives = schema.member("anyOf")?.elements ?? []
    let valid = alternatives.filter { evaluator.accepts(node, $0) }
    for part in valid.isEmpty ? alternatives : valid { found += applicable(part, node, path) }
    if let condition = schema.member("if"), let then = schema.member("then"), evaluator.accepts(node, condition) {
      found += applicable(then, node, path)
    }
    return found
  }

  // MARK: - Offers of a schema

  /// Returns the keys that a single schema offers.
  private func keys(_ schema: Value) -> [Offer] {
    let properties = (schema.member("properties")?.entries ?? []).compactMap { entry -> Offer? in
      guard case .map = entry.value else { return nil }
      return Offer(
        text: entry.key, doc: (entry.value.member("description") ?? resolved(entry.value).member("description"))?.text
      )
    }
    return properties
      + (schema.member("propertyNames")?.member("enum")?.elements ?? []).compactMap(\.text).map {
        Offer(text: $0, doc: nil)
      }
  }

  /// Returns the values that a schema and its alternatives offer.
  private func values(_ schema: Value) -> [Offer] {
    let schema = resolved(schema)
    let descriptions = schema.member("enumDescriptions")?.elements ?? []
    var found = (schema.member("enum")?.elements ?? []).enumerated().map { place, value in
      let doc = descriptions.indices.contains(place) ? descriptions[place].text : nil
      return Offer(text: text(value), doc: doc?.isEmpty == true ? nil : doc)
    }
    for key in ["const", "default"] {
      if let value = schema.member(key) { found.append(Offer(text: text(value), doc: nil)) }
    }
    if schema.member("type")?.text == "boolean" {
      found += ["true", "false"].map { Offer(text: $0, doc: nil) }
    }
    return found + ["allOf", "anyOf"].flatMap { schema.member($0)?.elements ?? [] }.flatMap(values)
  }

  /// Returns a value as it is typed, strings without quotes.
  private func text(_ value: Value) -> String { value.text ?? JSONWriter.text(of: value, .line) }
}
