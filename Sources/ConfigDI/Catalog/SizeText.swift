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
      let unit = units.first(where: { $0.name == Substring(text.utf8[digits.endIndex...]) })
    else { return nil }
    let (count, overflows) = number.multipliedReportingOverflow(by: unit.bytes)
    return overflows ? nil : count
  }

  /// The units, each with its number of bytes.
  private static let units: [(name: Substring, bytes: Int64)] = [
    ("B", 1), ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("KiB", 1 << 10), ("MiB", 1 << 20),
    ("GiB", 1 << 30),
  ]
}
