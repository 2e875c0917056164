// SPDX-License-Identifier: Apache-2.0

/// What stood at each place of a composition before the token that stands there now, and what was removed.
///
/// Who decided something is its token; this holds the tokens that it took the place of, and no text.
package struct History: Sendable {
  /// A part of an entry, or a whole entry, that a file removes.
  package struct Removal: Sendable {
    /// The path of the part inside of its entry, such as `values.host`; empty for the entry.
    package let path: String
    /// The token that decided the part; of an entry its key.
    package let old: NodeRef
    /// The token that removes it.
    package let remover: NodeRef
  }

  /// An entry of a section.
  private struct Entry: Hashable {
    /// Its section.
    let section: Section
    /// Its id.
    let name: Name
  }

  /// The token that each token took the place of.
  private var displaced: [NodeRef: NodeRef] = [:]
  /// What was removed from each entry, in the order in which that happened.
  private var removals: [Entry: [Removal]] = [:]

  /// A composition in which nothing was changed yet.
  init() {}

  /// Notes that a token takes the place of another one.
  mutating func note(_ new: NodeRef?, displaces old: NodeRef?) {
    guard let new, let old, new != old else { return }
    displaced[new] = old
  }

  /// Notes that something is removed from an entry.
  mutating func note(_ removal: Removal, of name: Name, in section: Section) {
    removals[Entry(section: section, name: name), default: []].append(removal)
  }

  /// Whether something was removed from some entry.
  var hasRemovals: Bool { !removals.isEmpty }

  /// What was removed from an entry, in the order in which that happened; some of it may be there again.
  package func removals(of name: Name, in section: Section) -> [Removal] {
    removals.isEmpty ? [] : removals[Entry(section: section, name: name)] ?? []
  }

  /// The entries of a section that were removed whole; some may be there again.
  package func removedEntries(in section: Section) -> [(name: Name, removal: Removal)] {
    removals.compactMap { entry, removals in
      guard entry.section == section, let removal = removals.last(where: \.path.isEmpty) else { return nil }
      return (entry.name, removal)
    }
  }

  /// The first of the tokens that led to a token.
  func origin(of token: NodeRef) -> NodeRef { tokens(before: token).last ?? token }

  /// The tokens that a token took the place of, the latest first.
  ///
  /// - Complexity: linear in their number.
  package func tokens(before token: NodeRef) -> [NodeRef] {
    var tokens: [NodeRef] = []
    var token = token
    // No token stands in a chain twice; the bound is for the case that a defect makes a cycle.
    while let old = displaced[token], tokens.count <= displaced.count {
      tokens.append(old)
      token = old
    }
    return tokens
  }
}
