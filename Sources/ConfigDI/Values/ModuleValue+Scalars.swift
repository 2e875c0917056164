// SPDX-License-Identifier: Apache-2.0

extension String: ModuleValue {
  public static var moduleValueType: ValueType { .string }

  /// Converts a string. A duration or a size is converted to its text.
  public init(moduleValue: Value) throws(ValueMismatch) {
    switch moduleValue {
    case .string(let text), .duration(let text), .size(let text): self = text
    default: throw Self.mismatch(moduleValue)
    }
  }

  public var moduleValue: Value? { .string(self) }
}

extension Bool: ModuleValue {
  public static var moduleValueType: ValueType { .boolean }

  /// Converts `true` or `false`.
  public init(moduleValue: Value) throws(ValueMismatch) {
    guard case .boolean(let value) = moduleValue else { throw Self.mismatch(moduleValue) }
    self = value
  }

  public var moduleValue: Value? { .boolean(self) }
}

extension Double: ModuleValue {
  public static var moduleValueType: ValueType { .real(isSingle: false) }

  /// Converts a real number or an integer.
  public init(moduleValue: Value) throws(ValueMismatch) {
    switch moduleValue {
    case .real(let value): self = value
    case .integer(let value): self = Double(value)
    default: throw Self.mismatch(moduleValue)
    }
  }

  public var moduleValue: Value? { isFinite ? .real(self) : nil }
}

extension Float: ModuleValue {
  public static var moduleValueType: ValueType { .real(isSingle: true) }

  /// Converts a real number or an integer within the range of `Float`.
  public init(moduleValue: Value) throws(ValueMismatch) {
    switch moduleValue {
    case .real(let value): self = Float(value)
    case .integer(let value): self = Float(value)
    default: throw Self.mismatch(moduleValue)
    }
    guard isFinite else { throw Self.mismatch(moduleValue) }
  }

  public var moduleValue: Value? { isFinite ? .real(Double(self)) : nil }
}

extension Duration: ModuleValue {
  public static var moduleValueType: ValueType { .duration }

  /// Converts a string with a unit, such as `1.5s`.
  public init(moduleValue: Value) throws(ValueMismatch) {
    switch moduleValue {
    case .string(let text), .duration(let text):
      guard let duration = DurationText.duration(of: text) else { throw Self.mismatch(moduleValue) }
      self = duration
    default: throw Self.mismatch(moduleValue)
    }
  }

  /// The duration in the largest of the units `s`, `ms`, `us` and `ns` that divides it; `nil` if it is negative, too
  /// long, or has a part of a nanosecond.
  public var moduleValue: Value? {
    let (seconds, attoseconds) = components
    let (nanoseconds, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard self >= .zero, attoseconds % 1_000_000_000 == 0, !overflows else { return nil }
    let (count, isTooGreat) = nanoseconds.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard !isTooGreat else { return nil }
    let units: [(String, Int64)] = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000)]
    for (unit, size) in units where count % size == 0 { return .duration("\(count / size)\(unit)") }
    return .duration("\(count)ns")
  }
}
