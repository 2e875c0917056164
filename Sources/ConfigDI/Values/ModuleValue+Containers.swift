// SPDX-License-Identifier: Apache-2.0

extension Optional: ModuleValue where Wrapped: ModuleValue {
  public static var moduleValueType: ValueType { .optional(Wrapped.moduleValueType) }

  /// Converts what the wrapped type accepts. The format has no value for `nil`: the argument is left out instead.
  public init(moduleValue: Value) throws(ValueMismatch) {
    self = try Wrapped(moduleValue: moduleValue)
  }

  public var moduleValue: Value? { flatMap { $0.moduleValue } }
}

extension Array: ModuleValue where Element: ModuleValue {
  public static var moduleValueType: ValueType {
    // An array of `UInt8` is written as bytes, not as a list of numbers.
    Element.self == UInt8.self ? .bytes : .list(Element.moduleValueType)
  }

  /// Converts a list. An array of `UInt8` is converted from bytes, which are base64 strings in JSON and YAML.
  public init(moduleValue: Value) throws(ValueMismatch) {
    if Element.self == UInt8.self {
      guard let bytes = moduleValue.bytes as? [Element] else { throw Self.mismatch(moduleValue) }
      self = bytes
      return
    }
    guard case .list(let values) = moduleValue else { throw Self.mismatch(moduleValue) }
    self = []
    reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      do throws(ValueMismatch) {
        append(try Element(moduleValue: value))
      } catch {
        throw error.under(.index(index))
      }
    }
  }

  public var moduleValue: Value? {
    // An empty array of any type can be cast to `[UInt8]`, so the element type is checked first.
    if Element.self == UInt8.self, let bytes = self as? [UInt8] { return .data(bytes) }
    let values = compactMap { $0.moduleValue }
    return values.count == count ? .list(values) : nil
  }
}

extension Dictionary: ModuleValue where Key == String, Value: ModuleValue {
  public static var moduleValueType: ValueType { .map(Value.moduleValueType) }

  /// Converts a map. Of two keys that are canonically equivalent, and so equal in Swift, the last one is kept.
  public init(moduleValue: ConfigDI.Value) throws(ValueMismatch) {
    guard case .map(let entries) = moduleValue else { throw Self.mismatch(moduleValue) }
    self.init(minimumCapacity: entries.count)
    for entry in entries {
      do throws(ValueMismatch) {
        self[entry.key] = try Value(moduleValue: entry.value)
      } catch {
        throw error.under(.key(entry.key))
      }
    }
  }

  /// The map in ascending order of its keys, so that the catalog of a registry is always the same.
  public var moduleValue: ConfigDI.Value? {
    var entries: [ConfigDI.Value.Entry] = []
    for (key, value) in sorted(by: { $0.key < $1.key }) {
      guard let value = value.moduleValue else { return nil }
      entries.append(ConfigDI.Value.Entry(key: key, value: value))
    }
    return .map(entries)
  }
}

extension Value {
  /// The bytes of `data`, or of a base64 string; `nil` for any other value.
  var bytes: [UInt8]? {
    switch self {
    case .data(let bytes): bytes
    case .string(let text): Base64.bytes(of: text)
    default: nil
    }
  }
}
