// SPDX-License-Identifier: Apache-2.0
internal import ConfigDI

// The decisions about many things, whose tokens are found in the files together: one by one, each would cost a walk through
// all files.

extension PartList {
  /// One of many things.
  struct Subject {
    /// Its parts.
    let parts: [Part]
    /// What files removed from it, or it as a whole.
    let removals: [History.Removal]
    /// The name under which its literals are masked, or nil.
    let mask: String?
  }

  /// What is decided about one thing.
  struct Outcome {
    /// Its parts with the decision about each, ascending by path. The parameters from which a value comes are the
    /// placeholders of the part.
    let parts: [(part: Part, decision: Explanation.Decision)]
    /// What was removed from it and is not there again, ascending by path.
    let removals: [Explanation.Removal]
  }

  /// Takes the parts that were added, as those of one thing, and leaves none.
  mutating func takeSubject(removals: [History.Removal]) -> Subject {
    defer { reset() }
    return Subject(parts: parts, removals: removals, mask: maskedParts)
  }

  /// What is decided about each of some things, in their order.
  ///
  /// - Complexity: n log n in the parts and what they took the place of, linear in the files.
  mutating func outcomes(of subjects: [Subject]) -> [Outcome] {
    let kept = subjects.map { removals($0.removals, missingIn: $0.parts) }
    let places = places(
      of: subjects.flatMap { $0.parts.flatMap(tokens(of:)) } + kept.flatMap { $0.flatMap(tokens(of:)) })
    var outcomes: [Outcome] = []
    for (subject, removals) in zip(subjects, kept) {
      maskedParts = subject.mask
      var parts: [(part: Part, decision: Explanation.Decision)] = []
      for part in subject.parts { parts.append((part, decision(of: part.withoutPlaceholders, places))) }
      parts.sort { $0.part.path.utf8.lexicographicallyPrecedes($1.part.path.utf8) }
      outcomes.append(Outcome(parts: parts, removals: shown(removals, places)))
    }
    maskedParts = nil
    return outcomes
  }
}

extension PartList.Part {
  /// The part as one that comes from no parameter.
  fileprivate var withoutPlaceholders: PartList.Part {
    var part = self
    part.placeholders = []
    return part
  }
}
