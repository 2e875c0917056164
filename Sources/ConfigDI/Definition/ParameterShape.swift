// SPDX-License-Identifier: Apache-2.0

/// Checks what a parameter's own keys say of one another: that literals and bounds fit the type.
///
/// Texts with placeholders, and what lies outside the bounds, are left to the pass that finds the value.
struct ParameterShape {
  /// The parameter.
  let parameter: ParameterDeclaration
  /// What is wrong with it.
  private(set) var findings: [Finding] = []

  /// A check of a parameter.
  init(parameter: ParameterDeclaration) { self.parameter = parameter }

  /// Runs the check; `document` gives the document of a file.
  mutating func run(_ document: (FileID) -> Document) {
    guard let source = parameter.source else { return }
    let literal = source.literalNode.flatMap { Value($0.node, of: document($0.file)) }
    guard let type = parameter.type ?? (source.isText ? .string : literal?.ownParameterType) else { return }
    checkBoundsGo(with: type)
    let bounds = ParameterBounds(of: parameter, type: type, document)
    for misfit in bounds.misfits { findings.append(.misfit(misfit, type)) }
    if let literal, !literal.mentionsParameter { check(literal, at: source.node, type) }
    if let fallback = parameter.fallback, let literal = Value(fallback.node, of: document(fallback.file)) {
      check(literal, at: fallback, type)
    }
  }

  /// Tells bounds of a type that has no order, at their keys.
  private mutating func checkBoundsGo(with type: ParameterType) {
    guard !type.isOrdered else { return }
    for (word, node) in [("min", parameter.least), ("max", parameter.greatest)] {
      guard let node else { continue }
      findings.append(.pointless(word, "is not allowed with type \"\(type.rawValue)\"", at: node.key))
    }
  }

  /// Tells a literal that does not fit the type.
  private mutating func check(_ literal: Value, at node: NodeRef, _ type: ParameterType) {
    if type.value(ofLiteral: literal) == nil { findings.append(.misfit(node, type)) }
  }
}

extension ParameterDeclaration.Source {
  /// Whether the value arrives as a text that is converted to the declared type.
  var isText: Bool {
    switch self {
    case .environment, .file: true
    case .literal, .value: false
    }
  }
}

extension Value {
  /// The type that a parameter with this literal has, or nil where that is the type of another parameter.
  var ownParameterType: ParameterType? {
    if case .string(let text) = self, PlaceholderText(text)?.onlyPlaceholder != nil { return nil }
    return ParameterType(ofLiteral: self)
  }

  /// Whether a text of the value holds `${`, at any depth.
  var mentionsParameter: Bool {
    switch self {
    case .string(let text): text.utf8.mentionsParameter
    case .list(let elements): elements.contains { $0.mentionsParameter }
    case .map(let entries): entries.contains { $0.value.mentionsParameter }
    default: false
    }
  }

  /// The value as messages show it.
  var quoted: String {
    switch self {
    case .string(let text), .duration(let text), .size(let text): "\"\(text)\""
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .boolean(let boolean): "\(boolean)"
    case .data, .list, .map: kindInWords
    }
  }
}

extension Sequence where Element == UInt8 {
  /// Whether a text in UTF-8 holds `${`.
  package var mentionsParameter: Bool {
    var isBehindDollar = false
    for byte in self {
      if isBehindDollar, byte == UInt8(ascii: "{") { return true }
      isBehindDollar = byte == UInt8(ascii: "$")
    }
    return false
  }
}

// MARK: - Messages

extension Finding {
  /// A parameter without a source.
  static func noSource(at node: NodeRef) -> Finding {
    .missing("a source: \"value\", \"env\" or \"file\"", "the parameter", subject: "source", at: node)
  }

  /// A literal that is not of the parameter's type.
  static func misfit(_ node: NodeRef, _ type: ParameterType) -> Finding {
    Finding(.wrongKind, "expected \(type.inWords), because the parameter has type \"\(type.rawValue)\"", at: node)
  }
}
