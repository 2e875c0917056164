// SPDX-License-Identifier: Apache-2.0

/// How a Swift type stands in a module file: the one shape to which all kinds of value arguments come down.
struct ValueSchema<Converted>: Sendable {
  /// The type as the catalog names it.
  let type: ValueType
  /// Converts a value of a file.
  let convert: @Sendable (Value) throws(ValueMismatch) -> Converted
  /// The value as a file would say it, or nil where none does.
  let express: @Sendable (Converted) -> Value?
}

extension ValueSchema where Converted: ModuleValue {
  /// The type's own conversion.
  static var own: ValueSchema {
    ValueSchema(
      type: Converted.moduleValueType,
      convert: { (value: Value) throws(ValueMismatch) -> Converted in try Converted(moduleValue: value) },
      express: { $0.moduleValue })
  }
}

extension ValueSchema where Converted: RawRepresentable & Sendable, Converted.RawValue: ModuleValue {
  /// The conversion from a raw value. The type is the list of the cases where it can be had, else only its name.
  static var rawValue: ValueSchema {
    let cases = rawValues(ofCasesOf: Converted.self)
    let type = cases.map(ValueType.oneOf) ?? .named(TypeName.name(of: Converted.self))
    let expected = cases == nil ? "a raw value of \(TypeName.name(of: Converted.self))" : type.inWords
    return ValueSchema(
      type: type,
      convert: { (value: Value) throws(ValueMismatch) -> Converted in
        guard let raw = try? Converted.RawValue(moduleValue: value), let converted = Converted(rawValue: raw) else {
          throw ValueMismatch(expected: expected, found: value)
        }
        return converted
      },
      express: { $0.rawValue.moduleValue })
  }
}

extension ValueSchema where Converted: Decodable & Sendable {
  /// The conversion by `Decodable`.
  static var decoded: ValueSchema {
    ValueSchema(
      type: ValueType(decodable: Converted.self),
      convert: { (value: Value) throws(ValueMismatch) -> Converted in
        try ValueDecoder(value: value, codingPath: []).decodeMatching(Converted.self)
      },
      express: { _ in nil })
  }
}

/// The raw values of all cases of an enumeration in their order; nil where it lists no cases, or one has no value in a file.
private func rawValues<Enumeration: RawRepresentable>(ofCasesOf type: Enumeration.Type) -> [Value]?
where Enumeration.RawValue: ModuleValue {
  guard let listing = type as? any CaseIterable.Type else { return nil }
  let values = listing.cases.map { ($0 as? Enumeration)?.rawValue.moduleValue }
  let known = values.compactMap { $0 }
  return known.count == values.count ? known : nil
}

extension CaseIterable {
  /// The cases without their type.
  fileprivate static var cases: [Any] { Array(allCases) }
}

extension ValueType {
  /// The type of a value that decodes itself: lists, maps and optionals are seen through, the rest is a name.
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

/// A standard type that wraps a type which decodes itself.
private protocol DecodableWrapper {
  /// The type as the catalog names it.
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
