// SPDX-License-Identifier: Apache-2.0

/// Reads an XML property list (the document type of http://www.apple.com/DTDs/PropertyList-1.0.dtd) into a document, in
/// one pass and without recursion. Nothing is fetched, and no entity is expanded except those that XML predefines.
///
/// After an error, reading resumes if the meaning of the rest is certain, and otherwise ends. A reader has a pointer
/// into the text and must not outlive the closure that it is created in.
struct XMLPropertyListReader: TextReader {
  let text: UnsafeBufferPointer<UInt8>
  let file: FileID
  var offset = 0
  var stop: Finding?
  /// The document so far.
  var builder: DocumentBuilder
  /// The findings that do not end reading.
  var findings: [Finding] = []
  /// The decoded text of the current element. A property, so that each element reuses the memory.
  var content: [UInt8] = []
  /// The byte range of the key whose value comes next, or `nil`.
  var key: Range<Int>?
  /// The kind of place of the current error, if reading may resume after it.
  var site: SyntaxErrorContext?
  /// The errors. The last one may have ended reading.
  var mistakes: [SyntaxError] = []

  /// Creates a reader at the beginning of a text, which appends to an empty document.
  init(_ text: UnsafeBufferPointer<UInt8>, into document: Document, nesting: Int) {
    self.text = text
    file = document.file
    var document = document
    document.bracketsAreTokens = false
    builder = DocumentBuilder(document, nesting: nesting)
  }

  /// Reads the text to its end, or to an error after which the meaning of the rest is uncertain.
  mutating func read() {
    do {
      if byte(at: 0) == 0xEF, byte(at: 1) == 0xBB, byte(at: 2) == 0xBF { offset = 3 }
      try skipProlog()
      try readRoot()
      try skipMarkup()
      guard offset == text.count else { throw unexpected("the end of the file") }
    } catch {
      if let stop { mistakes.append(SyntaxError(finding: stop, node: builder.pending)) }
    }
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
        try readContent(of: container)
      } catch {
        try resume()
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

  /// Reads the next key or value of the innermost container, or the closing tag of the container.
  private mutating func readContent(of container: NodeKind) throws(ReadingStop) {
    try skipMarkup()
    if isAtEndTag {
      if let key {
        site = .missingValue
        throw end(.syntaxError, "this key has no value", from: key.lowerBound, to: key.upperBound)
      }
      let start = offset
      do {
        try readEnd(of: container == .map ? "dict" : "array")
      } catch {
        site = .containerEnd(start: start)
        throw error
      }
      return builder.closeContainer(at: offset)
    }
    let tag = try readTag()
    guard container == .map, key == nil else {
      if let key, tag.name == "key" {
        offset = tag.start
        site = .missingValue
        throw end(.syntaxError, "this key has no value", from: key.lowerBound, to: key.upperBound)
      }
      key = nil
      return try readValue(tag, "a value")
    }
    guard tag.name == "key" else {
      site = .misplaced(tag, isValue: false)
      throw misplaced(tag, "a key")
    }
    let text = try readText(of: tag)
    builder.add(.key, text: text, from: tag.start, to: offset)
    key = tag.start..<offset
  }

  /// Reads a scalar with its closing tag, or the opening tag of a container.
  private mutating func readValue(_ tag: Tag, _ expected: String) throws(ReadingStop) {
    switch Element(rawValue: tag.name) {
    case .dict: try openContainer(.map, tag)
    case .array: try openContainer(.list, tag)
    case .string:
      let text = try readText(of: tag)
      builder.add(.string, text: text, from: tag.start, to: offset)
    case .integer: try readInteger(tag)
    case .real: try readReal(tag)
    case .true: try readBoolean(tag, true)
    case .false: try readBoolean(tag, false)
    case .data: try readData(tag)
    case .date: try readDate(tag)
    case .key, nil:
      site = .misplaced(tag, isValue: true)
      throw misplaced(tag, expected)
    }
  }

  /// Opens a container, and closes it if its tag is self-closing.
  private mutating func openContainer(_ kind: NodeKind, _ tag: Tag) throws(ReadingStop) {
    guard builder.depth < builder.nesting else {
      throw end(
        .nestedTooDeeply, "dictionaries and arrays are nested deeper than \(builder.nesting) levels", from: tag.start,
        to: offset)
    }
    builder.openContainer(kind, from: tag.start, to: offset)
    if tag.isEmpty { builder.closeContainer(at: offset) }
  }

  /// Stores CDI0101 at an element that is not allowed at its place.
  private mutating func misplaced(_ tag: Tag, _ expected: String) -> ReadingStop {
    end(.syntaxError, "unexpected element \"\(tag.name)\", expected \(expected)", from: tag.start, to: offset)
  }
}
