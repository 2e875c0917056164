// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
  /// Reads a string. The reader must be at the opening quote. A string without escapes is not copied.
  mutating func readString(as kind: NodeKind) throws(ReadingStop) {
    let start = offset
    do {
      try readSoundString(as: kind)
    } catch {
      try resumeString(as: kind, from: start)
    }
  }

  /// Reads a well-formed string.
  @inline(__always)
  private mutating func readSoundString(as kind: NodeKind) throws(ReadingStop) {
    let start = offset
    try skipPlainText(from: start + 1)
    if peek() == UInt8(ascii: "\"") {
      offset += 1
      builder.add(kind, isVerbatim: true, from: start, to: offset)
    } else {
      let text = try readEscapedText(from: start + 1)
      offset += 1
      builder.add(kind, text: text, from: start, to: offset)
    }
  }

  /// Moves to the next quote or backslash, and checks that the skipped text is UTF-8 without control characters.
  private mutating func skipPlainText(from start: Int) throws(ReadingStop) {
    var at = start
    while true {
      at = endOfPlainASCII(from: at)
      let byte = byte(at: at)
      if byte >= 0x80 {
        at += try scalarLength(at: at)
      } else {
        offset = at
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
        guard at < text.count else { throw unexpected("a quotation mark to close the string") }
        throw controlCharacter(at: at)
      }
    }
  }

  /// Returns the offset of the next quote, backslash, control character or non-ASCII byte, or the end of the text.
  ///
  /// Examines eight bytes at a time. In each expression, the highest bit of a byte is set if the byte matches. A borrow
  /// can set it wrongly only in bytes after the first match, and only the first match is used.
  @inline(__always)
  private func endOfPlainASCII(from start: Int) -> Int {
    let raw = UnsafeRawBufferPointer(text)
    let ones: UInt64 = 0x0101_0101_0101_0101
    var at = start
    while at + 8 <= raw.count {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      let quote = (word ^ (ones &* UInt64(UInt8(ascii: "\"")))) &- ones
      let backslash = (word ^ (ones &* UInt64(UInt8(ascii: "\\")))) &- ones
      let control = word &- (ones &* 0x20)
      let found = (quote | backslash | control | word) & (ones &* 0x80)
      if found != 0 { return at + found.trailingZeroBitCount / 8 }
      at += 8
    }
    while at < text.count {
      let byte = text[at]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 || byte >= 0x80 { break }
      at += 1
    }
    return at
  }
}

// MARK: - Escapes

extension JSONReader {
  /// Reads to the closing quote. The reader must be at the first backslash, and the text before it already checked.
  private mutating func readEscapedText(from start: Int) throws(ReadingStop) -> String {
    unescaped.removeAll(keepingCapacity: true)
    unescaped.append(contentsOf: text[start..<offset])
    while peek() == UInt8(ascii: "\\") {
      try readEscape()
      let plain = offset
      try skipPlainText(from: plain)
      unescaped.append(contentsOf: text[plain..<offset])
    }
    return String(decoding: unescaped, as: UTF8.self)
  }

  /// Reads one escape, or both escapes of a surrogate pair, into `unescaped`. The reader must be at the backslash.
  private mutating func readEscape() throws(ReadingStop) {
    let start = offset
    offset += 1
    let letter = peek()
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(letter)
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "u"):
      let scalar = try readEscapedScalar(from: start)
      unescaped.append(contentsOf: String(scalar).utf8)
      return
    default: throw unexpected("one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")
    }
    offset += 1
  }

  /// Reads the digits after `\u`, and a second escape if the first is half of a surrogate pair.
  private mutating func readEscapedScalar(from start: Int) throws(ReadingStop) -> Unicode.Scalar {
    let first = try readHexDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    if first < 0xDC00 {
      // A low surrogate must follow. If the text ends here, it may just be missing.
      if offset == text.count || (peek() == UInt8(ascii: "\\") && offset + 1 == text.count) {
        offset = text.count
        throw unexpected("the second half of the surrogate pair")
      }
      let end = offset
      if peek() == UInt8(ascii: "\\"), byte(at: offset + 1) == UInt8(ascii: "u") {
        offset += 1
        let second = try readHexDigits()
        if 0xDC00...0xDFFF ~= second,
          let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        {
          return scalar
        }
        offset = end
      }
    }
    throw loneSurrogate(from: start, help: ", or both halves of the pair")
  }

  /// Reads four hexadecimal digits. The reader must be at the `u` before them.
  private mutating func readHexDigits() throws(ReadingStop) -> UInt32 {
    var number: UInt32 = 0
    for _ in 0..<4 {
      offset += 1
      guard let digit = peek().hexadecimalDigit else { throw unexpected("a hexadecimal digit") }
      number = number << 4 | digit
    }
    offset += 1
    return number
  }
}
