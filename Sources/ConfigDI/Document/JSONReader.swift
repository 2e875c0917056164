// SPDX-License-Identifier: Apache-2.0

/// Reads JSON (RFC 8259) into the nodes of a document, in one pass and without recursion. Comments and trailing commas
/// can be allowed.
///
/// After a syntax error, reading resumes if the meaning of the rest is certain. Otherwise it ends, and all open
/// containers are closed, so that the nodes are a well-formed tree. A reader has a pointer into the text and must not
/// outlive the closure that it is created in.
struct JSONReader: TextReader {
  /// The whole text.
  let text: UnsafeBufferPointer<UInt8>
  /// The number of the file, for findings.
  let file: FileID
  /// The maximum number of maps and lists that are open at once.
  let nesting: Int
  /// Whether `//` and `/* */` comments and a comma before a closing bracket are allowed.
  let isLenient: Bool
  /// The offset of the next byte to read.
  var offset = 0
  /// The nodes so far. An open container has no end yet.
  var nodes: [Node] = []
  /// The texts that are not verbatim in the source.
  var texts: [String] = []
  /// The decoded bytes of the current string with escapes. A property, so that each string reuses the memory.
  var unescaped: [UInt8] = []
  /// The open maps and lists, the innermost last.
  var open: [OpenContainer] = []
  /// The findings that do not end reading.
  var findings: [Finding] = []
  /// The finding that ended reading, whose path is not filled in yet.
  var stop: Finding?
  /// The kind of place of the current syntax error, if reading may resume after it.
  var site: SyntaxErrorContext?
  /// The syntax errors. The last one may have ended reading.
  var mistakes: [SyntaxError] = []
  /// Whether errors belong to the last reported one, because no well-formed entry was read after it.
  var isSilent = false
  /// Whether comments are skipped instead of reported.
  var skipsComments: Bool

  /// A map or list whose closing bracket has not been read.
  struct OpenContainer {
    /// The node of the container.
    let node: UInt32
    /// Whether it is a map.
    let isMap: Bool
    /// The number of values so far.
    var count: Int64 = 0
  }

  /// Creates a reader at the beginning of a text.
  init(_ text: UnsafeBufferPointer<UInt8>, file: FileID, nesting: Int, isLenient: Bool = false) {
    self.text = text
    self.file = file
    self.nesting = nesting
    self.isLenient = isLenient
    skipsComments = isLenient
    // An estimate for dense files. In sparser ones the system provides no memory for the pages that stay unused.
    nodes.reserveCapacity(text.count / 6 + 8)
    open.reserveCapacity(16)
  }

  /// Reads the text to its end, or to a syntax error after which the meaning of the rest is uncertain.
  mutating func read() {
    do {
      skipByteOrderMark()
      try readRoot()
    } catch {
      recordSyntaxError()
      closeAll()
    }
  }
}

// MARK: - Structure

extension JSONReader {
  /// Reads the root value of the text with all its contents.
  private mutating func readRoot() throws(ReadingStop) {
    try skipSpace()
    var next = try readValue()
    while let container = open.last {
      do {
        next = try readPart(of: container, next)
      } catch {
        next = try resume()
      }
    }
    try skipSpace()
    guard offset == text.count else { throw unexpected("the end of the file") }
  }

  /// Reads the next entry or element of the innermost container, with the comma before it, or its closing bracket.
  ///
  /// - Returns: The tokens that may come next.
  @inline(__always)
  private mutating func readPart(
    of container: OpenContainer, _ expected: Expectation
  ) throws(ReadingStop) -> Expectation {
    try skipSpace()
    switch expected {
    case .opening, .separator, .anything:
      if closesContainer(container) {
        closeContainer()
        return .separator
      }
    case .element, .value: break
    }
    switch expected {
    case .separator:
      guard peek() == UInt8(ascii: ",") else {
        site = .separator
        throw unexpected(container.isMap ? "\",\" or \"}\"" : "\",\" or \"]\"")
      }
      offset += 1
      try skipSpace()
      if isLenient, closesContainer(container) {
        closeContainer()
        return .separator
      }
    case .anything:
      if peek() == UInt8(ascii: ",") {
        offset += 1
        return .anything
      }
    case .opening, .element, .value: break
    }
    if container.isMap, expected != .value {
      try readKey()
      isSilent = false
    }
    open[open.count - 1].count += 1
    let next = try readValue()
    isSilent = false
    return next
  }

  /// Whether the next byte is the closing bracket of a container.
  @inline(__always)
  private func closesContainer(_ container: OpenContainer) -> Bool {
    peek() == (container.isMap ? UInt8(ascii: "}") : UInt8(ascii: "]"))
  }

  /// Reads the key of an entry and the colon after it.
  private mutating func readKey() throws(ReadingStop) {
    guard peek() == UInt8(ascii: "\"") else {
      site = .key
      throw unexpected("a key in double quotes")
    }
    try readString(as: .key)
    try skipSpace()
    guard peek() == UInt8(ascii: ":") else {
      site = .colon
      throw unexpected("\":\"")
    }
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
      try openContainer(.map)
      return .opening
    case UInt8(ascii: "["):
      try openContainer(.list)
      return .opening
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      try readNumber()
    case UInt8(ascii: "t"):
      try readLiteral("true", .boolean, payload: 1)
    case UInt8(ascii: "f"):
      try readLiteral("false", .boolean, payload: 0)
    case UInt8(ascii: "n"):
      try readLiteral("null", .invalid, payload: 0)
      findings.append(.nullValue(at: reference(nodes.count - 1)))
    default:
      site = .value
      throw unexpected("a value")
    }
    return .separator
  }

  /// Reads one of the three literals, whose first character was already checked.
  private mutating func readLiteral(_ word: StaticString, _ kind: NodeKind, payload: Int64) throws(ReadingStop) {
    let start = offset
    for index in 1..<word.utf8CodeUnitCount {
      offset = start + index
      guard peek() == word.utf8Start[index] else {
        site = .word
        throw unexpected("\"\(word)\"")
      }
    }
    offset += 1
    append(kind, from: start, payload: payload)
  }

  /// Reads an opening bracket.
  private mutating func openContainer(_ kind: NodeKind) throws(ReadingStop) {
    guard open.count < nesting else { throw nestedTooDeeply() }
    open.append(OpenContainer(node: UInt32(truncatingIfNeeded: nodes.count), isMap: kind == .map))
    append(kind, from: offset)
    offset += 1
  }

  /// Reads the closing bracket of the innermost container.
  mutating func closeContainer() {
    offset += 1
    finish(open.removeLast())
  }

  /// Sets the end, the count and the `next` index of a container.
  private mutating func finish(_ container: OpenContainer) {
    let index = Int(container.node)
    nodes[index].end = UInt32(truncatingIfNeeded: offset)
    nodes[index].next = UInt32(truncatingIfNeeded: nodes.count)
    nodes[index].payload = container.count
  }

  /// Closes all open containers, so that a text which ends too early is a well-formed tree.
  private mutating func closeAll() {
    // Every key needs a value. The missing value of the last key was reported as an error.
    if nodes.last?.kind == .key { append(.invalid, from: offset) }
    // The count of the innermost container may include a value that could not be read, or lack that of its last key.
    if let container = open.last { open[open.count - 1].count = countedValues(of: container) }
    while let container = open.popLast() { finish(container) }
  }

  /// Returns the number of values in an open container whose contents are all closed.
  private func countedValues(of container: OpenContainer) -> Int64 {
    var count: Int64 = 0
    var node = Int(container.node) + 1
    while node < nodes.count {
      let value = container.isMap ? node + 1 : node
      node = Int(nodes[value].next)
      count += 1
    }
    return count
  }
}

// MARK: - Bytes and nodes

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
    while at < text.count {
      switch text[at] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): at += 1
      default:
        offset = at
        return
      }
    }
    offset = at
  }

  /// Skips a byte-order mark.
  private mutating func skipByteOrderMark() {
    if byte(at: 0) == 0xEF, byte(at: 1) == 0xBB, byte(at: 2) == 0xBF { offset = 3 }
  }

  /// Adds a node without contents, from an offset to the current position.
  @inline(__always)
  mutating func append(_ kind: NodeKind, isVerbatim: Bool = false, from start: Int, payload: Int64 = 0) {
    nodes.append(
      Node(
        kind: kind, isVerbatim: isVerbatim, start: UInt32(truncatingIfNeeded: start),
        end: UInt32(truncatingIfNeeded: offset), next: UInt32(truncatingIfNeeded: nodes.count + 1), payload: payload))
  }

  /// Returns a reference to a node that was read.
  func reference(_ node: Int) -> NodeRef { NodeRef(file: file, node: UInt32(truncatingIfNeeded: node)) }
}
