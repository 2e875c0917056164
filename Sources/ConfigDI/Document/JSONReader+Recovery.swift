// SPDX-License-Identifier: Apache-2.0

// Error recovery: reading resumes after a syntax error, so that one run reports more than the first.
//
// If an error can be repaired in one way only, such as by a comma, reading resumes as if it had been. If the rest of a
// line is not understood, reading resumes in the next line, as no string contains a line break. Errors before the next
// well-formed entry then belong to the same error and are not reported. If a bracket may be missing, reading ends.

extension JSONReader {
  /// The tokens that may come next in a container.
  enum Expectation {
    /// The first entry or element, or the closing bracket.
    case opening
    /// A comma or the closing bracket.
    case separator
    /// An entry or an element.
    case element
    /// The value of the last key.
    case value
    /// Any of these, as commas may be missing.
    case anything
  }

  /// The kind of place at which a syntax error was found.
  enum Site {
    /// After a value.
    case separator
    /// At the start of a key.
    case key
    /// After a key.
    case colon
    /// At the start of a value.
    case value
    /// Inside a number or a literal.
    case word
    /// At a line break in a string that starts at an offset.
    case string(start: Int, isKey: Bool)
  }

  mutating func repair(_ site: Site, in container: NodeKind) throws(ReadingStop) -> Expectation {
    guard let next = uniqueRepair(site, in: container) ?? nextLine(after: site) else { throw ReadingStop() }
    return next
  }
}

// MARK: - Repairs

extension JSONReader {
  /// Repairs a syntax error if there is exactly one way to do so; otherwise returns `nil`.
  private mutating func uniqueRepair(_ site: Site, in container: NodeKind) -> Expectation? {
    let isComment = [UInt8(ascii: "/"), UInt8(ascii: "*")].contains(byte(at: offset + 1))
    if !skipsComments, peek() == UInt8(ascii: "/"), isComment {
      // One finding is enough for a file with comments.
      skipsComments = true
      switch site {
      case .separator: return .separator
      case .key: return .anything
      case .value where container == .map: return .value
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
      // In a list, the next line may be the rest of the string, any part of which may look like an element.
      guard container == .map, hasBalancedBrackets(start..<offset) else { return nil }
      if !isKey { addInvalid() }
      builder.isSilent = true
      return .anything
    }
  }

  /// Repairs an error at a place where a comma or a closing bracket was expected.
  private mutating func repairSeparator(_ container: NodeKind) -> Expectation? {
    switch peek() {
    case UInt8(ascii: "\""):
      // In a map, if no colon follows, the quotation mark may belong to the previous string.
      return container == .list || isStringBeforeColon ? .element : nil
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return container == .map ? nil : .element
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      return container == .list && isAtLiteral ? .element : nil
    case UInt8(ascii: ";"):
      offset += 1
      return .anything
    default:
      return closeMistyped(container)
    }
  }

  /// Repairs an error at a place where a key was expected.
  private mutating func repairKey(_ container: NodeKind) -> Expectation? {
    switch peek() {
    case UInt8(ascii: ","):
      offset += 1
      return .anything
    case UInt8(ascii: "}"):
      return .anything
    case UInt8(ascii: ":"):
      addKey(from: offset, to: offset)
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
      addKey(from: start, to: end)
      offset += 1
      return .value
    }
  }

  /// Repairs an error at a place where a colon was expected.
  private mutating func repairColon() -> Expectation? {
    switch peek() {
    case UInt8(ascii: "="):
      offset += byte(at: offset + 1) == UInt8(ascii: ">") ? 2 : 1
      return .value
    case UInt8(ascii: ","), UInt8(ascii: "}"):
      addInvalid()
      return .separator
    case UInt8(ascii: "\"") where isStringBeforeColon:
      addInvalid()
      return .element
    case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      return .value
    default:
      return isAtLiteral ? .value : nil
    }
  }

  /// Repairs an error at a place where a value was expected.
  private mutating func repairValue(_ container: NodeKind) -> Expectation? {
    switch peek() {
    case UInt8(ascii: ","):
      if container == .map { addInvalid() }
      offset += 1
      return .anything
    case UInt8(ascii: "}") where container == .map:
      addInvalid()
      return .anything
    case UInt8(ascii: "]") where container == .list:
      return .anything
    case UInt8(ascii: ":") where container == .map:
      offset += 1
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

  /// Adds an invalid value for a skipped word; returns `nil` if something other than a separator follows on the line.
  private mutating func finishWord() -> Expectation? {
    let end = offset
    skipBlanks()
    switch peek() {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      offset = end
      addInvalid()
      return .separator
    default:
      return nil
    }
  }

  /// Closes a container at a closing bracket of the wrong kind, unless the bracket may belong to an outer container.
  private mutating func closeMistyped(_ container: NodeKind) -> Expectation? {
    let other: NodeKind = container == .map ? .list : .map
    return isAtEnd(of: other) && !builder.hasOpen(other) ? closeContainer() : nil
  }

  /// Resumes in the next line; returns `nil` if there is none, or if the rest of this one has unbalanced brackets.
  private mutating func nextLine(after site: Site) -> Expectation? {
    if case .string = site { return nil }
    let start = offset
    while offset < text.count, text[offset] != UInt8(ascii: "\n") { offset += 1 }
    guard offset < text.count, hasBalancedBrackets(start..<offset) else {
      offset = start
      return nil
    }
    if builder.isAfterKey { addInvalid() }
    builder.isSilent = true
    return .anything
  }
}

// MARK: - Look-ahead

extension JSONReader {
  /// Whether all brackets in a range are balanced, counting those in strings.
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

  /// Whether a colon follows the string that starts at the current position.
  private var isStringBeforeColon: Bool {
    var at = offset + 1
    while at < text.count, text[at] != UInt8(ascii: "\""), text[at] != UInt8(ascii: "\n") {
      at += text[at] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard byte(at: at) == UInt8(ascii: "\"") else { return false }
    at += 1
    while byte(at: at).isBlank { at += 1 }
    return byte(at: at) == UInt8(ascii: ":")
  }

  /// Whether the rest of the line after a quotation mark can follow a key or a string.
  private func isEnd(of kind: NodeKind, at quote: Int) -> Bool {
    var at = quote + 1
    while byte(at: at).isBlank { at += 1 }
    switch byte(at: at) {
    case UInt8(ascii: ":"): return kind == .key
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): return kind != .key
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return true
    case UInt8(ascii: "/"): return skipsComments
    default: return at >= text.count
    }
  }

  /// Whether `true`, `false` or `null` comes next.
  private var isAtLiteral: Bool {
    var end = offset
    while isWordPart(byte(at: end)) { end += 1 }
    let word = text[offset..<end]
    return ["true", "false", "null"].contains { word.elementsEqual($0.utf8) }
  }

  /// Skips the characters that numbers and unquoted names consist of.
  private mutating func skipWord() {
    while isWordPart(peek()) { offset += 1 }
  }

  /// Skips a single-quoted string that ends on the same line. Does not move otherwise.
  private mutating func skipSingleQuoted() {
    var at = offset + 1
    while at < text.count, text[at] != UInt8(ascii: "'"), text[at] != UInt8(ascii: "\n") { at += 1 }
    if byte(at: at) == UInt8(ascii: "'") { offset = at + 1 }
  }

  /// Skips spaces and tabs.
  private mutating func skipBlanks() {
    while peek().isBlank { offset += 1 }
  }

  /// Whether a byte can be part of a number or an unquoted name.
  private func isWordPart(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte >= 0x80 || "_$.+-".utf8.contains(byte)
  }
}

// MARK: - Nodes for missing keys and values

extension JSONReader {
  private mutating func addInvalid() { builder.add(.invalid, from: offset, to: offset) }

  /// Adds a key that is not written as a string.
  private mutating func addKey(from start: Int, to end: Int) {
    builder.add(.key, text: String(decoding: text[start..<end], as: UTF8.self), from: start, to: end)
  }

  /// Reads a string with an invalid escape or a control character to its end, and adds it without decoding escapes.
  ///
  /// - Throws: `ReadingStop` if the string does not end on its line, or if its quotation mark may start another string.
  @inline(never)
  mutating func resumeString(as kind: NodeKind, from start: Int) throws(ReadingStop) {
    guard let mistake = builder.mistake?.start, text.scalarLength(at: mistake) > 0, builder.recordsMistakes else {
      throw ReadingStop()
    }
    offset = mistake
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: "\"") where isEnd(of: kind, at: offset):
        builder.recordMistake()
        let content = String(decoding: text[start + 1..<offset], as: UTF8.self)
        offset += 1
        return builder.add(kind, text: content, from: start, to: offset)
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
