// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The replacement of a range of a file by a text.
package struct SourceEdit: Hashable, Sendable {
  /// The byte range to replace.
  package var range: Range<Int>
  /// The new text.
  package var text: String
}

extension Document {
  /// Returns the string under a key of a map, or `nil` if there is none.
  func text(under key: Keyword, of map: UInt32) -> String? {
    keys(of: map).first { text(of: $0) == key.text && self[$0 + 1].kind == .string }.map { text(of: $0 + 1) }
  }

  /// Returns the byte range of the text of a key or string, without quotes and tags. Returns `nil` if the text is
  /// written with escapes, or if the document has no positions.
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
    // The token of an XML element includes its tags.
    guard raw.first == UInt8(ascii: "<"), let start = raw.firstIndex(of: UInt8(ascii: ">")).map({ $0 + 1 }),
      raw[start...].starts(with: text), raw[(start + text.count)...].starts(with: "</".utf8)
    else { return nil }
    return start..<start + text.count
  }

  /// Returns the byte range of the name at an occurrence, or of the whole token if the name is written with escapes.
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

  /// Returns the edits that rename a symbol at its occurrences in the document, which must have positions, ascending.
  package func edits(renaming occurrences: [SymbolOccurrence], to name: String) -> [SourceEdit] {
    let byNode = Dictionary(grouping: occurrences) { $0.token.node }
    return byNode.keys.sorted().flatMap { edits(of: $0, renaming: byNode[$0] ?? [], to: name) }
  }

  /// Returns the edits that rename a symbol at its occurrences in one token.
  ///
  /// The whole token is replaced if the name is written with escapes, or needs quotes in a plain YAML scalar. The comments
  /// of an XML element are kept before it.
  private func edits(of node: UInt32, renaming occurrences: [SymbolOccurrence], to name: String) -> [SourceEdit] {
    let ranges = occurrences.map { range(of: $0) }
    let token = Int(self[node].start)..<Int(self[node].end)
    let isPlain = contentRange(of: node) == token
    if isPlain || !ranges.contains(token) {
      let isSafe = !isPlain || occurrences[0].role.isInPlaceholder || YAMLWriter.isPlain(name)
      if isSafe { return ranges.map { SourceEdit(range: $0, text: name) } }
    }
    let renamed = renamedText(of: node, occurrences, to: name)
    let comments = bracketsAreTokens ? "" : XMLText.comments(in: source.bytes[token])
    return [SourceEdit(range: token, text: comments + written(renamed, isKey: self[node].kind == .key))]
  }

  /// Returns a text as a key or string in the syntax of the file. For YAML this is a JSON string, which YAML can read.
  private func written(_ text: String, isKey: Bool) -> String {
    bracketsAreTokens ? JSONWriter.quoted(text) : XMLText.element(isKey ? "key" : "string", text)
  }

  /// Returns the text of a token with the symbol renamed.
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

extension SymbolOccurrence.Role {
  /// Whether the name is in a placeholder, where YAML never requires quotes.
  fileprivate var isInPlaceholder: Bool { if case .placeholder = self { true } else { false } }
}

extension XMLText {
  /// Returns the comments in an element, one after the other.
  fileprivate static func comments(in element: ArraySlice<UInt8>) -> String {
    var comments: [UInt8] = []
    var rest = element
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      let isComment = rest.starts(with: "<!--".utf8)
      guard isComment || rest.starts(with: "<![CDATA[".utf8) else {
        rest.removeFirst()
        continue
      }
      let closing = Array((isComment ? "-->" : "]]>").utf8)
      // The brackets of `<!-->` do not close it.
      let end = rest.indices.dropFirst(isComment ? 4 : 0).first { rest[$0...].starts(with: closing) }
      let part = rest[..<(end.map { $0 + closing.count } ?? rest.endIndex)]
      if isComment { comments += part }
      rest = rest[part.endIndex...]
    }
    return String(decoding: comments, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Returns the bytes with edits applied, which must be ascending and must not overlap.
  func applying(_ edits: [SourceEdit]) -> [UInt8] {
    var changed: [UInt8] = []
    var end = 0
    for edit in edits {
      changed += self[end..<edit.range.lowerBound] + Array(edit.text.utf8)
      end = edit.range.upperBound
    }
    return changed + self[end...]
  }
}
