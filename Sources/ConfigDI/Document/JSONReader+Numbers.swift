// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
  /// Reads a number: an integer if it has neither a fraction nor an exponent, otherwise a real.
  mutating func readNumber() throws(ReadingStop) {
    let start = offset
    let isNegative = peek() == UInt8(ascii: "-")
    if isNegative { offset += 1 }
    var digits = Digits()
    if peek() == UInt8(ascii: "0") {
      offset += 1
      guard !peek().isDigit else {
        site = .word
        throw end(.syntaxError, "leading zeros are not allowed", from: offset, to: offset + 1)
      }
    } else {
      try readDigits(into: &digits)
    }
    switch peek() {
    case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      try readReal(from: start)
    default:
      addInteger(from: start, isNegative: isNegative, digits: digits)
    }
  }

  /// The digits of a number as an integer, which is exact for up to 19 digits.
  private struct Digits {
    /// The number; its lowest 64 bits if there are more than 19 digits.
    var number: UInt64 = 0
    /// The number of digits.
    var count = 0
    var isExact: Bool { count <= 19 }
  }

  /// Reads one or more digits.
  @inline(__always)
  private mutating func readDigits(into digits: inout Digits) throws(ReadingStop) {
    let start = offset
    var at = start
    while at < text.count, text[at].isDigit {
      digits.number = digits.number &* 10 &+ UInt64(text[at] &- UInt8(ascii: "0"))
      at += 1
    }
    offset = at
    digits.count += at - start
    guard at > start else { throw unexpected("a digit", at: .word) }
  }

  private mutating func addInteger(from start: Int, isNegative: Bool, digits: Digits) {
    let number = Int64(truncatingIfNeeded: isNegative ? 0 &- digits.number : digits.number)
    // A number that is out of range has the wrong sign.
    let isInRange = digits.isExact && (number == 0 || (number < 0) == isNegative)
    builder.add(value: isInRange ? .integer(number) : .hugeInteger, from: start, to: offset)
  }

  /// Reads the rest of a real, from the decimal point or the exponent on.
  private mutating func readReal(from start: Int) throws(ReadingStop) {
    var digits = Digits()
    if peek() == UInt8(ascii: ".") {
      offset += 1
      try readDigits(into: &digits)
    }
    if peek() | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if peek() == UInt8(ascii: "-") || peek() == UInt8(ascii: "+") { offset += 1 }
      try readDigits(into: &digits)
    }
    // `Double` parses a number out of range as infinity.
    let number = Double(String(decoding: text[start..<offset], as: UTF8.self)) ?? .infinity
    builder.add(value: .real(number), from: start, to: offset)
  }
}
