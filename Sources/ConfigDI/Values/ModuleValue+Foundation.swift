// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#elseif canImport(Foundation)
  public import Foundation
#endif

#if canImport(FoundationEssentials) || canImport(Foundation)
  extension URL: ModuleValue {
    public static var moduleValueType: ValueType { .url }

    /// Converts a string with a scheme and without spaces.
    public init(moduleValue: Value) throws(ValueMismatch) {
      guard case .string(let text) = moduleValue, URLText.isValid(text), let url = URL(string: text) else {
        throw Self.mismatch(moduleValue)
      }
      self = url
    }

    public var moduleValue: Value? { .string(absoluteString) }
  }

  extension Data: ModuleValue {
    public static var moduleValueType: ValueType { .bytes }

    /// Converts bytes, which are base64 strings in JSON and YAML.
    public init(moduleValue: Value) throws(ValueMismatch) {
      guard let bytes = moduleValue.bytes else { throw Self.mismatch(moduleValue) }
      self.init(bytes)
    }

    public var moduleValue: Value? { .data(Array(self)) }
  }
#endif
