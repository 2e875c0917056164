// SPDX-License-Identifier: Apache-2.0

extension ModuleValue where Self: FixedWidthInteger {
  /// Converts an integer within the range of the type.
  public init(moduleValue: Value) throws(ValueMismatch) {
    guard case .integer(let value) = moduleValue, let integer = Self(exactly: value) else {
      throw Self.mismatch(moduleValue)
    }
    self = integer
  }

  /// The integer, or `nil` if it is out of the range of `Int64`, which module files use.
  public var moduleValue: Value? { Int64(exactly: self).map { .integer($0) } }
}

extension Int: ModuleValue {
  public static var moduleValueType: ValueType { .integer(.Int) }
}

extension Int8: ModuleValue {
  public static var moduleValueType: ValueType { .integer(.Int8) }
}

extension Int16: ModuleValue {
  public static var moduleValueType: ValueType { .integer(.Int16) }
}

extension Int32: ModuleValue {
  public static var moduleValueType: ValueType { .integer(.Int32) }
}

extension Int64: ModuleValue {
  public static var moduleValueType: ValueType { .integer(.Int64) }
}

extension UInt: ModuleValue {
  public static var moduleValueType: ValueType { .integer(.UInt) }
}

extension UInt8: ModuleValue {
  public static var moduleValueType: ValueType { .integer(.UInt8) }
}

extension UInt16: ModuleValue {
  public static var moduleValueType: ValueType { .integer(.UInt16) }
}

extension UInt32: ModuleValue {
  public static var moduleValueType: ValueType { .integer(.UInt32) }
}

extension UInt64: ModuleValue {
  public static var moduleValueType: ValueType { .integer(.UInt64) }
}

extension Int128: ModuleValue {
  /// `Int64`, the largest signed type of integers in a catalog.
  public static var moduleValueType: ValueType { .integer(.Int64) }
}

extension UInt128: ModuleValue {
  /// `UInt64`, the largest unsigned type of integers in a catalog.
  public static var moduleValueType: ValueType { .integer(.UInt64) }
}
