// SPDX-License-Identifier: Apache-2.0

extension ParameterDeclaration {
  /// The findings about keys that contradict each other: literals and bounds that do not have the parameter's type.
  ///
  /// Strings with placeholders and values outside the bounds are checked later, by the pass that computes the value.
  var shapeFindings: [Finding] {
    guard let source, let type = type ?? (source.isText ? .string : source.literal?.ownParameterType) else { return [] }
    var findings: [Finding] = []
    for (word, bound) in [("min", least), ("max", greatest)] {
      guard !type.isOrdered, let bound else { continue }
      findings.append(.hasNoEffect(word, "is not allowed with type \"\(type.rawValue)\"", at: bound.node.key))
    }
    var typeMismatches = ParameterBounds(of: self, type: type).typeMismatches
    if let literal = source.literal, !literal.containsPlaceholder, let value = literal.value,
      type.value(ofLiteral: value) == nil
    {
      typeMismatches.append(literal.node)
    }
    if let fallback, type.value(ofLiteral: fallback.value) == nil { typeMismatches.append(fallback.node) }
    return findings + typeMismatches.map { .typeMismatch($0, type) }
  }
}

extension Value {
  /// The value as messages show it. Long strings are shortened in the middle; of many elements the first are listed.
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
  /// Returns the finding for a parameter without a source.
  static func noSource(at node: NodeRef) -> Finding {
    .missing(
      "a source: \"value\", \"env\", \"file\", \"config\" or \"sources\"", "the parameter", subject: "source",
      at: node)
  }

  /// Returns the finding for a literal that does not have the parameter's type.
  static func typeMismatch(_ node: NodeRef, _ type: ParameterType) -> Finding {
    var finding = Finding(
      .wrongKind, "expected \(type.inWords), because the parameter has type \"\(type.rawValue)\"", at: node)
    finding.fixedText = finding.message
    return finding
  }
}
