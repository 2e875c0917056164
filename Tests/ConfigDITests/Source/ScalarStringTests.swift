// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigDI

@Suite struct ScalarStringTests {
  /// Strings in ascending order of their Unicode scalars. Two are canonically equivalent, and two are too long to be stored
  /// inline.
  private static let ascending = [
    "", "a", "a\0", "ab", "ab234567890123456", "ab2345678901234567", "b", "e\u{301}", "z", "\u{E9}", "\u{FFFD}",
    "\u{1F600}",
  ]

  @Test func `strings are ordered by their Unicode scalars`() {
    for (place, left) in Self.ascending.enumerated() {
      for (other, right) in Self.ascending.enumerated() {
        #expect((ScalarString(left) < ScalarString(right)) == (place < other), "\(left), \(right)")
        #expect((ScalarString(left) == ScalarString(right)) == (place == other), "\(left), \(right)")
      }
    }
    #expect(Self.ascending.reversed().ascending == Self.ascending)
  }
}
