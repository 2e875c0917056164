// SPDX-License-Identifier: Apache-2.0

extension ValueType {
  /// The reason why a value, or a value inside it, does not fit a type.
  package struct Mismatch: Hashable, Sendable {
    /// One step from a list or map to a value in it.
    package enum Step: Hashable, Sendable {
      /// A step into a map, by key.
      case key(String)
      /// A step into a list, by index from 0.
      case index(Int)
    }

    /// The path from the whole value to the value that does not fit.
    package var path: [Step]
    /// The expectation and the value found: `expected an integer from 0 to 65535, found 70000`.
    package var message: String
  }

  /// Returns the innermost values that do not fit the type, in order; empty if all fit.
  ///
  /// Nothing is converted: a text is not a number, a number is not a text, and a duration or size needs a unit. But an
  /// integer fits a real type, and a duration or size fits a string type as its text. All values fit a type that
  /// decodes itself, since only the application can check them.
  ///
  /// - Parameter isSecret: Whether the messages must not show the value.
  package func mismatches(of value: Value, isSecret: Bool = false) -> [Mismatch] {
    var check = Conformity(isSecret: isSecret)
    check.compare(value, with: self)
    return check.mismatches
  }

  /// A description of the values that fit the type, with an article: "an integer from 0 to 65535".
  var inWords: String {
    switch self {
    case .string: "a string"
    case .integer(let type):
      type.range == .min ... .max ? "an integer" : "an integer from \(type.range.lowerBound) to \(type.maximumInWords)"
    case .real(let isSingle): isSingle ? "a number within the range of Float" : "a number"
    case .boolean: "true or false"
    case .duration: "a duration such as \"\(DurationText.example)\""
    case .size: "a size such as \"\(SizeText.example)\""
    case .bytes: "base64 data"
    case .url: "a URL with a scheme, such as \"https://example.com\""
    case .list: "a list"
    case .map: "a map"
    case .optional(let wrapped): wrapped.inWords
    case .oneOf(let values): values.inWords
    case .named(let name): "a \(name)"
    }
  }
}

extension ValueType.IntegerType {
  /// The greatest value of the type, which may exceed the range of `Int64`.
  fileprivate var maximumInWords: String {
    switch self {
    case .UInt, .UInt64: String(Swift.UInt64.max)
    default: String(range.upperBound)
    }
  }
}

/// A comparison of a value with a type. Recursive, with one stack frame for each level of the type.
private struct Conformity {
  /// Whether the messages must not show the value.
  let isSecret: Bool
  /// The mismatches found so far.
  var mismatches: [ValueType.Mismatch] = []
  /// The path to the current value.
  var path: [ValueType.Mismatch.Step] = []

  /// Records each value that does not fit.
  mutating func compare(_ value: Value, with type: ValueType) {
    switch (type, value) {
    case (.optional(let wrapped), _):
      compare(value, with: wrapped)
    case (.list(let element), .list(let values)):
      for (index, value) in values.enumerated() { compare(value, with: element, under: .index(index)) }
    case (.map(let element), .map(let entries)):
      for entry in entries { compare(entry.value, with: element, under: .key(entry.key)) }
    default:
      switch fit(of: value, to: type) {
      case .fits: break
      case .wrongContent: note(value, expected: type, couldFit: true)
      case .wrongKind: note(value, expected: type, couldFit: false)
      }
    }
  }

  /// Does the same for a value inside the current one.
  private mutating func compare(_ value: Value, with type: ValueType, under step: ValueType.Mismatch.Step) {
    path.append(step)
    compare(value, with: type)
    path.removeLast()
  }

  /// The result of comparing a value with a type.
  private enum Fit {
    case fits, wrongContent, wrongKind

    /// Returns the result for a value of the right kind, depending on its content.
    static func content(_ isRight: Bool) -> Fit { isRight ? .fits : .wrongContent }
  }

  /// Compares a value with a type that contains no other types.
  private func fit(of value: Value, to type: ValueType) -> Fit {
    switch (type, value) {
    case (.named, _), (.string, .string), (.string, .duration), (.string, .size), (.boolean, .boolean),
      (.duration, .duration), (.size, .size), (.bytes, .data), (.real, .integer), (.real(isSingle: false), .real):
      .fits
    case (.real(isSingle: true), .real(let number)): .content(Float(number).isFinite)
    case (.integer(let type), .integer(let number)): .content(type.range.contains(number))
    case (.duration, .string(let text)): .content(DurationText.duration(of: text) != nil)
    case (.size, .string(let text)): .content(SizeText.byteCount(of: text) != nil)
    case (.bytes, .string(let text)): .content(Base64.bytes(of: text) != nil)
    case (.url, .string(let text)): .content(URLText.isValid(text))
    case (.oneOf(let values), _): .content(values.contains { $0.isEnumerationValue(of: value) })
    default: .wrongKind
    }
  }

  /// Records a value that does not fit.
  private mutating func note(_ value: Value, expected type: ValueType, couldFit: Bool) {
    let found = isSecret ? value.kindInWords + (couldFit ? " that does not fit" : "") : value.inWords
    mismatches.append(ValueType.Mismatch(path: path, message: "expected \(type.inWords), found \(found)"))
  }
}

/// The check of URLs in module files.
enum URLText {
  /// Returns whether a text is a URL: a scheme (RFC 3986 section 3.1) and a colon, no whitespace or control character.
  static func isValid(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = text.utf8[..<colon]
    guard scheme.first?.isLetter == true,
      scheme.allSatisfy({ $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) })
    else { return false }
    return text.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0.properties.generalCategory != .control }
  }
}

extension Value {
  /// Returns whether a value in a file equals this value of an enumeration. Texts are compared by Unicode scalars; a
  /// duration or size is compared as its text.
  func isEnumerationValue(of value: Value) -> Bool {
    switch (self, value) {
    case (.string(let own), .string(let text)), (.string(let own), .duration(let text)),
      (.string(let own), .size(let text)):
      own.utf8.elementsEqual(text.utf8)
    default: self == value
    }
  }
}
