// SPDX-License-Identifier: Apache-2.0

/// A random valid JSON text, with the tokens of its nodes.
package struct RandomJSON {
  /// The text in UTF-8.
  package private(set) var bytes: [UInt8] = []
  /// The tokens of keys, scalars and opening brackets, in the order of the text.
  package private(set) var tokens: [String] = []

  /// Generates a text, at random with a byte order mark.
  package init(using random: inout SeededRandom) {
    if Bool.random(using: &random) { bytes = [0xEF, 0xBB, 0xBF] }
    addSpace(using: &random)
    addValue(depth: 0, using: &random)
    addSpace(using: &random)
  }

  private mutating func addValue(depth: Int, using random: inout SeededRandom) {
    let scalars = [
      "0", "-0", "12", "-7.25e+3", "1E-2", "true", "false", #""""#, #""a b""#, #""é\n\u0041\ud83d\ude00""#,
      #""日本{[,:""#,
    ]
    guard depth < 5, Int.random(in: 0..<3, using: &random) > 0 else {
      add(token: scalars.randomElement(using: &random) ?? "0")
      return
    }
    let isMap = Bool.random(using: &random)
    add(token: isMap ? "{" : "[")
    for index in 0..<Int.random(in: 0...6, using: &random) {
      if index > 0 { add(",", using: &random) }
      addSpace(using: &random)
      if isMap {
        add(token: ["\"k\(index)\"", #""\u006b é\#(index)""#, "\"a.b \(index)\""].randomElement(using: &random) ?? "")
        add(":", using: &random)
      }
      addValue(depth: depth + 1, using: &random)
    }
    add(isMap ? "}" : "]", using: &random)
  }

  private mutating func add(token: String) {
    tokens.append(token)
    bytes.append(contentsOf: token.utf8)
  }

  private mutating func add(_ text: String, using random: inout SeededRandom) {
    addSpace(using: &random)
    bytes.append(contentsOf: text.utf8)
    addSpace(using: &random)
  }

  private mutating func addSpace(using random: inout SeededRandom) {
    bytes.append(contentsOf: (["", "", " ", "\n", "\r\n  ", "\t"].randomElement(using: &random) ?? "").utf8)
  }
}
