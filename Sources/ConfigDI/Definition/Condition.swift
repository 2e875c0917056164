// SPDX-License-Identifier: Apache-2.0

/// The condition under which a service is enabled. Each case ends with the token of the condition's map.
package indirect enum Condition: Sendable {
  /// One of the listed environments is active. `list` is the token of the list; `nil` for a single string.
  case environment([Token], list: NodeRef?, NodeRef)
  /// A parameter has the given value.
  case parameter(Token, equals: Literal, NodeRef)
  /// All of the conditions hold.
  case all([Condition], NodeRef)
  /// At least one of the conditions holds.
  case any([Condition], NodeRef)
  /// The condition does not hold.
  case not(Condition, NodeRef)
  /// A condition with an error that is already reported.
  case malformed(NodeRef)

  /// The token of the condition's map.
  package var node: NodeRef {
    switch self {
    case .environment(_, _, let node), .parameter(_, _, let node), .all(_, let node), .any(_, let node),
      .not(_, let node), .malformed(let node):
      node
    }
  }

  /// The conditions that this condition directly contains.
  private var inner: [Condition] {
    switch self {
    case .all(let conditions, _), .any(let conditions, _): conditions
    case .not(let condition, _): [condition]
    case .environment, .parameter, .malformed: []
    }
  }

  /// The parameters that the condition tests, each with the literal that it is compared with.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  package var comparisons: [(parameter: Token, literal: Literal)] {
    if case .parameter(let name, let literal, _) = self { [(name, literal)] } else { inner.flatMap(\.comparisons) }
  }

  /// Returns the condition in the form that files use, with a token for each part.
  ///
  /// - Parameter shown: Returns the value to show for the literal that a parameter is compared with.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  func datum(_ names: NameTable, showing shown: (_ parameter: Name, _ literal: Value) -> Value = { $1 }) -> Datum {
    func map(_ parts: KeyValuePairs<Keyword, Datum?>) -> Datum { Datum(parts, at: node) }
    func list(_ conditions: [Condition]) -> Datum {
      Datum(.list(conditions.map { $0.datum(names, showing: shown) }), at: node)
    }
    switch self {
    case .environment(let tokens, let list, _):
      let environments = tokens.map { Datum($0, names) }
      return map([.environment: list == nil ? environments.first : Datum(.list(environments), at: list ?? node)])
    case .parameter(let name, let literal, _):
      return map([
        .parameter: Datum(name, names), .equals: Datum(shown(name.name, literal.value), at: literal.node),
      ])
    case .all(let conditions, _): return map([.all: list(conditions)])
    case .any(let conditions, _): return map([.any: list(conditions)])
    case .not(let condition, _): return map([.not: condition.datum(names, showing: shown)])
    case .malformed: return map([:])
    }
  }

  /// Returns the condition in the form that files use, without tokens; see `datum(_:showing:)`.
  package func written(
    _ names: NameTable, showing shown: (_ parameter: Name, _ literal: Value) -> Value = { $1 }
  ) -> Value {
    datum(names, showing: shown).written ?? .map([])
  }
}

extension ShapeReader {
  /// Reads the condition at a node. Reports every structural error in it.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  mutating func condition(at node: UInt32) -> Condition {
    var form: (keyword: Keyword, key: UInt32)?
    var parts: [Keyword: Condition] = [:]
    var parameter: Token?
    var literal: Literal?
    var equalsKey: UInt32?
    let forms = Keyword.conditionForms.map { $0[0] }
    let whole = reference(node)
    let shape = readMap(node, allowing: forms + [.equals]) { reader, keyword, key, value in
      if keyword == .equals {
        equalsKey = key
        literal = reader.literal(at: value)
        return
      }
      reader.choose(keyword, at: key, as: &form)
      switch keyword {
      case .environment: parts[.environment] = reader.environments(at: value, whole)
      case .parameter: parameter = reader.token(at: value)
      case .not: parts[.not] = .not(reader.condition(at: value), whole)
      default:
        guard reader.expect(.list, at: value) else { return }
        var conditions: [Condition] = []
        for element in reader.document.elements(of: value) { conditions.append(reader.condition(at: element)) }
        parts[keyword] = keyword == .all ? .all(conditions, whole) : .any(conditions, whole)
      }
    }
    guard document[node].kind == .map else { return .malformed(whole) }
    if form?.keyword == .parameter { require(.equals, in: shape, of: node, "the condition") }
    if !shape.mentions(anyOf: forms) {
      let words = forms.map { "\"\($0.text)\"" }.joined(separator: ", ")
      report(.missing("one of \(words)", "the condition", subject: "form", at: keyOrNode(node)))
    }
    if let equalsKey, form != nil, !shape.mentions(.parameter) {
      report(.hasNoEffect("equals", "is allowed only with \"parameter\"", at: reference(equalsKey)))
    }
    if let parameter {
      // Without a literal, the condition is malformed, but the parameter counts as used.
      let literal = literal ?? Literal(value: .map([]), node: whole)
      parts[.parameter] = .parameter(parameter, equals: literal, whole)
    }
    guard parts.count > 1 else { return parts.values.first ?? .malformed(whole) }
    return .all(forms.compactMap { parts[$0] }, whole)
  }

  /// Reads the environments of a condition. Reports values that are neither a string nor a list of strings.
  private mutating func environments(at node: UInt32, _ whole: NodeRef) -> Condition? {
    switch document[node].kind {
    case .string: return token(at: node).map { .environment([$0], list: nil, whole) }
    case .list: return .environment(tokens(in: node), list: reference(node), whole)
    default:
      reportKind(of: node, wanted: "an environment or a list of environments")
      return nil
    }
  }
}
