// SPDX-License-Identifier: Apache-2.0

extension XMLPropertyListReader {
  /// Reads the text of an element and its closing tag. Decodes entities, reads line breaks as LF, drops comments.
  mutating func readText(of tag: Tag) throws(ReadingStop) -> String {
    try readContent(of: tag)
    return String(decoding: content, as: UTF8.self)
  }

  /// Reads the text of an element into `content`, and its closing tag, in the same way.
  mutating func readContent(of tag: Tag) throws(ReadingStop) {
    content.removeAll(keepingCapacity: true)
    guard !tag.isEmpty else { return }
    while true {
      let start = offset
      try skipPlainText()
      content.append(contentsOf: text[start..<offset])
      switch peek() {
      case UInt8(ascii: "&"):
        do {
          try readEntity()
        } catch {
          try recordMistake()
        }
      case UInt8(ascii: "\r"): readLineBreak()
      default:
        switch byte(at: offset + 1) {
        case UInt8(ascii: "/"):
          let start = offset
          do {
            return try readEnd(of: tag)
          } catch {
            site = .end(tag, start: start)
            throw error
          }
        case UInt8(ascii: "?"): try skipInstruction()
        case UInt8(ascii: "!"): try readMarkedText()
        default:
          let inner = try readTag(allowingAttributes: true)
          site = .text(tag, inner: inner)
          let place = "inside element \"\(tag.name)\""
          let stop = end(
            .syntaxError, "unexpected element \"\(inner.name)\" \(place)", from: inner.start, to: offset)
          builder.stop?.fixedText = place
          throw stop
        }
      }
    }
  }

  /// Moves to the next `<`, `&` or CR.
  private mutating func skipPlainText() throws(ReadingStop) {
    while true {
      let byte = peek()
      switch byte {
      case UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "\r"): return
      case UInt8(ascii: ">") where isBehindBrackets: throw unexpected("text, in which \"]]>\" is written \"]]&gt;\"")
      case 0x20..<0x80, 0x09, 0x0A: offset += 1
      default:
        guard offset < text.count else { throw unexpected("a closing tag") }
        try skipCharacter()
      }
    }
  }

  /// Whether the last two bytes are `]]`.
  private var isBehindBrackets: Bool {
    offset >= 2 && text[offset - 1] == UInt8(ascii: "]") && text[offset - 2] == UInt8(ascii: "]")
  }

  /// Reads CR or CR LF as LF (section 2.11).
  private mutating func readLineBreak() {
    offset += byte(at: offset + 1) == UInt8(ascii: "\n") ? 2 : 1
    content.append(UInt8(ascii: "\n"))
  }

  /// Reads a comment, which adds nothing, or a CDATA section, whose text is added without decoding entities.
  private mutating func readMarkedText() throws(ReadingStop) {
    guard byte(at: offset + 2) == UInt8(ascii: "[") else { return try skipComment() }
    try skip("<![CDATA[")
    while !(peek() == UInt8(ascii: "]") && byte(at: offset + 1) == UInt8(ascii: "]")
      && byte(at: offset + 2) == UInt8(ascii: ">"))
    {
      guard offset < text.count else { throw unexpected("\"]]>\" to close the CDATA section") }
      if peek() == UInt8(ascii: "\r") {
        readLineBreak()
      } else {
        let start = offset
        try skipCharacter()
        content.append(contentsOf: text[start..<offset])
      }
    }
    offset += 3
  }
}

// MARK: - Entities

extension XMLPropertyListReader {
  /// The predefined entities (section 4.6).
  private static let entities: [String: UInt8] = [
    "amp": UInt8(ascii: "&"), "apos": UInt8(ascii: "'"), "gt": UInt8(ascii: ">"), "lt": UInt8(ascii: "<"),
    "quot": UInt8(ascii: "\""),
  ]

  /// Reads an entity reference into `content`.
  private mutating func readEntity() throws(ReadingStop) {
    let start = offset
    offset += 1
    guard peek() != UInt8(ascii: "#") else { return try readCharacterReference(from: start) }
    let nameStart = offset
    while peek().isLetter || (offset > nameStart && peek().isDigit) { offset += 1 }
    guard offset > nameStart else { throw unexpected("an entity name; \"&\" itself is written &amp;") }
    guard peek() == UInt8(ascii: ";") else { throw unexpected("\";\" after the entity name") }
    let name = String(decoding: text[nameStart..<offset], as: UTF8.self)
    offset += 1
    guard let byte = XMLPropertyListReader.entities[name] else {
      throw end(
        .syntaxError, "unknown entity \"\(name)\"", from: start, to: offset,
        help: "the entities are &amp; &lt; &gt; &quot; &apos; and character references such as &#233;")
    }
    content.append(byte)
  }

  /// Reads a character reference. The reader must be at the `#` (section 4.1).
  private mutating func readCharacterReference(from start: Int) throws(ReadingStop) {
    offset += 1
    let radix: UInt32 = peek() == UInt8(ascii: "x") ? 16 : 10
    if radix == 16 { offset += 1 }
    let digitsStart = offset
    var number: UInt32 = 0
    while let digit = peek().hexadecimalDigit, digit < radix {
      // Clamped to a value beyond Unicode, so that it cannot overflow.
      number = min(number * radix + digit, 0x11_0000)
      offset += 1
    }
    guard offset > digitsStart else { throw unexpected("a digit") }
    guard peek() == UInt8(ascii: ";") else { throw unexpected("a digit or \";\"") }
    offset += 1
    let isForbidden = number < 0x20 && ![0x09, 0x0A, 0x0D].contains(number) || 0xFFFE...0xFFFF ~= number
    guard !isForbidden, let scalar = Unicode.Scalar(number) else {
      let reference = String(decoding: text[start..<offset], as: UTF8.self)
      throw end(.invalidCharacter, "\"\(reference)\" is not a character that XML allows", from: start, to: offset)
    }
    content.append(contentsOf: String(scalar).utf8)
  }
}
