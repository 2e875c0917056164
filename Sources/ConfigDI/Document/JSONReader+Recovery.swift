// SPDX-License-Identifier: Apache-2.0

// How reading goes on behind a mistake of syntax, so that one run reports more than the first.
//
// Where the mistake can be repaired in one way only, such as by a comma, reading goes on as if it had been. Where the rest
// of a line is not understood, reading goes on in the next line, as no string holds a line break; what is wrong before the
// next sound entry is then part of the same mistake and not reported. Where brackets may be missing, reading ends.

extension JSONReader {
  /// What may come next in a container.
  enum Expectation {
    /// The first entry or element, or the closing bracket.
    case opening
    /// A comma or the closing bracket.
    case separator
    /// An entry or element.
    case element
    /// The value of the key that was read last.
    case value
    /// Any of these, as commas may have got lost.
    case anything
  }

  /// Where a mistake was found.
  enum MistakeSite {
    /// Behind a value.
    case separator
    /// Where a key begins.
    case key
    /// Behind a key.
    case colon
    /// Where a value begins.
    case value
    /// Inside a number or a literal.
    case word
    /// At a line break in a string that begins at an offset.
    case string(start: Int, isKey: Bool)
  }

  /// How many mistakes of one text are reported.
  static let greatestMistakeCount = 50

  /// Keeps the finding of a mistake behind which reading goes on.
  mutating func keepMistake() {
    guard let finding = stop.take(), !isSilent else { return }
    mistakes.append(SyntaxMistake(finding: finding, node: pendingNode))
  }

  /// The node that a mistake is about: the value that was to follow a key, or the innermost container. Nil outside the root.
  var pendingNode: UInt32? {
    nodes.last?.kind == .key ? UInt32(truncatingIfNeeded: nodes.count) : open.last?.node
  }

  /// Goes on behind a mistake in a container, if that is certain.
  ///
  /// - Throws: `ReadingStop` where it is not.
  @inline(never)
  mutating func resume() throws(ReadingStop) -> Expectation {
    guard let site = site.take(), let finding = stop, let container = open.last,
      mistakes.count < JSONReader.greatestMistakeCount
    else { throw ReadingStop() }
    let node = pendingNode
    let isKept = !isSilent
    guard let next = repair(site, container) ?? nextLine(after: site) else { throw ReadingStop() }
    stop = nil
    if isKept { mistakes.append(SyntaxMistake(finding: finding, node: node)) }
    return next
  }
}

// MARK: - Repairs

extension JSONReader {
  /// Repairs a mistake in the one way that there is; nil where there is none, or several.
  private mutating func repair(_ site: MistakeSite, _ container: OpenContainer) -> Expectation? {
    let isComment = [UInt8(ascii: "/"), UInt8(ascii: "*")].contains(byte(at: offset + 1))
    if !skipsComments, peek() == UInt8(ascii: "/"), isComment {
      // One finding is enough for a file with comments.
      skipsComments = true
      switch site {
      case .separator: return .separator
      case .key: return .anything
      case .value where container.isMap:
        // The value was counted before it could not be read, and is counted again.
        open[open.count - 1].count -= 1
        return .value
      case .value, .colon, .word, .string: return nil
      }
    }
    switch site {
    case .separator: return repairSeparator(container)
    case .key: return repairKey(container)
    case .colon: return repairColon()
    case .value: return repairValue(container)
    case .word:
      skipWord()
      return finishWord()
    case .string(let start, let isKey):
      // In a list the next line may be the rest of the string, of which any part may look like an element.
      guard container.isMap, hasBalancedBrackets(start..<offset) else { return nil }
      if !isKey { appendInvalid(isCounted: true) }
      isSilent = true
      return .anything
    }
  }

  /// Repairs what stands where a comma or a closing bracket was expected.
  private mutating func repairSeparator(_ container: OpenContainer) -> Expectation? {
    switch peek() {
    case UInt8(ascii: "\""):
      // Else the quotation mark may belong to the string before.
      return !container.isMap || isStringBeforeColon ? .element : nil
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return container.isMap ? nil : .element
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      return !container.isMap && isAtLiteral ? .element : nil
    case UInt8(ascii: ";"):
      offset += 1
      return .anything
    default:
      return closeMistyped(container)
    }
  }

  /// Repairs what stands where a key was expected.
  private mutating func repairKey(_ container: OpenContainer) -> Expectation? {
    switch peek() {
    case UInt8(ascii: ","):
      offset += 1
      return .anything
    case UInt8(ascii: "}"):
      return .anything
    case UInt8(ascii: ":"):
      appendKey(from: offset, to: offset)
      offset += 1
      return .value
    case UInt8(ascii: "]"):
      return closeMistyped(container)
    default:
      let start = offset
      if peek() == UInt8(ascii: "'") { skipSingleQuoted() } else { skipWord() }
      let end = offset
      skipBlanks()
      guard end > start, peek() == UInt8(ascii: ":") else {
        offset = start
        return nil
      }
      appendKey(from: start, to: end)
      offset += 1
      return .value
    }
  }

  /// Repairs what stands where a colon was expected.
  private mutating func repairColon() -> Expectation? {
    switch peek() {
    case UInt8(ascii: "="):
      offset += byte(at: offset + 1) == UInt8(ascii: ">") ? 2 : 1
      return .value
    case UInt8(ascii: ","), UInt8(ascii: "}"):
      appendInvalid(isCounted: false)
      return .separator
    case UInt8(ascii: "\"") where isStringBeforeColon:
      appendInvalid(isCounted: false)
      return .element
    case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      return .value
    default:
      return isAtLiteral ? .value : nil
    }
  }

  /// Repairs what stands where a value was expected.
  private mutating func repairValue(_ container: OpenContainer) -> Expectation? {
    switch peek() {
    case UInt8(ascii: ","):
      if container.isMap { appendInvalid(isCounted: true) } else { open[open.count - 1].count -= 1 }
      offset += 1
      return .anything
    case UInt8(ascii: "}") where container.isMap:
      appendInvalid(isCounted: true)
      return .anything
    case UInt8(ascii: "]") where !container.isMap:
      open[open.count - 1].count -= 1
      return .anything
    case UInt8(ascii: ":") where container.isMap:
      offset += 1
      open[open.count - 1].count -= 1
      return .value
    case UInt8(ascii: "'"):
      skipSingleQuoted()
      return finishWord()
    default:
      let start = offset
      skipWord()
      return offset > start ? finishWord() : nil
    }
  }

  /// Goes on behind a word that stands for a value; nil where something else follows on its line.
  private mutating func finishWord() -> Expectation? {
    let end = offset
    skipBlanks()
    switch peek() {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      offset = end
      appendInvalid(isCounted: true)
      return .separator
    default:
      return nil
    }
  }

  /// Closes a container at a bracket of the other kind, where no outer container can be meant.
  private mutating func closeMistyped(_ container: OpenContainer) -> Expectation? {
    let isOther = peek() == (container.isMap ? UInt8(ascii: "]") : UInt8(ascii: "}"))
    guard isOther, !open.contains(where: { $0.isMap != container.isMap }) else { return nil }
    closeContainer()
    return .separator
  }

  /// Goes on in the next line; nil where there is none, or where brackets in this one may open or close something.
  private mutating func nextLine(after site: MistakeSite) -> Expectation? {
    if case .string = site { return nil }
    let start = offset
    while offset < text.count, text[offset] != UInt8(ascii: "\n") { offset += 1 }
    guard offset < text.count, hasBalancedBrackets(start..<offset) else {
      offset = start
      return nil
    }
    switch site {
    case .value, .word:
      if nodes.last?.kind == .key {
        appendInvalid(isCounted: true)
      } else {
        open[open.count - 1].count -= 1
      }
    case .colon: appendInvalid(isCounted: false)
    case .separator, .key, .string: break
    }
    isSilent = true
    return .anything
  }
}

// MARK: - Looking at the text

extension JSONReader {
  /// Whether all brackets in a range come in pairs, in strings as well as outside.
  private func hasBalancedBrackets(_ range: Range<Int>) -> Bool {
    var open: [UInt8] = []
    for byte in text[range] {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(byte + 2)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): if open.popLast() != byte { return false }
      default: break
      }
    }
    return open.isEmpty
  }

  /// Whether a colon follows the string that begins at the next byte.
  private var isStringBeforeColon: Bool {
    var at = offset + 1
    while at < text.count, text[at] != UInt8(ascii: "\""), text[at] != UInt8(ascii: "\n") {
      at += text[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard byte(at: at) == UInt8(ascii: "\"") else { return false }
    at += 1
    while isBlank(byte(at: at)) { at += 1 }
    return byte(at: at) == UInt8(ascii: ":")
  }

  /// Whether what follows a quotation mark on its line may follow a key or a string.
  private func isEnd(of kind: NodeKind, at quote: Int) -> Bool {
    var at = quote + 1
    while isBlank(byte(at: at)) { at += 1 }
    switch byte(at: at) {
    case UInt8(ascii: ":"): return kind == .key
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): return kind != .key
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return true
    case UInt8(ascii: "/"): return skipsComments
    default: return at >= text.count
    }
  }

  /// Whether one of the three literals comes next.
  private var isAtLiteral: Bool {
    var end = offset
    while isWordPart(byte(at: end)) { end += 1 }
    let word = text[offset..<end]
    return ["true", "false", "null"].contains { word.elementsEqual($0.utf8) }
  }

  /// Moves behind letters, digits and what else numbers and unquoted names are made of.
  private mutating func skipWord() {
    while isWordPart(peek()) { offset += 1 }
  }

  /// Moves behind a text in single quotes that ends on its line; else nowhere.
  private mutating func skipSingleQuoted() {
    var at = offset + 1
    while at < text.count, text[at] != UInt8(ascii: "'"), text[at] != UInt8(ascii: "\n") { at += 1 }
    if byte(at: at) == UInt8(ascii: "'") { offset = at + 1 }
  }

  /// Moves behind spaces and tabs.
  private mutating func skipBlanks() {
    while isBlank(peek()) { offset += 1 }
  }

  /// Whether a byte is a space or a tab.
  private func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  /// Whether a byte belongs to a word.
  private func isWordPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "."),
      UInt8(ascii: "+"), UInt8(ascii: "-"), 0x80...:
      true
    default: false
    }
  }
}

// MARK: - Nodes in the place of what is missing

extension JSONReader {
  /// Adds a value that says nothing; `isCounted` says whether its container has counted it.
  private mutating func appendInvalid(isCounted: Bool) {
    if !isCounted { open[open.count - 1].count += 1 }
    append(.invalid, from: offset)
  }

  /// Adds a key that is not written as one.
  private mutating func appendKey(from start: Int, to end: Int) {
    texts.append(String(decoding: text[start..<end], as: UTF8.self))
    append(.key, from: start, payload: Int64(texts.count - 1))
    nodes[nodes.count - 1].end = UInt32(truncatingIfNeeded: end)
  }

  /// Goes on to the end of a string with a wrong escape or a control character in it, and adds it as it is written.
  ///
  /// - Throws: `ReadingStop` where the string does not end on its line, or a quotation mark there may begin the next one.
  @inline(never)
  mutating func resumeString(as kind: NodeKind, from start: Int) throws(ReadingStop) {
    guard case .bytes(_, let mistake, _, _)? = stop?.place, mistake < text.count, text.scalarLength(at: mistake) > 0,
      mistakes.count < JSONReader.greatestMistakeCount
    else { throw ReadingStop() }
    offset = mistake
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: "\"") where isEnd(of: kind, at: offset):
        keepMistake()
        offset += 1
        texts.append(String(decoding: text[start + 1..<offset - 1], as: UTF8.self))
        return append(kind, from: start, payload: Int64(texts.count - 1))
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        site = .string(start: start, isKey: kind == .key)
        throw ReadingStop()
      case UInt8(ascii: "\\") where byte(at: offset + 1) >= 0x20:
        offset += 2
      default:
        let length = text.scalarLength(at: offset)
        guard length > 0 else { throw ReadingStop() }
        offset += length
      }
    }
    throw ReadingStop()
  }
}
