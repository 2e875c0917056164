// SPDX-License-Identifier: Apache-2.0

/// Reads JSON (RFC 8259) into the nodes of a document, in one pass and without recursion. Comments and trailing commas
/// can be allowed.
///
/// After a syntax error, reading resumes if the meaning of the rest is certain. Otherwise it ends, and all open
/// containers are closed, so that the nodes are a well-formed tree.
struct JSONReader: RecoveringReader {
  let text: UnsafeBufferPointer<UInt8>
  var builder: DocumentBuilder
  var offset: Int
  var site: Site?
  /// Whether `//` and `/* */` comments and a comma before a closing bracket are allowed.
  let isLenient: Bool
  /// Whether comments are skipped instead of reported.
  var skipsComments: Bool
  /// The decoded bytes of the current string with escapes. A property, so that each string reuses the memory.
  var unescaped: [UInt8] = []

  /// Creates a reader at the beginning of a text, which appends to an empty document.
  init(_ text: UnsafeBufferPointer<UInt8>, into builder: DocumentBuilder, isLenient: Bool) {
    self.text = text
    self.builder = builder
    self.isLenient = isLenient
    skipsComments = isLenient
    offset = builder.source.textStart
    // An estimate for dense files. In sparser ones the system provides no memory for the pages that stay unused.
    self.builder.reserve(nodes: text.count / 6 + 8)
  }

  mutating func read() throws(ReadingStop) {
    try skipSpace()
    var expected = try readValue()
    while let container = builder.container {
      do {
        expected = try readPart(of: container, expected)
      } catch {
        expected = try resume(in: container)
      }
    }
    try skipSpace()
    guard offset == text.count else { throw unexpected("the end of the file") }
  }
}

// MARK: - Structure

extension JSONReader {
  /// Reads the next entry or element of a container, with the comma before it, or its closing bracket.
  @inline(__always)
  private mutating func readPart(of container: NodeKind, _ expected: Expectation) throws(ReadingStop) -> Expectation {
    try skipSpace()
    switch expected {
    case .opening, .separator, .anything:
      if isAtEnd(of: container) { return closeContainer() }
    case .element, .value: break
    }
    switch expected {
    case .separator:
      guard peek() == UInt8(ascii: ",") else {
        throw unexpected(container == .map ? "\",\" or \"}\"" : "\",\" or \"]\"", at: .separator)
      }
      offset += 1
      try skipSpace()
      if isLenient, isAtEnd(of: container) { return closeContainer() }
    case .anything:
      if peek() == UInt8(ascii: ",") {
        offset += 1
        return .anything
      }
    case .opening, .element, .value: break
    }
    if container == .map, expected != .value {
      try readKey()
      builder.isSilent = false
    }
    let next = try readValue()
    builder.isSilent = false
    return next
  }

  /// Whether the next byte is the closing bracket of a container.
  @inline(__always)
  func isAtEnd(of container: NodeKind) -> Bool {
    peek() == (container == .map ? UInt8(ascii: "}") : UInt8(ascii: "]"))
  }

  /// Reads the key of an entry and the colon after it.
  private mutating func readKey() throws(ReadingStop) {
    guard peek() == UInt8(ascii: "\"") else { throw unexpected("a key in double quotes", at: .key) }
    try readString(as: .key)
    try skipSpace()
    guard peek() == UInt8(ascii: ":") else { throw unexpected("\":\"", at: .colon) }
    offset += 1
    try skipSpace()
  }

  /// Reads a scalar, or the opening bracket of a container.
  ///
  /// - Returns: The tokens that may come next: in the opened container, or after the scalar.
  private mutating func readValue() throws(ReadingStop) -> Expectation {
    switch peek() {
    case UInt8(ascii: "\""):
      try readString(as: .string)
    case UInt8(ascii: "{"):
      return try openContainer(.map)
    case UInt8(ascii: "["):
      return try openContainer(.list)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try readNumber()
    case UInt8(ascii: "t"):
      try readLiteral("true", .boolean(true))
    case UInt8(ascii: "f"):
      try readLiteral("false", .boolean(false))
    case UInt8(ascii: "n"):
      try readLiteral("null", .null)
    default:
      throw unexpected("a value", at: .value)
    }
    return .separator
  }

  /// Reads one of the three literals, whose first character was already checked.
  private mutating func readLiteral(_ word: StaticString, _ value: ScalarValue) throws(ReadingStop) {
    let start = offset
    for index in 1..<word.utf8CodeUnitCount {
      offset = start + index
      guard peek() == word.utf8Start[index] else { throw unexpected("\"\(word)\"", at: .word) }
    }
    offset += 1
    builder.add(value: value, from: start, to: offset)
  }

  /// Reads an opening bracket.
  private mutating func openContainer(_ kind: NodeKind) throws(ReadingStop) -> Expectation {
    try builder.openContainer(kind, from: offset, to: offset + 1)
    offset += 1
    return .opening
  }

  /// Reads the closing bracket of the innermost container.
  mutating func closeContainer() -> Expectation {
    offset += 1
    builder.closeContainer(at: offset)
    return .separator
  }
}

// MARK: - Whitespace

extension JSONReader {
  /// Skips whitespace and, where allowed, comments.
  @inline(__always)
  private mutating func skipSpace() throws(ReadingStop) {
    skipWhitespace()
    while skipsComments, peek() == UInt8(ascii: "/") {
      try skipComment()
      skipWhitespace()
    }
  }

  /// Skips whitespace.
  @inline(__always)
  private mutating func skipWhitespace() {
    var at = offset
    while at < text.count, text[at].isSpace { at += 1 }
    offset = at
  }
}
