// SPDX-License-Identifier: Apache-2.0

extension JSONWriter {
  /// Returns a value as JSON text.
  package static func text(of value: Value, _ layout: Layout = .lines) -> String {
    var writer = JSONWriter()
    writer.value(value, layout)
    return writer.text
  }

  /// Writes a value: a list of scalars on one line if it fits, every other list or map with one element on each line.
  ///
  /// A duration or size is written as its text, bytes as base64. Recursive, with one stack frame for each level.
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
  /// Whether the value is neither a list nor a map.
  var isScalar: Bool {
    switch self {
    case .list, .map: false
    default: true
    }
  }

  /// Whether JSON can express the value: it contains no infinity and no NaN, which no module file can contain either.
  package var isFinite: Bool {
    switch self {
    case .real(let number): number.isFinite
    case .list(let values): values.allSatisfy(\.isFinite)
    case .map(let entries): entries.allSatisfy(\.value.isFinite)
    default: true
    }
  }
}

/// Plain data in any format: a duration or size is encoded as its text, bytes as base64. Decoding yields none of these
/// three, and sorts the entries of a map by key, because decoders keep no order.
extension Value: Codable {
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.singleValueContainer() {
      // Booleans are tried first, since some formats would also decode them as numbers.
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
      let keys = container.allKeys.ascending(by: \.stringValue)
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

/// A coding key that no type declares: any text, or the index of an element.
struct TextKey: CodingKey {
  let stringValue: String
  private(set) var intValue: Int?

  /// Creates a key from a text.
  init(_ text: String) { stringValue = text }
  init(stringValue: String) { self.init(stringValue) }
  init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}
