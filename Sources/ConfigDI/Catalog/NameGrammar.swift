// SPDX-License-Identifier: Apache-2.0

/// The two grammars for names in the format.
package enum NameGrammar {
  /// The names of services, parameters, aliases and environments: `[A-Za-z_][A-Za-z0-9_.-]*`.
  case id
  /// The names of types: the same, plus `<`, `>`, and inside angle brackets `,` and spaces.
  case type

  /// Returns whether a text in UTF-8 is a valid name.
  package func accepts(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var depth = 0
    var isAtStart = true
    for byte in text {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"):
        isAtStart = false
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
        if isAtStart { return false }
      case UInt8(ascii: "<") where self == .type && !isAtStart:
        depth += 1
        isAtStart = true
      case UInt8(ascii: ">") where depth > 0 && !isAtStart:
        depth -= 1
      case UInt8(ascii: ",") where depth > 0 && !isAtStart:
        isAtStart = true
      case UInt8(ascii: " ") where depth > 0:
        continue
      default:
        return false
      }
    }
    return !isAtStart && depth == 0
  }

  /// A description of the allowed characters, for messages.
  var inWords: String {
    switch self {
    case .id: "a name starts with a letter or \"_\", followed by letters, digits, \"_\", \".\" and \"-\""
    case .type:
      "a type's name starts with a letter or \"_\", followed by letters, digits, \"_\", \".\" and \"-\"; \"<\", \">\", \",\" and spaces are allowed in angle brackets"
    }
  }
}
