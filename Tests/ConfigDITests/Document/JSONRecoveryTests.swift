// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// Reading continues after a syntax error if the repair is certain. Each error is reported once.
@Suite struct JSONRecoveryTests {
  @Test(arguments: [
    // Missing or superfluous tokens between values.
    "{\"a\": 1 ‸\"b\": 2 ‸\"c\": 3}", "[1 ‸2, 3 ‸4]", "[1‸; 2‸; 3]", "{\"a\" ‸1, \"b\" ‸2}", "{\"a\": ‸, \"b\": ‸}",
    "[1,‸, 2,‸, 3]", "{\"a\": 1,‸, \"b\": 2,‸}", "[[1,‸], [2,‸]]", "{\"a\"‸, \"b\"‸}", "{\"a\" ‸= 1, \"b\" ‸=> 2}",
    "{‸: 1, ‸: 2}", "{\"a\":‸: 1, \"b\":‸: 2}", "[[1 ‸[2] ‸{}, ‸,]]", "[1 ‸true ‸null]",
    "{\"a\" ‸\"b\": 1, ‸, \"c\" ‸2}",
    // Words and numbers.
    "[‸True, ‸NaN, tr‸U, 0‸1, 1.‸, ‸+1, ‸.5, -‸x, 1e‸]", "{\"a\": ‸yes, \"b\": n‸o}", "[‸undefined\n, ‸None\n]",
    // Keys and strings.
    "{‸a: 1, ‸b: 2, ‸'c': 3, ‸4: 5}", "[‸'a', ‸'b']", #"["\‸x", "\u12‸g", "‸\ud800", "C:\‸Users\Me"]"#,
    #"{"\‸x": 1, "\‸y": ‸}"#, "[\"a‸\tb\", \"c‸\u{1}d\"]",
    // Strings that are not closed on their line, and lines that are not understood.
    "{\"a\": \"x‸\n\"b\": \"y‸\n}", "{\"a\": \"x,‸\n\"b\": ‸,\n\"c\": 1}", "{\"a‸\n\"b\": 1 ‸\"c\": 2}",
    "{\"a\": \"say \"‸hi\" there\",\n\"b\": ‸}", "{\"a\": \"one‸\ntwo\nthree\",\n\"b\": ‸}", "{‸a\": 1,\n\"b\": ‸}",
    "{\"a\": ‸x y z,\n\"b\": ‸}", "{\"a\": \"x${y}‸\n\"b\": ‸}", "[‸@1,\n2 ‸3]", "{\"a\" ‸@ 1\n\"b\": ‸}",
    "{\"a\": 1 ‸\"b\",\n\"c\": ‸}", "{\"a\": \"\\u12‸, b \"c\n\"d\": ‸}",
    // Comments in strict JSON are reported once.
    "[1, ‸// one\n2, // two\n3 ‸4 /* three */]", "{ ‸/* one */ \"a\": /* two */ ‸}",
    "{\"a\": ‸// one\n1, \"b\": ‸}",
    // Mismatched brackets with one possible meaning.
    "[1‸}", "[[1‸}, 2 ‸3]", "{\"a\": {\"b\": 1‸], \"c\": ‸}", "{\"a\": 1‸]", "{\"a\": 1, ‸]",
  ])
  func `each error is reported once`(marked: String) {
    let (text, marks) = taken(marked)
    let read = ReadDocument(text)
    #expect(places(of: read).map(\.start) == marks, "\(read.findings)")
    #expect(!read.document.isComplete)
    #expect(read.problems == [])
  }

  @Test(arguments: [
    // A bracket may be missing, or superfluous, anywhere before.
    "{\"a\": [1‸}, \"b\": }", "{\"a\": \"x {‸\n\"b\": , }", "[‸@ [\n, ,]",
    // The rest of the line cannot be told from strings.
    "{\"a\": \"x\" ‸y \"b\": , }", "[1 ‸: 2, , 3]",
    // A quotation mark may begin the next string.
    #"{"a": "\u12‸, "b": 1, , }"#, #"{"a": "\‸, "b": 1, , }"#, "{\"a\": \"x‸\t, \"b\": , }",
    // In a list, the next line may be the rest of a string.
    "[\"a‸\nnull, , \"b\", 1]", "[\"a\\‸\nnull\", 1]",
    // Errors outside the root value.
    "‸x [1 2]", "[1] ‸, [1 2]", "‸\"a\n[1 2]".replacing("‸\"a", with: "\"a‸"),
  ])
  func `parsing stops if the intended meaning is uncertain`(marked: String) {
    let (text, marks) = taken(marked)
    let read = ReadDocument(text)
    #expect(places(of: read).map(\.start) == marks, "\(read.findings)")
    #expect(read.problems == [])
  }

  @Test func `the path of each error refers to its value`() {
    let read = ReadDocument(#"{"a": {"b": , "c": [1 2]}, "d": {"e" 1}, "f": "\x", "g": [}"#)
    #expect(places(of: read).map(\.path) == ["a.b", "a.c", "d.e", "f", "g"])
  }

  @Test func `invalid values after an error are reported, duplicate keys are not`() {
    let read = ReadDocument(#"{"a": 1, "a": 2, "b": , "n": null, "a": 3, "z": 1e999}"#)
    #expect(read.places.sorted() == ["101@22", "102@9", "103@29", "108@48"])
  }

  @Test func `of very many errors the first are reported`() {
    let read = ReadDocument("[" + String(repeating: "1 2, ", count: 10_000) + "3]")
    #expect(read.findings.count == SyntaxError.maximumCount + 1)
  }

  @Test(arguments: 0..<LongTests.size(100, full: 2_000))
  func `of separate errors each is reported once`(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let text = BrokenJSON(using: &random)
    let read = ReadDocument(text.text)
    let table = LineTable(Array(text.text.utf8))
    let lines = places(of: read).map { table.positions(of: [$0.start], in: Array(text.text.utf8))[0].line }
    for line in text.brokenLines {
      #expect(lines.contains { line...line + 1 ~= $0 }, "line \(line), found in \(lines) of\n\(text.text)")
    }
    #expect(lines.count == text.brokenLines.count, "\(read.findings.map(\.message)) in \(lines) of\n\(text.text)")
    #expect(read.problems == [])
  }

  /// Returns a text without its marks, and the byte offsets of the marks.
  private func taken(_ marked: String) -> (text: String, marks: [Int]) {
    let parts = marked.components(separatedByMark: "‸")
    var marks: [Int] = []
    var offset = 0
    for part in parts.dropLast() {
      offset += part.utf8.count
      marks.append(offset)
    }
    return (parts.joined(), marks)
  }

  /// Returns the offsets and paths of the syntax errors, in ascending order.
  private func places(of read: ReadDocument) -> [(start: Int, path: String)] {
    read.findings.compactMap { finding in
      guard case .bytes(_, let start, _, let path) = finding.place else { return nil }
      return (start, path)
    }
  }
}

extension String {
  /// Returns the parts between the occurrences of a mark.
  fileprivate func components(separatedByMark mark: Character) -> [String] {
    split(separator: mark, omittingEmptySubsequences: false).map(String.init)
  }
}

/// A random JSON object with one entry in each line. Some of the lines have one error each.
private struct BrokenJSON {
  /// The text.
  private(set) var text = ""
  /// The numbers of the lines with an error, from 1. Between two of them there is at least one valid entry.
  private(set) var brokenLines: [Int] = []

  private var line = 1
  /// The last line with a valid entry whose value is in one line.
  private var soundLine = 2
  private var count = 0

  init(using random: inout SeededRandom) {
    text = "{\n"
    addEntries(depth: 0, using: &random)
    text += "}\n"
  }

  private mutating func addEntries(depth: Int, using random: inout SeededRandom) {
    let entries = Int.random(in: 2...7, using: &random)
    for entry in 1...entries {
      let comma = entry == entries ? "" : ","
      count += 1
      line += 1
      let key = "\"key\(count)\""
      if depth < 4, Int.random(in: 0..<4, using: &random) == 0 {
        text += "\(key): {\n"
        addEntries(depth: depth + 1, using: &random)
        line += 1
        text += "}\(comma)\n"
      } else if (brokenLines.last ?? 0) < min(soundLine, line - 2), Int.random(in: 0..<3, using: &random) == 0 {
        brokenLines.append(line)
        text += BrokenJSON.broken(key, comma, using: &random) + "\n"
      } else {
        let value = ["1", "-2.5", "true", "\"text, {of}\"", "[1, 2]", "{}"].randomElement(using: &random) ?? ""
        text += "\(key): \(value)\(comma)\n"
        soundLine = line
      }
    }
  }

  /// Returns an entry with an error.
  private static func broken(_ key: String, _ comma: String, using random: inout SeededRandom) -> String {
    var lines = [
      "\(key) 1\(comma)", "\(key) \"x\"\(comma)", "\(key): \(comma)", "\(key) = 1\(comma)", "\(key)\(comma)",
      "\(key.dropLast()): 1\(comma)", "\(key.dropFirst()): 1\(comma)", "\(key.dropFirst().dropLast()): 1\(comma)",
      "'\(key.dropFirst().dropLast())': [1]\(comma)", "\(key): \"a\\qb\"\(comma)", "\(key): \"a\\u00zz\"\(comma)",
      "\(key): \"a\tb\"\(comma)", "\(key): True\(comma)", "\(key): 01\(comma)", "\(key): 1.\(comma)",
      "\(key): 'x'\(comma)", "\(key): nul\(comma)", "\(key): \"say \"hi\" there\"\(comma)",
      "\(key): \"open\(comma)", "\(key): open\"\(comma)", "\(key): [1 2]\(comma)", "\(key): [1,]\(comma)",
      "\(key): {\"a\": 1,}\(comma)", "\(key): \"\\ud800\"\(comma)", "\(key): 1;",
      "\(key): @home\(comma)", "\(key):: 1\(comma)",
    ]
    lines.append(comma.isEmpty ? "\(key): 1," : "\(key): 1")
    if !comma.isEmpty { lines.append("\(key): 1,,") }
    return lines.randomElement(using: &random) ?? ""
  }
}
