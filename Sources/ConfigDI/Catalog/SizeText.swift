// SPDX-License-Identifier: Apache-2.0

/// The parser of sizes in module files: digits and a unit without a space, such as `16MiB`.
enum SizeText {
  /// An example for messages.
  static let example = "16MiB"

  /// Returns the number of bytes of a text.
  ///
  /// - Returns: `nil` if the text has no known unit, has a sign, a space, a fraction or an exponent, or exceeds the
  ///   range of `Int64`.
  /// - Complexity: linear in the length of the text.
  static func byteCount(of text: String) -> Int64? {
    let digits = text.utf8.prefix(while: \.isDigit)
    // Not the Kelvin sign, which Swift compares as equal to "K".
    guard text.utf8.allSatisfy({ $0 < 0x80 }), let number = Int64(Substring(digits)),
      let unit = byteCount(ofUnit: Substring(text.utf8[digits.endIndex...]))
    else { return nil }
    let (count, overflows) = number.multipliedReportingOverflow(by: unit)
    return overflows ? nil : count
  }

  /// Returns the number of bytes in a unit; `nil` if the unit is unknown.
  private static func byteCount(ofUnit unit: Substring) -> Int64? {
    switch unit {
    case "B": 1
    case "kB": 1_000
    case "MB": 1_000_000
    case "GB": 1_000_000_000
    case "KiB": 1 << 10
    case "MiB": 1 << 20
    case "GiB": 1 << 30
    default: nil
    }
  }
}
