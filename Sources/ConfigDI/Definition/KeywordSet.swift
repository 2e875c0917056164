// SPDX-License-Identifier: Apache-2.0

/// A set of keywords as a bit mask. Every map of a file needs one, so it must not allocate.
struct KeywordSet: Sendable, ExpressibleByArrayLiteral {
  /// One bit for each keyword, by raw value.
  private var bits: UInt64 = 0

  /// Creates a set of the given keywords.
  init(_ keywords: some Sequence<Keyword>) {
    for keyword in keywords { insert(keyword) }
  }

  init(arrayLiteral keywords: Keyword...) { self.init(keywords) }

  /// Whether the set is empty.
  var isEmpty: Bool { bits == 0 }

  /// Returns whether the set contains a keyword.
  func contains(_ keyword: Keyword) -> Bool { bits & (1 << UInt64(keyword.rawValue)) != 0 }

  /// Returns whether no keyword is in both sets.
  func isDisjoint(with other: KeywordSet) -> Bool { bits & other.bits == 0 }

  /// Returns whether another set contains all keywords of this one.
  func isSubset(of other: KeywordSet) -> Bool { bits & ~other.bits == 0 }

  /// Inserts a keyword.
  mutating func insert(_ keyword: Keyword) { bits |= 1 << UInt64(keyword.rawValue) }

  /// Inserts the keywords of another set.
  mutating func formUnion(_ other: KeywordSet) { bits |= other.bits }
}
