// SPDX-License-Identifier: Apache-2.0

/// The type of a value argument, as named in the catalog.
public indirect enum ValueType: Hashable, Sendable {
  /// A text: `String`.
  case string
  /// An integer of some width: `Int`, `UInt16`, ...
  case integer(IntegerType)
  /// `Double`, or `Float` where `isSingle`.
  case real(isSingle: Bool)
  /// `Bool`.
  case boolean
  /// A duration, a number with a unit: `Duration`.
  case duration
  /// A number of bytes with a unit: `Size`.
  case size
  /// Bytes, in base64 or as a property list's `data`: `Bytes`.
  case bytes
  /// A URL with a scheme: `URL`.
  case url
  /// A list: `[T]`.
  case list(ValueType)
  /// A map whose keys are texts: `[String: T]`.
  case map(ValueType)
  /// A value that may be absent: `T?`.
  case optional(ValueType)
  /// One of some strings or integers.
  case oneOf([Value])
  /// A Swift type that decodes itself, which only the application can check.
  case named(String)

  /// The integer types of Swift.
  public enum IntegerType: String, CaseIterable, Hashable, Sendable {
    // The raw values are the names of the types in Swift.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case Int, Int8, Int16, Int32, Int64, UInt, UInt8, UInt16, UInt32, UInt64

    /// The values of the type that `Int64` can represent.
    package var range: ClosedRange<Int64> {
      switch self {
      case .Int, .Int64: .min ... .max
      case .Int8: -0x80...0x7F
      case .Int16: -0x8000...0x7FFF
      case .Int32: -0x8000_0000...0x7FFF_FFFF
      case .UInt, .UInt64: 0 ... .max
      case .UInt8: 0...0xFF
      case .UInt16: 0...0xFFFF
      case .UInt32: 0...0xFFFF_FFFF
      }
    }
  }
}
