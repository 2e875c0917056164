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
    let bytes = Array(text.utf8)
    let unitStart = bytes.endOfDigits(from: 0)
    guard unitStart > 0, let unit = byteCount(ofUnit: bytes[unitStart...]),
      let number = bytes[..<unitStart].decimal(as: Int64.self)
    else { return nil }
    let (count, overflows) = number.multipliedReportingOverflow(by: unit)
    return overflows ? nil : count
  }

  /// Returns the number of bytes in a unit; `nil` if the unit is unknown.
  private static func byteCount(ofUnit unit: ArraySlice<UInt8>) -> Int64? {
    switch String(decoding: unit, as: UTF8.self) {
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
