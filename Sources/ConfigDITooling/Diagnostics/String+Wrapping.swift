// SPDX-License-Identifier: Apache-2.0

extension String {
  /// Returns the text with its lines broken at spaces to fit the width of a terminal.
  ///
  /// Only lines of prose are broken, such as messages and their notes. Excerpts of files, whose columns matter, stay
  /// unchanged. Escape sequences for colours take no columns.
  ///
  /// - Parameters:
  ///   - width: The number of columns of the terminal. If `nil` or less than 40, no line is broken.
  ///   - indent: The beginning of each continuation line. If `nil`, it is chosen by the first characters of the line.
  package func wrapped(to width: Int?, indent: String? = nil) -> String {
    guard let width, width >= 40 else { return self }
    return split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard let indent = indent ?? Wrapping.indent(of: line) else { return String(line) }
      return Wrapping.broken(line, width, indent)
    }.joined(separator: "\n")
  }
}

extension String {
  /// Returns the text with spaces at its end, so that it has at least `width` Unicode scalars.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - unicodeScalars.count))
  }
}

/// The steps of wrapping a text.
private enum Wrapping {
  /// Returns the indentation of the continuation lines of a line, or `nil` if the line must not be broken.
  static func indent(of line: Substring) -> String? {
    let plain = String(String.UnicodeScalarView(visible(line)))
    if plain.hasPrefix("error") || plain.hasPrefix("warning") { return "  " }
    let words = plain.drop { $0 == " " }
    guard words.hasPrefix("= "), let colon = words.firstIndex(of: ":") else { return nil }
    let lead = plain.unicodeScalars.count - words.unicodeScalars.count
    return String(repeating: " ", count: lead + words[...colon].unicodeScalars.count + 1)
  }

  /// Returns the characters of a line that take a column.
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

  /// Returns a line broken at spaces.
  static func broken(_ line: Substring, _ width: Int, _ indent: String) -> String {
    var text = ""
    var column = 0
    for (number, word) in line.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
      let length = visible(word).count
      if number > 0 {
        // The beginning of the line, its indentation and first words, is not broken.
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
