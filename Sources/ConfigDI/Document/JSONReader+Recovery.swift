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
  enum SyntaxErrorContext {
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

  /// Records the current finding as a syntax error, unless it belongs to the previous one.
  mutating func recordSyntaxError() {
    guard let finding = stop.take(), !isSilent else { return }
    mistakes.append(SyntaxError(finding: finding, node: pendingNode))
  }

  /// The node that an error is about: the missing value of a key, or the innermost container; `nil` outside the root.
  var pendingNode: UInt32? {
    nodes.last?.kind == .key ? UInt32(truncatingIfNeeded: nodes.count) : open.last?.node
  }

  /// Recovers from the current syntax error, if it is in a container and the meaning of the rest is certain.
  ///
  /// - Throws: `ReadingStop` if it is not.
  @inline(never)
  mutating func resume() throws(ReadingStop) -> Expectation {
    guard let site = site.take(), let finding = stop, let container = open.last,
      mistakes.count < SyntaxError.maximumCount
    else { throw ReadingStop() }
    let node = pendingNode
    let isKept = !isSilent
    guard let next = repair(site, container) ?? nextLine(after: site) else { throw ReadingStop() }
    stop = nil
    if isKept { mistakes.append(SyntaxError(finding: finding, node: node)) }
    return next
  }
}

// MARK: - Repairs

extension JSONReader {
  /// Repairs a syntax error if there is exactly one way to do so; otherwise returns `nil`.
  private mutating func repair(_ site: SyntaxErrorContext, _ container: OpenContainer) -> Expectation? {
    let isComment = [UInt8(ascii: "/"), UInt8(ascii: "*")].contains(byte(at: offset + 1))
    if !skipsComments, peek() == UInt8(ascii: "/"), isComment {
      // One finding is enough for a file with comments.
      skipsComments = true
      switch site {
      case .separator: return .separator
      case .key: return .anything
      case .value where container.isMap:
        // The value was counted before reading it failed, and will be counted again.
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
      // In a list, the next line may be the rest of the string, any part of which may look like an element.
      guard container.isMap, hasBalancedBrackets(start..<offset) else { return nil }
      if !isKey { appendInvalid(isCounted: true) }
      isSilent = true
      return .anything
    }
  }

  /// Repairs an error at a place where a comma or a closing bracket was expected.
  private mutating func repairSeparator(_ container: OpenContainer) -> Expectation? {
    switch peek() {
    case UInt8(ascii: "\""):
      // In a map, if no colon follows, the quotation mark may belong to the previous string.
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

  /// Repairs an error at a place where a key was expected.
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

  /// Repairs an error at a place where a colon was expected.
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

  /// Repairs an error at a place where a value was expected.
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

  /// Adds an invalid value for a skipped word; returns `nil` if something other than a separator follows on the line.
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

  /// Closes a container at a closing bracket of the wrong kind, unless the bracket may belong to an outer container.
  private mutating func closeMistyped(_ container: OpenContainer) -> Expectation? {
    let isOther = peek() == (container.isMap ? UInt8(ascii: "]") : UInt8(ascii: "}"))
    guard isOther, !open.contains(where: { $0.isMap != container.isMap }) else { return nil }
    closeContainer()
    return .separator
  }

  /// Resumes in the next line; returns `nil` if there is none, or if the rest of this one has unbalanced brackets.
  private mutating func nextLine(after site: SyntaxErrorContext) -> Expectation? {
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
    while isBlank(byte(at: at)) { at += 1 }
    return byte(at: at) == UInt8(ascii: ":")
  }

  /// Whether the rest of the line after a quotation mark can follow a key or a string.
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
    while isBlank(peek()) { offset += 1 }
  }

  /// Whether a byte is a space or a tab.
  private func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  /// Whether a byte can be part of a number or an unquoted name.
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

// MARK: - Nodes for missing keys and values

extension JSONReader {
  /// Adds an invalid value. `isCounted` tells whether the container already counted it.
  private mutating func appendInvalid(isCounted: Bool) {
    if !isCounted { open[open.count - 1].count += 1 }
    append(.invalid, from: offset)
  }

  /// Adds a key that is not written as a string.
  private mutating func appendKey(from start: Int, to end: Int) {
    texts.append(String(decoding: text[start..<end], as: UTF8.self))
    append(.key, from: start, payload: Int64(texts.count - 1))
    nodes[nodes.count - 1].end = UInt32(truncatingIfNeeded: end)
  }

  /// Reads a string with an invalid escape or a control character to its end, and adds it without decoding escapes.
  ///
  /// - Throws: `ReadingStop` if the string does not end on its line, or if its quotation mark may start another string.
  @inline(never)
  mutating func resumeString(as kind: NodeKind, from start: Int) throws(ReadingStop) {
    guard case .bytes(_, let mistake, _, _)? = stop?.place, mistake < text.count, text.scalarLength(at: mistake) > 0,
      mistakes.count < SyntaxError.maximumCount
    else { throw ReadingStop() }
    offset = mistake
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: "\"") where isEnd(of: kind, at: offset):
        recordSyntaxError()
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
