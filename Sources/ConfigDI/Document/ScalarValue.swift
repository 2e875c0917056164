// SPDX-License-Identifier: Apache-2.0

/// A value without contents, as it is written in a file.
package enum ScalarValue: Sendable {
  case boolean(Bool)
  /// The date of a property list.
  case date
  case integer(Int64)
  /// An integer out of the range of `Int64`, which documents do not have.
  case hugeInteger
  /// No value, which documents do not have.
  case null
  /// A real. Documents have no infinity and no NaN, with which readers also represent reals that are out of range.
  case real(Double)
  case string(String)

  /// Creates an integer from a text, which must consist of digits in the radix and, if that is 10, an optional sign.
  package init(integer digits: some StringProtocol, radix: Int = 10) {
    self = Int64(digits, radix: radix).map { .integer($0) } ?? .hugeInteger
  }
}

extension StringProtocol {
  /// Whether the text is a decimal number: `[-+]? [0-9]+ ( \. [0-9]* )? ( [eE] [-+]? [0-9]+ )?`.
  ///
  /// - Parameter allowsLeadingPoint: Whether digits may be missing before the point if there are some after it.
  package func isReal(allowsLeadingPoint: Bool) -> Bool {
    var rest = utf8[...]
    func skip(_ bytes: String) -> Bool {
      guard let first = rest.first, bytes.utf8.contains(first) else { return false }
      rest.removeFirst()
      return true
    }
    func skipDigits() -> Bool {
      let count = rest.prefix { $0.isDigit }.count
      rest.removeFirst(count)
      return count > 0
    }
    _ = skip("-+")
    let isWhole = skipDigits()
    let isFractional = skip(".") && skipDigits()
    guard isWhole || (isFractional && allowsLeadingPoint) else { return false }
    if skip("eE") {
      _ = skip("-+")
      guard skipDigits() else { return false }
    }
    return rest.isEmpty
  }
}
