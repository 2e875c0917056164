// SPDX-License-Identifier: Apache-2.0

/// Text as XML 1.0 has it in an element.
package enum XMLText {
  /// An element that holds a text alone: `<key>a&amp;b</key>`.
  package static func element(_ name: StaticString, _ text: String) -> String {
    "<\(name)>\(escaped(text))</\(name)>"
  }

  /// A text with what XML would read otherwise as entities: brackets, the ampersand, and CR, which it reads as LF.
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
