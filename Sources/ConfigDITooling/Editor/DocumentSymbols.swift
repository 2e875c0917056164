// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

/// A section or an entry of a file, for the outline that a client shows.
package struct DocumentSymbol: Hashable, Sendable {
  /// The kind of a symbol, from which a client chooses its icon.
  package enum Kind: Sendable {
    case section, service, parameter, template, alias, binding, environment, tag
  }

  /// The name.
  package let name: String
  /// A short description: the type of a service or template, or the target of an alias or binding.
  package let detail: String?
  /// The kind of the symbol.
  package let kind: Kind
  /// The range of the key and its value.
  package let range: TextRange
  /// The range of the key.
  package let selection: TextRange
  /// The entries of a section, in the order of the text.
  package let children: [DocumentSymbol]
}

extension EditorWorkspace {
  /// Returns the sections of an open file with their entries, in the order of the text.
  package func symbols(in path: String) -> [DocumentSymbol] {
    guard let document = snapshots(of: path).first?.documents[path], document.hasPositions, !document.nodes.isEmpty,
      document[0].kind == .map
    else { return [] }
    var writer = SymbolWriter(document: document, walk: PositionWalk(EditorText(document.source.bytes), encoding))
    return writer.symbols(of: 0, as: .root)
  }
}

/// Collects the symbols of a document.
private struct SymbolWriter {
  /// The document.
  let document: Document
  /// Converts byte offsets to positions.
  var walk: PositionWalk

  /// Returns the symbols for the keys of a map.
  mutating func symbols(of node: UInt32, as slot: FormatSlot) -> [DocumentSymbol] {
    document.keys(of: node).compactMap { symbol(at: $0, in: slot) }
  }

  /// Returns the symbol of a key, or `nil` if the key is not a section or an entry.
  private mutating func symbol(at key: UInt32, in slot: FormatSlot) -> DocumentSymbol? {
    let name = document.text(of: key)
    let child = slot.child(name)
    switch child {
    case .sections, .entries, .environments, .tagDeclarations:
      return symbol(name, nil, .section, key) { $0.symbols(of: key + 1, as: child) }
    case .service, .template:
      let isTemplate = if case .template = child { true } else { false }
      return symbol(name, document.text(under: .type, of: key + 1), isTemplate ? .template : .service, key)
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

  /// Creates the symbol of a key and its value.
  private mutating func symbol(
    _ name: String, _ detail: String?, _ kind: DocumentSymbol.Kind, _ key: UInt32,
    children: (inout SymbolWriter) -> [DocumentSymbol] = { _ in [] }
  ) -> DocumentSymbol {
    // The offsets ascend, so that the walk never goes back to the start of a long line.
    let selection = walk.range(of: Int(document[key].start)..<Int(document[key].end))
    let inner = children(&self)
    let end = walk.position(of: max(end(of: key + 1), Int(document[key].end)))
    // Clients reject empty names, but a key that is being typed can be empty.
    return DocumentSymbol(
      name: name.isEmpty ? "\"\"" : name, detail: detail, kind: kind,
      range: TextRange(start: selection.start, end: end), selection: selection, children: inner)
  }

  /// Returns the byte offset behind a value. A YAML block has no end token, so its last descendant determines the end.
  private func end(of node: UInt32) -> Int {
    var end = 0
    for node in node..<document[node].next { end = max(end, Int(document[node].end)) }
    return end
  }
}
