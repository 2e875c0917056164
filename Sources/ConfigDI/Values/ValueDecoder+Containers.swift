// SPDX-License-Identifier: Apache-2.0

/// The keyed decoding container for a map of a module file.
struct ValueKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let values: [String: Value]
  let codingPath: [any CodingKey]
  /// The keys of the map that are keys of the type.
  let allKeys: [Key]

  init(entries: [Value.Entry], codingPath: [any CodingKey]) {
    values = Dictionary(entries.map { ($0.key, $0.value) }) { _, last in last }
    allKeys = entries.compactMap { Key(stringValue: $0.key) }
    self.codingPath = codingPath
  }

  func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder(forKey: key).decode(type)
  }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try decoder(forKey: key).convert(to: type) }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try decoder(forKey: key).convert(to: type) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(forKey: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try decoder(for: SimpleKey(stringValue: "super")) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(forKey: key) }

  private func decoder(forKey key: Key) throws -> ValueDecoder { try decoder(for: key) }

  /// Returns a decoder for the value of a key of any type.
  private func decoder(for key: any CodingKey) throws -> ValueDecoder {
    guard let value = values[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, DecodingError.Context(codingPath: codingPath, debugDescription: "no entry has this key"))
    }
    return ValueDecoder(value: value, codingPath: codingPath + [key])
  }
}

/// The unkeyed decoding container for a list of a module file.
struct ValueListContainer: UnkeyedDecodingContainer {
  private let values: [Value]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(values: [Value], codingPath: [any CodingKey]) {
    self.values = values
    self.codingPath = codingPath
  }

  var count: Int? { values.count }
  var isAtEnd: Bool { currentIndex == values.count }

  mutating func decodeNil() -> Bool { false }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let decoder = try next()
    let decoded = try decoder.decode(type)
    currentIndex += 1
    return decoded
  }

  mutating func decode(_ type: Int128.Type) throws -> Int128 { try decodeInteger(type) }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeInteger(type) }

  /// Decodes the next element as a 128-bit integer, which the default implementations of the standard library reject.
  private mutating func decodeInteger<T: ModuleValue>(_ type: T.Type) throws -> T {
    let decoded = try next().convert(to: type)
    currentIndex += 1
    return decoded
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try next().container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try next().unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try next()
    currentIndex += 1
    return decoder
  }

  /// Returns a decoder for the next element, without advancing.
  private func next() throws -> ValueDecoder {
    let key = SimpleKey(intValue: currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Value.self, DecodingError.Context(codingPath: codingPath, debugDescription: "the list has no more elements"))
    }
    return ValueDecoder(value: values[currentIndex], codingPath: codingPath + [key])
  }
}

/// A key that is not declared by any type.
private struct SimpleKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }
}
