// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

/// The texts of files in which marks say what must be told about the token behind them.
///
/// `{"logger": «CDI0501»"loger"}` wants CDI0501 at the string. Several codes are separated by spaces; `«CDI0501@dev,prod»`
/// wants a finding of these environments alone.
package struct MarkedTexts {
  /// The texts without marks, by path.
  package private(set) var texts: [String: String] = [:]
  /// What must be told, as `path:line:column CODE@environments`.
  package private(set) var expectations: [String] = []

  /// Takes the marks out of some texts.
  package init(_ marked: [String: String]) {
    for (path, text) in marked { texts[path] = takeMarks(outOf: text, path) }
  }

  /// A text without its marks, whose expectations are noted.
  private mutating func takeMarks(outOf text: String, _ path: String) -> String {
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
  /// The position behind a scalar that stands at this one, counted apart from the library.
  package func moved(behind scalar: Unicode.Scalar) -> SourcePosition {
    scalar == "\n" ? SourcePosition(line: line + 1, column: 1) : SourcePosition(line: line, column: column + 1)
  }
}
