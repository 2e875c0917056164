// SPDX-License-Identifier: Apache-2.0

// MARK: - Findings that end reading

extension JSONReader {
  /// CDI0101 at the next character, or at the end of the text where something is missing.
  mutating func unexpected(_ expected: String) -> Stop {
    guard offset < text.count else {
      return end(.syntaxError, "the text ends where \(expected) was expected", from: offset, to: offset)
    }
    let length = text.scalarLength(at: offset)
    guard length > 0 else { return invalidUTF8(at: offset) }
    let character = String(decoding: text[offset..<offset + length], as: UTF8.self)
    return end(
      .syntaxError, "unexpected \(JSONReader.inWords(character)), expected \(expected)", from: offset,
      to: offset + length, help: help(for: character))
  }

  /// CDI0104 at a byte that begins no Unicode scalar.
  mutating func invalidUTF8(at offset: Int) -> Stop {
    end(
      .invalidCharacter, "the byte 0x\(JSONReader.hexadecimal(UInt32(text[offset]), width: 2)) is not UTF-8 here",
      from: offset, to: offset + 1, help: "save the file as UTF-8")
  }

  /// CDI0104 at a control character in a string.
  mutating func controlCharacter(at offset: Int) -> Stop {
    let code = JSONReader.hexadecimal(UInt32(text[offset]), width: 4)
    let isLineBreak = text[offset] == UInt8(ascii: "\n") || text[offset] == UInt8(ascii: "\r")
    return end(
      .invalidCharacter, "a string must not hold \(isLineBreak ? "a line break" : "the control character U+\(code)")",
      from: offset, to: offset + 1,
      help: isLineBreak ? "close the string on its line, or write \\n" : "write \\u\(code)")
  }

  /// CDI0104 at the backslash of a surrogate's escape that is no half of a pair; the reader stands behind the escape.
  mutating func loneSurrogate(from start: Int) -> Stop {
    let escape = String(decoding: text[start..<start + 6], as: UTF8.self)
    return end(
      .invalidCharacter, "\"\(escape)\" is half of a surrogate pair without the other half", from: start, to: start + 6)
  }

  /// CDI0105 at the bracket that opens the level too many.
  mutating func nestedTooDeeply() -> Stop {
    end(.nestedTooDeeply, "maps and lists are nested more than \(nesting) deep", from: offset, to: offset + 1)
  }

  /// Keeps the finding that ends reading. Its path is filled in when the tree is whole.
  private mutating func end(
    _ code: DiagnosticCode, _ message: String, from start: Int, to end: Int, help: String? = nil
  ) -> Stop {
    var finding = Finding(code, message, at: .bytes(file, start: start, end: end, path: ""))
    finding.help = help
    stop = finding
    return Stop()
  }

  /// What to do about a character that JSON does not have at this place, or nil.
  private func help(for character: String) -> String? {
    switch character {
    case "'", "`": return "keys and strings stand in double quotes"
    case "/", "#": return "strict JSON has no comments"
    case "]", "}": return previousByte == UInt8(ascii: ",") ? "remove the comma before the bracket" : nil
    case "T", "F", "N": return "true and false are written in lower case"
    case "+": return "a number has no plus sign"
    case ".": return "a number has a digit before the point"
    case "=": return "a key is followed by a colon"
    default: return nil
    }
  }

  /// The last byte before the next one that is not whitespace; 0 where there is none.
  private var previousByte: UInt8 {
    var at = offset - 1
    while at >= 0, text[at] == 0x20 || text[at] == 0x0A || text[at] == 0x0D || text[at] == 0x09 { at -= 1 }
    return at < 0 ? 0 : text[at]
  }
}

// MARK: - Findings after which reading goes on

extension JSONReader {
  /// CDI0103 at a `null`.
  static func nullValue(at node: NodeRef) -> Finding {
    var finding = Finding(.nullValue, "null is not a value", at: node)
    finding.help = "leave the entry out; a layer takes something away by \"remove\" or \"unset\""
    return finding
  }

  /// CDI0108 at an integer.
  static func integerOutOfRange(at node: NodeRef) -> Finding {
    Finding(.numberOutOfRange, "the integer does not lie between \(Int64.min) and \(Int64.max)", at: node)
  }

  /// CDI0108 at a real.
  static func realOutOfRange(at node: NodeRef) -> Finding {
    Finding(.numberOutOfRange, "the number is too large for a double-precision real", at: node)
  }
}

// MARK: - Words

extension JSONReader {
  /// A character as messages name it: in double quotes where it can be seen, else by its number.
  fileprivate static func inWords(_ character: String) -> String {
    guard character != "\"" else { return "quotation mark" }
    guard let scalar = character.unicodeScalars.first else { return "character" }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator, .paragraphSeparator:
      return "character U+\(hexadecimal(scalar.value, width: 4))"
    default:
      return "\"\(character)\""
    }
  }

  /// A number in hexadecimal digits, with leading zeros up to a width.
  fileprivate static func hexadecimal(_ number: UInt32, width: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
