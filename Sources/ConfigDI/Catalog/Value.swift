// SPDX-License-Identifier: Apache-2.0

/// A value in a module file after expansion, as received by the value argument of a builder.
///
/// Two values are equal if their texts consist of the same Unicode scalars. The equality of `String` would ignore
/// differences, such as in a password, that a builder may see.
public enum Value: Hashable, Sendable {
  /// A text.
  case string(String)
  /// An integer.
  case integer(Int64)
  /// A real number.
  case real(Double)
  /// A boolean.
  case boolean(Bool)
  /// A duration, as written in the file: `1.5s`.
  case duration(String)
  /// A number of bytes, as written in the file: `16MiB`.
  case size(String)
  /// Bytes.
  case data([UInt8])
  /// A list.
  case list([Value])
  /// A map, in the order of the file. No two keys consist of the same Unicode scalars.
  case map([Entry])

  /// One entry of a map.
  public struct Entry: Hashable, Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: Value

    /// Creates an entry of a map.
    public init(key: String, value: Value) {
      self.key = key
      self.value = value
    }

    public static func == (left: Entry, right: Entry) -> Bool {
      ScalarString(left.key) == ScalarString(right.key) && left.value == right.value
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(ScalarString(key))
      hasher.combine(value)
    }
  }

  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)), (.duration(let left), .duration(let right)),
      (.size(let left), .size(let right)):
      ScalarString(left) == ScalarString(right)
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.map(let left), .map(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .string(let text), .duration(let text), .size(let text): hasher.combine(ScalarString(text))
    case .integer(let number): hasher.combine(number)
    case .real(let number): hasher.combine(number)
    case .boolean(let flag): hasher.combine(flag)
    case .data(let bytes): hasher.combine(bytes)
    case .list(let elements): hasher.combine(elements)
    case .map(let entries): hasher.combine(entries)
    }
  }
}

extension Value {
  /// Creates a map from keys and values, in order. Keys whose value is `nil` are left out.
  package init(_ parts: KeyValuePairs<String, Value?>) {
    self = .map(parts.compactMap { part in part.value.map { Entry(key: part.key, value: $0) } })
  }

  /// The kind of the value as a noun with its article: "a string", "an integer".
  var kindInWords: String {
    switch self {
    case .string: "a string"
    case .integer: "an integer"
    case .real: "a real number"
    case .boolean: "a boolean"
    case .duration: "a duration"
    case .size: "a size"
    case .data: "bytes"
    case .list: "a list"
    case .map: "a map"
    }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .real(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(arrayLiteral elements: Value...) { self = .list(elements) }
  public init(dictionaryLiteral elements: (String, Value)...) {
    self = .map(elements.map { Entry(key: $0.0, value: $0.1) })
  }
}
