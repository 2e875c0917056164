// SPDX-License-Identifier: Apache-2.0

// MARK: - Findings that end reading

extension JSONReader {
  /// Stores CDI0104 at a control character in a string.
  mutating func controlCharacter(at offset: Int) -> ReadingStop {
    let code = UInt32(text[offset]).hexadecimal(width: 4)
    let isLineBreak = text[offset] == UInt8(ascii: "\n") || text[offset] == UInt8(ascii: "\r")
    return end(
      .invalidCharacter,
      "\(isLineBreak ? "line break" : "control character U+\(code)") is not allowed in a string",
      from: offset, to: offset + 1,
      help: isLineBreak ? "close the string on the same line, or write \\n for a line break" : "write \\u\(code)")
  }

  /// Stores CDI0104 at the backslash of an escaped surrogate without its other half. The reader must be after it.
  mutating func loneSurrogate(from start: Int) -> ReadingStop {
    let escape = String(decoding: text[start..<start + 6], as: UTF8.self)
    return end(
      .invalidCharacter, "unpaired surrogate \"\(escape)\"", from: start, to: start + 6,
      help: "write the character itself, or both halves of the pair")
  }

  /// Stores CDI0101 at the digit after the zero that begins a number.
  mutating func leadingZero() -> ReadingStop {
    end(.syntaxError, "leading zeros are not allowed", from: offset, to: offset + 1)
  }

  /// Stores CDI0105 at the opening bracket that exceeds the nesting limit.
  mutating func nestedTooDeeply() -> ReadingStop {
    end(.nestedTooDeeply, "maps and lists are nested deeper than \(nesting) levels", from: offset, to: offset + 1)
  }

  /// Returns advice about a character that JSON does not allow at this position, or `nil`.
  func help(for character: String) -> String? {
    switch character {
    case "'", "`": return "keys and strings are written in double quotes"
    case "/" where !isLenient: return "comments are allowed in JSONC (.jsonc), not in JSON"
    case "#": return isLenient ? "a comment begins with //" : "comments are allowed in JSONC (.jsonc), not in JSON"
    case "]", "}": return previousByte == UInt8(ascii: ",") ? "remove the trailing comma" : nil
    case "T", "F": return "true and false are written in lower case"
    case "N" where text[offset...].starts(with: "NaN".utf8): return "JSON has no such number"
    case "+": return "a number must not begin with a plus sign"
    case "." where !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= previousByte):
      return "a number needs a digit before the decimal point"
    case "=": return "a key is followed by a colon"
    default: return nil
    }
  }

  /// The last byte before the current position that is not whitespace, or 0 if there is none.
  private var previousByte: UInt8 {
    var at = offset - 1
    while at >= 0, text[at] == 0x20 || text[at] == 0x0A || text[at] == 0x0D || text[at] == 0x09 { at -= 1 }
    return at < 0 ? 0 : text[at]
  }
}
