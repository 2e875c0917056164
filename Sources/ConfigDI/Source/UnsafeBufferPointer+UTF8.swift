// SPDX-License-Identifier: Apache-2.0

extension UnsafeBufferPointer<UInt8> {
  /// Returns the length in bytes of the UTF-8 encoded Unicode scalar at an offset, or 0 if it is not well-formed.
  ///
  /// Overlong forms, surrogates and values above U+10FFFF are not well-formed (The Unicode Standard, table 3-7).
  package func scalarLength(at offset: Int) -> Int {
    guard offset < count else { return 0 }
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch self[offset] {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return 0
    }
    guard offset + length <= count, second ~= self[offset + 1] else { return 0 }
    for index in offset + 2..<offset + length where self[index] & 0xC0 != 0x80 { return 0 }
    return length
  }
}
