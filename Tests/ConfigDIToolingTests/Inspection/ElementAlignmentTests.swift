// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDITooling

@Suite struct ElementAlignmentTests {
  /// Returns the gaps between two texts, each as `from|to`.
  private func gaps(_ from: String, _ to: String) -> [String] {
    let (from, to) = (Array(from), Array(to))
    return ElementAlignment(from, to, isAlike: ==).gaps.map { "\(String(from[$0.from]))|\(String(to[$0.to]))" }
  }

  @Test(arguments: [
    ("", "", []), ("abc", "abc", []), ("", "a", ["|a"]), ("a", "", ["a|"]), ("abc", "axc", ["b|x"]),
    ("abcd", "bxde", ["a|", "c|x", "|e"]), ("aa", "a", ["a|"]), ("ab", "ba", ["a|", "|a"]),
  ])
  func `common elements are between gaps`(from: String, to: String, expected: [String]) {
    #expect(gaps(from, to) == expected)
  }

  @Test func `no element is lost, and elements between gaps are equal`() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<300 {
      let lists = (0..<2).map { _ in
        (0..<Int.random(in: 0...8, using: &random)).map { _ in Int.random(in: 0...3, using: &random) }
      }
      var (rest, rebuilt, at) = (lists[0][...], [Int](), 0)
      for gap in ElementAlignment(lists[0], lists[1], isAlike: ==).gaps {
        #expect(!gap.from.isEmpty || !gap.to.isEmpty)
        rebuilt += lists[0][at..<gap.from.lowerBound] + lists[1][gap.to]
        at = gap.from.upperBound
        rest = lists[0][at...]
      }
      #expect(rebuilt + rest == lists[1], "\(lists)")
    }
  }
}
