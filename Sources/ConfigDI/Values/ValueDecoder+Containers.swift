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

  func superDecoder() throws -> any Decoder { try decoder(for: TextKey("super")) }

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

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next { try $0.decode(type) } }

  // The default implementations of the standard library reject 128-bit integers.
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try next { try $0.convert(to: type) } }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next { try $0.convert(to: type) } }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next { $0 } }

  /// Reads the next element by a decoder of it. Advances if that succeeds.
  private mutating func next<Result>(_ read: (ValueDecoder) throws -> Result) throws -> Result {
    let key = TextKey(intValue: currentIndex)
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Value.self, DecodingError.Context(codingPath: codingPath, debugDescription: "the list has no more elements"))
    }
    let result = try read(ValueDecoder(value: values[currentIndex], codingPath: codingPath + [key]))
    currentIndex += 1
    return result
  }
}
