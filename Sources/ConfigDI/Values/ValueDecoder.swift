// SPDX-License-Identifier: Apache-2.0

/// Decodes a `Decodable` type from a value of a module file, as strictly as a `ModuleValue` is converted.
///
/// Recursion is bounded by the nesting of the value, which the reader limits.
struct ValueDecoder: Decoder {
  let value: Value
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .map(let entries) = value else { throw located(ValueMismatch(expectedType: "a map", found: value)) }
    return KeyedDecodingContainer(ValueKeyedContainer(entries: entries, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let values) = value else { throw located(ValueMismatch(expectedType: "a list", found: value)) }
    return ValueListContainer(values: values, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// Decodes the whole value.
  ///
  /// - Throws: `LocatedMismatch`, or any error that the type's own decoding throws.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if let own = type as? any ModuleValue.Type, let converted = try convert(to: own) as? T { return converted }
    do {
      return try T(from: self)
    } catch DecodingError.dataCorrupted(let context) {
      // The error of a synthesized conformance does not list the allowed values.
      guard context.codingPath.count == codingPath.count, let enumeration = type as? any RawRepresentable.Type,
        let cases = rawValues(ofCasesOf: enumeration)
      else { throw DecodingError.dataCorrupted(context) }
      throw located(ValueMismatch(expectedType: ValueType.oneOf(cases).inWords, found: value))
    }
  }

  func convert<T: ModuleValue>(to type: T.Type) throws -> T {
    do throws(ValueMismatch) {
      return try T(moduleValue: value)
    } catch {
      throw located(error)
    }
  }

  /// Decodes the whole value, and converts every error to a mismatch at the innermost value that caused it.
  func decodeMatching<T: Decodable>(_ type: T.Type) throws(ValueMismatch) -> T {
    do {
      return try decode(type)
    } catch let error as LocatedMismatch {
      throw error.mismatch
    } catch let error as DecodingError {
      throw ValueMismatch(error, decoding: type, from: value)
    } catch {
      throw ValueMismatch(expected: "a \(TypeName.name(of: type)) (\(error))", found: value)
    }
  }

  /// Returns a mismatch with its path from the value at which decoding began.
  private func located(_ mismatch: ValueMismatch) -> LocatedMismatch {
    var mismatch = mismatch
    mismatch.path.insert(contentsOf: codingPath.map(ValueType.Mismatch.Step.init), at: 0)
    return LocatedMismatch(mismatch: mismatch)
  }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { false }

  // The default implementations of the standard library throw an error.
  func decode(_ type: Int128.Type) throws -> Int128 { try convert(to: type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try convert(to: type) }
}

/// A mismatch that is thrown through the `init(from:)` of types.
struct LocatedMismatch: Error {
  /// The mismatch, with the whole path to the value.
  let mismatch: ValueMismatch
}

extension ValueType.Mismatch.Step {
  init(_ key: any CodingKey) {
    self = key.intValue.map { .index($0) } ?? .key(key.stringValue)
  }
}

extension ValueMismatch {
  /// Creates the mismatch for an error of a type's own decoding.
  fileprivate init(_ error: DecodingError, decoding type: Any.Type, from value: Value) {
    let (path, expected): ([any CodingKey], String) =
      switch error {
      case .keyNotFound(let key, let context): (context.codingPath, "a map with the key \"\(key.stringValue)\"")
      case .valueNotFound(let type, let context): (context.codingPath, "a \(TypeName.name(of: type))")
      case .typeMismatch(let type, let context):
        (context.codingPath, "a \(TypeName.name(of: type)) (\(context.debugDescription))")
      case .dataCorrupted(let context):
        (context.codingPath, "a valid \(TypeName.name(of: type)) (\(context.debugDescription))")
      @unknown default: ([], "a \(TypeName.name(of: type))")
      }
    let steps = path.map(ValueType.Mismatch.Step.init)
    self.init(expected: expected, found: value.value(at: steps) ?? value)
    self.path = steps
  }
}

extension Value {
  /// Returns the value at the end of a path, or `nil` if there is none.
  fileprivate func value(at steps: [ValueType.Mismatch.Step]) -> Value? {
    var value = self
    for step in steps {
      switch (step, value) {
      case (.index(let index), .list(let values)) where values.indices.contains(index): value = values[index]
      case (.key(let key), .map(let entries)):
        guard let entry = entries.first(where: { $0.key.utf8.elementsEqual(key.utf8) }) else { return nil }
        value = entry.value
      default: return nil
      }
    }
    return value
  }
}
