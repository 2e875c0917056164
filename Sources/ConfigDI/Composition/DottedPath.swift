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
    let bytes = Array(text.utf8)
    var steps: [Step] = []
    var at = 0
    while at < bytes.count {
      let isBracket = bytes[at] == UInt8(ascii: "[")
      guard let step = isBracket ? Step(inBracketsOf: bytes, at: &at) : Step(keyOf: bytes, at: &at) else { return nil }
      steps.append(step)
    }
    guard !steps.isEmpty else { return nil }
    self.steps = steps
  }
}

// MARK: - Parsing

extension DottedPath.Step {
  /// Parses a key, which ends at the next dot or bracket. A dot precedes it unless it is the first step.
  fileprivate init?(keyOf bytes: [UInt8], at: inout Int) {
    if at > 0 {
      guard bytes[at] == UInt8(ascii: ".") else { return nil }
      at += 1
    }
    let start = at
    while at < bytes.count, bytes[at] != UInt8(ascii: "."), bytes[at] != UInt8(ascii: "[") { at += 1 }
    guard at > start else { return nil }
    self = .key(String(decoding: bytes[start..<at], as: UTF8.self))
  }

  /// Parses an index or a JSON string in brackets.
  fileprivate init?(inBracketsOf bytes: [UInt8], at: inout Int) {
    at += 1
    let start = at
    guard at < bytes.count else { return nil }
    if bytes[at] == UInt8(ascii: "\"") {
      at += 1
      while at < bytes.count, bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
      guard at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "]") else { return nil }
      at += 2
      let literal = String(decoding: bytes[start..<at - 1], as: UTF8.self)
      guard case .string(let key)? = Value(json: literal, limits: Limits()) else { return nil }
      self = .quoted(key)
      return
    }
    while at < bytes.count, bytes[at].isDigit { at += 1 }
    guard at < bytes.count, bytes[at] == UInt8(ascii: "]"),
      let index = Int(String(decoding: bytes[start..<at], as: UTF8.self))
    else { return nil }
    at += 1
    self = .index(index)
  }
}
