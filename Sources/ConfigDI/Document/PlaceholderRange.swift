// SPDX-License-Identifier: Apache-2.0

/// A placeholder `${name}` in a text: the name and its position.
package struct PlaceholderRange: Sendable {
  /// The name of the parameter.
  package let name: String
  /// The byte range of the name, between the braces.
  package let range: Range<Int>

  /// Returns the placeholders of a text, scanned from left to right. `$${` is an escape, not a placeholder.
  package static func all(in text: [UInt8]) -> [PlaceholderRange] {
    var found: [PlaceholderRange] = []
    var at = 0
    while at < text.count {
      if text[at...].starts(with: "$${".utf8) {
        at += 3
      } else if text[at...].starts(with: "${".utf8) {
        guard let end = text[at...].firstIndex(of: UInt8(ascii: "}")) else { break }
        let range = at + 2..<end
        found.append(PlaceholderRange(name: String(decoding: text[range], as: UTF8.self), range: range))
        at = end + 1
      } else {
        at += 1
      }
    }
    return found
  }
}

extension Document {
  /// Returns the placeholders of a key or string in the order of its text, each with the byte range of its name in the
  /// file. The range is `nil` if the name is written with escapes or its position is uncertain.
  ///
  /// - Complexity: linear in the size of the token.
  package func placeholders(in node: UInt32) -> [(name: String, bytes: Range<Int>?)] {
    let text = Array(text(of: node).utf8)
    let all = PlaceholderRange.all(in: text)
    let token = Int(self[node].start)..<Int(self[node].end)
    guard !all.isEmpty, hasPositions, token.upperBound <= source.bytes.count else { return all.map { ($0.name, nil) } }
    let raw = Array(source.bytes[token])
    let isXML = raw.first == UInt8(ascii: "<")
    // If the token has as many `$` bytes as its decoded text, none of them is written as an escape, so that the nth one
    // is the same in both. An XML comment could contain one more.
    guard raw.count(of: .dollar) == text.count(of: .dollar), !(isXML && raw.contains(UInt8(ascii: "!"))) else {
      return all.map { ($0.name, nil) }
    }
    let written = Dictionary(uniqueKeysWithValues: PlaceholderRange.all(in: raw).numbered(in: raw))
    return all.numbered(in: text).map { number, placeholder in
      guard let found = written[number], found.name == placeholder.name else { return (placeholder.name, nil) }
      let start = token.lowerBound + found.range.lowerBound
      return (placeholder.name, start..<start + found.range.count)
    }
  }
}

extension [PlaceholderRange] {
  /// Returns each placeholder with the number of `$` bytes before its brace.
  fileprivate func numbered(in text: [UInt8]) -> [(Int, PlaceholderRange)] {
    var (number, end) = (0, 0)
    return map { placeholder in
      number += text[end..<placeholder.range.lowerBound].count(of: .dollar)
      end = placeholder.range.lowerBound
      return (number, placeholder)
    }
  }
}

extension UInt8 {
  /// The byte that begins a placeholder.
  fileprivate static var dollar: UInt8 { UInt8(ascii: "$") }
}

extension Sequence<UInt8> {
  /// Returns the number of occurrences of a byte.
  fileprivate func count(of byte: UInt8) -> Int { reduce(0) { $0 + ($1 == byte ? 1 : 0) } }
}
