// SPDX-License-Identifier: Apache-2.0

/// A text with placeholders, taken apart.
///
/// Read from the left: `$${` is a literal `${`, any other `${` begins a placeholder `${name}`, any other `$` is itself.
package struct PlaceholderText {
  /// One piece of a text.
  enum Piece: Hashable {
    /// Characters that stand for themselves.
    case literal(String)
    /// The name of a parameter.
    case placeholder(String)
  }

  /// The pieces in order. No two literals follow each other.
  private(set) var pieces: [Piece] = []

  /// Takes a text apart; nil where a placeholder is malformed.
  ///
  /// - Complexity: linear in the length of the text.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    var literal: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let rest = bytes[index...]
      if rest.starts(with: "$${".utf8) {
        literal += "${".utf8
        index += 3
      } else if rest.starts(with: "${".utf8) {
        guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return nil }
        let name = bytes[index + 2..<end]
        guard name.withUnsafeBufferPointer({ NameGrammar.id.accepts($0) }) else { return nil }
        append(literal)
        literal = []
        pieces.append(.placeholder(String(decoding: name, as: UTF8.self)))
        index = end + 1
      } else {
        literal.append(bytes[index])
        index += 1
      }
    }
    append(literal)
  }

  /// Adds characters that stand for themselves.
  private mutating func append(_ literal: [UInt8]) {
    if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
  }

  /// The parameter of a text that is exactly one placeholder, or nil.
  package var onlyPlaceholder: String? {
    if pieces.count == 1, case .placeholder(let name)? = pieces.first { name } else { nil }
  }

  /// The parameters in the order of the text.
  package var placeholders: [String] {
    pieces.compactMap { piece in if case .placeholder(let name) = piece { name } else { nil } }
  }
}

// MARK: - Writing

extension String {
  /// The text with every `${` written as `$${`, so that expansion gives the text itself.
  var escapingPlaceholders: String {
    var escaped: [UInt8] = []
    for byte in utf8 {
      if byte == UInt8(ascii: "{"), escaped.last == UInt8(ascii: "$") { escaped.append(UInt8(ascii: "$")) }
      escaped.append(byte)
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}

extension Value {
  /// The value with every `${` in a text written as `$${`, so that it is not expanded.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  package var escapingPlaceholders: Value {
    switch self {
    case .string(let text) where text.utf8.mentionsParameter: .string(text.escapingPlaceholders)
    case .list(let elements): .list(elements.map(\.escapingPlaceholders))
    case .map(let entries): .map(entries.map { Entry(key: $0.key, value: $0.value.escapingPlaceholders) })
    default: self
    }
  }
}
