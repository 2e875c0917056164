// SPDX-License-Identifier: Apache-2.0

/// A longer text while its placeholders are being expanded.
struct TextParts {
  /// The text so far.
  private var text = ""
  /// The secrets in it.
  private var names: Set<String> = []
  /// The missing variable that the text depends on, or nil.
  private var missing: String?
  /// Whether a part of it was reported as an error.
  var isBroken = false

  /// Adds characters that stand for themselves.
  mutating func append(_ literal: String) {
    text += literal
  }

  /// Adds a parameter's value; false where it is a list or a map, which have no text.
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

  /// The secrets in the text, ascending.
  var secrets: [String] { Datum.union([Array(names)]) }

  /// The text as a value.
  func value(at node: NodeRef) -> Datum {
    let content: Datum.Content = missing.map { .unset(.string, name: $0, text: text) } ?? .scalar(.string(text))
    var datum = Datum(content, at: node)
    datum.secrets = secrets
    return datum
  }
}
