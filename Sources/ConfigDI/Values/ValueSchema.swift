// SPDX-License-Identifier: Apache-2.0

/// The conversion between a Swift type and values of a module file, in one form for all kinds of value arguments.
struct ValueSchema<Converted>: Sendable {
  /// The type in the catalog.
  let type: ValueType
  let convert: @Sendable (Value) throws(ValueMismatch) -> Converted
  /// Returns the value as written in a module file, or `nil` if it cannot be written in one.
  let express: @Sendable (Converted) -> Value?
}

extension ValueSchema {
  /// The conversion to an optional. The format has no value for `nil`.
  var optional: ValueSchema<Converted?> {
    ValueSchema<Converted?>(
      type: .optional(type),
      convert: { (value: Value) throws(ValueMismatch) -> Converted? in try convert(value) },
      express: { $0.flatMap(express) })
  }
}

extension ValueSchema where Converted: ModuleValue {
  /// The conversion of the `ModuleValue` conformance.
  static var own: ValueSchema {
    ValueSchema(
      type: Converted.moduleValueType,
      convert: { (value: Value) throws(ValueMismatch) -> Converted in try Converted(moduleValue: value) },
      express: { $0.moduleValue })
  }
}

extension ValueSchema where Converted: RawRepresentable & Sendable, Converted.RawValue: ModuleValue {
  /// The conversion from a raw value. The type is a list of the cases if they are known, otherwise its name.
  static var rawValue: ValueSchema {
    let cases = rawValues(ofCasesOf: Converted.self)
    let type = cases.map(ValueType.oneOf) ?? .named(TypeName.name(of: Converted.self))
    let expected = cases == nil ? "a raw value of \(TypeName.name(of: Converted.self))" : type.inWords
    return ValueSchema(
      type: type,
      convert: { (value: Value) throws(ValueMismatch) -> Converted in
        guard let raw = try? Converted.RawValue(moduleValue: value), let converted = Converted(rawValue: raw) else {
          throw ValueMismatch(expectedType: expected, found: value)
        }
        return converted
      },
      express: { $0.rawValue.moduleValue })
  }
}

extension ValueSchema where Converted: Decodable & Sendable {
  /// The conversion by the `Decodable` conformance.
  static var decoded: ValueSchema {
    ValueSchema(
      type: ValueType(decodable: Converted.self),
      convert: { (value: Value) throws(ValueMismatch) -> Converted in
        try ValueDecoder(value: value, codingPath: []).decodeMatching(Converted.self)
      },
      express: { _ in nil })
  }
}

/// Returns the raw values of all cases in order; `nil` if the type is not `CaseIterable` or a case cannot be written.
func rawValues<Enumeration: RawRepresentable>(ofCasesOf type: Enumeration.Type) -> [Value]? {
  guard let listing = type as? any CaseIterable.Type else { return nil }
  let values = listing.cases.map { (($0 as? Enumeration)?.rawValue as? any ModuleValue)?.moduleValue }
  let known = values.compactMap { $0 }
  return known.count == values.count ? known : nil
}

extension CaseIterable {
  /// The cases, as values of unknown type.
  fileprivate static var cases: [Any] { Array(allCases) }
}

extension ValueType {
  /// The type of a `Decodable` value: a list, map or optional of such types, or else a name.
  fileprivate init(decodable type: any Decodable.Type) {
    if let type = type as? any ModuleValue.Type {
      self = type.moduleValueType
    } else if let type = type as? any DecodableWrapper.Type {
      self = type.moduleType
    } else {
      self = .named(TypeName.name(of: type))
    }
  }
}

/// A type of the standard library that wraps a `Decodable` type.
private protocol DecodableWrapper {
  /// The type in the catalog.
  static var moduleType: ValueType { get }
}

extension Optional: DecodableWrapper where Wrapped: Decodable {
  fileprivate static var moduleType: ValueType { .optional(ValueType(decodable: Wrapped.self)) }
}

extension Array: DecodableWrapper where Element: Decodable {
  fileprivate static var moduleType: ValueType { .list(ValueType(decodable: Element.self)) }
}

extension Dictionary: DecodableWrapper where Key == String, Value: Decodable {
  fileprivate static var moduleType: ValueType { .map(ValueType(decodable: Value.self)) }
}
