// SPDX-License-Identifier: Apache-2.0

/// A type whose values can stand under `values` in a module file.
///
/// The library brings texts, truth values, numbers, durations, sizes, bytes, addresses, and lists, maps and optionals of
/// them. An enumeration with raw values and a `Decodable` type need no conformance to be an argument; other types join by
/// naming the type as which they are written, and converting from it:
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
  /// The type as which the value is written; `named` for one that only its own conversion can check.
  static var moduleValueType: ValueType { get }

  /// Converts a value of a module file, strictly: nothing is guessed from a text.
  ///
  /// - Throws: `ValueMismatch` where the value does not fit.
  init(moduleValue: Value) throws(ValueMismatch)

  /// The value as a module file would say it, for the defaults that a catalog shows; nil where none does.
  var moduleValue: Value? { get }
}

extension ModuleValue {
  /// No value of a file.
  public var moduleValue: Value? { nil }

  /// The mismatch of a value with this type.
  static func mismatch(_ value: Value) -> ValueMismatch {
    ValueMismatch(expected: moduleValueType.inWords, found: value)
  }
}
