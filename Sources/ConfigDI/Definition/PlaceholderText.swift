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
    /// A `${` that begins no placeholder. The last piece, after the well-formed placeholders.
    case malformed
  }

  /// The string as written.
  package let written: String
  /// The pieces in order, without adjacent literals.
  let pieces: [Piece]

  /// Parses a string.
  ///
  /// - Complexity: Linear in the length of the string.
  init(_ text: String, names: inout NameTable) {
    written = text
    let bytes = Array(text.utf8)
    var pieces: [Piece] = []
    var literal: [UInt8] = []
    var isMalformed = false
    func close() {
      if !literal.isEmpty, !isMalformed { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
      literal = []
    }
    var index = 0
    while index < bytes.count {
      let rest = bytes[index...]
      if rest.starts(with: "$${".utf8) {
        literal += "${".utf8
        index += 3
      } else if rest.starts(with: "${".utf8) {
        close()
        // No name contains "$", so no byte is passed over more than once.
        guard let end = rest.dropFirst(2).firstIndex(where: { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "$") }),
          bytes[end] == UInt8(ascii: "}"),
          bytes[index + 2..<end].withUnsafeBufferPointer({ NameGrammar.id.accepts($0) })
        else {
          isMalformed = true
          index += 2
          continue
        }
        pieces.append(.placeholder(bytes[index + 2..<end].withUnsafeBufferPointer { names.name($0) }))
        index = end + 1
      } else {
        literal.append(bytes[index])
        index += 1
      }
    }
    close()
    if isMalformed { pieces.append(.malformed) }
    self.pieces = pieces
  }

  /// The parameter, if the string consists of exactly one placeholder; otherwise `nil`.
  package var onlyPlaceholder: Name? {
    if pieces.count == 1, case .placeholder(let name) = pieces[0] { name } else { nil }
  }

  /// The parameters of the well-formed placeholders, in order.
  var placeholders: [Name] {
    pieces.compactMap { piece in if case .placeholder(let name) = piece { name } else { nil } }
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
