// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// Reads the outline of a YAML text line by line: blocks by their indentation, flow collections by their brackets.
///
/// Supports the subset of YAML 1.2 that module files use. Skips anchors and tags, reads an alias as a scalar, and reads
/// only the first line of a multi-line scalar.
struct YAMLOutlineReader {
  /// The text.
  private let text: UnsafeBufferPointer<UInt8>
  /// The offset of the next byte.
  private var at = 0
  /// The builder of the outline.
  private var builder: OutlineBuilder
  /// The open blocks, the innermost last. No block opens inside a flow collection.
  private var blocks: [Block] = []
  /// The number of open flow collections.
  private var flowDepth = 0
  /// The range that was searched for a line break last, up to the end that was found.
  private var knownLine: ClosedRange<Int>?
  /// Whether the next byte is at the start of a line that ended flow collections with missing brackets.
  private var isAtNextLine = false

  /// An open block.
  private struct Block {
    /// The column of its keys or dashes, from 0.
    let indent: Int
    /// Whether it is a map.
    let isMap: Bool
  }

  /// Creates a reader at the start of a text.
  init(_ text: UnsafeBufferPointer<UInt8>, _ cursor: Int) {
    self.text = text
    builder = OutlineBuilder(cursor: cursor)
  }

  /// Reads the whole text and returns its outline.
  mutating func read() -> Outline {
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
    while at < text.count {
      if flowDepth > 0 { readFlow() } else { readLine() }
    }
    if !builder.isCursorPlaced, flowDepth == 0 { placeCursor(indent: cursorColumn) }
    return builder.finish()
  }

  /// The column of the cursor in its line, from 0.
  private var cursorColumn: Int {
    let before = text[..<min(builder.cursor, text.count)]
    return before.count - ((before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1)
  }
}

// MARK: - Blocks

extension YAMLOutlineReader {
  /// The offset of the end of the current line, without its line break. Each line is searched once.
  private var lineEnd: Int {
    mutating get {
      if let knownLine, knownLine.contains(at) { return knownLine.upperBound }
      let end = text[at...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? text.count
      knownLine = at...end
      return end
    }
  }

  /// Reads one line outside of flow collections, with all lines of a block scalar or flow collection that begins in it.
  private mutating func readLine() {
    let start = at
    skipBlanks(to: text.count)
    let end = lineEnd
    isAtNextLine = false
    defer { if !isAtNextLine { skipLineBreak() } }
    if at == end || text[at] == UInt8(ascii: "#") {
      if at < end { builder.disableCompletion(in: at + 1...end) }
      at = end
      if !builder.isCursorPlaced, builder.cursor <= end { placeCursor(indent: builder.cursor - start) }
      return
    }
    let isMarker = at == start && (text[at...].starts(with: "---".utf8) || text[at] == UInt8(ascii: "%"))
    if isMarker {
      at = end
      return builder.disableCompletion(in: ...end)
    }
    if !builder.isCursorPlaced, builder.cursor < at { placeCursor(indent: builder.cursor - start) }
    while isDash(at), at < end {
      openList(at - start)
      at += 1
      skipBlanks(to: end)
    }
    if at < end { readEntry(column: at - start, end) }
    guard !builder.isCursorPlaced, flowDepth == 0, !isAtNextLine, builder.cursor <= lineEnd else { return }
    // The cursor is behind the content of the line. Only a missing value can be completed there.
    if builder.expectsValue { builder.placeCursorInGap() } else { builder.disableCompletion(in: ...lineEnd) }
  }

  /// Places the cursor in a line without content before it, by its column.
  private mutating func placeCursor(indent: Int) {
    while let last = blocks.last, last.indent > indent { closeBlock() }
    // A line that is indented deeper than a key without a value begins a map.
    if let last = blocks.last, last.isMap, last.indent < indent, builder.hasPendingKey { openBlock(.map, indent) }
    if blocks.isEmpty, builder.outline.nodes.isEmpty { openBlock(.map, indent) }
    // A line in the column of a key cannot contain the key's value.
    if let last = blocks.last, last.isMap, last.indent == indent { builder.addComma() }
    builder.placeCursorInGap()
  }

  /// Returns whether a dash at an offset begins a list element.
  private func isDash(_ offset: Int) -> Bool {
    guard offset < text.count, text[offset] == UInt8(ascii: "-") else { return false }
    return offset + 1 == text.count || " \t\r\n".utf8.contains(text[offset + 1])
  }

  /// Opens a list for a dash in a column, or continues the open list in that column.
  private mutating func openList(_ column: Int) {
    while let last = blocks.last, last.indent > column { closeBlock() }
    if let last = blocks.last, last.indent == column, !last.isMap { return }
    if let last = blocks.last, last.isMap, last.indent == column, !builder.hasPendingKey { closeBlock() }
    openBlock(.list, column)
  }

  /// Reads the content of a line behind its dashes: an entry of a map, or a value.
  private mutating func readEntry(column: Int, _ end: Int) {
    guard let key = key(to: end) else {
      // A plain word may be a key that is being typed.
      let indicators = blocks.isEmpty ? "{[" : "{[|>&*!\"'"
      let isUnfinishedKey = (blocks.last?.isMap ?? true) && !indicators.utf8.contains(text[at])
      return isUnfinishedKey ? readUnfinishedKey(column, end) : readValue(indent: column, end)
    }
    openMap(column)
    at = key.token.range.upperBound
    builder.add(key: key.token, isFollowed: true)
    at = key.colon + 1
    builder.addColon()
    skipBlanks(to: end)
    if at < end { readValue(indent: blocks.last?.indent ?? column, end) }
  }

  /// Opens a map for a key in a column, or continues the open map.
  private mutating func openMap(_ column: Int) {
    while let last = blocks.last, last.indent > column { closeBlock() }
    if let last = blocks.last, last.indent == column, !last.isMap { closeBlock() }
    if let last = blocks.last, last.isMap, last.indent == column || !builder.hasPendingKey {
      builder.addComma()
      return
    }
    openBlock(.map, column)
  }

  /// Reads a word without a colon as a key that is being typed.
  private mutating func readUnfinishedKey(_ column: Int, _ end: Int) {
    openMap(column)
    let token = plain(to: end)
    builder.add(key: token, isFollowed: false)
    builder.addComma()
    at = end
  }

  /// Opens a block if a value is allowed here.
  private mutating func openBlock(_ kind: Outline.Kind, _ indent: Int) {
    guard builder.expectsValue || blocks.isEmpty else { return }
    let depth = builder.depth
    builder.open(kind)
    if builder.depth > depth { blocks.append(Block(indent: indent, isMap: kind == .map)) }
  }

  /// Closes the innermost block.
  private mutating func closeBlock() {
    blocks.removeLast()
    builder.close()
  }
}

// MARK: - Keys and values

extension YAMLOutlineReader {
  /// Returns the key at the next byte and the offset of its colon, or `nil` if there is no key.
  private func key(to end: Int) -> (token: Outline.Token, colon: Int)? {
    if text[at] == UInt8(ascii: "\"") || text[at] == UInt8(ascii: "'") {
      guard let token = quoted(from: at, to: end) else { return nil }
      var colon = token.range.upperBound
      while colon < end, text[colon] == UInt8(ascii: " ") { colon += 1 }
      return colon < end && text[colon] == UInt8(ascii: ":") ? (token, colon) : nil
    }
    guard !"{[|>#".utf8.contains(text[at]) else { return nil }
    var colon = at
    while colon < end {
      if text[colon] == UInt8(ascii: ":"), colon + 1 == end || " \t".utf8.contains(text[colon + 1]) { break }
      if text[colon] == UInt8(ascii: "#"), colon > at, text[colon - 1] == UInt8(ascii: " ") { return nil }
      colon += 1
    }
    return colon < end ? (plainToken(at..<colon), colon) : nil
  }

  /// Reads the value at the next byte: a scalar or a flow collection.
  ///
  /// - Parameter indent: The column of the block that contains the value. Deeper lines belong to a block scalar.
  private mutating func readValue(indent: Int, _ end: Int) {
    while at < end, text[at] == UInt8(ascii: "&") || text[at] == UInt8(ascii: "!") {
      while at < end, text[at] != UInt8(ascii: " ") { at += 1 }
      skipBlanks(to: end)
    }
    guard at < end, text[at] != UInt8(ascii: "#") else { return skipRest(to: end) }
    builder.pass(to: at)
    switch text[at] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): readFlow()
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      at = end
      skipBlockScalar(indent: indent)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let token = quoted(from: at, to: end) ?? unclosed(to: end)
      at = token.range.upperBound
      if token.isClosed { builder.disableCompletion(in: at...at) }
      builder.add(scalar: token)
      skipRest(to: end)
    default:
      builder.add(scalar: plain(to: end))
      skipRest(to: end)
    }
  }

  /// Reads a plain scalar, up to a comment or the end of the line.
  private mutating func plain(to end: Int) -> Outline.Token {
    let start = at
    while at < end, !(text[at] == UInt8(ascii: "#") && at > start && text[at - 1] == UInt8(ascii: " ")) { at += 1 }
    return plainToken(start..<at)
  }

  /// Returns the token of a plain scalar or key in a range, without the spaces and tabs at its end.
  private func plainToken(_ range: Range<Int>) -> Outline.Token {
    var end = range.upperBound
    while end > range.lowerBound, " \t".utf8.contains(text[end - 1]) { end -= 1 }
    let range = range.lowerBound..<end
    return Outline.Token(text: String(decoding: text[range], as: UTF8.self), range: range, content: range)
  }

  /// Returns the quoted scalar at an offset, or `nil` if it is not closed in its line.
  private func quoted(from start: Int, to end: Int) -> Outline.Token? {
    let quote = text[start]
    var next = start + 1
    while next < end {
      let isEscape =
        quote == UInt8(ascii: "\"")
        ? text[next] == UInt8(ascii: "\\") : text[next] == quote && next + 1 < end && text[next + 1] == quote
      if !isEscape, text[next] == quote { break }
      next += isEscape ? 2 : 1
    }
    guard next < end else { return nil }
    let content = start + 1..<next
    return Outline.Token(text: unquoted(content, quote), range: start..<next + 1, content: content)
  }

  /// Returns the text between quotes: with JSON escapes in double quotes, with doubled quotes in single ones.
  private func unquoted(_ content: Range<Int>, _ quote: UInt8) -> String {
    if quote == UInt8(ascii: "\"") { return text.unescaped(content) }
    return String(decoding: text[content], as: UTF8.self).replacing("''", with: "'")
  }

  /// Returns the quoted scalar at the next byte, up to the end of the line.
  private func unclosed(to end: Int) -> Outline.Token {
    Outline.Token(
      text: unquoted(at + 1..<max(end, at + 1), text[at]), range: at..<end, content: min(at + 1, end)..<end,
      isClosed: false)
  }

  /// Skips the lines of a block scalar, and adds the scalar with an empty text.
  private mutating func skipBlockScalar(indent: Int) {
    let start = at
    while at < text.count {
      var next = at
      while next < text.count, text[next] == UInt8(ascii: "\n") || text[next] == UInt8(ascii: "\r") { next += 1 }
      let lineStart = next
      while next < text.count, text[next] == UInt8(ascii: " ") { next += 1 }
      let isBlank = next < text.count && (text[next] == UInt8(ascii: "\n") || text[next] == UInt8(ascii: "\r"))
      if !isBlank, next - lineStart <= indent || next == text.count { break }
      at = next
      at = lineEnd
    }
    builder.add(scalar: Outline.Token(text: "", range: start..<start, content: start..<start))
    builder.disableCompletion(in: ...at)
  }

  /// Skips the rest of a line, which is a comment or an error.
  private mutating func skipRest(to end: Int) {
    guard at < end else { return }
    builder.disableCompletion(in: at + 1...end)
    at = end
  }

  /// Skips spaces and tabs in a line.
  private mutating func skipBlanks(to end: Int) {
    while at < end, text[at] == UInt8(ascii: " ") || text[at] == UInt8(ascii: "\t") { at += 1 }
  }

  /// Skips the rest of a line and its line break, unless a flow collection is open.
  private mutating func skipLineBreak() {
    guard flowDepth == 0 else { return }
    at = lineEnd
    if at < text.count, text[at] == UInt8(ascii: "\r") { at += 1 }
    if at < text.count, text[at] == UInt8(ascii: "\n") { at += 1 }
  }
}

// MARK: - Flow collections

extension YAMLOutlineReader {
  /// Reads flow collections until all are closed. A line that looks like a key of an open block ends them if closing
  /// brackets are missing.
  private mutating func readFlow() {
    while at < text.count {
      let byte = text[at]
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        builder.pass(to: at + 1)
        let depth = builder.depth
        if builder.isInMap { builder.addColon() }
        builder.open(byte == UInt8(ascii: "{") ? .map : .list)
        flowDepth += builder.depth - depth
        at += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        builder.pass(to: at + 1)
        if flowDepth > 0 {
          builder.close()
          flowDepth -= 1
        }
        at += 1
        if flowDepth == 0 { return builder.disableCompletion(in: at...at) }
      case UInt8(ascii: ","):
        builder.pass(to: at + 1)
        builder.addComma()
        at += 1
      case UInt8(ascii: ":"):
        builder.pass(to: at + 1)
        builder.addColon()
        at += 1
      case UInt8(ascii: "\n"):
        at += 1
        if isKeyOfBlock { return endFlow() }
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): at += 1
      case UInt8(ascii: "#") where " \t\n".utf8.contains(text[at - 1]):
        builder.pass(to: at + 1)
        at = lineEnd
        builder.disableCompletion(in: ...at)
      default: readFlowScalar()
      }
    }
  }

  /// Whether the line at the next byte begins with a key in the column of an open map.
  private var isKeyOfBlock: Bool {
    var next = at
    while next < text.count, text[next] == UInt8(ascii: " ") { next += 1 }
    let column = next - at
    guard blocks.contains(where: { $0.isMap && $0.indent == column }) else { return false }
    var end = next
    while end < text.count, !"\r\n,{}[]\"'".utf8.contains(text[end]) {
      if text[end] == UInt8(ascii: ":"), end + 1 == text.count || " \r\n".utf8.contains(text[end + 1]) {
        return end > next
      }
      end += 1
    }
    return false
  }

  /// Closes all open flow collections, whose closing brackets are missing.
  private mutating func endFlow() {
    builder.pass(to: at)
    while flowDepth > 0 {
      builder.close()
      flowDepth -= 1
    }
    isAtNextLine = true
  }

  /// Reads a scalar or a key in a flow collection.
  private mutating func readFlowScalar() {
    builder.pass(to: at)
    let end = lineEnd
    let token: Outline.Token
    if text[at] == UInt8(ascii: "\"") || text[at] == UInt8(ascii: "'") {
      token = quoted(from: at, to: end) ?? unclosed(to: end)
    } else {
      let start = at
      while at < end, !",{}[]".utf8.contains(text[at]) {
        if text[at] == UInt8(ascii: ":"), at + 1 == end || " ,{}[]".utf8.contains(text[at + 1]) { break }
        at += 1
      }
      token = plainToken(start..<at)
    }
    at = max(token.range.upperBound, at)
    var next = at
    while next < end, text[next] == UInt8(ascii: " ") { next += 1 }
    let isFollowed = next < end && text[next] == UInt8(ascii: ":")
    if " \t".utf8.contains(token.range.isEmpty ? 0 : text[token.range.upperBound - 1]) { at = next }
    if token.range.isEmpty { at = min(at + 1, text.count) }
    let isQuoted = token.range != token.content
    let tokenEnd = token.range.upperBound
    if isQuoted, token.isClosed { builder.disableCompletion(in: tokenEnd...tokenEnd) }
    if builder.isInMap, isFollowed || !builder.expectsValue {
      builder.add(key: token, isFollowed: isFollowed)
    } else {
      builder.add(scalar: token)
    }
  }
}
