// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

// Decisions about many entries. The locations of their tokens are looked up together, because each look-up walks
// through all files.

extension PartList {
  /// One of many entries.
  struct Subject {
    /// The parts.
    let parts: [Part]
    /// The parts of it, or the whole entry, that files removed.
    let removals: [History.Removal]
    /// The name that masks its literals, or `nil`.
    let mask: String?
  }

  /// The decisions about one entry.
  struct Outcome {
    /// The parts with the decision about each, ascending by path. The parameters that give the value are the
    /// placeholders of the part.
    let parts: [(part: Part, decision: Explanation.Decision)]
    /// The removals that are still in effect, ascending by path.
    let removals: [Explanation.Removal]
  }

  /// Returns the added parts as those of one entry, and resets the list.
  mutating func takeSubject(removals: [History.Removal]) -> Subject {
    defer { reset() }
    return Subject(parts: cut(parts, by: removals), removals: removals, mask: maskingName)
  }

  /// Returns the decisions about each of the entries, in their order.
  ///
  /// - Complexity: n log n in the parts and their earlier tokens, linear in the files.
  mutating func outcomes(of subjects: [Subject]) -> [Outcome] {
    let kept = subjects.map { removals($0.removals, missingIn: $0.parts) }
    let places = places(
      of: subjects.flatMap { $0.parts.flatMap(tokens(of:)) } + kept.flatMap { $0.flatMap(tokens(of:)) })
    var outcomes: [Outcome] = []
    for (subject, removals) in zip(subjects, kept) {
      maskingName = subject.mask
      var parts: [(part: Part, decision: Explanation.Decision)] = []
      for part in subject.parts { parts.append((part, decision(of: part.withoutPlaceholders, places))) }
      outcomes.append(Outcome(parts: parts.ascending(by: \.part.path), removals: shown(removals, places)))
    }
    maskingName = nil
    return outcomes
  }
}

extension PartList.Part {
  /// The part without placeholders.
  fileprivate var withoutPlaceholders: PartList.Part {
    var part = self
    part.placeholders = []
    return part
  }
}
