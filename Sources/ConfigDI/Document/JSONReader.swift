// SPDX-License-Identifier: Apache-2.0

/// Reads a JSON text (RFC 8259) into the nodes of a document, in one pass and without recursion; strictly, or with comments
/// and trailing commas.
///
/// Behind a mistake of syntax reading goes on where that is certain, else it ends; then all that is open is closed, so that
/// the nodes are a whole tree anyway.
/// A reader holds a pointer into the text and must not outlive the closure that it is made in.
struct JSONReader: TextReader {
  /// The whole text.
  let text: UnsafeBufferPointer<UInt8>
  /// The number of the file, for findings.
  let file: FileID
  /// How many maps and lists may be open at once.
  let nesting: Int
  /// Whether `//` and `/* */` comments and a comma in front of a closing bracket are allowed.
  let isLenient: Bool
  /// The offset of the next byte to read.
  var offset = 0
  /// The nodes so far. That of an open container has no end yet.
  var nodes: [Node] = []
  /// The texts that do not stand verbatim in the source.
  var texts: [String] = []
  /// The bytes of the text with escapes that is being read; kept so that its memory serves the next.
  var unescaped: [UInt8] = []
  /// The maps and lists that are open, the innermost last.
  var open: [OpenContainer] = []
  /// The findings after which reading goes on.
  var findings: [Finding] = []
  /// The finding that ended reading, its path still empty.
  var stop: Finding?
  /// Where the finding that is to end reading was found, where reading may go on all the same.
  var site: MistakeSite?
  /// The mistakes of syntax, the last of which may have ended reading.
  var mistakes: [SyntaxMistake] = []
  /// Whether what is wrong belongs to the last mistake, as no sound entry was read behind it.
  var isSilent = false
  /// Whether comments are passed over.
  var skipsComments: Bool

  /// A map or list whose closing bracket has not been read.
  struct OpenContainer {
    /// The container's node.
    let node: UInt32
    /// Whether it is a map.
    let isMap: Bool
    /// How many values it has so far.
    var count: Int64 = 0
  }

  /// A reader at the beginning of a text.
  init(_ text: UnsafeBufferPointer<UInt8>, file: FileID, nesting: Int, isLenient: Bool = false) {
    self.text = text
    self.file = file
    self.nesting = nesting
    self.isLenient = isLenient
    skipsComments = isLenient
    // A guess that suits dense files. Of what sparser ones do not fill, the system gives no memory.
    nodes.reserveCapacity(text.count / 6 + 8)
    open.reserveCapacity(16)
  }

  /// Reads the text to its end, or to a mistake of syntax behind which it is not certain what is meant.
  mutating func read() {
    do {
      skipByteOrderMark()
      try readRoot()
    } catch {
      keepMistake()
      closeAll()
    }
  }
}

// MARK: - Structure

extension JSONReader {
  /// Reads the one value that a text consists of, with all that it holds.
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

  /// Reads the next entry or element of the innermost container with the comma before it, or its closing bracket.
  ///
  /// - Returns: What may come behind.
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

  /// Reads a map's key and the colon behind it.
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
  /// - Returns: What may come behind: inside the container that was opened, or behind the scalar.
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

  /// Reads one of the three literals, the first character of which has been seen.
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

  /// Gives a container its end, its count, and the place of what follows it.
  private mutating func finish(_ container: OpenContainer) {
    let index = Int(container.node)
    nodes[index].end = UInt32(truncatingIfNeeded: offset)
    nodes[index].next = UInt32(truncatingIfNeeded: nodes.count)
    nodes[index].payload = container.count
  }

  /// Closes all that is open, so that a text which breaks off is a tree as well.
  private mutating func closeAll() {
    // A key has a value in every document; that of the last was reported as an error.
    if nodes.last?.kind == .key { append(.invalid, from: offset) }
    // The innermost count may run ahead of a value that could not be read, or lag behind its key.
    if let container = open.last { open[open.count - 1].count = countedValues(of: container) }
    while let container = open.popLast() { finish(container) }
  }

  /// How many values an open container holds that has no open one within.
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
  /// Moves to the next token, over whitespace and, where they are allowed, comments.
  @inline(__always)
  private mutating func skipSpace() throws(ReadingStop) {
    skipWhitespace()
    while skipsComments, peek() == UInt8(ascii: "/") {
      try skipComment()
      skipWhitespace()
    }
  }

  /// Moves to the next byte that is not whitespace.
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

  /// Moves behind a byte-order mark.
  private mutating func skipByteOrderMark() {
    if byte(at: 0) == 0xEF, byte(at: 1) == 0xBB, byte(at: 2) == 0xBF { offset = 3 }
  }

  /// Adds a node that reaches from an offset to the next byte and holds nothing.
  @inline(__always)
  mutating func append(_ kind: NodeKind, isVerbatim: Bool = false, from start: Int, payload: Int64 = 0) {
    nodes.append(
      Node(
        kind: kind, isVerbatim: isVerbatim, start: UInt32(truncatingIfNeeded: start),
        end: UInt32(truncatingIfNeeded: offset), next: UInt32(truncatingIfNeeded: nodes.count + 1), payload: payload))
  }

  /// The place of a node that has been read.
  func reference(_ node: Int) -> NodeRef { NodeRef(file: file, node: UInt32(truncatingIfNeeded: node)) }
}
