// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// Reads the outline of an XML property list.
struct XMLOutlineReader {
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
      guard text[at] == UInt8(ascii: "<") else {
        at += 1
        continue
      }
      builder.pass(to: at + 1)
      let start = at
      if skipMarkedText() != nil { builder.disableCompletion(in: start + 1..<at) } else { readTag() }
    }
    return builder.finish()
  }

  /// Reads a tag, and the text behind it if it is the start tag of a key or scalar.
  private mutating func readTag() {
    let start = at
    at += 1
    while at < text.count, text[at] != UInt8(ascii: ">"), text[at] != UInt8(ascii: "<"), text[at] != UInt8(ascii: "\n")
    {
      at += 1
    }
    guard at < text.count, text[at] == UInt8(ascii: ">") else {
      return builder.disableCompletion(in: ...at)
    }
    let inside = String(decoding: text[start + 1..<at], as: UTF8.self)
    at += 1
    builder.disableCompletion(in: start + 1..<at)
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
    case "key", "string", "integer", "real", "data", "date": readText(of: String(name))
    default: break
    }
  }

  /// Reads the text of an element, up to its end tag, or up to the end of the line if the end tag is missing. Comments are
  /// not part of the text.
  ///
  /// The tags are left out of the range of the token, so that only a cursor in the text is in the token.
  private mutating func readText(of name: String) {
    let first = at
    var (words, comments) = ("", [Range<Int>]())
    while at < text.count {
      let start = at
      if let mark = skipMarkedText() {
        if mark == "<!--" {
          comments.append(start + 1..<at)
        } else {
          words += String(decoding: text[start..<at].dropFirst(mark.utf8.count).dropLast(3), as: UTF8.self)
        }
      } else if text[at] == UInt8(ascii: "<") {
        break
      } else {
        while at < text.count, text[at] != UInt8(ascii: "<") { at += 1 }
        words += text.withoutEntities(start..<at)
      }
    }
    let isClosed = starts(with: "</\(name)")
    var content = first..<at
    if isClosed {
      skip(behind: ">")
      for range in comments + [content.upperBound + 1..<at] { builder.disableCompletion(in: range) }
    } else {
      at = text[first..<at].firstIndex { "<\n".utf8.contains($0) } ?? at
      content = first..<at
      words = text.withoutEntities(content)
    }
    let token = Outline.Token(text: words, range: content, content: content, isClosed: isClosed)
    if name == "key" {
      builder.add(key: token, isFollowed: true)
      builder.addColon()
    } else {
      builder.addColon()
      builder.add(scalar: token)
    }
  }

  /// Skips a comment or a CDATA section, and returns the mark that opens it; `nil` if there is none here.
  private mutating func skipMarkedText() -> String? {
    for (opening, closing) in [("<!--", "-->"), ("<![CDATA[", "]]>")] where starts(with: opening) {
      at += opening.utf8.count
      skip(behind: closing)
      return opening
    }
    return nil
  }

  /// Returns whether the remaining text starts with a prefix.
  private func starts(with prefix: String) -> Bool { text[at...].starts(with: prefix.utf8) }

  /// Skips everything up to and including the next `mark`, or up to the end of the text.
  private mutating func skip(behind mark: String) {
    while at < text.count, !starts(with: mark) { at += 1 }
    at = min(at + mark.utf8.count, text.count)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the text of a range with the five predefined XML entities replaced.
  fileprivate func withoutEntities(_ range: Range<Int>) -> String {
    var text = String(decoding: self[range], as: UTF8.self)
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
      text = text.split(separator: entity, omittingEmptySubsequences: false).joined(separator: character)
    }
    return text
  }
}
