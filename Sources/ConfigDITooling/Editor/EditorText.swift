// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The units in which a client counts the characters of a line (LSP 3.17, `PositionEncodingKind`).
package enum PositionEncoding: String, CaseIterable, Sendable {
  /// Bytes.
  case utf8 = "utf-8"
  /// UTF-16 code units, which every client supports.
  case utf16 = "utf-16"
  /// Unicode scalars.
  case utf32 = "utf-32"
}

/// A position in a text, as in LSP: line and character, from 0.
package struct TextPosition: Hashable, Comparable, Sendable {
  /// The line, from 0.
  package var line: Int
  /// The character in the line, from 0, in the units of an encoding.
  package var character: Int

  /// Creates a position.
  package init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }

  package static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.character) < (right.line, right.character)
  }
}

/// A range of a text, without its end.
package struct TextRange: Hashable, Sendable {
  /// The position of the first character.
  package var start: TextPosition
  /// The position behind the last character.
  package var end: TextPosition

  /// Creates a range.
  package init(start: TextPosition, end: TextPosition) {
    self.start = start
    self.end = end
  }
}

/// A text in UTF-8, divided into lines as in LSP: LF, CRLF and a lone CR end a line.
///
/// A byte-order mark does not count as a character. A byte that does not begin a Unicode scalar counts as one.
package struct EditorText: Sendable {
  /// The text in UTF-8.
  package private(set) var bytes: [UInt8]
  /// The byte offset of the start of each line.
  private var lineStarts: [Int]

  /// Creates a text and its line table.
  ///
  /// - Complexity: linear in the text.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    lineStarts = [LineTable.hasByteOrderMark(bytes) ? 3 : 0]
    bytes.withUnsafeBufferPointer { bytes in
      for index in bytes.indices {
        let isEnd =
          bytes[index] == UInt8(ascii: "\n")
          || bytes[index] == UInt8(ascii: "\r")
            && (index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n"))
        if isEnd { lineStarts.append(index + 1) }
      }
    }
  }

  /// Creates a text.
  package init(_ text: String) { self.init(Array(text.utf8)) }

  /// Returns the byte offset of a position. A position behind the end of its line gives the end of the line, one behind
  /// the last line gives the end of the text, and one inside a character gives the start of the character.
  ///
  /// - Complexity: linear in the length of the line.
  package func offset(of position: TextPosition, _ encoding: PositionEncoding) -> Int {
    guard position.line >= 0 else { return lineStarts[0] }
    guard position.line < lineStarts.count else { return bytes.count }
    var offset = lineStarts[position.line]
    let end = contentEnd(ofLine: position.line)
    var rest = position.character
    while offset < end {
      let length = bytes.scalarLength(at: offset)
      rest -= encoding.width(ofScalarOf: length)
      guard rest >= 0 else { break }
      offset += length
    }
    return min(offset, max(end, lineStarts[position.line]))
  }

  /// Returns the text with a range replaced, or the replacement alone if `range` is `nil`.
  package func replacing(_ range: TextRange?, by text: String, _ encoding: PositionEncoding) -> EditorText {
    guard let range else { return EditorText(text) }
    let start = offset(of: range.start, encoding)
    let end = max(start, offset(of: range.end, encoding))
    var bytes = bytes
    bytes.replaceSubrange(start..<end, with: text.utf8)
    return EditorText(bytes)
  }

  /// Returns the line that contains a byte offset, from 0.
  func line(of offset: Int) -> Int {
    max(0, lineStarts.partitioningIndex { $0 > offset } - 1)
  }

  /// Returns the byte offset of the start of a line. Lines count from 0.
  func start(ofLine line: Int) -> Int { lineStarts[line] }

  /// Returns the byte offset of the end of a line, without its line break. Lines count from 0.
  func contentEnd(ofLine line: Int) -> Int {
    guard line + 1 < lineStarts.count else { return bytes.count }
    var end = lineStarts[line + 1] - 1
    if bytes[end] == UInt8(ascii: "\n"), end > lineStarts[line], bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return end
  }
}

/// Converts ascending byte offsets and positions of a text. Continues from the last position, so that many positions in
/// one long line cost no more than one pass over the line.
package struct PositionWalk {
  /// The text.
  private let text: EditorText
  /// The units in which characters are counted.
  private let encoding: PositionEncoding
  /// The line table that the positions of findings refer to.
  private let lines: LineTable
  /// The last results: of `position(of:)`, and of `offset(of:)`.
  private var last = (line: -1, character: 0, offset: 0)
  private var lastFound = (position: SourcePosition(line: 0, column: 0), offset: 0)

  /// Creates a walk at the start of a text.
  package init(_ text: EditorText, _ encoding: PositionEncoding) {
    self.text = text
    self.encoding = encoding
    lines = LineTable(text.bytes)
  }

  /// Returns the position of a byte offset. An offset behind the text gives the end of the text.
  package mutating func position(of offset: Int) -> TextPosition {
    let offset = min(max(offset, text.start(ofLine: 0)), text.bytes.count)
    let line = text.line(of: offset)
    if line != last.line || offset < last.offset { last = (line, 0, text.start(ofLine: line)) }
    let end = min(offset, text.contentEnd(ofLine: line))
    while last.offset < end {
      let length = text.bytes.scalarLength(at: last.offset)
      guard last.offset + length <= end else { break }
      last.character += encoding.width(ofScalarOf: length)
      last.offset += length
    }
    return TextPosition(line: line, character: last.character)
  }

  /// Returns the byte offset of a finding's position: line and column from 1, the column in Unicode scalars.
  package mutating func offset(of position: SourcePosition) -> Int {
    guard position.line >= 1, position.line <= lines.count else { return text.bytes.count }
    if lastFound.position.line != position.line || position < lastFound.position {
      let start = lines.content(ofLine: position.line, in: text.bytes).startIndex
      lastFound = (SourcePosition(line: position.line, column: 1), start)
    }
    while lastFound.position.column < position.column, lastFound.offset < text.bytes.count {
      lastFound.offset += 1
      while lastFound.offset < text.bytes.count, text.bytes[lastFound.offset] & 0xC0 == 0x80 { lastFound.offset += 1 }
      lastFound.position.column += 1
    }
    return lastFound.offset
  }

  /// Returns the range of a byte range.
  package mutating func range(of bytes: Range<Int>) -> TextRange {
    let start = position(of: bytes.lowerBound)
    return TextRange(start: start, end: position(of: bytes.upperBound))
  }

  /// Returns the range of a finding's location, or the start of the file if the location has no range.
  package mutating func range(of location: Diagnostic.Location) -> TextRange {
    guard let start = location.start, let end = location.end else {
      return TextRange(start: TextPosition(line: 0, character: 0), end: TextPosition(line: 0, character: 0))
    }
    let first = offset(of: start)
    return range(of: first..<max(first, offset(of: end)))
  }
}

extension PositionEncoding {
  /// Returns the number of units of a scalar whose UTF-8 form has `bytes` bytes.
  fileprivate func width(ofScalarOf bytes: Int) -> Int {
    switch self {
    case .utf8: bytes
    case .utf16: bytes == 4 ? 2 : 1
    case .utf32: 1
    }
  }
}

extension [UInt8] {
  /// Returns the length in bytes of the scalar at an offset, or 1 if no valid scalar begins there.
  fileprivate func scalarLength(at offset: Int) -> Int {
    withUnsafeBufferPointer { Swift.max(1, $0.scalarLength(at: offset)) }
  }
}
