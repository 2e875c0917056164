// SPDX-License-Identifier: Apache-2.0

/// A datum after expansion, with the token that it comes from and the secrets in it.
package struct ComposedValue: Sendable {
  /// What the datum is.
  package enum Content: Sendable {
    /// A text, a number, a truth value or bytes.
    case scalar(Value)
    /// A list.
    case list([ComposedValue])
    /// A map.
    case map([Entry])
    /// What a missing variable or file will give: a value of this type.
    case unset(ParameterType, name: String)
    /// Something that was told as an error. Nothing more is said of it.
    case broken
  }

  /// One entry of a map.
  package struct Entry: Sendable {
    /// The key.
    package var key: String
    /// The value.
    package var value: ComposedValue
  }

  /// What the datum is.
  package var content: Content
  /// The token that holds the datum or its placeholder.
  package var place: Place
  /// The parameters whose secrets the datum holds as a whole, ascending.
  package var secrets: [String] = []
  /// Whether the datum stands in the file as it is, without a placeholder.
  package var isLiteral = false
}

extension ComposedValue {
  /// The datum for a builder, secrets included; nil where it is not known or was told as an error.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  package var value: Value? {
    switch content {
    case .scalar(let value): return value
    case .list(let elements):
      let values = elements.compactMap(\.value)
      return values.count == elements.count ? .list(values) : nil
    case .map(let entries):
      let values = entries.compactMap { entry in entry.value.value.map { Value.Entry(key: entry.key, value: $0) } }
      return values.count == entries.count ? .map(values) : nil
    case .unset, .broken: return nil
    }
  }

  /// The datum for print: secrets as `<secret NAME>`, what is missing as `<unset NAME>`.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  package var printed: Value {
    if !secrets.isEmpty { return .string("<secret \(secrets.joined(separator: ", "))>") }
    switch content {
    case .scalar(let value): return value
    case .list(let elements): return .list(elements.map(\.printed))
    case .map(let entries): return .map(entries.map { Value.Entry(key: $0.key, value: $0.value.printed) })
    case .unset(_, let name): return .string("<unset \(name)>")
    case .broken: return .string("")
    }
  }

  /// The type that the datum has as a parameter, or nil where it is not known.
  var parameterType: ParameterType? {
    switch content {
    case .scalar(let value): ParameterType(ofLiteral: value)
    case .list: .list
    case .map: .json
    case .unset(let type, _): type
    case .broken: nil
    }
  }

  /// Whether the datum, or something in it, was told as an error.
  var isBroken: Bool {
    switch content {
    case .broken: true
    case .list(let elements): elements.contains { $0.isBroken }
    case .map(let entries): entries.contains { $0.value.isBroken }
    case .scalar, .unset: false
    }
  }

  /// The secrets of the datum and of all in it, ascending.
  package var allSecrets: [String] {
    guard secrets.isEmpty else { return secrets }
    switch content {
    case .list(let elements): return ComposedValue.union(elements.map(\.allSecrets))
    case .map(let entries): return ComposedValue.union(entries.map(\.value.allSecrets))
    case .scalar, .unset, .broken: return []
    }
  }

  /// Several lists of secrets as one, ascending.
  static func union(_ secrets: [[String]]) -> [String] {
    Set(secrets.joined()).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The datum at another place: each part of it stands where the placeholder stands.
  func placed(at place: Place) -> ComposedValue {
    mapped { value in
      value.place = place
      value.isLiteral = false
    }
  }

  /// The datum with the secrets of some parameters as a whole, so that no part of it is shown either.
  func marked(_ secrets: [String]) -> ComposedValue {
    mapped { $0.secrets = secrets }
  }

  /// The datum with a change to itself and to each part of it.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private func mapped(_ change: (inout ComposedValue) -> Void) -> ComposedValue {
    var copy = self
    change(&copy)
    switch content {
    case .list(let elements): copy.content = .list(elements.map { $0.mapped(change) })
    case .map(let entries): copy.content = .map(entries.map { Entry(key: $0.key, value: $0.value.mapped(change)) })
    case .scalar, .unset, .broken: break
    }
    return copy
  }
}

extension Value {
  /// The text that stands for a scalar inside a longer text; nil for bytes, a list or a map.
  var canonicalText: String? {
    switch self {
    case .string(let text), .duration(let text), .size(let text): text
    case .integer(let integer): String(integer)
    case .real(let real): real.description
    case .boolean(let boolean): boolean ? "true" : "false"
    case .data, .list, .map: nil
    }
  }
}
