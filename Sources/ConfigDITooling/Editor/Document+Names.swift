// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// A range of a file and what takes its place.
package struct SourceEdit: Hashable, Sendable {
  /// The bytes.
  package var range: Range<Int>
  /// The text.
  package var text: String
}

extension Document {
  /// The bytes in which the text of a key or string stands as it is, without quotes and tags; nil where it is written with
  /// escapes.
  package func contentRange(of node: UInt32) -> Range<Int>? {
    let found = self[node]
    let token = Int(found.start)..<Int(found.end)
    guard hasPositions, token.upperBound <= source.bytes.count else { return nil }
    if found.isVerbatim { return token.lowerBound + 1..<token.upperBound - 1 }
    let text = Array(text(of: node).utf8)
    let raw = source.bytes[token]
    if raw.elementsEqual(text) { return token }
    if raw.count == text.count + 2, raw.dropFirst().dropLast().elementsEqual(text) {
      return token.lowerBound + 1..<token.upperBound - 1
    }
    // An element of XML.
    guard raw.first == UInt8(ascii: "<"), let start = raw.firstIndex(of: UInt8(ascii: ">")).map({ $0 + 1 }),
      raw[start...].starts(with: text), raw[(start + text.count)...].starts(with: "</".utf8)
    else { return nil }
    return start..<start + text.count
  }

  /// The bytes of the name at a place: within the token where it stands there as it is, else the token.
  package func range(of occurrence: SymbolOccurrence) -> Range<Int> {
    let node = occurrence.token.node
    let token = Int(self[node].start)..<Int(self[node].end)
    if case .placeholder(let place) = occurrence.role {
      let all = placeholders(in: node)
      return place < all.count ? all[place].bytes ?? token : token
    }
    guard let content = contentRange(of: node) else { return token }
    switch occurrence.role {
    case .unsetPath:
      let start = content.lowerBound + text(of: node).startOfUnsetTag
      return start..<start + occurrence.symbol.name.utf8.count
    default: return content
    }
  }

  /// The edits that give the symbol at some places of one token another name, or nil where the file has no text.
  ///
  /// A token in which the name is written with escapes is written anew as a whole.
  package func edits(renaming occurrences: [SymbolOccurrence], to name: String) -> [SourceEdit]? {
    guard let node = occurrences.first?.token.node, hasPositions else { return nil }
    let ranges = occurrences.map { range(of: $0) }
    let token = Int(self[node].start)..<Int(self[node].end)
    let isPlain = contentRange(of: node) == token
    if isPlain || !ranges.contains(token) {
      let isSafe = !(isPlain && YAMLWord.needsQuotes(name, as: occurrences[0].role))
      if isSafe { return ranges.map { SourceEdit(range: $0, text: name) } }
    }
    let renamed = renamedText(of: node, occurrences, to: name)
    return [SourceEdit(range: token, text: written(renamed, isKey: self[node].kind == .key))]
  }

  /// A text as a key or string of this file's syntax; YAML reads what JSON does.
  private func written(_ text: String, isKey: Bool) -> String {
    bracketsAreTokens ? JSONWriter.text(of: .string(text)) : XMLName.element(isKey ? "key" : "string", text)
  }

  /// The text of a token in which a symbol has another name.
  private func renamedText(of node: UInt32, _ occurrences: [SymbolOccurrence], to name: String) -> String {
    var bytes = Array(text(of: node).utf8)
    let all = PlaceholderRange.all(in: bytes)
    for occurrence in occurrences.reversed() {
      switch occurrence.role {
      case .placeholder(let place):
        if place < all.count { bytes.replaceSubrange(all[place].range, with: name.utf8) }
      case .unsetPath:
        let start = text(of: node).startOfUnsetTag
        bytes.replaceSubrange(start..<start + occurrence.symbol.name.utf8.count, with: name.utf8)
      default: return name
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Elements of a property list.
enum XMLName {
  /// An element with a text.
  static func element(_ name: String, _ text: String) -> String { "<\(name)>\(escaped(text))</\(name)>" }

  /// A text with entities for the signs of the syntax.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}

/// Words that YAML does not read as a text where they stand without quotes.
enum YAMLWord {
  /// Whether a name in the place of a whole plain scalar has to be quoted.
  static func needsQuotes(_ name: String, as role: SymbolOccurrence.Role = .reference) -> Bool {
    if case .placeholder = role { return false }
    return ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(name.lowercased())
  }
}
