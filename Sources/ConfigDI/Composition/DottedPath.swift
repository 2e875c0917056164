// SPDX-License-Identifier: Apache-2.0

/// A path such as `values.hosts[0]` or `values["mail.host"]`, as diagnostics write it.
struct DottedPath {
  /// One step of a path.
  enum Step {
    /// A map's key, or a part of one that holds dots, written behind a dot.
    case key(String)
    /// A map's key, written in brackets as a JSON string.
    case quoted(String)
    /// A list's element, from 0.
    case index(Int)
  }

  /// The steps from the outside in; at least one.
  let steps: [Step]

  /// Reads a path; nil where the text is none.
  ///
  /// - Complexity: linear in the length of the text.
  init?(_ text: String) {
    var reader = PathReader(bytes: Array(text.utf8))
    guard let steps = reader.steps() else { return nil }
    self.steps = steps
  }
}

// MARK: - Reading

/// Reads the text of a path from its beginning.
private struct PathReader {
  /// The text in UTF-8.
  let bytes: [UInt8]
  /// The next byte.
  var at = 0

  /// All steps, or nil where the text is no path.
  mutating func steps() -> [DottedPath.Step]? {
    var steps: [DottedPath.Step] = []
    while at < bytes.count {
      guard let step = bytes[at] == UInt8(ascii: "[") ? bracket() : key(isFirst: steps.isEmpty) else { return nil }
      steps.append(step)
    }
    return steps.isEmpty ? nil : steps
  }

  /// A key up to the next dot or bracket.
  private mutating func key(isFirst: Bool) -> DottedPath.Step? {
    if !isFirst {
      guard bytes[at] == UInt8(ascii: ".") else { return nil }
      at += 1
    }
    let start = at
    while at < bytes.count, bytes[at] != UInt8(ascii: "."), bytes[at] != UInt8(ascii: "[") { at += 1 }
    return at > start ? .key(String(decoding: bytes[start..<at], as: UTF8.self)) : nil
  }

  /// A position or a JSON string in brackets.
  private mutating func bracket() -> DottedPath.Step? {
    at += 1
    let start = at
    guard at < bytes.count else { return nil }
    if bytes[at] == UInt8(ascii: "\"") {
      at += 1
      while at < bytes.count, bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
      guard at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "]") else { return nil }
      at += 2
      return PathReader.text(ofString: bytes[start..<at - 1]).map { .quoted($0) }
    }
    at = bytes.endOfDigits(from: at)
    guard at < bytes.count, bytes[at] == UInt8(ascii: "]"), let index = bytes[start..<at].decimal(as: Int.self),
      at > start
    else { return nil }
    at += 1
    return .index(index)
  }

  /// The text of a JSON string with its quotes, or nil where it is none.
  private static func text(ofString bytes: ArraySlice<UInt8>) -> String? {
    guard case .string(let text)? = Value(json: String(decoding: bytes, as: UTF8.self), limits: Limits()) else {
      return nil
    }
    return text
  }
}
