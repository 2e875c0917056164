// SPDX-License-Identifier: Apache-2.0

/// Reads an XML property list (the document type of http://www.apple.com/DTDs/PropertyList-1.0.dtd) into a document, in
/// one pass and without recursion. Nothing is fetched, and no entity is expanded except those that XML predefines.
///
/// After an error, reading resumes if the meaning of the rest is certain, and otherwise ends.
struct XMLPropertyListReader: RecoveringReader {
  let text: UnsafeBufferPointer<UInt8>
  var builder: DocumentBuilder
  var offset: Int
  var site: Site?
  /// The decoded text of the current element. A property, so that each element reuses the memory.
  var content: [UInt8] = []

  /// Creates a reader at the beginning of a text, which appends to an empty document.
  init(_ text: UnsafeBufferPointer<UInt8>, into builder: DocumentBuilder) {
    self.text = text
    self.builder = builder
    self.builder.document.content.bracketsAreTokens = false
    offset = builder.source.textStart
  }

  mutating func read() throws(ReadingStop) {
    try skipProlog()
    try readRoot()
    try skipMarkup()
    guard offset == text.count else { throw unexpected("the end of the file") }
  }

  /// The elements of keys and values.
  enum Element: String {
    case array, data, date, dict, `false`, integer, key, real, string, `true`
  }

  func help(for character: String) -> String? {
    // A slash after an opening bracket is part of a closing tag.
    guard builder.next == 0, offset == 0 || text[offset - 1] != UInt8(ascii: "<") else { return nil }
    switch character {
    case "{", "(", "[", "/": return "only XML and binary property lists are supported, not the OpenStep format"
    default: return nil
    }
  }
}

// MARK: - Structure

extension XMLPropertyListReader {
  /// Reads the `plist` element with its one value.
  private mutating func readRoot() throws(ReadingStop) {
    let root = try readTag(allowingAttributes: true)
    guard root.name == "plist" else { throw misplaced(root, "element \"plist\"") }
    guard !root.isEmpty else { throw misplaced(root, "a value inside element \"plist\"") }
    try readContent()
    while let container = builder.container {
      do {
        try readPart(of: container)
      } catch {
        try resume(in: container)
      }
    }
    try skipMarkup()
    try readEnd(of: "plist")
  }

  /// Reads the root value.
  private mutating func readContent() throws(ReadingStop) {
    try skipMarkup()
    guard !isAtEndTag else {
      offset += 1
      throw unexpected("a value")
    }
    try readValue(try readTag(), "one value")
  }

  /// Reads the next key or value of a container, or the closing tag of the container.
  private mutating func readPart(of container: NodeKind) throws(ReadingStop) {
    try skipMarkup()
    let start = offset
    if isAtEndTag {
      guard !builder.isAfterKey else { throw missingValue() }
      do {
        try readEnd(of: container == .map ? "dict" : "array")
      } catch {
        site = .containerEnd(start: start)
        throw error
      }
      return builder.closeContainer(at: offset)
    }
    let tag = try readTag()
    guard container == .map, !builder.isAfterKey else {
      if builder.isAfterKey, tag.name == "key" {
        offset = start
        throw missingValue()
      }
      return try readValue(tag, "a value")
    }
    guard tag.name == "key" else {
      site = .misplaced(tag, isValue: false)
      throw misplaced(tag, "a key")
    }
    let text = try readText(of: tag)
    builder.add(.key, text: text, from: tag.start, to: offset)
  }

  /// Stores CDI0101 at the last key, after which a value is missing.
  private mutating func missingValue() -> ReadingStop {
    site = .missingValue
    let key = builder.nodes[builder.nodes.count - 1]
    return end(.syntaxError, "this key has no value", from: Int(key.start), to: Int(key.end))
  }

  /// Reads a scalar with its closing tag, or the opening tag of a container.
  private mutating func readValue(_ tag: Tag, _ expected: String) throws(ReadingStop) {
    switch Element(rawValue: tag.name) {
    case .dict: try openContainer(.map, tag)
    case .array: try openContainer(.list, tag)
    case .string: builder.add(value: .string(try readText(of: tag)), from: tag.start, to: offset)
    case .integer: try readInteger(tag)
    case .real: try readReal(tag)
    case .true, .false:
      if !tag.isEmpty { try readEnd(of: tag) }
      builder.add(value: .boolean(tag.name == "true"), from: tag.start, to: offset)
    case .data: try readData(tag)
    case .date: try readDate(tag)
    case .key, nil:
      site = .misplaced(tag, isValue: true)
      throw misplaced(tag, expected)
    }
  }

  /// Opens a container, and closes it if its tag is self-closing.
  private mutating func openContainer(_ kind: NodeKind, _ tag: Tag) throws(ReadingStop) {
    try builder.openContainer(kind, from: tag.start, to: offset)
    if tag.isEmpty { builder.closeContainer(at: offset) }
  }

  /// Stores CDI0101 at an element that is not allowed at its place.
  private mutating func misplaced(_ tag: Tag, _ expected: String) -> ReadingStop {
    end(.syntaxError, "unexpected element \"\(tag.name)\", expected \(expected)", from: tag.start, to: offset)
  }
}
