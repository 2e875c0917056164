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

  /// Runs the check.
  mutating func run() {
    guard let source = parameter.source else { return }
    guard let type = parameter.type ?? (source.isText ? .string : source.literal?.ownParameterType) else { return }
    checkBoundsGo(with: type)
    for misfit in ParameterBounds(of: parameter, type: type).misfits { report(misfit, type) }
    if let literal = source.literal, !literal.mentionsParameter, let value = literal.value {
      check(value, at: literal.node, type)
    }
    if let fallback = parameter.fallback { check(fallback.value, at: fallback.node, type) }
  }

  /// Reports bounds of a type that has no order, at their keys.
  private mutating func checkBoundsGo(with type: ParameterType) {
    guard !type.isOrdered else { return }
    for (word, node) in [("min", parameter.least?.node), ("max", parameter.greatest?.node)] {
      guard let node else { continue }
      findings.append(.pointless(word, "is not allowed with type \"\(type.rawValue)\"", at: node.key))
    }
  }

  /// Reports a literal that does not fit the type.
  private mutating func check(_ literal: Value, at node: NodeRef, _ type: ParameterType) {
    if type.value(ofLiteral: literal) == nil { report(node, type) }
  }

  /// Reports a literal or a bound that does not fit the type.
  private mutating func report(_ node: NodeRef, _ type: ParameterType) {
    findings.append(.misfit(node, type))
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
