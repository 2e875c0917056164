// SPDX-License-Identifier: Apache-2.0

/// The entries that are in use in one environment, for checks of a module in several environments.
///
/// A warning that something is unused is shown only if no environment refutes it: in each, the same is reported, or the
/// entry does not exist.
package struct UsedEntries: Sendable {
  /// Whether everything counts as used, because the environment could not be checked.
  private(set) var isEverything = false
  /// The keys that define entries in use.
  private var keys: Set<NodeRef> = []
  /// For each warning about tags, the tags that refute it: those both requested and given to a service, or declared.
  private var tags: [DiagnosticCode: Set<String>] = [:]

  /// Marks everything as used.
  package mutating func markAll() { isEverything = true }

  /// Marks the entry of a key as used.
  mutating func mark(_ key: NodeRef) { keys.insert(key) }

  /// Marks a tag for which a warning is refuted.
  mutating func mark(tag: String, against code: DiagnosticCode) { tags[code, default: []].insert(tag) }

  /// Returns whether a warning that something is unused is refuted.
  func refute(_ finding: Finding) -> Bool {
    if isEverything { return true }
    if finding.code.isAboutTags { return tags[finding.code]?.contains(finding.subject) ?? false }
    return if case .node(let key) = finding.place { keys.contains(key) } else { false }
  }

  /// Adds the uses of another environment.
  mutating func formUnion(_ other: UsedEntries) {
    isEverything = isEverything || other.isEverything
    // Most checks are of one environment.
    if keys.isEmpty { keys = other.keys } else { keys.formUnion(other.keys) }
    tags.merge(other.tags) { $0.union($1) }
  }
}

extension DiagnosticCode {
  /// Whether findings with this code are about a tag. These are reported once, even if their places differ.
  var isAboutTags: Bool { self == .tagWithoutService || self == .unusedTag }
}
