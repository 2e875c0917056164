// SPDX-License-Identifier: Apache-2.0

// Markup that is not a value. The sections are those of XML 1.0, https://www.w3.org/TR/xml/.

extension XMLPropertyListReader {
  /// An opening tag.
  struct Tag {
    /// The offset of the opening bracket.
    let start: Int
    /// The name of the element.
    let name: String
    /// Whether the tag is self-closing, as in `<true/>`.
    let isEmpty: Bool
  }

  /// Whether a closing tag comes next.
  var isAtEndTag: Bool { peek() == UInt8(ascii: "<") && byte(at: offset + 1) == UInt8(ascii: "/") }

  /// Reads an opening tag.
  mutating func readTag(allowingAttributes: Bool = false) throws(ReadingStop) -> Tag {
    let start = offset
    try skip("<")
    let name = try readName()
    var isSpaced = skipSpace()
    while allowingAttributes, isSpaced, isNameStart(peek()) {
      try skipAttribute()
      isSpaced = skipSpace()
    }
    let isEmpty = peek() == UInt8(ascii: "/")
    if isEmpty { offset += 1 }
    guard peek() == UInt8(ascii: ">") else { throw unexpected(isEmpty ? "\">\"" : "\">\" or \"/>\"") }
    offset += 1
    return Tag(start: start, name: name, isEmpty: isEmpty)
  }

  /// Reads the closing tag of an element.
  mutating func readEnd(of name: StaticString) throws(ReadingStop) {
    try skip("</")
    try skip(name)
    _ = skipSpace()
    try skip(">")
  }

  /// Reads the closing tag of an element whose name was read from the text.
  mutating func readEnd(of tag: Tag) throws(ReadingStop) {
    try skip("</")
    for character in tag.name.utf8 {
      guard peek() == character else { throw unexpected("\"</\(tag.name)>\"") }
      offset += 1
    }
    _ = skipSpace()
    try skip(">")
  }

  /// Skips whitespace, comments and processing instructions.
  mutating func skipMarkup() throws(ReadingStop) {
    while true {
      _ = skipSpace()
      guard peek() == UInt8(ascii: "<") else {
        guard offset == text.count || builder.container == nil else { throw unexpected("\"<\"") }
        return
      }
      switch byte(at: offset + 1) {
      case UInt8(ascii: "!"): try skipComment()
      case UInt8(ascii: "?"): try skipInstruction()
      default: return
      }
    }
  }

  /// Skips the prolog: an optional declaration, an optional document type, comments and instructions.
  mutating func skipProlog() throws(ReadingStop) {
    if byte(at: offset + 1) == UInt8(ascii: "?") { try skipInstruction(isDeclaration: true) }
    var isTyped = false
    while true {
      _ = skipSpace()
      guard peek() == UInt8(ascii: "<") else { throw unexpected("\"<\"") }
      switch (byte(at: offset + 1), byte(at: offset + 2)) {
      case (UInt8(ascii: "?"), _): try skipInstruction()
      case (UInt8(ascii: "!"), UInt8(ascii: "D")) where !isTyped:
        isTyped = true
        try skipDocumentType()
      case (UInt8(ascii: "!"), _): try skipComment()
      default: return
      }
    }
  }
}

// MARK: - Comments and instructions

extension XMLPropertyListReader {
  /// Skips a comment, which ends at the first two consecutive hyphens (section 2.5).
  mutating func skipComment() throws(ReadingStop) {
    if text[offset...].starts(with: "<!ENTITY".utf8) { throw entityDeclaration(to: offset + "<!ENTITY".utf8.count) }
    try skip("<!--")
    while !(peek() == UInt8(ascii: "-") && byte(at: offset + 1) == UInt8(ascii: "-")) {
      guard offset < text.count else { throw unexpected("\"-->\" to close the comment") }
      try skipCharacter()
    }
    try skip("-->")
  }

  /// Skips a processing instruction. An XML declaration has the same form, and must come first (section 2.8).
  mutating func skipInstruction(isDeclaration: Bool = false) throws(ReadingStop) {
    let start = offset
    try skip("<?")
    let name = try readName()
    guard isDeclaration || name.lowercased() != "xml" else {
      throw end(.syntaxError, "an XML declaration is allowed only at the start of the file", from: start, to: offset)
    }
    while !(peek() == UInt8(ascii: "?") && byte(at: offset + 1) == UInt8(ascii: ">")) {
      guard offset < text.count else { throw unexpected("\"?>\"") }
      try skipCharacter()
    }
    offset += 2
  }
}

// MARK: - The document type

extension XMLPropertyListReader {
  /// Skips the document type. Its identifiers are not checked.
  private mutating func skipDocumentType() throws(ReadingStop) {
    try skip("<!DOCTYPE")
    while peek() != UInt8(ascii: ">") {
      switch peek() {
      case UInt8(ascii: "["): try skipDeclarations()
      case UInt8(ascii: "\""), UInt8(ascii: "'"): try skipQuoted()
      case UInt8(ascii: "<"): throw unexpected("\">\"")
      default:
        guard offset < text.count else { throw unexpected("\">\"") }
        try skipCharacter()
      }
    }
    offset += 1
  }

  /// Skips the internal subset of the document type, the declarations in brackets. Rejects entity declarations.
  private mutating func skipDeclarations() throws(ReadingStop) {
    offset += 1
    while true {
      _ = skipSpace()
      if peek() == UInt8(ascii: "]") { break }
      guard peek() == UInt8(ascii: "<") else { throw unexpected("a declaration or \"]\"") }
      switch (byte(at: offset + 1), byte(at: offset + 2)) {
      case (UInt8(ascii: "?"), _): try skipInstruction()
      case (UInt8(ascii: "!"), UInt8(ascii: "-")): try skipComment()
      default: try skipDeclaration()
      }
    }
    offset += 1
  }

  /// Skips a declaration. Rejects an entity declaration.
  private mutating func skipDeclaration() throws(ReadingStop) {
    let start = offset
    try skip("<!")
    guard try readName() != "ENTITY" else {
      let nameEnd = offset
      offset = start
      throw entityDeclaration(to: nameEnd)
    }
    while peek() != UInt8(ascii: ">") {
      guard offset < text.count else { throw unexpected("\">\"") }
      if peek() == UInt8(ascii: "\"") || peek() == UInt8(ascii: "'") {
        try skipQuoted()
      } else {
        try skipCharacter()
      }
    }
    offset += 1
  }
}

extension XMLPropertyListReader {
  /// Stores CDI0104 at an entity declaration. The reader must be at its start.
  private mutating func entityDeclaration(to end: Int) -> ReadingStop {
    self.end(
      .invalidCharacter, "entity declarations are not allowed in a property list", from: offset, to: end,
      help: "write the text itself; the predefined entities are &amp; &lt; &gt; &quot; &apos;")
  }
}

// MARK: - Characters

extension XMLPropertyListReader {
  /// Skips the given characters, which must come next.
  mutating func skip(_ word: StaticString) throws(ReadingStop) {
    for index in 0..<word.utf8CodeUnitCount {
      guard peek() == word.utf8Start[index], offset < text.count else { throw unexpected("\"\(word)\"") }
      offset += 1
    }
  }

  /// Skips whitespace.
  ///
  /// - Returns: Whether there was any.
  mutating func skipSpace() -> Bool {
    let start = offset
    while peek().isSpace { offset += 1 }
    return offset > start
  }

  /// Skips a character, which must be one that XML allows (section 2.2).
  mutating func skipCharacter() throws(ReadingStop) {
    let length = try scalarLength(at: offset)
    let byte = text[offset]
    let isControl = byte < 0x20 && !byte.isSpace
    // U+FFFE and U+FFFF.
    let isNoCharacter = byte == 0xEF && text[offset + 1] == 0xBF && text[offset + 2] >= 0xBE
    guard !isControl, !isNoCharacter else {
      let code: UInt32 = isControl ? UInt32(byte) : 0xFF40 + UInt32(text[offset + 2])
      throw end(
        .invalidCharacter, "character U+\(code.hexadecimal(width: 4)) is not allowed in XML", from: offset,
        to: offset + length)
    }
    offset += length
  }

  /// Skips a quoted string.
  private mutating func skipQuoted() throws(ReadingStop) {
    let quote = peek()
    offset += 1
    while peek() != quote {
      guard offset < text.count else { throw unexpected("the closing quote") }
      try skipCharacter()
    }
    offset += 1
  }

  /// Skips an attribute: a name, an equals sign and a quoted string.
  private mutating func skipAttribute() throws(ReadingStop) {
    _ = try readName()
    _ = skipSpace()
    try skip("=")
    _ = skipSpace()
    guard peek() == UInt8(ascii: "\"") || peek() == UInt8(ascii: "'") else { throw unexpected("a quoted string") }
    try skipQuoted()
  }

  /// Reads an ASCII name. Property lists contain no other names.
  private mutating func readName() throws(ReadingStop) -> String {
    let start = offset
    guard isNameStart(peek()) else { throw unexpected("a name") }
    while isNameStart(peek()) || peek().isDigit || "-.".utf8.contains(peek()) { offset += 1 }
    return String(decoding: text[start..<offset], as: UTF8.self)
  }

  /// Whether a byte is a letter, an underscore or a colon.
  private func isNameStart(_ byte: UInt8) -> Bool {
    byte.isLetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
  }
}
