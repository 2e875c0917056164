// SPDX-License-Identifier: Apache-2.0

/// Some keywords, one bit each: a set for every map of a file, made without an allocation.
struct KeywordSet: Sendable, ExpressibleByArrayLiteral {
  /// The bit of each keyword, by its number.
  private var bits: UInt64 = 0

  /// The given keywords.
  init(_ keywords: some Sequence<Keyword>) {
    for keyword in keywords { insert(keyword) }
  }

  init(arrayLiteral keywords: Keyword...) { self.init(keywords) }

  /// Whether there is none.
  var isEmpty: Bool { bits == 0 }

  /// Whether a keyword is there.
  func contains(_ keyword: Keyword) -> Bool { bits & (1 << UInt64(keyword.rawValue)) != 0 }

  /// Whether there is no other keyword than those of another set.
  func isSubset(of other: KeywordSet) -> Bool { bits & ~other.bits == 0 }

  /// Adds a keyword.
  mutating func insert(_ keyword: Keyword) { bits |= 1 << UInt64(keyword.rawValue) }

  /// Adds keywords.
  mutating func formUnion(_ other: KeywordSet) { bits |= other.bits }
}
