// SPDX-License-Identifier: Apache-2.0

extension MergedModule {
  /// Records the changes that a file makes to the parts of an entry: parts removed, replaced, or declared again.
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
    for removal in history.removals(of: name, in: section) {
      if let node = places[removal.path], !oldNodes.contains(node) { history.note(node, displaces: removal.old) }
    }
    var removers: [String: NodeRef] = [:]
    for token in unset { removers[DeclarationPart.dotted(names[token.name])] = token.node }
    for part in old where !newNodes.contains(part.node) {
      if let node = places[part.path], !oldNodes.contains(node) {
        history.note(node, displaces: part.node)
      } else if let remover = DeclarationPart.remover(of: part.path, among: removers) ?? fallback {
        history.note(History.Removal(path: part.path, old: part.node, remover: remover), of: name, in: section)
      }
    }
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

  /// Returns the token that removes the part at a path, or a part that contains it, or `nil` if there is none.
  fileprivate static func remover(of path: String, among removers: [String: NodeRef]) -> NodeRef? {
    guard !removers.isEmpty else { return nil }
    let dotted = dotted(path)
    if let remover = removers[dotted] { return remover }
    // Bounded by the number of steps that a path into nested maps and lists can have.
    let ends = dotted.utf8.indices.filter { dotted.utf8[$0] == UInt8(ascii: ".") }.prefix(Limits().nesting)
    return ends.lazy.compactMap { removers[String(dotted[..<$0])] }.first
  }
}
