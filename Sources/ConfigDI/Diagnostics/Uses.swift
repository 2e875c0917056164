// SPDX-License-Identifier: Apache-2.0

/// What is in use in an environment, and so not unused in a module that is checked in several.
///
/// A warning that something is unused is reported where no environment speaks against it: it reports the same, or has no such
/// thing.
package struct Uses: Sendable {
  /// Whether anything may be in use, as the environment could not be checked.
  private(set) var isEverything = false
  /// The keys that define what is in use: a bit for each node, by the number of the file.
  private var keys: [[UInt64]] = []
  /// The tags that are both asked for and given to services, or declared, by the code of the warning that does not hold.
  private var tags: [DiagnosticCode: Set<String>] = [:]

  /// Nothing is in use.
  package init() {}

  /// Marks everything.
  package mutating func markAll() { isEverything = true }

  /// Marks what a key defines.
  mutating func mark(_ key: NodeRef) {
    let (file, word) = (Int(key.file.index), Int(key.node / 64))
    while keys.count <= file { keys.append([]) }
    if keys[file].count <= word {
      keys[file].append(contentsOf: repeatElement(0, count: word + 1 - keys[file].count))
    }
    keys[file][word] |= 1 << UInt64(key.node % 64)
  }

  /// Marks a tag as one of which a warning does not hold.
  mutating func mark(tag: String, against code: DiagnosticCode) { tags[code, default: []].insert(tag) }

  /// Whether a warning that something is unused does not hold.
  func refute(_ finding: Finding) -> Bool {
    if isEverything { return true }
    if finding.code.isAboutTags { return tags[finding.code]?.contains(finding.subject) ?? false }
    guard case .node(let key) = finding.place, keys.indices.contains(Int(key.file.index)) else { return false }
    let words = keys[Int(key.file.index)]
    let word = Int(key.node / 64)
    return words.indices.contains(word) && words[word] & 1 << UInt64(key.node % 64) != 0
  }

  /// Adds what is in use in another environment.
  mutating func formUnion(_ other: Uses) {
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
  /// Whether the finding is about a tag, which is reported once whatever string is the first one in an environment.
  var isAboutTags: Bool { self == .tagWithoutService || self == .unusedTag }
}
