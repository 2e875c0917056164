// SPDX-License-Identifier: Apache-2.0

extension ParameterDeclaration {
  /// What is wrong with what the parameter's own keys say of one another: literals and bounds that do not fit the type.
  ///
  /// Texts with placeholders, and what lies outside the bounds, are left to the pass that finds the value.
  var shapeFindings: [Finding] {
    guard let source, let type = type ?? (source.isText ? .string : source.literal?.ownParameterType) else { return [] }
    var findings: [Finding] = []
    for (word, bound) in [("min", least), ("max", greatest)] {
      guard !type.isOrdered, let bound else { continue }
      findings.append(.pointless(word, "is not allowed with type \"\(type.rawValue)\"", at: bound.node.key))
    }
    var misfits = ParameterBounds(of: self, type: type).misfits
    if let literal = source.literal, !literal.mentionsParameter, let value = literal.value,
      type.value(ofLiteral: value) == nil
    {
      misfits.append(literal.node)
    }
    if let fallback, type.value(ofLiteral: fallback.value) == nil { misfits.append(fallback.node) }
    return findings + misfits.map { .misfit($0, type) }
  }
}

extension Value {
  /// The value as messages show it; of a long text the beginning and the end, of many elements the first.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  var quoted: String {
    switch self {
    case .string(let text), .duration(let text), .size(let text): "\"\(text.shortened)\""
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .boolean(let boolean): "\(boolean)"
    case .data: kindInWords
    case .list(let elements): "[\(elements.map(\.quoted).listed)]"
    case .map(let entries): "{\(entries.map { "\"\($0.key.shortened)\": \($0.value.quoted)" }.listed)}"
    }
  }
}

// MARK: - Messages

extension Finding {
  /// A parameter without a source.
  static func noSource(at node: NodeRef) -> Finding {
    .missing(
      "a source: \"value\", \"env\", \"file\", \"config\" or \"sources\"", "the parameter", subject: "source",
      at: node)
  }

  /// A literal that is not of the parameter's type.
  static func misfit(_ node: NodeRef, _ type: ParameterType) -> Finding {
    Finding(
      .wrongKind, "expected \(type.inWords), because the parameter has type \"\(type.rawValue)\"", at: node)
  }
}
