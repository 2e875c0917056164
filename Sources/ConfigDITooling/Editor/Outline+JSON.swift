// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// Reads the outline of a JSON text. Allows comments even if the syntax does not.
struct JSONOutlineReader {
  /// The text.
  private let text: UnsafeBufferPointer<UInt8>
  /// The offset of the next byte.
  private var at = 0
  /// The builder of the outline.
  private var builder: OutlineBuilder

  /// Creates a reader at the start of a text.
  init(_ text: UnsafeBufferPointer<UInt8>, _ cursor: Int) {
    self.text = text
    builder = OutlineBuilder(cursor: cursor)
  }

  /// Reads the whole text and returns its outline.
  mutating func read() -> Outline {
    while at < text.count {
      switch text[at] {
      case UInt8(ascii: "{"): open(.map)
      case UInt8(ascii: "["): open(.list)
      case UInt8(ascii: "}"): close(.map)
      case UInt8(ascii: "]"): close(.list)
      case UInt8(ascii: ":"):
        builder.pass(to: at + 1)
        builder.addColon()
        at += 1
      case UInt8(ascii: ","):
        builder.pass(to: at + 1)
        builder.addComma()
        at += 1
      case UInt8(ascii: "\""): add(string())
      case UInt8(ascii: "/")
      where at + 1 < text.count && (text[at + 1] == UInt8(ascii: "/") || text[at + 1] == UInt8(ascii: "*")):
        skipComment()
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), 0xEF, 0xBB, 0xBF: at += 1
      default: add(word())
      }
    }
    return builder.finish()
  }

  /// Opens a map or list. A missing colon before it is assumed.
  private mutating func open(_ kind: Outline.Kind) {
    builder.pass(to: at + 1)
    if builder.isInMap { builder.addColon() }
    builder.open(kind)
    at += 1
  }

  /// Closes a map or list.
  private mutating func close(_ kind: Outline.Kind) {
    builder.pass(to: at + 1)
    builder.close(kind)
    at += 1
  }

  /// Adds a key or a scalar. In a map, a token without a preceding colon is the next key, even if the comma is missing.
  private mutating func add(_ token: Outline.Token) {
    builder.pass(to: token.range.lowerBound)
    if builder.expectsValue {
      // A token with a colon behind it is the next key. The value is missing.
      guard builder.isInMap, isFollowedByColon else { return builder.add(scalar: token) }
    }
    builder.add(key: token, isFollowed: isFollowedByColon)
  }

  /// Whether the next byte that is not white space is a colon.
  private var isFollowedByColon: Bool {
    var next = at
    while next < text.count, " \t\r\n".utf8.contains(text[next]) { next += 1 }
    return next < text.count && text[next] == UInt8(ascii: ":")
  }

  /// Reads a string, up to its closing quotation mark or the end of the line.
  private mutating func string() -> Outline.Token {
    let start = at
    var isEscaped = false
    at += 1
    while at < text.count, text[at] != UInt8(ascii: "\n"), text[at] != UInt8(ascii: "\r") {
      if isEscaped {
        isEscaped = false
      } else if text[at] == UInt8(ascii: "\\") {
        isEscaped = true
      } else if text[at] == UInt8(ascii: "\"") {
        break
      }
      at += 1
    }
    let content = start + 1..<at
    let isClosed = at < text.count && text[at] == UInt8(ascii: "\"")
    if isClosed {
      at += 1
      // A cursor right behind the closing quotation mark is outside of the string.
      builder.disableCompletion(in: at...at)
    }
    return Outline.Token(text: text.unescaped(content), range: start..<at, content: content, isClosed: isClosed)
  }

  /// Reads a token without quotes, up to the next white space or character of the syntax.
  private mutating func word() -> Outline.Token {
    let start = at
    while at < text.count, !"{}[]:,\" \t\r\n".utf8.contains(text[at]) { at += 1 }
    let word = String(decoding: text[start..<at], as: UTF8.self)
    return Outline.Token(text: word, range: start..<at, content: start..<at, isClosed: false)
  }

  /// Skips a comment.
  private mutating func skipComment() {
    builder.pass(to: at + 1)
    let isBlock = text[at + 1] == UInt8(ascii: "*")
    at += 2
    let start = at
    while at < text.count {
      if isBlock, at > start, text[at] == UInt8(ascii: "/"), text[at - 1] == UInt8(ascii: "*") { break }
      if !isBlock, text[at] == UInt8(ascii: "\n") { break }
      at += 1
    }
    if isBlock, at < text.count { at += 1 }
    builder.disableCompletion(in: ...(isBlock ? at - 1 : at))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the text of a range with its JSON escapes replaced. A malformed `\u` gives U+FFFD.
  func unescaped(_ range: Range<Int>) -> String {
    guard self[range].contains(UInt8(ascii: "\\")) else { return String(decoding: self[range], as: UTF8.self) }
    var text = ""
    var rest = String(decoding: self[range], as: UTF8.self).unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\", let escape = rest.popFirst() else {
        text.unicodeScalars.append(scalar)
        continue
      }
      switch escape {
      case "b": text += "\u{8}"
      case "f": text += "\u{C}"
      case "n": text += "\n"
      case "t": text += "\t"
      case "r": text += "\r"
      case "u":
        var units = [rest.popCodeUnit()]
        if UTF16.isLeadSurrogate(units[0]), rest.starts(with: "\\u".unicodeScalars) {
          rest = rest.dropFirst(2)
          units.append(rest.popCodeUnit())
        }
        text += String(decoding: units, as: UTF16.self)
      default: text.unicodeScalars.append(escape)
      }
    }
    return text
  }
}

extension Substring.UnicodeScalarView {
  /// Removes the four digits of a `\u` escape, and returns their code unit, or U+FFFD if they are malformed.
  fileprivate mutating func popCodeUnit() -> UInt16 {
    let digits = String(prefix(4))
    self = dropFirst(4)
    return UInt16(digits, radix: 16) ?? 0xFFFD
  }
}
