// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// An entry of a file for its outline.
package struct DocumentSymbol: Hashable, Sendable {
  /// What it is, for its icon.
  package enum Kind: Sendable {
    case section, service, parameter, template, alias, binding, environment, tag
  }

  /// The name.
  package let name: String
  /// One word about it, such as its type.
  package let detail: String?
  /// What it is.
  package let kind: Kind
  /// All of it.
  package let range: TextRange
  /// Its name.
  package let selection: TextRange
  /// What is in it.
  package let children: [DocumentSymbol]
}

extension EditorWorkspace {
  /// The sections of an open file and their entries, in the order of the text.
  package func symbols(in path: String) -> [DocumentSymbol] {
    guard let document = snapshots(of: path).first?.documents[path], document.hasPositions, !document.nodes.isEmpty,
      document[0].kind == .map
    else { return [] }
    var writer = SymbolWriter(document: document, walk: PositionWalk(EditorText(document.source.bytes), encoding))
    return writer.symbols(of: 0, as: .root)
  }
}

/// Makes the outline of a document.
private struct SymbolWriter {
  /// The document.
  let document: Document
  /// Finds the lines.
  var walk: PositionWalk

  /// The symbols in a map of the top of the format.
  mutating func symbols(of node: UInt32, as slot: FormatSlot) -> [DocumentSymbol] {
    document.keys(of: node).compactMap { symbol(at: $0, in: slot) }
  }

  /// The symbol of a key, or nil where it is none.
  private mutating func symbol(at key: UInt32, in slot: FormatSlot) -> DocumentSymbol? {
    let name = document.text(of: key)
    let child = slot.child(name)
    switch child {
    case .sections, .entries, .environments, .tagDeclarations:
      return symbol(name, nil, .section, key) { $0.symbols(of: key + 1, as: child) }
    case .service, .template:
      let isTemplate = if case .template = child { true } else { false }
      return symbol(name, text(of: "type", at: key + 1), isTemplate ? .template : .service, key)
    case .parameter: return symbol(name, nil, .parameter, key)
    case .target:
      let detail = document[key + 1].kind == .string ? document.text(of: key + 1) : nil
      let isBinding = if case .entries(.bindings, _) = slot { true } else { false }
      return symbol(name, detail, isBinding ? .binding : .alias, key)
    case .layers: return symbol(name, nil, .environment, key)
    case .tagDeclaration: return symbol(name, nil, .tag, key)
    default: return nil
    }
  }

  /// A symbol whose name is a key.
  private mutating func symbol(
    _ name: String, _ detail: String?, _ kind: DocumentSymbol.Kind, _ key: UInt32,
    children: (inout SymbolWriter) -> [DocumentSymbol] = { _ in [] }
  ) -> DocumentSymbol {
    let start = Int(document[key].start)
    let selection = walk.range(of: start..<Int(document[key].end))
    let inner = children(&self)
    let whole = walk.range(of: start..<max(end(of: key + 1), Int(document[key].end)))
    // No name may be empty for a client, and half-typed keys are.
    return DocumentSymbol(
      name: name.isEmpty ? "\"\"" : name, detail: detail, kind: kind, range: whole, selection: selection,
      children: inner)
  }

  /// The offset behind a value. Blocks of YAML have no end of their own: they end with what they hold.
  private func end(of node: UInt32) -> Int {
    var end = 0
    for node in node..<document[node].next { end = max(end, Int(document[node].end)) }
    return end
  }

  /// The text under a key of a map.
  private func text(of key: String, at node: UInt32) -> String? {
    document.keys(of: node).first { document.text(of: $0) == key && document[$0 + 1].kind == .string }
      .map { document.text(of: $0 + 1) }
  }
}
