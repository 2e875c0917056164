// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
  /// Reads a number: an integer where it has neither fraction nor exponent, else a real.
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
      try readReal(from: start, isNegative: isNegative, digits: digits)
    default:
      appendInteger(from: start, isNegative: isNegative, digits: digits)
    }
  }

  /// Digits as a whole number, which is exact up to 19 of them.
  private struct Digits {
    /// The number, beyond 19 digits its lowest 64 bits.
    var number: UInt64 = 0
    /// How many digits there are, leading zeros of a fraction included.
    var count = 0
    /// Whether `number` is exact.
    var isExact: Bool { count <= 19 }
  }

  /// Whether a byte is one of the ten digits.
  @inline(__always)
  private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

  /// Reads one digit or more.
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

  /// Adds an integer's node.
  private mutating func appendInteger(from start: Int, isNegative: Bool, digits: Digits) {
    // The one magnitude that only a negative number has.
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

  /// Reads a real from its point or its exponent on.
  private mutating func readReal(from start: Int, isNegative: Bool, digits: Digits) throws(ReadingStop) {
    var digits = digits
    let whole = digits.count
    if peek() == UInt8(ascii: ".") {
      offset += 1
      try readDigits(into: &digits)
    }
    let fraction = digits.count - whole
    var exponent = 0
    if peek() | 0x20 == UInt8(ascii: "e") { exponent = try readExponent() }
    let magnitude = exactReal(digits, exponent: exponent - fraction)
    let real = magnitude.map { isNegative ? -$0 : $0 } ?? roundedReal(from: start)
    if let real, real.isFinite {
      append(.real, from: start, payload: Int64(bitPattern: real.bitPattern))
    } else {
      append(.invalid, from: start)
      findings.append(.realOutOfRange(at: reference(nodes.count - 1)))
    }
  }

  /// Reads an exponent, at whose letter the reader stands; one of more than 18 digits as one that is merely large.
  private mutating func readExponent() throws(ReadingStop) -> Int {
    offset += 1
    let isNegative = peek() == UInt8(ascii: "-")
    if isNegative || peek() == UInt8(ascii: "+") { offset += 1 }
    var digits = Digits()
    try readDigits(into: &digits)
    let magnitude = digits.count <= 18 ? Int(digits.number) : 1 << 60
    return isNegative ? -magnitude : magnitude
  }

  /// A real whose digits and power of ten are both exact as `Double`, so that one operation rounds correctly
  /// (Clinger, "How to read floating point numbers accurately", 1990); nil for any other.
  private func exactReal(_ digits: Digits, exponent: Int) -> Double? {
    guard digits.isExact, digits.number <= 1 << 53, -22...22 ~= exponent else { return nil }
    let power = JSONReader.powersOfTen[abs(exponent)]
    return exponent < 0 ? Double(digits.number) / power : Double(digits.number) * power
  }

  /// A real as the standard library rounds it; infinite, or nil, where it is out of range.
  private func roundedReal(from start: Int) -> Double? {
    Double(String(decoding: text[start..<offset], as: UTF8.self))
  }

  /// The powers of ten that `Double` holds exactly.
  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}
