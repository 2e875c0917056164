// SPDX-License-Identifier: Apache-2.0

extension XMLPropertyListReader {
  /// Reads the text of an element and its closing tag: entities decoded, line breaks as LF, comments gone.
  mutating func readText(of tag: Tag) throws(ReadingStop) -> String {
    try readContent(of: tag)
    return String(decoding: content, as: UTF8.self)
  }

  /// Reads the text of an element into `content`, and its closing tag.
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
          try keepMistake()
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
          throw end(
            .syntaxError, "unexpected element \"\(inner.name)\" inside element \"\(tag.name)\"", from: inner.start,
            to: offset)
        }
      }
    }
  }

  /// Moves to the next character that is more than itself: `<`, `&`, CR.
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

  /// Whether `]]` stands right before the next byte.
  private var isBehindBrackets: Bool {
    offset >= 2 && text[offset - 1] == UInt8(ascii: "]") && text[offset - 2] == UInt8(ascii: "]")
  }

  /// Reads CR, or CR and LF, as LF (section 2.11).
  private mutating func readLineBreak() {
    offset += byte(at: offset + 1) == UInt8(ascii: "\n") ? 2 : 1
    content.append(UInt8(ascii: "\n"))
  }

  /// Reads a comment, which is nothing, or a CDATA section, which is text as it stands.
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
  /// The entities that XML has without a declaration (section 4.6).
  private static let entities: [String: UInt8] = [
    "amp": UInt8(ascii: "&"), "apos": UInt8(ascii: "'"), "gt": UInt8(ascii: ">"), "lt": UInt8(ascii: "<"),
    "quot": UInt8(ascii: "\""),
  ]

  /// Reads one entity into `content`.
  private mutating func readEntity() throws(ReadingStop) {
    let start = offset
    offset += 1
    guard peek() != UInt8(ascii: "#") else { return try readCharacterReference(from: start) }
    let nameStart = offset
    while (peek() | 0x20) &- UInt8(ascii: "a") < 26 || (offset > nameStart && 0x30...0x39 ~= peek()) { offset += 1 }
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

  /// Reads a character by its number, the reader being at `#` (section 4.1).
  private mutating func readCharacterReference(from start: Int) throws(ReadingStop) {
    offset += 1
    let radix: UInt32 = peek() == UInt8(ascii: "x") ? 16 : 10
    if radix == 16 { offset += 1 }
    let digitsStart = offset
    var number: UInt32 = 0
    while let digit = Character(Unicode.Scalar(peek())).hexDigitValue, digit < radix {
      // Beyond Unicode it does not matter how far.
      number = min(number * radix + UInt32(digit), 0x11_0000)
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
