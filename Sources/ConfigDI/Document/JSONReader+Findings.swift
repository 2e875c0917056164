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

  func help(for character: String) -> String? {
    switch character {
    case "'", "`": return "keys and strings are written in double quotes"
    case "/" where !isLenient: return "comments are allowed in JSONC (.jsonc), not in JSON"
    case "#": return isLenient ? "a comment begins with //" : "comments are allowed in JSONC (.jsonc), not in JSON"
    case "]", "}": return surplusSeparator == nil ? nil : "remove the trailing comma"
    case "T", "F": return "true and false are written in lower case"
    case "N" where text[offset...].starts(with: "NaN".utf8): return "JSON has no such number"
    case "+": return "a number must not begin with a plus sign"
    case "." where !previousByte.isDigit:
      return "a number needs a digit before the decimal point"
    case "=": return "a key is followed by a colon"
    default: return nil
    }
  }

  /// The range of the comma before the bracket that closes the innermost container.
  package var surplusSeparator: Range<Int>? {
    let isClosing =
      switch peek() {
      case UInt8(ascii: "]"): builder.container == .list
      case UInt8(ascii: "}"): builder.container == .map
      default: false
      }
    let previous = previousOffset
    return isClosing && previous >= 0 && text[previous] == UInt8(ascii: ",") ? previous..<previous + 1 : nil
  }

  /// The offset of the last byte before the current position that is not whitespace, or -1 if there is none.
  private var previousOffset: Int {
    var at = offset - 1
    while at >= 0, text[at].isSpace { at -= 1 }
    return at
  }

  /// The last byte before the current position that is not whitespace, or 0 if there is none.
  private var previousByte: UInt8 { previousOffset < 0 ? 0 : text[previousOffset] }
}
