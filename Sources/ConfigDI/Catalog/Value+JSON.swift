// SPDX-License-Identifier: Apache-2.0

extension JSONWriter {
  /// The text of a datum.
  package static func text(of value: Value, _ layout: Layout = .lines) -> String {
    var writer = JSONWriter()
    writer.value(value, layout)
    return writer.text
  }

  /// Writes a datum: a list of scalars on one line where it fits, every other list and map an element a line.
  ///
  /// A duration or size is its text, bytes are base64. Recursive, one frame a level of the datum.
  package mutating func value(_ value: Value, _ layout: Layout = .lines) {
    switch value {
    case .string(let text), .duration(let text), .size(let text): string(text)
    case .integer(let number): integer(number)
    case .real(let number): real(number)
    case .boolean(let truth): boolean(truth)
    case .data(let bytes): string(Base64.text(of: bytes))
    case .list(let values):
      if layout == .lines, values.allSatisfy(\.isScalar) {
        scalars { for value in values { $0.value(value, layout) } }
      } else {
        array(layout) { for value in values { $0.value(value, layout) } }
      }
    case .map(let entries):
      object(layout) { writer in
        for entry in entries {
          writer.key(entry.key)
          writer.value(entry.value, layout)
        }
      }
    }
  }
}

extension Value {
  /// Whether the value holds no others.
  var isScalar: Bool {
    switch self {
    case .list, .map: false
    default: true
    }
  }

  /// Whether JSON has a text for the value: no infinity and no NaN in it, which no file can hold.
  package var isFinite: Bool {
    switch self {
    case .real(let number): number.isFinite
    case .list(let values): values.allSatisfy(\.isFinite)
    case .map(let entries): entries.allSatisfy(\.value.isFinite)
    default: true
    }
  }
}

/// Plain data in every format: a duration or size is its text, bytes are base64. What is read has none of these three, and
/// the entries of a map ascend, because decoders keep no order.
extension Value: Codable {
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.singleValueContainer() {
      // A truth value first: some formats would also give it as a number.
      if let truth = try? container.decode(Bool.self) {
        self = .boolean(truth)
        return
      } else if let number = try? container.decode(Int64.self) {
        self = .integer(number)
        return
      } else if let number = try? container.decode(Double.self) {
        self = .real(number)
        return
      } else if let text = try? container.decode(String.self) {
        self = .string(text)
        return
      }
    }
    if var container = try? decoder.unkeyedContainer() {
      var values: [Value] = []
      while !container.isAtEnd { values.append(try container.decode(Value.self)) }
      self = .list(values)
    } else {
      let container = try decoder.container(keyedBy: TextKey.self)
      let keys = container.allKeys.sorted { $0.stringValue.utf8.lexicographicallyPrecedes($1.stringValue.utf8) }
      self = .map(
        try keys.map { Entry(key: $0.stringValue, value: try container.decode(Value.self, forKey: $0)) })
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .list(let values):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(value) }
    case .map(let entries):
      var container = encoder.container(keyedBy: TextKey.self)
      for entry in entries { try container.encode(entry.value, forKey: TextKey(entry.key)) }
    case .string(let text), .duration(let text), .size(let text): try text.encode(to: encoder)
    case .integer(let number): try number.encode(to: encoder)
    case .real(let number): try number.encode(to: encoder)
    case .boolean(let truth): try truth.encode(to: encoder)
    case .data(let bytes): try Base64.text(of: bytes).encode(to: encoder)
    }
  }
}

/// A key of any text.
struct TextKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  /// A key of a text.
  init(_ text: String) { stringValue = text }
  init(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
