// SPDX-License-Identifier: Apache-2.0

/// The entries that are in use in one environment, for checks of a module in several environments.
///
/// A warning that something is unused is shown only if no environment refutes it: in each, the same is reported, or the
/// entry does not exist.
package struct UsedEntries: Sendable {
  /// Whether everything counts as used, because the environment could not be checked.
  private(set) var isEverything = false
  /// The keys that define entries in use: for each file number, a bit set of nodes.
  private var keys: [[UInt64]] = []
  /// For each warning about tags, the tags that refute it: those both requested and given to a service, or declared.
  private var tags: [DiagnosticCode: Set<String>] = [:]

  /// Marks everything as used.
  package mutating func markAll() { isEverything = true }

  /// Marks the entry of a key as used.
  mutating func mark(_ key: NodeRef) {
    let (file, word) = (Int(key.file.index), Int(key.node / 64))
    while keys.count <= file { keys.append([]) }
    if keys[file].count <= word {
      keys[file].append(contentsOf: repeatElement(0, count: word + 1 - keys[file].count))
    }
    keys[file][word] |= 1 << UInt64(key.node % 64)
  }

  /// Marks a tag for which a warning is refuted.
  mutating func mark(tag: String, against code: DiagnosticCode) { tags[code, default: []].insert(tag) }

  /// Returns whether a warning that something is unused is refuted.
  func refute(_ finding: Finding) -> Bool {
    if isEverything { return true }
    if finding.code.isAboutTags { return tags[finding.code]?.contains(finding.subject) ?? false }
    guard case .node(let key) = finding.place, keys.indices.contains(Int(key.file.index)) else { return false }
    let words = keys[Int(key.file.index)]
    let word = Int(key.node / 64)
    return words.indices.contains(word) && words[word] & 1 << UInt64(key.node % 64) != 0
  }

  /// Adds the uses of another environment.
  mutating func formUnion(_ other: UsedEntries) {
    isEverything = isEverything || other.isEverything
    while keys.count < other.keys.count { keys.append([]) }
    for (file, words) in other.keys.enumerated() where !words.isEmpty {
      if keys[file].count < words.count {
        keys[file].append(contentsOf: repeatElement(0, count: words.count - keys[file].count))
      }
      for word in words.indices { keys[file][word] |= words[word] }
    }
    tags.merge(other.tags) { $0.union($1) }
  }
}

extension DiagnosticCode {
  /// Whether findings with this code are about a tag. These are reported once, even if their places differ.
  var isAboutTags: Bool { self == .tagWithoutService || self == .unusedTag }
}
