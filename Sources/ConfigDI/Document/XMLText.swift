// SPDX-License-Identifier: Apache-2.0

/// Text in XML 1.0 elements.
package enum XMLText {
  /// Returns an element that contains only text: `<key>a&amp;b</key>`.
  package static func element(_ name: StaticString, _ text: String) -> String {
    "<\(name)>\(escaped(text))</\(name)>"
  }

  /// Returns whether the bytes of an element may contain a comment.
  static func mayHaveComment(_ element: ArraySlice<UInt8>) -> Bool {
    element.indices.contains { element[$0...].starts(with: "<!--".utf8) }
  }

  /// Returns a text in which `&`, `<`, `>` and CR, which XML would read as LF, are written as entities.
  package static func escaped(_ text: String) -> String {
    text.escaping { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\r": "&#13;"
      default: nil
      }
    }
  }
}
