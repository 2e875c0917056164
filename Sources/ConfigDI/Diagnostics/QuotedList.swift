// SPDX-License-Identifier: Apache-2.0

extension Collection where Element == String {
  /// The names in double quotes, separated by commas: `["a", "b"]` is `"a", "b"`. A long list is cut after its first
  /// names, and ends with the number of the others.
  package var quotedList: String { quotedList() }

  /// Returns the names as `quotedList` does, for a list that has `more` names in addition to these.
  package func quotedList(more: Int = 0) -> String {
    prefix(shownNames).map { "\"\($0.shortened)\"" }.list(count: count + more)
  }

  /// The texts without quotes, separated by commas. A long list is cut, and ends with the number of the others.
  package var listed: String { prefix(shownNames).map(\.shortened).list(count: count) }

  /// Returns the texts separated by commas, then the number of those missing from `count`.
  private func list(count: Int) -> String {
    joined(separator: ", ") + (count > self.count ? " and \(count - self.count) more" : "")
  }

  /// The names as a chain, `a -> b -> a`. A long chain has only its first and last names, and the number of the others.
  package var chain: String {
    guard count > 2 * shownNames else { return map(\.shortened).joined(separator: " -> ") }
    let last = Array(suffix(2))
    let middle = "(\(count - shownNames - last.count) more)"
    return (prefix(shownNames).map(\.shortened) + [middle] + last.map(\.shortened)).joined(separator: " -> ")
  }
}

/// The greatest number of names that a list in a message shows.
private let shownNames = 16

extension String {
  /// The text; if it is longer than 256 bytes, only its beginning and its end.
  package var shortened: String { shortened(to: 256) }

  /// Returns the text; if it is longer than a number of bytes, only its beginning and its end.
  ///
  /// - Complexity: linear in `size`.
  package func shortened(to size: Int) -> String {
    let bytes = utf8
    guard bytes.count > size else { return self }
    var end = bytes.index(startIndex, offsetBy: size * 2 / 3)
    while end.samePosition(in: unicodeScalars) == nil { end = bytes.index(before: end) }
    var start = bytes.index(endIndex, offsetBy: -size / 4)
    while start.samePosition(in: unicodeScalars) == nil { start = bytes.index(after: start) }
    return self[..<end] + "…" + self[start...]
  }
}
