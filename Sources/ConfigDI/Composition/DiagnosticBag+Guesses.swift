// SPDX-License-Identifier: Apache-2.0

extension DiagnosticBag {
  /// Drops the findings that something does not exist, or is not used, where a malformed key of the top level may be meant to
  /// define or use it. The error of shape is the one cause of them.
  mutating func dropGuesses(from keys: KeywordSet) {
    let dependent = DiagnosticBag.dependentCodes.filter { keys.contains($0.key) || keys.contains(.imports) }
    guard !dependent.isEmpty else { return }
    drop(Set(dependent.values.joined()))
    uses.markAll()
  }

  /// What is reported where something that a key would define is missing.
  private static let dependentCodes: [Keyword: [DiagnosticCode]] = [
    .parameters: [.nothingToChange, .unknownParameter, .unknownCondition],
    .templates: [.nothingToChange, .unknownTemplate],
    .services: [.nothingToChange, .unknownService, .unknownTarget, .noCandidate],
    .aliases: [.nothingToChange, .unknownService, .unknownTarget],
    .bindings: [.nothingToChange, .severalCandidates, .noCandidate, .ambiguousType],
  ]
}
