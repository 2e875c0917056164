// SPDX-License-Identifier: Apache-2.0

// The scalars, in the formats that the comments of the document type describe. Surrounding whitespace is ignored.

extension XMLPropertyListReader {
  /// Reads a Boolean, whose element is empty.
  mutating func readBoolean(_ tag: Tag, _ value: Bool) throws(ReadingStop) {
    if !tag.isEmpty { try readEnd(of: tag) }
    builder.add(.boolean, from: tag.start, to: offset, payload: value ? 1 : 0)
  }

  /// Reads an integer: an optional sign and decimal digits.
  mutating func readInteger(_ tag: Tag) throws(ReadingStop) {
    let text = try readTrimmedText(of: tag)
    let digits =
      text.utf8.first.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } == true
      ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { throw unreadable(tag, "an integer") }
    if let integer = Int64(text) {
      builder.add(.integer, from: tag.start, to: offset, payload: integer)
    } else {
      builder.add(.invalid, from: tag.start, to: offset)
      findings.append(.integerOutOfRange(at: builder.lastReference))
    }
  }

  /// Reads a real: digits with an optional sign, fraction and exponent. Reports infinity and NaN as out of range.
  mutating func readReal(_ tag: Tag) throws(ReadingStop) {
    let text = try readTrimmedText(of: tag)
    let isWord = ["nan", "inf", "infinity"].contains(text.lowercased().drop { $0 == "-" || $0 == "+" })
    guard isWord || isReal(text), let real = Double(text) else { throw unreadable(tag, "a real number") }
    if !builder.add(real: real, from: tag.start, to: offset) {
      findings.append(.realOutOfRange(at: builder.lastReference))
    }
  }

  /// Reads base64 data, which may contain whitespace anywhere.
  mutating func readData(_ tag: Tag) throws(ReadingStop) {
    try readContent(of: tag)
    let digits = content.filter { !isSpace($0) }
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
    let trimmed = content.drop { isSpace($0) }
    let end = trimmed.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? trimmed.startIndex
    return String(decoding: trimmed[..<end], as: UTF8.self)
  }

  /// Whether a text is a decimal number.
  private func isReal(_ text: String) -> Bool {
    var rest = text.utf8[...]
    func skipSign() {
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    }
    func skipDigits() -> Bool {
      let count = rest.prefix { $0.isDigit }.count
      rest = rest.dropFirst(count)
      return count > 0
    }
    skipSign()
    guard skipDigits() else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      _ = skipDigits()
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      skipSign()
      guard skipDigits() else { return false }
    }
    return rest.isEmpty
  }

  /// Stores CDI0101 at an element with malformed text. The reader must be after the element.
  private mutating func unreadable(_ tag: Tag, _ expected: String) -> ReadingStop {
    site = .scalar(tag)
    return end(.syntaxError, "element \"\(tag.name)\" must contain \(expected)", from: tag.start, to: offset)
  }
}

extension UInt8 {
  /// Whether the byte is an ASCII digit.
  fileprivate var isDigit: Bool { self &- UInt8(ascii: "0") <= 9 }
}
