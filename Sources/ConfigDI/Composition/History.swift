// SPDX-License-Identifier: Apache-2.0

/// The tokens that other tokens of a composition have replaced, and the removals of entries and their parts.
///
/// A change is identified by its token. The history stores tokens only, no texts.
package struct History: Sendable {
  /// The removal of an entry, or of a part of one, by a file.
  package struct Removal: Sendable {
    /// The path of the part within its entry, such as `values.host`; empty for the whole entry.
    package let path: String
    /// The token that declared the part; for a whole entry, its key.
    package let old: NodeRef
    /// The token that removes it.
    package let remover: NodeRef
    /// Whether only something inside the part was removed, such as an element of a list. The part keeps its token.
    package var isPartial = false
  }

  /// An entry of a section.
  private struct Entry: Hashable {
    let section: Section
    let name: Name
  }

  /// The recorded changes.
  private struct Changes {
    /// The token that each token replaced.
    var displaced: [NodeRef: NodeRef] = [:]
    /// The removals from each entry, in the order of removal.
    var removals: [Entry: [Removal]] = [:]
  }

  /// In a box, since passes copy the history and few of them read it.
  private var changes = Shared(Changes())

  /// Records that a token replaces another one.
  mutating func note(_ new: NodeRef?, displaces old: NodeRef?) {
    guard let new, let old, new != old else { return }
    changes.content.displaced[new] = old
  }

  /// Records the removal of an entry or a part of it.
  mutating func note(_ removal: Removal, of name: Name, in section: Section) {
    changes.content.removals[Entry(section: section, name: name), default: []].append(removal)
  }

  /// Whether there is any removal.
  var hasRemovals: Bool { !changes.content.removals.isEmpty }

  /// Returns the removals from an entry, in the order of removal. A removed part may have been declared again later.
  package func removals(of name: Name, in section: Section) -> [Removal] {
    hasRemovals ? changes.content.removals[Entry(section: section, name: name)] ?? [] : []
  }

  /// Returns the last removal of an entry as a whole; `nil` if there is none.
  package func removal(of name: Name, in section: Section) -> Removal? {
    removals(of: name, in: section).last(where: \.path.isEmpty)
  }

  /// Returns the place where a file has removed the entry of an id, as a related place of a finding about the id; `nil` if
  /// none has.
  func removal(of id: String, in sections: [Section], _ names: NameTable) -> Finding.Related? {
    guard hasRemovals, let name = names.existingName(id) else { return nil }
    for section in sections {
      if let removal = removal(of: name, in: section) { return .removal(of: id, section, at: removal.remover) }
    }
    return nil
  }

  /// Returns the entries of a section that were removed as a whole. Some may have been declared again later.
  package func removedEntries(in section: Section) -> [(name: Name, removal: Removal)] {
    changes.content.removals.compactMap { entry, removals in
      guard entry.section == section, let removal = removals.last(where: \.path.isEmpty) else { return nil }
      return (entry.name, removal)
    }
  }

  /// Returns the removals of parts of the entries of a section, in no order.
  func removedParts(in section: Section) -> [Removal] {
    changes.content.removals.filter { $0.key.section == section }.values.flatMap { $0.filter { !$0.path.isEmpty } }
  }

  /// Returns the oldest token in the chain of tokens that a token replaced, or the token itself if it replaced none.
  func origin(of token: NodeRef) -> NodeRef { tokens(before: token).last ?? token }

  /// Returns the chain of tokens that a token replaced, the latest first.
  ///
  /// - Complexity: linear in their number.
  package func tokens(before token: NodeRef) -> [NodeRef] {
    var tokens: [NodeRef] = []
    var token = token
    // No token occurs twice in a chain. The bound ends the loop if a bug makes a cycle.
    while let old = changes.content.displaced[token], tokens.count <= changes.content.displaced.count {
      tokens.append(old)
      token = old
    }
    return tokens
  }
}
