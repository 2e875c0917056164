// SPDX-License-Identifier: Apache-2.0

/// Returns the candidates nearest to a text, at most three.
///
/// A candidate is near if its Damerau-Levenshtein distance from the wanted text (in the optimal string alignment form,
/// which edits no range twice) is at most a third of the length of the wanted text, or 1 if that is more. Case is
/// ignored. Preferred candidates come first, then nearer ones, then those that sort first. The wanted text itself is
/// left out.
///
/// To search for more than a few texts, create a `SuggestionIndex` once.
package func suggestions(
  for wanted: String, among candidates: some Sequence<String>, preferring isPreferred: ((String) -> Bool)? = nil
) -> [String] {
  SuggestionIndex(candidates).suggestions(for: wanted, preferring: isPreferred)
}

/// An index of names, for suggesting the nearest ones to many texts.
package struct SuggestionIndex: Sendable {
  /// The greatest number of suggested names.
  private static let maximumCount = 3
  /// The greatest length of a text that is treated as a misspelt name, in Unicode scalars.
  private static let maximumLength = 256

  private let names: NearNames
  /// The budget for comparisons.
  private let budget: SuggestionBudget

  /// Creates an index of names. Duplicates and the empty name, which a malformed file can contain, are left out.
  package init(_ names: some Sequence<String>) {
    var seen: Set<ScalarString> = []
    let names = names.filter { !$0.isEmpty && seen.insert(ScalarString($0)).inserted }
    self.names = NearNames(names)
    budget = SuggestionBudget.current ?? SuggestionBudget()
  }

  /// Returns the names nearest to a text, at most three, the best first; see `suggestions(for:among:preferring:)`.
  ///
  /// Returns nothing if the text is longer than any name, or once the budget is spent.
  ///
  /// - Parameters:
  ///   - isExcluded: Returns whether a name is never suggested. Called only with near names.
  ///   - isPreferred: Returns whether a name is preferred to nearer ones. Called only with near names.
  package func suggestions(
    for wanted: String, excluding isExcluded: ((String) -> Bool)? = nil,
    preferring isPreferred: ((String) -> Bool)? = nil
  ) -> [String] {
    // The text is longer than any name. Comparing it would be expensive and useless.
    guard wanted.unicodeScalars.prefix(SuggestionIndex.maximumLength + 1).count <= SuggestionIndex.maximumLength
    else {
      return []
    }
    let scalars = NearNames.scalars(of: wanted)
    let greatest = max(1, scalars.count / 3)
    var best: [Suggestion] = []
    // A search within a short distance is fast. If it finds enough names, no wider search is needed.
    var limit = 1
    while budget.isOpen {
      best.removeAll(keepingCapacity: true)
      let work = names.forEachName(within: limit, of: scalars) { name, distance in
        guard distance > 0 || !name.utf8.elementsEqual(wanted.utf8), isExcluded?(name) != true else { return }
        let isPreferred = isPreferred?(name) ?? false
        SuggestionIndex.insert(Suggestion(isPreferred: isPreferred, distance: distance, name: name), into: &best)
      }
      budget.spend(work)
      let isEnough =
        best.count == SuggestionIndex.maximumCount && (isPreferred == nil || best.allSatisfy(\.isPreferred))
      if isEnough || limit == greatest { return best.map(\.name) }
      limit = min(limit * 2, greatest)
    }
    return best.map(\.name)
  }

  /// Returns a help line, such as `did you mean "a", "b" or "c"?`; `nil` if there are no names.
  package static func help(_ names: [String]) -> String? {
    guard let last = names.last else { return nil }
    let first = names.dropLast().quotedList
    return first.isEmpty ? "did you mean \"\(last)\"?" : "did you mean \(first) or \"\(last)\"?"
  }

  /// Returns the help line as the end of a sentence, such as `; did you mean "a"?`; empty if there are no names.
  package static func clause(_ names: [String]) -> String { help(names).map { "; \($0)" } ?? "" }

  /// Inserts a suggestion in order. Removes the worst if there are too many.
  private static func insert(_ suggestion: Suggestion, into best: inout [Suggestion]) {
    best.insert(suggestion, at: best.firstIndex { suggestion < $0 } ?? best.count)
    if best.count > maximumCount { best.removeLast() }
  }
}

/// A near name. A smaller value is a better suggestion.
private struct Suggestion: Comparable {
  /// Whether it goes before nearer ones.
  let isPreferred: Bool
  /// The distance from the wanted text.
  let distance: Int
  /// The name as it is written.
  let name: String

  static func < (left: Suggestion, right: Suggestion) -> Bool {
    if left.isPreferred != right.isPreferred { return left.isPreferred }
    if left.distance != right.distance { return left.distance < right.distance }
    return ScalarString(left.name) < ScalarString(right.name)
  }
}
