// SPDX-License-Identifier: Apache-2.0

/// A path such as `values.hosts[0]` or `values["mail.host"]`, as diagnostics write it.
struct DottedPath {
  /// One step of a path.
  enum Step {
    /// A key of a map, or a dot-separated part of such a key, written without brackets.
    case key(String)
    /// A key of a map, written in brackets as a JSON string.
    case quoted(String)
    /// The index of a list element, from 0.
    case index(Int)
  }

  /// The steps, outermost first; at least one.
  let steps: [Step]

  /// Parses a path. Returns `nil` if the text is not a path.
  ///
  /// - Complexity: linear in the length of the text.
  init?(_ text: String) {
    var reader = PathReader(bytes: Array(text.utf8))
    guard let steps = reader.steps() else { return nil }
    self.steps = steps
  }
}

// MARK: - Parsing

/// A parser for the text of a path.
private struct PathReader {
  /// The text in UTF-8.
  let bytes: [UInt8]
  /// The index of the next byte.
  var at = 0

  /// Parses all steps. Returns `nil` if the text is not a path.
  mutating func steps() -> [DottedPath.Step]? {
    var steps: [DottedPath.Step] = []
    while at < bytes.count {
      guard let step = bytes[at] == UInt8(ascii: "[") ? bracket() : key(isFirst: steps.isEmpty) else { return nil }
      steps.append(step)
    }
    return steps.isEmpty ? nil : steps
  }

  /// Parses a key, which ends at the next dot or bracket.
  private mutating func key(isFirst: Bool) -> DottedPath.Step? {
    if !isFirst {
      guard bytes[at] == UInt8(ascii: ".") else { return nil }
      at += 1
    }
    let start = at
    while at < bytes.count, bytes[at] != UInt8(ascii: "."), bytes[at] != UInt8(ascii: "[") { at += 1 }
    return at > start ? .key(String(decoding: bytes[start..<at], as: UTF8.self)) : nil
  }

  /// Parses an index or a JSON string in brackets.
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

  /// Returns the text of a quoted JSON string, or `nil` if the bytes are not one.
  private static func text(ofString bytes: ArraySlice<UInt8>) -> String? {
    guard case .string(let text)? = Value(json: String(decoding: bytes, as: UTF8.self), limits: Limits()) else {
      return nil
    }
    return text
  }
}
