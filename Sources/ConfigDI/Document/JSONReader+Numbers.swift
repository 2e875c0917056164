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
      guard !isDigit(peek()) else {
        site = .word
        throw leadingZero()
      }
    } else {
      try readDigits(into: &digits)
    }
    switch peek() {
    case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      try readReal(from: start)
    default:
      appendInteger(from: start, isNegative: isNegative, digits: digits)
    }
  }

  /// The digits of a number as an integer, which is exact for up to 19 digits.
  private struct Digits {
    /// The number; its lowest 64 bits if there are more than 19 digits.
    var number: UInt64 = 0
    /// The number of digits.
    var count = 0
    /// Whether `number` is exact.
    var isExact: Bool { count <= 19 }
  }

  /// Whether a byte is an ASCII digit.
  @inline(__always)
  private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

  /// Reads one or more digits.
  @inline(__always)
  private mutating func readDigits(into digits: inout Digits) throws(ReadingStop) {
    let start = offset
    var at = start
    while at < text.count, isDigit(text[at]) {
      digits.number = digits.number &* 10 &+ UInt64(text[at] &- UInt8(ascii: "0"))
      at += 1
    }
    offset = at
    digits.count += at - start
    guard at > start else {
      site = .word
      throw unexpected("a digit")
    }
  }

  /// Adds the node of an integer.
  private mutating func appendInteger(from start: Int, isNegative: Bool, digits: Digits) {
    // The magnitude of `Int64.min`, which a positive number cannot have.
    let lowest = UInt64(Int64.max) + 1
    if digits.isExact, digits.number < lowest {
      let magnitude = Int64(digits.number)
      append(.integer, from: start, payload: isNegative ? -magnitude : magnitude)
    } else if digits.isExact, digits.number == lowest, isNegative {
      append(.integer, from: start, payload: .min)
    } else {
      append(.invalid, from: start)
      findings.append(.integerOutOfRange(at: reference(nodes.count - 1)))
    }
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
    if let real = Double(String(decoding: text[start..<offset], as: UTF8.self)), real.isFinite {
      append(.real, from: start, payload: Int64(bitPattern: real.bitPattern))
    } else {
      append(.invalid, from: start)
      findings.append(.realOutOfRange(at: reference(nodes.count - 1)))
    }
  }
}
