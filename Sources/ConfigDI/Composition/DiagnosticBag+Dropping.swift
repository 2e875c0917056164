// SPDX-License-Identifier: Apache-2.0

extension DiagnosticBag {
  /// Drops the findings that report something as unknown or unused, if one of these malformed top-level keys may define
  /// or use it. The shape error of the key, which is reported anyway, is their cause.
  mutating func dropFindings(causedByMalformed keys: KeywordSet) {
    if keys.isEmpty { return }
    let dependent = DiagnosticBag.dependentCodes.filter { keys.contains($0.key) || keys.contains(.imports) }
    guard !dependent.isEmpty else { return }
    drop(Set(dependent.flatMap(\.codes)))
    uses.markAll()
  }

  /// The codes of the findings that may be caused by a missing definition under each key.
  private static let dependentCodes: [(key: Keyword, codes: [DiagnosticCode])] = [
    (.parameters, [.nothingToChange, .unknownParameter, .unknownCondition]),
    (.templates, [.nothingToChange, .unknownTemplate]),
    (.services, [.nothingToChange, .unknownService, .unknownTarget, .noCandidate]),
    (.aliases, [.nothingToChange, .unknownService, .unknownTarget]),
    (.bindings, [.nothingToChange, .severalCandidates, .noCandidate, .ambiguousType]),
    // They may use or remove an entry that is reported as unused.
    (.override, []), (.replace, []), (.remove, []), (.tags, []),
  ]
}
