// SPDX-License-Identifier: Apache-2.0

extension MergedModule {
  /// Records the changes that a file makes to the parts of an entry: parts removed, replaced, or declared again, and parts
  /// that lose something inside them.
  ///
  /// - Parameters:
  ///   - unset: The paths of `unset`, with their tokens.
  ///   - fallback: The token that removes the parts not named by `unset`; `nil` if no others are removed.
  /// - Complexity: linear in the number of parts and paths.
  mutating func noteParts(
    from old: [DeclarationPart], to new: [DeclarationPart], unset: [Token] = [], else fallback: NodeRef?,
    of name: Name, in section: Section
  ) {
    let places = Dictionary(new.map { ($0.path, $0.node) }) { first, _ in first }
    let oldNodes = Set(old.map(\.node))
    let newNodes = Set(new.map(\.node))
    for removal in history.removals(of: name, in: section) where !removal.isPartial {
      if let node = places[removal.path], !oldNodes.contains(node) { history.note(node, displaces: removal.old) }
    }
    let removers = unset.map { (path: DeclarationPart.dotted(names[$0.name]), node: $0.node) }
    let nodes = Dictionary(removers) { _, last in last }
    var used: Set<String> = []
    for part in old where !newNodes.contains(part.node) {
      let remover = removers.isEmpty ? nil : DeclarationPart.containers(of: part.path).first { nodes[$0] != nil }
      if let remover { used.insert(remover) }
      if let node = places[part.path], !oldNodes.contains(node) {
        history.note(node, displaces: part.node)
      } else if let token = remover.flatMap({ nodes[$0] }) ?? fallback {
        history.note(History.Removal(path: part.path, old: part.node, remover: token), of: name, in: section)
      }
    }
    guard removers.contains(where: { !used.contains($0.path) }) else { return }
    var kept: [String: DeclarationPart] = [:]
    for part in old where newNodes.contains(part.node) { kept[DeclarationPart.dotted(part.path)] = part }
    // One for each part, however many paths lead into it.
    var cuts: [NodeRef: History.Removal] = [:]
    for remover in removers where !used.contains(remover.path) {
      guard let part = DeclarationPart.containers(of: remover.path).lazy.compactMap({ kept[$0] }).last else { continue }
      cuts[part.node] = History.Removal(path: part.path, old: part.node, remover: remover.node, isPartial: true)
    }
    for removal in cuts.values { history.note(removal, of: name, in: section) }
  }
}

extension DeclarationPart {
  /// Returns a path with all its steps separated by dots, a spelling that `unset` permits.
  fileprivate static func dotted(_ path: String) -> String {
    let steps = DottedPath(path)?.steps.map { step in
      switch step {
      case .key(let key), .quoted(let key): key
      case .index(let index): String(index)
      }
    }
    return steps?.joined(separator: ".") ?? path
  }

  /// Returns the path of a part with all its steps separated by dots, behind the paths of what contains the part,
  /// outermost first.
  static func containers(of path: String) -> [String] {
    let dotted = dotted(path)
    // Bounded by the number of steps that a path into nested maps and lists can have.
    let ends = dotted.utf8.indices.filter { dotted.utf8[$0] == UInt8(ascii: ".") }.prefix(Limits().nesting)
    return ends.map { String(dotted[..<$0]) } + [dotted]
  }
}
