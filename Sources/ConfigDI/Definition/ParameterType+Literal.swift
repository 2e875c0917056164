// SPDX-License-Identifier: Apache-2.0

extension ParameterType {
  /// Creates the type that a literal has without a declaration.
  init(ofLiteral value: Value) {
    switch value {
    case .string: self = .string
    case .integer: self = .int
    case .real: self = .double
    case .boolean: self = .bool
    case .duration: self = .duration
    case .size: self = .size
    case .list: self = .list
    case .map: self = .map
    case .data: self = .json
    }
  }

  /// Converts a literal, or the value of another parameter, to this type. Returns `nil` if it does not fit. An integer
  /// is accepted as a double, and a duration or size as its text.
  func value(ofLiteral literal: Value) -> Value? {
    switch (self, literal) {
    // From a configuration source; no file has such a number.
    case _ where !literal.isFinite: nil
    case (.string, .string), (.int, .integer), (.double, .real), (.bool, .boolean), (.list, .list), (.map, .map),
      (.duration, .duration), (.size, .size), (.json, _):
      literal
    case (.double, .integer(let integer)): .real(Double(integer))
    case (.string, .duration(let text)), (.string, .size(let text)): .string(text)
    case (.duration, .string(let text)): DurationText.duration(of: text) == nil ? nil : .duration(text)
    case (.size, .string(let text)): SizeText.byteCount(of: text) == nil ? nil : .size(text)
    default: nil
    }
  }

  /// The description of a literal of the type, for messages.
  var inWords: String {
    switch self {
    case .string: "a string"
    case .int: "an integer"
    case .double: "a number"
    case .bool: "a boolean"
    case .duration: "a duration such as \"1.5s\""
    case .size: "a size such as \"16MiB\""
    case .list: "a list"
    case .map: "a map"
    case .json: "any value"
    }
  }
}

extension Value {
  /// Returns whether the value is less than another value of its type; `nil` if the two have no order.
  func isLess(than other: Value) -> Bool? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.duration(let left), .duration(let right)):
      isLess(DurationText.duration(of: left), DurationText.duration(of: right))
    case (.size(let left), .size(let right)): isLess(SizeText.byteCount(of: left), SizeText.byteCount(of: right))
    default: nil
    }
  }

  /// Returns whether an amount is less than another one; `nil` if one of them is not valid.
  private func isLess<Amount: Comparable>(_ left: Amount?, _ right: Amount?) -> Bool? {
    guard let left, let right else { return nil }
    return left < right
  }
}
