// SPDX-License-Identifier: Apache-2.0

extension DocumentSet {
  /// The entries of a datum that is a map, or nil.
  package func entries(of datum: Datum) -> [Datum.Entry]? {
    switch datum {
    case .map(let entries, _): return entries
    case .list: return nil
    case .node(let node):
      guard self[node].kind == .map else { return nil }
      return self[node.file].keys(of: node.node).map { key in
        Datum.Entry(
          key: NodeRef(file: node.file, node: key), text: self[node.file].text(of: key),
          datum: .node(NodeRef(file: node.file, node: key + 1)))
      }
    }
  }

  /// The elements of a datum that is a list, and the list's node, or nil.
  package func elements(of datum: Datum) -> (elements: [Datum], node: NodeRef)? {
    switch datum {
    case .list(let elements, let node): return (elements, node)
    case .map: return nil
    case .node(let node):
      guard self[node].kind == .list else { return nil }
      let elements = self[node.file].elements(of: node.node).map { Datum.node(NodeRef(file: node.file, node: $0)) }
      return (elements, node)
    }
  }

  /// The value of a datum without expansion; nil where some of it could not be read.
  package func value(of datum: Datum) -> Value? {
    if case .node(let node) = datum { return value(at: node) }
    if let (elements, _) = elements(of: datum) {
      let values = elements.compactMap { value(of: $0) }
      return values.count == elements.count ? .list(values) : nil
    }
    let entries = entries(of: datum) ?? []
    let values = entries.compactMap { entry in value(of: entry.datum).map { Value.Entry(key: entry.text, value: $0) } }
    return values.count == entries.count ? .map(values) : nil
  }

  /// Whether two data say the same; the order of a map's keys does not count.
  func isEqual(_ left: Datum, _ right: Datum) -> Bool {
    guard let left = value(of: left), let right = value(of: right) else { return false }
    return left.isWritten(like: right)
  }

  /// The parameters that a parameter's literal names, each with the string that does.
  package func placeholders(of parameter: ParameterDeclaration, _ names: NameTable) -> [(name: Name, node: NodeRef)] {
    guard let root = parameter.source?.literalNode else { return [] }
    var found: [(Name, NodeRef)] = []
    for node in root.node..<self[root].next {
      let node = NodeRef(file: root.file, node: node)
      guard self[node].kind == .string, withText(of: node, { $0.mentionsParameter }) else { continue }
      for name in PlaceholderText(text(of: node))?.placeholders ?? [] {
        if let name = names.existingName(name) { found.append((name, node)) }
      }
    }
    return found
  }
}
