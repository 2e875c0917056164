// SPDX-License-Identifier: Apache-2.0

/// Thrown where reading cannot go on; the reader's `stop` says why.
struct ReadingStop: Error {}

/// A mistake of syntax behind which reading may have gone on.
struct SyntaxMistake {
  /// The finding, its path still empty.
  let finding: Finding
  /// The node whose path is that of the finding; nil outside the root.
  let node: UInt32?
}

/// What readers of a text share: the next byte, and the findings that end reading.
protocol TextReader {
  /// The whole text.
  var text: UnsafeBufferPointer<UInt8> { get }
  /// The number of the file, for findings.
  var file: FileID { get }
  /// The offset of the next byte to read.
  var offset: Int { get }
  /// The finding that ended reading, its path still empty.
  var stop: Finding? { get set }

  /// What to do about a character that the syntax does not have at this place, or nil.
  func help(for character: String) -> String?
}

extension TextReader {
  /// The next byte; 0, which no text holds where it counts, at the end.
  @inline(__always)
  func peek() -> UInt8 { byte(at: offset) }

  /// The byte at an offset; 0, which no text holds where it counts, behind the end.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 { offset < text.count ? text[offset] : 0 }

  /// CDI0101 at the next character, or at the end of the text where something is missing.
  mutating func unexpected(_ expected: String) -> ReadingStop {
    guard offset < text.count else {
      return end(.syntaxError, "unexpected end of file, expected \(expected)", from: offset, to: offset)
    }
    let length = text.scalarLength(at: offset)
    guard length > 0 else { return invalidUTF8(at: offset) }
    let character = String(decoding: text[offset..<offset + length], as: UTF8.self)
    return end(
      .syntaxError, "unexpected \(character.inWords), expected \(expected)", from: offset, to: offset + length,
      help: help(for: character))
  }

  /// CDI0104 at a byte that begins no Unicode scalar.
  mutating func invalidUTF8(at offset: Int) -> ReadingStop {
    end(
      .invalidCharacter, "byte 0x\(UInt32(text[offset]).hexadecimal(width: 2)) is not valid UTF-8", from: offset,
      to: offset + 1, help: "save the file as UTF-8")
  }

  /// Keeps the finding that ends reading. Its path is filled in when the tree is whole.
  mutating func end(
    _ code: DiagnosticCode, _ message: String, from start: Int, to end: Int, help: String? = nil
  ) -> ReadingStop {
    var finding = Finding(code, message, at: .bytes(file, start: start, end: end, path: ""))
    finding.help = help
    stop = finding
    return ReadingStop()
  }
}

// MARK: - Words

extension String {
  /// A character as messages name it: in double quotes where it can be seen, else by its number.
  fileprivate var inWords: String {
    guard self != "\"" else { return "quotation mark" }
    guard let scalar = unicodeScalars.first else { return "character" }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator, .paragraphSeparator:
      return "character U+\(scalar.value.hexadecimal(width: 4))"
    default:
      return "\"\(self)\""
    }
  }
}

extension UInt32 {
  /// The number in hexadecimal digits, with leading zeros up to a width.
  package func hexadecimal(width: Int) -> String {
    let digits = String(self, radix: 16, uppercase: true)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
