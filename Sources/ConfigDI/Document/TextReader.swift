// SPDX-License-Identifier: Apache-2.0

/// An error thrown to end reading. The reader's `stop` holds the finding.
struct ReadingStop: Error {}

/// A syntax error after which reading may have resumed.
struct SyntaxError {
  /// The maximum number of reported syntax errors of a file.
  static let maximumCount = 50

  /// The finding, whose path is not filled in yet.
  let finding: Finding
  /// The node whose path the finding gets; `nil` outside the root.
  let node: UInt32?
}

/// The operations shared by the readers of text syntaxes: access to bytes, and the findings that end reading.
protocol TextReader {
  /// The whole text.
  var text: UnsafeBufferPointer<UInt8> { get }
  /// The number of the file, for findings.
  var file: FileID { get }
  /// The offset of the next byte to read.
  var offset: Int { get }
  /// The finding that ended reading, whose path is not filled in yet.
  var stop: Finding? { get set }

  /// Returns advice about a character that the syntax does not allow at this position, or `nil`.
  func help(for character: String) -> String?
}

extension TextReader {
  /// Returns the next byte, or 0 at the end of the text. No syntax allows a zero byte where this is used.
  @inline(__always)
  func peek() -> UInt8 { byte(at: offset) }

  /// Returns the byte at an offset, or 0 after the end of the text. No syntax allows a zero byte where this is used.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 { offset < text.count ? text[offset] : 0 }

  /// Stores CDI0101 at the next character, or at the end of the text if there is none.
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

  /// Stores CDI0104 at a byte that does not begin a well-formed Unicode scalar.
  mutating func invalidUTF8(at offset: Int) -> ReadingStop {
    end(
      .invalidCharacter, "byte 0x\(UInt32(text[offset]).hexadecimal(width: 2)) is not valid UTF-8", from: offset,
      to: offset + 1, help: "save the file as UTF-8")
  }

  /// Stores the finding that ends reading. Its path is filled in when the tree is finished.
  mutating func end(
    _ code: DiagnosticCode, _ message: String, from start: Int, to end: Int, help: String? = nil
  ) -> ReadingStop {
    var finding = Finding(code, message, at: .bytes(file, start: start, end: end, path: ""))
    finding.help = help
    stop = finding
    return ReadingStop()
  }
}

// MARK: - Text of messages

extension String {
  /// The character as messages show it: in double quotes if it is visible, otherwise by its code point.
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
  /// Returns the number in hexadecimal digits, padded with leading zeros to a width.
  package func hexadecimal(width: Int) -> String {
    let digits = String(self, radix: 16, uppercase: true)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
