// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The texts of files with marks for the expected findings.
///
/// `{"logger": «CDI0501»"loger"}` expects CDI0501 at the string. Several codes are separated by spaces.
/// `«CDI0501@dev,prod»` expects a finding for these environments only.
package struct MarkedTexts {
  /// The texts without marks, by path.
  package private(set) var texts: [String: String] = [:]
  /// The expected findings, as `path:line:column CODE@environments`.
  package private(set) var expectations: [String] = []

  /// Removes the marks from texts, and collects the expected findings.
  package init(_ marked: [String: String]) {
    for (path, text) in marked { texts[path] = removeMarks(from: text, path) }
  }

  /// Returns a text without its marks, and appends the findings that they expect to `expectations`.
  private mutating func removeMarks(from text: String, _ path: String) -> String {
    var plain = String.UnicodeScalarView()
    var position = SourcePosition(line: 1, column: 1)
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar != "«" else {
        let mark = rest.prefix { $0 != "»" }
        rest = rest.dropFirst(mark.count + 1)
        for code in String(mark).split(separator: " ") {
          expectations.append("\(path):\(position.line):\(position.column) \(code)")
        }
        continue
      }
      plain.append(scalar)
      position = position.moved(behind: scalar)
    }
    return String(plain)
  }
}

extension SourcePosition {
  /// Returns the position after a scalar at this position. Independent of the library's own counting.
  package func moved(behind scalar: Unicode.Scalar) -> SourcePosition {
    scalar == "\n" ? SourcePosition(line: line + 1, column: 1) : SourcePosition(line: line, column: column + 1)
  }
}
