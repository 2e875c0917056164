// SPDX-License-Identifier: Apache-2.0

extension Optional: ModuleValue where Wrapped: ModuleValue {
  public static var moduleValueType: ValueType { .optional(Wrapped.moduleValueType) }

  /// Takes what the wrapped type takes; a file has no word for nil but leaving the argument out.
  public init(moduleValue: Value) throws(ValueMismatch) {
    self = try Wrapped(moduleValue: moduleValue)
  }

  public var moduleValue: Value? { flatMap { $0.moduleValue } }
}

extension Array: ModuleValue where Element: ModuleValue {
  public static var moduleValueType: ValueType {
    // An array of bytes is written as bytes, not as a list of numbers.
    Element.self == UInt8.self ? .bytes : .list(Element.moduleValueType)
  }

  /// Takes a list; an array of `UInt8` takes bytes, which JSON and YAML write in base64.
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
    // An empty array of any type casts to one of bytes, so that the element type is asked first.
    if Element.self == UInt8.self, let bytes = self as? [UInt8] { return .data(bytes) }
    let values = compactMap { $0.moduleValue }
    return values.count == count ? .list(values) : nil
  }
}

extension Dictionary: ModuleValue where Key == String, Value: ModuleValue {
  public static var moduleValueType: ValueType { .map(Value.moduleValueType) }

  /// Takes a map. Swift's strings being equal by canonical equivalence, the last of two such keys stays.
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

  /// The map, in ascending order of its keys, so that two catalogs of one registry are the same.
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
  /// The bytes of `data`, or of a text in base64; nil for anything else.
  var bytes: [UInt8]? {
    switch self {
    case .data(let bytes): bytes
    case .string(let text): Base64.bytes(of: text)
    default: nil
    }
  }
}
