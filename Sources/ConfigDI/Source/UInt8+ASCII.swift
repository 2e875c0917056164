// SPDX-License-Identifier: Apache-2.0

// Classes of ASCII characters, for the readers of texts.

extension UInt8 {
  /// Whether the byte is a letter.
  @inline(__always)
  package var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

  /// Whether the byte is a decimal digit.
  @inline(__always)
  package var isDigit: Bool { self &- UInt8(ascii: "0") <= 9 }

  /// The value of a hexadecimal digit, or `nil` for any other byte.
  package var hexadecimalDigit: UInt32? {
    if isDigit { return UInt32(self - UInt8(ascii: "0")) }
    let place = (self | 0x20) &- UInt8(ascii: "a")
    return place < 6 ? 10 + UInt32(place) : nil
  }

  /// Whether the byte is a space, a tab, LF or CR, which are the whitespace of JSON and XML.
  package var isSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  /// Whether the byte is a space or a tab.
  package var isBlank: Bool { self == 0x20 || self == 0x09 }
}
