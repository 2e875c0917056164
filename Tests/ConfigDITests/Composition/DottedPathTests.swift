// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct DottedPathTests {
  /// Returns the steps of a path in one line: plain keys as they are, quoted keys in quotes, indices with `#`.
  private func outline(_ text: String) -> String? {
    DottedPath(text)?.steps.map { step in
      switch step {
      case .key(let key): key
      case .quoted(let key): "\"\(key)\""
      case .index(let index): "#\(index)"
      }
    }.joined(separator: " ")
  }

  @Test(arguments: [
    ("a", "a"), ("a.b-c._1", "a b-c _1"), ("a[0][12].b", "a #0 #12 b"), (#"a["b.c"]"#, #"a "b.c""#),
    (#"["a"]"#, #""a""#),
    (#"a[""]["]"]"#, #"a "" "]""#), (#"a["\"\\\n\u0007\u00e9"]"#, "a \"\"\\\n\u{7}é\""), ("é.e\u{301}", "é e\u{301}"),
    ("a[\"\u{301}\"].\u{301}b", "a \"\u{301}\" \u{301}b"), ("a b.c d", "a b c d"),
  ])
  func `a path has components after dots and in brackets`(text: String, steps: String) {
    #expect(outline(text).map { Array($0.utf8) } == Array(steps.utf8))
  }

  @Test(arguments: [
    "", ".", "a.", ".a", "a..b", "a[", "a[]", "a[x]", "a[-1]", "a[+1]", "a[1", "a[1]b", #"a["b]"#, #"a["b""#,
    #"a["b"x]"#,
    #"a["\x"]"#, #"a["\"]"#, "a['b']", "a[99999999999999999999]", #"a["\ud800"]"#,
  ])
  func `an invalid path is rejected`(text: String) {
    #expect(DottedPath(text) == nil)
  }

  @Test func `the path of every token resolves to the token`() throws {
    let keys = [
      "plain", "with.dot", "with \"quote\"", "back\\slash", "[0]", "\n\u{7}", "é", "e\u{301}", "-", "", "a]b",
      "\u{7F}\u{85}\u{2028}",
    ]
    for key in keys {
      var path = Array("values".utf8)
      if PathStep.isPlain(key) {
        path += Array(".\(key)".utf8)
      } else {
        PathStep.appendQuoted(key, to: &path)
      }
      let steps = try #require(DottedPath(String(decoding: path, as: UTF8.self))?.steps)
      let found = try #require(KeyTrie(keys).match(steps[1...]))
      #expect(keys[found.place].utf8.elementsEqual(key.utf8))
      #expect(found.rest.isEmpty)
    }
  }

  @Test(arguments: [
    ("a.b.c", "a", 2), ("s.b.c", "s.b", 1), ("s.c", "s", 1), ("s", "s", 0), ("a.c", "a", 1), (#"["a.b"].c"#, "a.b", 1),
    (#"["a"].b"#, "a", 1), ("c.d.e.f", "c.d.e", 1), ("a[0].b", "a", 2), (#"c["d.e"]"#, nil, 0), ("c.d", nil, 0),
    ("x..y", nil, 0), (#"["x..y"]"#, "x..y", 0), ("b", nil, 0), ("[0]", nil, 0), (#"["a.b.c"]"#, nil, 0),
  ])
  func `the first step alone is the key if it has parts, else the longest key`(path: String, key: String?, rest: Int) {
    let keys = ["a", "a.b", "c.d.e", "x..y", "a[0]", "s", "s.b"]
    let match = DottedPath(path).flatMap { path in
      KeyTrie(keys, hasParts: keys.map { $0 != "s" }).match(path.steps[...])
    }
    #expect(match.map { keys[$0.place] } == key)
    #expect(match?.rest.count ?? 0 == rest)
  }
}
