// SPDX-License-Identifier: Apache-2.0

// The scalars, in the formats that the comments of the document type describe. Surrounding whitespace is ignored.

extension XMLPropertyListReader {
  /// Reads an integer: an optional sign and decimal digits.
  mutating func readInteger(_ tag: Tag) throws(ReadingStop) {
    let text = try readTrimmedText(of: tag)
    let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { throw unreadable(tag, "an integer") }
    builder.add(value: ScalarValue(integer: text), from: tag.start, to: offset)
  }

  /// Reads a real: digits with an optional sign, fraction and exponent. Reports infinity and NaN as out of range.
  mutating func readReal(_ tag: Tag) throws(ReadingStop) {
    let text = try readTrimmedText(of: tag)
    let isWord = ["nan", "inf", "infinity"].contains(text.lowercased().drop { $0 == "-" || $0 == "+" })
    guard isWord || text.isReal(allowsLeadingPoint: false), let real = Double(text) else {
      throw unreadable(tag, "a real number")
    }
    builder.add(value: .real(real), from: tag.start, to: offset)
  }

  /// Reads base64 data, which may contain whitespace anywhere.
  mutating func readData(_ tag: Tag) throws(ReadingStop) {
    try readContent(of: tag)
    let digits = content.filter { !$0.isSpace }
    guard let bytes = Base64.bytes(of: String(decoding: digits, as: UTF8.self)) else {
      throw unreadable(tag, "base64 data")
    }
    builder.add(data: bytes, from: tag.start, to: offset)
  }

  /// Reads a date such as `2001-01-01T00:00:00Z`. Only its format is checked, as the module format accepts no dates.
  mutating func readDate(_ tag: Tag) throws(ReadingStop) {
    let text = try readTrimmedText(of: tag)
    let pattern = "0000-00-00T00:00:00Z".utf8
    let isFormed =
      text.utf8.count == pattern.count
      && zip(text.utf8, pattern).allSatisfy { byte, wanted in
        wanted == UInt8(ascii: "0") ? byte.isDigit : byte == wanted
      }
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    let isDate =
      isFormed && 1...12 ~= numbers[1] && 1...31 ~= numbers[2] && numbers[3] < 24 && numbers[4] < 60 && numbers[5] < 60
    guard isDate else { throw unreadable(tag, "a date such as 2001-01-01T00:00:00Z") }
    builder.add(.date, from: tag.start, to: offset)
  }

  /// Reads the text of an element without surrounding whitespace.
  private mutating func readTrimmedText(of tag: Tag) throws(ReadingStop) -> String {
    try readContent(of: tag)
    let trimmed = content.drop { $0.isSpace }
    let end = trimmed.lastIndex { !$0.isSpace }.map { $0 + 1 } ?? trimmed.startIndex
    return String(decoding: trimmed[..<end], as: UTF8.self)
  }

  /// Stores CDI0101 at an element with malformed text. The reader must be after the element.
  private mutating func unreadable(_ tag: Tag, _ expected: String) -> ReadingStop {
    site = .scalar(tag)
    let message = "element \"\(tag.name)\" must contain \(expected)"
    let stop = end(.syntaxError, message, from: tag.start, to: offset)
    builder.stop?.fixedText = message
    return stop
  }
}
