// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct SuggestionsTests {
  @Test(arguments: [
    ("loger", ["logger", "mailer", "Loger2"], ["Loger2", "logger"]),
    ("LOGGER", ["logger"], ["logger"]),
    ("logger", ["logger"], []),
    ("lgoger", ["logger"], ["logger"]),
    ("bat", ["bar", "foo", "cat", "bats", "ba", "at"], ["at", "ba", "bar"]),
    ("a", ["b", "bc", "aa"], ["aa", "b"]),
    ("", ["a", "ab"], ["a"]),
    ("ca", ["abc"], []),
    ("straße", ["strasse"], ["strasse"]),
    ("same", ["sane", "sane"], ["sane"]),
    ("anything", [], []),
  ])
  func `the nearest names come first, equally near ones by text`(wanted: String, names: [String], expected: [String]) {
    #expect(suggestions(for: wanted, among: names) == expected)
  }

  @Test func `preferred names come before nearer ones`() {
    let names = ["logger1", "logger12", "loggers", "logger"]
    #expect(suggestions(for: "logger3", among: names) == ["logger", "logger1", "loggers"])
    #expect(suggestions(for: "logger3", among: names) { $0 == "logger12" } == ["logger12", "logger", "logger1"])
    #expect(suggestions(for: "logger3", among: names) { $0 != "logger" } == ["logger1", "loggers", "logger12"])
  }

  @Test func `the wanted text is excluded by its scalars, not by its appearance`() {
    #expect(suggestions(for: "longer é", among: ["longer é", "longer e\u{301}"]) == ["longer e\u{301}"])
  }

  @Test func `a text that is not a name has no suggestions`() {
    let long = String(repeating: "x", count: 257)
    #expect(suggestions(for: long, among: [long + "y"]).isEmpty)
    #expect(suggestions(for: String(long.dropLast()), among: [long]) == [long])
  }

  @Test func `the empty name is never suggested`() {
    #expect(suggestions(for: "x", among: ["", "y"]) == ["y"])
  }

  @Test func `the help line is a question`() {
    #expect(SuggestionIndex.help([]) == nil)
    #expect(SuggestionIndex.help(["a"]) == #"did you mean "a"?"#)
    #expect(SuggestionIndex.help(["a", "b"]) == #"did you mean "a" or "b"?"#)
    #expect(SuggestionIndex.help(["a", "b", "c"]) == #"did you mean "a", "b" or "c"?"#)
  }

  @Test func `every distance matches the definition`() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<300 {
      let names = Set((0..<20).map { _ in randomName(of: "abc", upTo: 9, using: &random) })
      let wanted = NearNames.scalars(of: randomName(of: "abc", upTo: 9, using: &random))
      let limit = Int.random(in: 0...6, using: &random)
      var found: [String: Int] = [:]
      NearNames(Array(names)).forEachName(within: limit, of: wanted) { name, distance in found[name] = distance }
      let distances = names.map { ($0, slowDistance(wanted, NearNames.scalars(of: $0))) }
      #expect(found == Dictionary(uniqueKeysWithValues: distances.filter { $0.1 <= limit }))
    }
  }

  @Test func `the index suggests the same names as a comparison with every name`() {
    var random = SeededRandom(seed: 11)
    let names = (0..<300).map { _ in randomName(of: "abcd", upTo: 7, using: &random) }
    let index = SuggestionIndex(names)
    for _ in 0..<300 {
      let wanted = randomName(of: "abcde", upTo: 9, using: &random)
      let isPreferred: (String) -> Bool = { $0.hasPrefix("a") }
      let expected = Set(names).filter { $0 != wanted && !$0.isEmpty }
        .map { (isPreferred($0) ? 0 : 1, slowDistance(NearNames.scalars(of: wanted), NearNames.scalars(of: $0)), $0) }
        .filter { $0.1 <= max(1, wanted.count / 3) }.sorted { $0 < $1 }
      #expect(index.suggestions(for: wanted, preferring: isPreferred) == expected.prefix(3).map(\.2))
      let unranked = expected.map { ($0.1, $0.2) }.sorted { $0 < $1 }
      #expect(index.suggestions(for: wanted) == unranked.prefix(3).map(\.1))
    }
  }

  private func randomName(of letters: String, upTo length: Int, using random: inout SeededRandom) -> String {
    String((0..<Int.random(in: 0...length, using: &random)).compactMap { _ in letters.randomElement(using: &random) })
  }

  /// Returns the optimal string alignment distance, computed by its definition.
  private func slowDistance(_ left: [UInt32], _ right: [UInt32]) -> Int {
    var rows = [[Int]](repeating: Array(repeating: 0, count: right.count + 1), count: left.count + 1)
    for i in 0...left.count {
      for j in 0...right.count {
        if i == 0 || j == 0 {
          rows[i][j] = i + j
          continue
        }
        rows[i][j] = min(
          rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1))
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
        }
      }
    }
    return rows[left.count][right.count]
  }
}
