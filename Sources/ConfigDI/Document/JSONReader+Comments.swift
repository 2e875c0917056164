// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
  /// Skips a comment, which may contain any valid UTF-8. The reader must be at the first slash.
  mutating func skipComment() throws(ReadingStop) {
    offset += 1
    switch peek() {
    case UInt8(ascii: "/"): try skipCommentText { $0 == UInt8(ascii: "\n") }
    case UInt8(ascii: "*"):
      offset += 1
      var isBehindStar = false
      try skipCommentText { byte in
        defer { isBehindStar = byte == UInt8(ascii: "*") }
        return isBehindStar && byte == UInt8(ascii: "/")
      }
      guard offset < text.count else { throw unexpected("\"*/\" to close the comment") }
      offset += 1
    default: throw unexpected("\"//\" or \"/*\"")
    }
  }

  /// Moves to the first ASCII byte that fulfils the condition, or to the end of the text.
  private mutating func skipCommentText(until isEnd: (UInt8) -> Bool) throws(ReadingStop) {
    while offset < text.count {
      if isEnd(text[offset]) { return }
      offset += try scalarLength(at: offset)
    }
  }
}
