// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text with line breaks in the place of spaces where a line would be longer than a terminal is wide.
  ///
  /// Only lines of words are broken, such as messages and their notes; excerpts of files, whose columns matter, stay as they
  /// are. Escape sequences for colours take no place.
  ///
  /// - Parameters:
  ///   - width: The columns of the terminal; nil: no line is broken.
  ///   - indent: What each further line begins with; nil: what suits the line, by its first characters.
  package func wrapped(to width: Int?, indent: String? = nil) -> String {
    guard let width, width >= 40 else { return self }
    return split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard let indent = indent ?? Wrapping.indent(of: line) else { return String(line) }
      return Wrapping.broken(line, width, indent)
    }.joined(separator: "\n")
  }
}

/// The steps of wrapping.
private enum Wrapping {
  /// What further lines of a line begin with; nil where it is not broken.
  static func indent(of line: Substring) -> String? {
    let plain = String(String.UnicodeScalarView(visible(line)))
    if plain.hasPrefix("error") || plain.hasPrefix("warning") { return "  " }
    let words = plain.drop { $0 == " " }
    guard words.hasPrefix("= "), let colon = words.firstIndex(of: ":") else { return nil }
    let lead = plain.unicodeScalars.count - words.unicodeScalars.count
    return String(repeating: " ", count: lead + words[...colon].unicodeScalars.count + 1)
  }

  /// The characters of a line that take a column.
  private static func visible(_ line: Substring) -> [Unicode.Scalar] {
    var found: [Unicode.Scalar] = []
    var isEscape = false
    for scalar in line.unicodeScalars {
      if isEscape {
        if scalar == "m" { isEscape = false }
      } else if scalar == "\u{1B}" {
        isEscape = true
      } else {
        found.append(scalar)
      }
    }
    return found
  }

  /// A line broken at spaces.
  static func broken(_ line: Substring, _ width: Int, _ indent: String) -> String {
    var text = ""
    var column = 0
    for (number, word) in line.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      let length = visible(word).count
      if number > 0 {
        // What the line begins with stays together: its indentation and first words.
        if column + 1 + length > width, column > indent.unicodeScalars.count {
          text += "\n" + indent
          column = indent.unicodeScalars.count
        } else {
          text += " "
          column += 1
        }
      }
      text += word
      column += length
    }
    return text
  }
}
