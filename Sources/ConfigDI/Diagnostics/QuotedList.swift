// SPDX-License-Identifier: Apache-2.0

extension Collection where Element == String {
  /// The names in double quotes, separated by commas: `["a", "b"]` is `"a", "b"`. Of very many names the first, and how
  /// many more there are.
  package var quotedList: String { quotedList() }

  /// The names in double quotes, as `quotedList`, where there are `more` beside these.
  package func quotedList(more: Int = 0) -> String {
    prefix(shownNames).map { "\"\($0.shortened)\"" }.list(count: count + more)
  }

  /// The texts as they are, separated by commas. Of very many the first, and how many more there are.
  package var listed: String { prefix(shownNames).map(\.shortened).list(count: count) }

  /// The first of some number of texts, and how many more there are.
  private func list(count: Int) -> String {
    joined(separator: ", ") + (count > self.count ? " and \(count - self.count) more" : "")
  }

  /// The names as the steps of a way, `a -> b -> a`. Of very many the first, how many more, and the last.
  package var chain: String {
    guard count > 2 * shownNames else { return map(\.shortened).joined(separator: " -> ") }
    let last = Array(suffix(2))
    let middle = "(\(count - shownNames - last.count) more)"
    return (prefix(shownNames).map(\.shortened) + [middle] + last.map(\.shortened)).joined(separator: " -> ")
  }
}

/// How many names a list in a message shows.
private let shownNames = 16

extension String {
  /// The text itself, or of one that is longer than any name its beginning and its end.
  package var shortened: String { shortened(to: 256) }

  /// The text itself, or of one that is longer than some number of bytes its beginning and its end.
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
