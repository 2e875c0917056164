// SPDX-License-Identifier: Apache-2.0

extension ParameterType {
  /// Returns the value of a text from outside the files, or `nil` if the text is not of the type. White space is
  /// trimmed only around the elements of a list.
  ///
  /// - Complexity: linear in the length of the text.
  func value(ofText text: String, limits: Limits) -> Value? {
    switch self {
    case .string: .string(text)
    case .int: Int64(text).map(Value.integer)
    case .double: real(text).map(Value.real)
    case .bool: text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
    case .duration: DurationText.duration(of: text) == nil ? nil : .duration(text)
    case .size: SizeText.byteCount(of: text) == nil ? nil : .size(text)
    case .list: .list(elements(text).map(Value.string))
    case .json, .map: Value(json: text, limits: limits).flatMap(value(ofLiteral:))
    }
  }

  /// Describes why a text has no value of the type, as the end of a sentence about the text.
  ///
  /// - Parameter isShown: Whether the text may be shown; the description of a secret says nothing about it.
  func fault(of text: String, isShown: Bool) -> String {
    isShown && isOutOfRange(text) ? "is out of range" : "is not \(textInWords)"
  }

  /// The form of a text of the type, in words.
  private var textInWords: String {
    switch self {
    case .bool: "\"true\" or \"false\""
    case .list: "a list separated by commas"
    case .json: "a JSON value"
    case .map: "a JSON object"
    case .string, .int, .double, .duration, .size: inWords
    }
  }

  /// Returns whether a text has no value only because its number is too large.
  private func isOutOfRange(_ text: String) -> Bool {
    guard self == .int || self == .duration || self == .size else { return false }
    let bytes = text.utf8
    let hasSign = self == .int && (bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+"))
    let number = hasSign ? bytes.dropFirst() : bytes[...]
    let rest = number.drop(while: \.isDigit)
    guard rest.startIndex > number.startIndex else { return false }
    return value(ofText: "0" + String(Substring(rest)), limits: Limits()) != nil
  }

  /// Returns the value of a number as in RFC 8259 section 6, or `nil` if the text is anything else or exceeds `Double`.
  private func real(_ text: String) -> Double? {
    guard let first = text.utf8.first, first == UInt8(ascii: "-") || first.isDigit, text.utf8.last?.isDigit == true
    else { return nil }
    switch Value(json: text, limits: Limits()) {
    case .integer(let integer): return Double(integer)
    case .real(let real): return real
    default: return isInteger(text) ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
    }
  }

  /// Returns whether a text is an integer as in RFC 8259, of any size.
  private func isInteger(_ text: String) -> Bool {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    let hasLeadingZero = digits.count > 1 && digits.first == UInt8(ascii: "0")
    return !hasLeadingZero && digits.allSatisfy(\.isDigit)
  }

  /// Splits a text at commas, and trims spaces, tabs and line breaks. An empty text has no elements.
  private func elements(_ text: String) -> [String] {
    guard !text.isEmpty else { return [] }
    let blanks = " \t\r\n".utf8
    return text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { part in
      let start = part.firstIndex { !blanks.contains($0) } ?? part.endIndex
      let end = part.lastIndex { !blanks.contains($0) }.map { part.index(after: $0) } ?? start
      return String(decoding: part[start..<end], as: UTF8.self)
    }
  }
}

extension Value {
  /// Parses a JSON text. Returns `nil` if it is malformed.
  init?(json text: String, limits: Limits) {
    let (document, findings) = Value.read(json: text, limits)
    guard findings.isEmpty, !document.nodes.isEmpty else { return nil }
    self.init(0, of: document)
  }

  /// Returns why a JSON text is malformed, in words that may quote it, or `nil` if it is valid.
  static func fault(inJSON text: String, limits: Limits) -> String? {
    read(json: text, limits).findings.first?.message
  }

  /// Parses a JSON text.
  private static func read(json text: String, _ limits: Limits) -> (document: Document, findings: [Finding]) {
    var bag = DiagnosticBag()
    let document = Document(
      reading: SourceFile(name: "", text: text), file: FileID(0), syntax: .json, limits: limits, bag: &bag)
    return (document, bag.findings)
  }
}
