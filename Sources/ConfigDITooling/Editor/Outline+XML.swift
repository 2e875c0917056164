// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// Reads the outline of a property list in XML.
struct XMLOutlineReader {
  /// The text.
  private let text: UnsafeBufferPointer<UInt8>
  /// The next byte.
  private var at = 0
  /// The outline so far.
  private var builder: OutlineBuilder

  /// A reader of a text.
  init(_ text: UnsafeBufferPointer<UInt8>, _ cursor: Int) {
    self.text = text
    builder = OutlineBuilder(cursor: cursor)
  }

  /// Reads the text to its end.
  mutating func read() -> Outline {
    while at < text.count {
      guard text[at] == UInt8(ascii: "<") else {
        at += 1
        continue
      }
      builder.pass(to: at + 1)
      if starts(with: "<!--") {
        skip(behind: "-->")
      } else {
        readTag()
      }
    }
    return builder.finish()
  }

  /// Reads a tag, and the text behind it where it opens one.
  private mutating func readTag() {
    let start = at
    at += 1
    while at < text.count, text[at] != UInt8(ascii: ">"), text[at] != UInt8(ascii: "<"), text[at] != UInt8(ascii: "\n")
    {
      at += 1
    }
    guard at < text.count, text[at] == UInt8(ascii: ">") else {
      if !builder.isCursorPlaced, builder.cursor <= at { builder.placeCursorNowhere() }
      return
    }
    let inside = String(decoding: text[start + 1..<at], as: UTF8.self)
    at += 1
    if !builder.isCursorPlaced, builder.cursor > start, builder.cursor < at { builder.placeCursorNowhere() }
    let isEmpty = inside.utf8.last == UInt8(ascii: "/")
    let name = inside.prefix { $0.isLetter || $0 == "/" || $0 == "!" || $0 == "?" }.drop { isEmpty && $0 == "/" }
    switch name {
    case "dict", "array", "dict/", "array/":
      builder.addColon()
      builder.open(name.hasPrefix("dict") ? .map : .list)
      if isEmpty { builder.close() }
    case "/dict": builder.close(.map)
    case "/array": builder.close(.list)
    case "true/", "false/":
      builder.addColon()
      builder.add(scalar: Outline.Token(text: String(name.dropLast()), range: start..<start, content: start..<start))
    case "key", "string", "integer", "real", "data", "date": readText(of: String(name), from: start)
    default: break
    }
  }

  /// Reads the text of an element, to the next tag, or to the end of the line where its end tag is missing.
  private mutating func readText(of name: String, from start: Int) {
    let first = at
    while at < text.count, text[at] != UInt8(ascii: "<") { at += 1 }
    let isClosed = starts(with: "</\(name)")
    var content = first..<at
    if isClosed {
      skip(behind: ">")
    } else {
      at = text[first..<at].firstIndex(of: UInt8(ascii: "\n")) ?? at
      content = first..<at
    }
    let token = Outline.Token(
      text: text.withoutEntities(content), range: start..<at, content: content, isClosed: isClosed)
    if !builder.isCursorPlaced, builder.cursor <= at,
      !(content.lowerBound...content.upperBound).contains(builder.cursor),
      builder.cursor > start
    {
      // Inside of the tags, or right behind them.
      if builder.cursor < at { builder.placeCursorNowhere() }
    }
    if name == "key" {
      add(key: token)
    } else {
      builder.addColon()
      addScalar(token)
    }
  }

  /// Adds a key with the cursor in its text alone.
  private mutating func add(key token: Outline.Token) {
    var token = token
    token.range = token.content
    builder.add(key: token, isFollowed: true)
    builder.addColon()
  }

  /// Adds a scalar with the cursor in its text alone.
  private mutating func addScalar(_ token: Outline.Token) {
    var token = token
    token.range = token.content
    builder.add(scalar: token)
  }

  /// Whether some text stands at the next byte.
  private func starts(with prefix: String) -> Bool { text[at...].starts(with: prefix.utf8) }

  /// Passes over all to behind a text, or to the end.
  private mutating func skip(behind mark: String) {
    let start = at
    while at < text.count, !starts(with: mark) { at += 1 }
    at = min(at + mark.utf8.count, text.count)
    if mark == "-->", !builder.isCursorPlaced, builder.cursor > start, builder.cursor < at {
      builder.placeCursorNowhere()
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// A range with the five entities of XML taken back.
  fileprivate func withoutEntities(_ range: Range<Int>) -> String {
    var text = String(decoding: self[range], as: UTF8.self)
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
      text = text.split(separator: entity, omittingEmptySubsequences: false).joined(separator: character)
    }
    return text
  }
}
