// SPDX-License-Identifier: Apache-2.0

extension Keyword {
  /// The keys of which a condition has exactly one.
  static let conditionForms: [Keyword] = [.environment, .parameter, .all, .any, .not]
  /// All keys of a condition.
  fileprivate static let conditionKeys = conditionForms + [.equals]
}

extension ShapeReader {
  /// A condition; every breach of shape in it, however deep, is told.
  mutating func condition(at root: UInt32) -> Datum {
    var pending = [root]
    while let node = pending.popLast() { checkCondition(at: node, pending: &pending) }
    return .node(reference(root))
  }

  /// Tells every breach of shape in one condition; the conditions in it are left to the caller.
  private mutating func checkCondition(at node: UInt32, pending: inout [UInt32]) {
    var form: (keyword: Keyword, key: UInt32)?
    var equalsKey: UInt32?
    var inner: [UInt32] = []
    let shape = readMap(node, allowing: Keyword.conditionKeys) { reader, keyword, key, value in
      if keyword == .equals {
        equalsKey = key
        return reader.checkLiteral(value)
      }
      if let form {
        let (later, earlier) = (reader.reference(key), reader.reference(form.key))
        reader.report(.excluding(keyword.text, form.keyword.text, at: later, earlier))
      } else {
        form = (keyword, key)
      }
      switch keyword {
      case .environment: reader.checkEnvironments(at: value)
      case .parameter: _ = reader.expect(.string, at: value)
      case .not: inner.append(value)
      default: if reader.expect(.list, at: value) { inner += reader.document.elements(of: value) }
      }
    }
    // The first one is looked at first, as it stands on top of those that wait.
    pending += inner.reversed()
    guard document[node].kind == .map else { return }
    if shape.present.contains(.parameter) { require(.equals, in: shape, of: node, "the condition") }
    if !shape.mentions(anyOf: Keyword.conditionForms) {
      let forms = Keyword.conditionForms.map { "\"\($0.text)\"" }.joined(separator: ", ")
      report(.missing("one of \(forms)", "the condition", subject: "form", at: placeNaming(node)))
    }
    if let equalsKey, form != nil, !shape.mentions(.parameter) {
      report(.pointless("equals", "is allowed only with \"parameter\"", at: reference(equalsKey)))
    }
  }

  /// Tells what is no environment's name where one or several are wanted.
  private mutating func checkEnvironments(at node: UInt32) {
    guard isReadable(node) else { return }
    switch document[node].kind {
    case .string: break
    case .list: for element in document.elements(of: node) { _ = expect(.string, at: element) }
    default:
      report(
        .wrongKind(
          wanted: "an environment or a list of environments", found: document[node].kind.inWords, at: reference(node)))
    }
  }
}
