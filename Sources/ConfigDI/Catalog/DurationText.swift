// SPDX-License-Identifier: Apache-2.0

/// The parser of durations in module files: digits, an optional fraction, and a unit without a space, such as `1.5s`.
enum DurationText {
  /// An example for messages.
  static let example = "1.5s"

  /// Returns the duration of a text, truncated to whole attoseconds.
  ///
  /// - Returns: `nil` if the text has no known unit, has a sign, space or exponent, or exceeds the range of `Duration`.
  /// - Complexity: linear in the length of the text.
  static func duration(of text: String) -> Duration? {
    let bytes = Array(text.utf8)
    let wholeEnd = bytes.endOfDigits(from: 0)
    guard wholeEnd > 0 else { return nil }
    var unitStart = wholeEnd
    if unitStart < bytes.count, bytes[unitStart] == UInt8(ascii: ".") {
      unitStart = bytes.endOfDigits(from: wholeEnd + 1)
      guard unitStart > wholeEnd + 1 else { return nil }
    }
    guard let unit = attoseconds(of: bytes[unitStart...]) else { return nil }

    // From the last digit to the first: rounding down at each step gives the same result as rounding down once.
    var fraction: Int128 = 0
    for byte in bytes[wholeEnd..<unitStart].dropFirst().reversed() {
      fraction = (Int128(byte - UInt8(ascii: "0")) * unit + fraction) / 10
    }
    guard let whole = bytes[..<wholeEnd].decimal(as: Int128.self) else { return nil }
    let (product, isTooGreat) = whole.multipliedReportingOverflow(by: unit)
    guard !isTooGreat else { return nil }
    let (total, overflows) = product.addingReportingOverflow(fraction)
    guard !overflows, let seconds = Int64(exactly: total / attosecondsPerSecond) else { return nil }
    return Duration(
      secondsComponent: seconds, attosecondsComponent: Int64(total % attosecondsPerSecond))
  }

  /// The number of attoseconds in a second.
  private static let attosecondsPerSecond: Int128 = 1_000_000_000_000_000_000

  /// Returns the number of attoseconds in a unit; `nil` if the unit is unknown.
  private static func attoseconds(of unit: ArraySlice<UInt8>) -> Int128? {
    switch String(decoding: unit, as: UTF8.self) {
    case "ns": attosecondsPerSecond / 1_000_000_000
    case "us": attosecondsPerSecond / 1_000_000
    case "ms": attosecondsPerSecond / 1_000
    case "s": attosecondsPerSecond
    case "m": attosecondsPerSecond * 60
    case "h": attosecondsPerSecond * 3_600
    case "d": attosecondsPerSecond * 86_400
    default: nil
    }
  }
}

extension [UInt8] {
  /// Returns the index after the decimal digits that begin at an index.
  func endOfDigits(from start: Int) -> Int {
    var end = start
    while end < count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self[end]) { end += 1 }
    return end
  }
}

extension ArraySlice<UInt8> {
  /// The value of the decimal digits; `nil` if the type cannot represent it. All bytes must be digits.
  func decimal<Number: FixedWidthInteger>(as type: Number.Type) -> Number? {
    var number: Number = 0
    for byte in self {
      let (tenfold, isTooGreat) = number.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = tenfold.addingReportingOverflow(Number(byte - UInt8(ascii: "0")))
      guard !isTooGreat, !overflows else { return nil }
      number = sum
    }
    return number
  }
}
