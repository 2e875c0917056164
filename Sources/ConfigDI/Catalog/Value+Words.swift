// SPDX-License-Identifier: Apache-2.0

extension Value {
  /// The greatest number of characters of a text that a message shows.
  private static let longestText = 80

  /// A description of the value for messages: `"text"`, `42`, `the duration 30s`, `a list`. Not for secrets.
  var inWords: String {
    switch self {
    case .string(let text):
      text.unicodeScalars.count <= Value.longestText
        ? "\"\(text)\"" : "\"\(String(text.unicodeScalars.prefix(Value.longestText)))…\""
    case .integer(let number): String(number)
    case .real(let number): "\(number)"
    case .boolean(let truth): "\(truth)"
    case .duration(let text): "the duration \(text)"
    case .size(let text): "the size \(text)"
    case .data, .list, .map: kindInWords
    }
  }
}

extension [Value] {
  /// The greatest number of values that a message lists.
  private static var longestList: Int { 20 }

  /// A description of the values for messages: `"a", "b" or "c"`.
  var inWords: String {
    let shown = prefix(Self.longestList).map(\.inWords)
    if shown.count < count { return shown.joined(separator: ", ") + ", …" }
    return shown.count < 2
      ? shown.joined() : shown.dropLast().joined(separator: ", ") + " or " + shown[shown.count - 1]
  }
}
