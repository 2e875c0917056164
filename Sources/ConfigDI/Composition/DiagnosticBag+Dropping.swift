// SPDX-License-Identifier: Apache-2.0

extension DiagnosticBag {
  /// Drops the findings that report something as unknown or unused, if one of these malformed top-level keys may define
  /// or use it. The shape error of the key, which is reported anyway, is their cause.
  mutating func dropFindings(causedByMalformed keys: KeywordSet) {
    guard !keys.isDisjoint(with: DiagnosticBag.definingKeys) else { return }
    drop { finding in
      let causes =
        finding.possibleCauses.map { KeywordSet($0.compactMap(Keyword.init(text:))) }
        ?? DiagnosticBag.possibleCauses[finding.code] ?? []
      return !causes.isEmpty && (keys.contains(.imports) || !keys.isDisjoint(with: causes))
    }
    uses.markAll()
  }

  /// The top-level keys that define something, or that use or remove what is reported as unused.
  private static let definingKeys: KeywordSet = [
    .imports, .parameters, .templates, .services, .aliases, .bindings, .override, .replace, .remove, .tags,
  ]

  /// The top-level keys of which a missing definition may cause findings with a code.
  private static let possibleCauses: [DiagnosticCode: KeywordSet] = [
    .unknownParameter: [.parameters],
    .unknownTemplate: [.templates],
    .unknownService: [.services, .aliases],
    .unknownTarget: [.services, .aliases],
    .noCandidate: [.services, .bindings],
    .severalCandidates: [.bindings],
    .ambiguousType: [.bindings],
  ]
}
