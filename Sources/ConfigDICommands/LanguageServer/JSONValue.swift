// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// A JSON value in a message of JSON-RPC.
  enum JSONValue: Hashable {
    case null
    case boolean(Bool)
    case integer(Int)
    case real(Double)
    case string(String)
    case list([JSONValue])
    case map([String: JSONValue])
  }

  // MARK: - Access

  extension JSONValue {
    /// The member of a map, or `null` if there is none or the value is not a map.
    subscript(key: String) -> JSONValue {
      if case .map(let members) = self { members[key] ?? .null } else { .null }
    }

    /// The elements of a list; empty for any other value.
    var elements: [JSONValue] { if case .list(let elements) = self { elements } else { [] } }

    /// The text of a string; `nil` for any other value.
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The value of a number that is exactly an `Int`, such as `1` or `1.0`; `nil` for any other value.
    var number: Int? {
      switch self {
      case .integer(let number): number
      case .real(let number): Int(exactly: number)
      default: nil
      }
    }

    /// Whether the value is `true`.
    var isTrue: Bool { self == .boolean(true) }

    /// Whether the value is `null`, which also stands for a missing member.
    var isNull: Bool { self == .null }
  }

  extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
  {
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, JSONValue)...) {
      self = .map(Dictionary(elements) { _, last in last })
    }
  }

  // MARK: - Reading

  extension JSONValue: Decodable {
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self = .string(text)
      } else if let members = try? container.decode([String: JSONValue].self) {
        self = .map(members)
      } else if let number = try? container.decode(Int.self) {
        self = .integer(number)
      } else if let truth = try? container.decode(Bool.self) {
        self = .boolean(truth)
      } else if let elements = try? container.decode([JSONValue].self) {
        self = .list(elements)
      } else if let number = try? container.decode(Double.self) {
        self = .real(number)
      } else {
        guard container.decodeNil() else {
          throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a value of JSON")
        }
        self = .null
      }
    }

    /// Parses a JSON text in UTF-8. `nil` if it is malformed.
    ///
    /// The escape of a lone surrogate is read as U+FFFD, because editors that keep texts in UTF-16 can send one.
    init?(reading bytes: [UInt8]) {
      if let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) {
        self = value
      } else if let repaired = JSONValue.withoutLoneSurrogates(bytes),
        let value = try? JSONDecoder().decode(JSONValue.self, from: Data(repaired))
      {
        self = value
      } else {
        return nil
      }
    }

    /// Returns a JSON text with each escape of a lone surrogate replaced by `\ufffd`, or `nil` if there is none.
    private static func withoutLoneSurrogates(_ bytes: [UInt8]) -> [UInt8]? {
      func surrogate(_ at: Int) -> UInt32? {
        guard at + 6 <= bytes.count, bytes[at] == UInt8(ascii: "\\"), bytes[at + 1] == UInt8(ascii: "u") else {
          return nil
        }
        let value = UInt32(String(decoding: bytes[at + 2..<at + 6], as: UTF8.self), radix: 16)
        return value.flatMap { (0xD800...0xDFFF).contains($0) ? $0 : nil }
      }
      var repaired: [UInt8] = []
      var hasChanged = false
      var at = 0
      while at < bytes.count {
        guard bytes[at] == UInt8(ascii: "\\") else {
          repaired.append(bytes[at])
          at += 1
          continue
        }
        if let first = surrogate(at) {
          if first < 0xDC00, let second = surrogate(at + 6), second >= 0xDC00 {
            repaired += bytes[at..<at + 12]
            at += 12
          } else {
            repaired += Array("\\ufffd".utf8)
            hasChanged = true
            at += 6
          }
        } else {
          repaired += bytes[at..<min(at + 2, bytes.count)]
          at += 2
        }
      }
      return hasChanged ? repaired : nil
    }
  }

  // MARK: - Writing

  extension JSONValue {
    /// The value as JSON in UTF-8, with the members of maps in ascending order of their keys.
    var bytes: [UInt8] {
      var bytes: [UInt8] = []
      append(to: &bytes)
      return bytes
    }

    /// Appends the value as JSON.
    private func append(to bytes: inout [UInt8]) {
      switch self {
      case .null: bytes += "null".utf8
      case .boolean(let truth): bytes += (truth ? "true" : "false").utf8
      case .integer(let number): bytes += String(number).utf8
      case .real(let number): bytes += number.isFinite ? "\(number)".utf8 : "null".utf8
      case .string(let text): JSONValue.append(text, to: &bytes)
      case .list(let elements):
        bytes.append(UInt8(ascii: "["))
        for (place, element) in elements.enumerated() {
          if place > 0 { bytes.append(UInt8(ascii: ",")) }
          element.append(to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
      case .map(let members):
        bytes.append(UInt8(ascii: "{"))
        for (place, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
          if place > 0 { bytes.append(UInt8(ascii: ",")) }
          JSONValue.append(member.key, to: &bytes)
          bytes.append(UInt8(ascii: ":"))
          member.value.append(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
      }
    }

    /// Appends a text as a JSON string.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
      bytes.append(UInt8(ascii: "\""))
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case UInt8(ascii: "\n"): bytes += "\\n".utf8
        case 0..<0x20:
          let digits = String(byte, radix: 16)
          bytes += ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8
        default: bytes.append(byte)
        }
      }
      bytes.append(UInt8(ascii: "\""))
    }
  }
#endif
