// SPDX-License-Identifier: Apache-2.0

/// A string that contains `${`, parsed once.
///
/// From left to right, `$${` is a literal `${`, another `${` begins a placeholder `${name}`, another `$` is literal.
package struct PlaceholderText: Sendable {
  /// One piece of the string.
  enum Piece: Hashable, Sendable {
    /// Literal characters.
    case literal(String)
    /// A placeholder for a parameter.
    case placeholder(Name)
  }

  /// The string as written.
  package let written: String
  /// The pieces in order, without adjacent literals; `nil` if a placeholder is malformed.
  let pieces: [Piece]?

  /// Parses a string.
  ///
  /// - Complexity: Linear in the length of the string.
  init(_ text: String, names: inout NameTable) {
    written = text
    let bytes = Array(text.utf8)
    var pieces: [Piece] = []
    var literal: [UInt8] = []
    func close() {
      if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
      literal = []
    }
    var index = 0
    while index < bytes.count {
      let rest = bytes[index...]
      if rest.starts(with: "$${".utf8) {
        literal += "${".utf8
        index += 3
      } else if rest.starts(with: "${".utf8) {
        guard let end = rest.firstIndex(of: UInt8(ascii: "}")),
          bytes[index + 2..<end].withUnsafeBufferPointer({ NameGrammar.id.accepts($0) })
        else {
          self.pieces = nil
          return
        }
        close()
        pieces.append(.placeholder(bytes[index + 2..<end].withUnsafeBufferPointer { names.name($0) }))
        index = end + 1
      } else {
        literal.append(bytes[index])
        index += 1
      }
    }
    close()
    self.pieces = pieces
  }

  /// The parameter, if the string consists of exactly one placeholder; otherwise `nil`.
  package var onlyPlaceholder: Name? {
    if pieces?.count == 1, case .placeholder(let name)? = pieces?.first { name } else { nil }
  }

  /// The parameters of the placeholders, in order.
  var placeholders: [Name] {
    (pieces ?? []).compactMap { piece in if case .placeholder(let name) = piece { name } else { nil } }
  }
}

// MARK: - Writing

extension String {
  /// The string with each `${` escaped as `$${`, so that expansion yields the original string.
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
  /// The value with each `${` in its strings escaped as `$${`, so that nothing in it is expanded.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  package var escapingPlaceholders: Value {
    switch self {
    case .string(let text) where text.utf8.containsPlaceholder: .string(text.escapingPlaceholders)
    case .list(let elements): .list(elements.map(\.escapingPlaceholders))
    case .map(let entries): .map(entries.map { Entry(key: $0.key, value: $0.value.escapingPlaceholders) })
    default: self
    }
  }
}
