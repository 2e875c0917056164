// SPDX-License-Identifier: Apache-2.0

/// Base64 (RFC 4648, section 4) with the standard alphabet, required padding, and no other characters.
package enum Base64 {
  /// Decodes a text.
  ///
  /// - Returns: `nil` if the text does not consist of groups of four, has a character outside the alphabet (such as a
  ///   line break), padding elsewhere than at the end, or nonzero bits after the last byte (RFC 4648, section 3.5).
  /// - Complexity: linear in the length of the text.
  static func bytes(of text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count.isMultiple(of: 4) else { return nil }
    let paddingCount = characters.suffix(2).reversed().prefix { $0 == padding }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3)
    var bits: UInt32 = 0
    var bitCount = 0
    for character in characters.dropLast(paddingCount) {
      guard let digit = digit(of: character) else { return nil }
      bits = bits << 6 | digit
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
    }
    let rest = bits & (1 << UInt32(bitCount) - 1)
    return rest == 0 ? bytes : nil
  }

  /// Encodes bytes, with padding and without line breaks.
  package static func text(of bytes: [UInt8]) -> String {
    var characters: [UInt8] = []
    characters.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        characters.append(place <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * place) & 0x3F)] : padding)
      }
    }
    return String(decoding: characters, as: UTF8.self)
  }

  /// The 64 digits.
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static let padding = UInt8(ascii: "=")

  /// Returns the value of a digit, or `nil` for any other character.
  private static func digit(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
