// SPDX-License-Identifier: Apache-2.0

/// A type whose values can be written under `values` in a module file.
///
/// Strings, Booleans, numbers, `Duration`, `ByteCount`, `Data`, `[UInt8]` and `URL` conform, and so do arrays,
/// dictionaries and optionals of conforming types. An enumeration with raw values or a `Decodable` type can be an
/// argument without conforming. Other types conform by naming the type that is written, and converting from it:
///
/// ```swift
/// struct Percentage: ModuleValue {
///   var share: Double
///
///   static var moduleValueType: ValueType { .real(isSingle: false) }
///
///   init(moduleValue: Value) throws(ValueMismatch) {
///     share = try Double(moduleValue: moduleValue) / 100
///     guard (0...1).contains(share) else { throw ValueMismatch(expected: "a number from 0 to 100", found: moduleValue) }
///   }
/// }
/// ```
public protocol ModuleValue: Sendable {
  /// The type of the value in a module file, or `named` if only the conversion can check the value.
  static var moduleValueType: ValueType { get }

  /// Converts a value of a module file. The conversion is strict: a string is not converted to a number, for example.
  ///
  /// - Throws: `ValueMismatch` if the value cannot be converted.
  init(moduleValue: Value) throws(ValueMismatch)

  /// The value as written in a module file, to show defaults in a catalog; `nil` if it cannot be written in one.
  var moduleValue: Value? { get }
}

extension ModuleValue {
  /// `nil`: by default, a value cannot be written in a module file.
  public var moduleValue: Value? { nil }

  static func mismatch(_ value: Value) -> ValueMismatch {
    ValueMismatch(expectedType: moduleValueType.inWords, found: value)
  }
}
