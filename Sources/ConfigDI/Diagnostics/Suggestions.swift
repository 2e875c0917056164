// SPDX-License-Identifier: Apache-2.0

/// The candidates that come nearest to a text, at most three.
///
/// A candidate is near where its Damerau-Levenshtein distance (in the form of optimal string alignment, which edits no
/// range twice) from the wanted text is at most a third of the wanted text's length, and at least 1 is allowed. Case
/// does not count. The preferred come first, then the nearer, then the smaller text; the wanted text itself is left out.
///
/// For more than a few texts make a `SuggestionIndex` once.
package func suggestions(
  for wanted: String, among candidates: some Sequence<String>, preferring isPreferred: ((String) -> Bool)? = nil
) -> [String] {
  SuggestionIndex(candidates).suggestions(for: wanted, preferring: isPreferred)
}

/// Names that many texts are compared with.
package struct SuggestionIndex: Sendable {
  /// How many names are suggested at most.
  private static let greatestCount = 3
  /// The length up to which a text is taken for a misspelt name, in Unicode scalars.
  private static let greatestLength = 256

  /// The names.
  private let names: NearNames
  /// How much may still be compared.
  private let budget: SuggestionBudget

  /// The given names. A name that comes twice is suggested once.
  package init(_ names: some Sequence<String>) {
    var seen: Set<[UInt8]> = []
    let names = names.filter { seen.insert(Array($0.utf8)).inserted }
    self.names = NearNames(names)
    budget = SuggestionBudget.current ?? SuggestionBudget()
  }

  /// The names that come nearest to a text, at most three, the best first; see `suggestions(for:among:preferring:)`.
  ///
  /// Nothing is suggested for a text that is longer than any name, and once the budget is spent.
  ///
  /// - Parameters:
  ///   - excluded: A name that is never suggested, or nil.
  ///   - isPreferred: Whether a name goes before nearer ones. Asked of near names alone.
  package func suggestions(
    for wanted: String, excluding excluded: String? = nil, preferring isPreferred: ((String) -> Bool)? = nil
  ) -> [String] {
    // Longer than any name; comparing would cost more than it could tell.
    guard wanted.unicodeScalars.prefix(SuggestionIndex.greatestLength + 1).count <= SuggestionIndex.greatestLength
    else {
      return []
    }
    let scalars = NearNames.scalars(of: wanted)
    let greatest = max(1, scalars.count / 3)
    var best: [Suggestion] = []
    // A search within a short distance is fast, and where it finds enough the wider ones are spared.
    var limit = 1
    while budget.isOpen {
      best.removeAll(keepingCapacity: true)
      let work = names.forEachName(within: limit, of: scalars) { name, distance in
        guard distance > 0 || !name.utf8.elementsEqual(wanted.utf8), name != excluded else { return }
        let isPreferred = isPreferred?(name) ?? false
        SuggestionIndex.insert(Suggestion(isPreferred: isPreferred, distance: distance, name: name), into: &best)
      }
      budget.spend(work)
      let isEnough =
        best.count == SuggestionIndex.greatestCount && (isPreferred == nil || best.allSatisfy(\.isPreferred))
      if isEnough || limit == greatest { return best.map(\.name) }
      limit = min(limit * 2, greatest)
    }
    return best.map(\.name)
  }

  /// A help line: `did you mean "a", "b" or "c"?`, or nil where there is nothing to suggest.
  package static func help(_ names: [String]) -> String? {
    guard let last = names.last else { return nil }
    let first = names.dropLast().quotedList
    return first.isEmpty ? "did you mean \"\(last)\"?" : "did you mean \(first) or \"\(last)\"?"
  }

  /// The help line as the end of a sentence: `; did you mean "a"?`, or nothing where there is nothing to suggest.
  package static func clause(_ names: [String]) -> String { help(names).map { "; \($0)" } ?? "" }

  /// Puts a name in its place among the best, and drops the worst where there are too many.
  private static func insert(_ suggestion: Suggestion, into best: inout [Suggestion]) {
    best.insert(suggestion, at: best.firstIndex { suggestion < $0 } ?? best.count)
    if best.count > greatestCount { best.removeLast() }
  }
}

/// A name that is near enough to be suggested; the better is the smaller.
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
    return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }
}
