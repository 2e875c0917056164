// SPDX-License-Identifier: Apache-2.0

/// Text in XML 1.0 elements.
package enum XMLText {
  /// Returns an element that contains only text: `<key>a&amp;b</key>`.
  package static func element(_ name: StaticString, _ text: String) -> String {
    "<\(name)>\(escaped(text))</\(name)>"
  }

  /// Returns a text in which `&`, `<`, `>` and CR, which XML would read as LF, are written as entities.
  package static func escaped(_ text: String) -> String {
    var escaped: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): escaped += "&amp;".utf8
      case UInt8(ascii: "<"): escaped += "&lt;".utf8
      case UInt8(ascii: ">"): escaped += "&gt;".utf8
      case UInt8(ascii: "\r"): escaped += "&#13;".utf8
      default: escaped.append(byte)
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}
