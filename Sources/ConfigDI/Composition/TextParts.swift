// SPDX-License-Identifier: Apache-2.0

/// The result of expanding a text with placeholders and other characters, built part by part.
struct TextParts {
  /// The text so far.
  private var text = ""
  /// The names of the secrets in the text.
  private var names: Set<String> = []
  /// The name of a missing source that the text depends on, or `nil` if there is none.
  private var missing: String?
  /// Whether a part was reported as an error.
  var isBroken = false

  /// Appends literal characters.
  mutating func append(_ literal: String) {
    text += literal
  }

  /// Appends the value of a parameter. Returns `false` for a list or a map, which have no text.
  mutating func append(_ value: Datum) -> Bool {
    names.formUnion(value.allSecrets)
    switch value.content {
    case .scalar(let scalar):
      guard let part = scalar.canonicalText else { break }
      text += part
      return true
    case .unset(let type, let name, let part) where type != .list:
      missing = name
      text += part ?? Datum.mark(ofMissing: name)
      return true
    case .broken:
      isBroken = true
      return true
    case .list, .map, .unset, .text: break
    }
    isBroken = true
    return false
  }

  /// The names of the secrets in the text, ascending.
  var secrets: [String] { Datum.union([Array(names)]) }

  /// Returns the text as a datum.
  func value(at node: NodeRef) -> Datum {
    let content: Datum.Content = missing.map { .unset(.string, name: $0, text: text) } ?? .scalar(.string(text))
    var datum = Datum(content, at: node)
    datum.secrets = secrets
    return datum
  }
}
