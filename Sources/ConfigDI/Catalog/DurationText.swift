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
    let whole = text.utf8.prefix(while: \.isDigit)
    var rest = text.utf8[whole.endIndex...]
    var decimals = rest.prefix(0)
    if rest.first == UInt8(ascii: ".") {
      decimals = rest.dropFirst().prefix(while: \.isDigit)
      guard !decimals.isEmpty else { return nil }
      rest = rest[decimals.endIndex...]
    }
    guard let unit = units.first(where: { $0.name == Substring(rest) })?.attoseconds,
      let number = Int128(Substring(whole))
    else { return nil }

    // From the last digit to the first: rounding down at each step gives the same result as rounding down once.
    var fraction: Int128 = 0
    for byte in decimals.reversed() {
      fraction = (Int128(byte - UInt8(ascii: "0")) * unit + fraction) / 10
    }
    let (product, isTooGreat) = number.multipliedReportingOverflow(by: unit)
    guard !isTooGreat else { return nil }
    let (total, overflows) = product.addingReportingOverflow(fraction)
    guard !overflows, let seconds = Int64(exactly: total / attosecondsPerSecond) else { return nil }
    return Duration(
      secondsComponent: seconds, attosecondsComponent: Int64(total % attosecondsPerSecond))
  }

  private static let attosecondsPerSecond: Int128 = 1_000_000_000_000_000_000

  /// The units, each with its number of attoseconds.
  private static let units: [(name: Substring, attoseconds: Int128)] = [
    ("ns", attosecondsPerSecond / 1_000_000_000), ("us", attosecondsPerSecond / 1_000_000),
    ("ms", attosecondsPerSecond / 1_000), ("s", attosecondsPerSecond), ("m", attosecondsPerSecond * 60),
    ("h", attosecondsPerSecond * 3_600), ("d", attosecondsPerSecond * 86_400),
  ]
}
