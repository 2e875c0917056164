// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct JSONSyntaxErrorTests {
  @Test(arguments: [
    // No text at all, or text that ends too early.
    "‸", " \n‸", "\u{FEFF}‸", "[‸", "{‸", "[1‸", "[1,‸", "{\"a\"‸", "{\"a\":‸", "{\"a\":1‸", "{\"a\":1,‸", "\"‸",
    "\"ab‸", "\"\\‸", "\"\\u‸", "\"\\u00‸", "\"\\ud800‸", "\"\\ud800\\‸", "\"\\ud800\\u‸", "-‸", "1.‸", "1e‸", "1e+‸",
    "t‸", "fals‸", "nul‸", "[[[‸", "\"eight bytes and more‸",
    // Brackets and commas.
    "‸]", "‸}", "[‸}", "{‸]", "[1‸}", "{\"a\":1‸]", "[1, ‸]", "[‸,1]", "[1,‸,2]", "{‸,}", "{\"a\":1,‸}",
    "{\"a\":1‸\"b\":2}", "[1 ‸2]", "[\"a\" ‸\"b\"]", "[1‸;2]", "[1‸:2]", "[]‸]", "{}‸}", "[] ‸[]", "1 ‸1",
    "{} ‸\u{FEFF}",
    // Keys and colons.
    "{‸1: 2}", "{‸a: 2}", "{‸'a': 2}", "{\"a\" ‸2}", "{\"a\"‸, \"b\": 1}", "{\"a\"‸= 1}", "{\"a\":‸:1}", "{‸[]: 1}",
    "{‸null: 1}", "{\"a\": ‸}", "{\"a\": 1, ‸b: 2}", "{\"a\"‸}",
    // Literals.
    "‸True", "‸FALSE", "‸None", "t‸RUE", "tru‸]", "tr‸eu", "nul‸x", "[nul‸]", "true‸e", "[true‸x]", "fa‸ke", "n‸an",
    "‸NaN", "‸Infinity", "-‸Infinity", "‸undefined", "‸yes",
    // Numbers.
    "‸+1", "‸.5", "1.‸", "[1.‸]", "1.‸e5", "1e‸x", "1e+‸-1", "1e-‸,", "0‸1", "-0‸0", "-‸a", "-‸-1", "-‸.5", "0‸00",
    "0‸x10", "1‸_000", "1‸,000", "1.5‸.2", "1e5‸e5", "1e5‸.2", "0.‸", "-0.‸", "1 ‸0", "‸１", "1‸a",
    // Escapes.
    #""\‸x""#, #""\‸'""#, #""\‸a""#, #""\‸U0041""#, #""\‸0""#, #""\u‸g000""#, #""\u00‸ 0""#, #""\u12‸""#,
    #""\u123‸""#, #""\ud800\u‸zzzz""#, "\"\\‸\n\"", #""\‸é""#, #""abc\‸v""#,
    // Syntax of other languages: strings, comments and other tokens.
    "‸'a'", "‸`a`", "[‸'a']", "‸// x", "‸/* x */ 1", "1 ‸// x", "‸# x", "[1, ‸// x\n2]", "[1 ‸/* x */, 2]", "‸(1)",
    "‸<a/>", "-‸-- 1", "-‸ a", "[‸a]", "‸é", "[‸é]", "‸@1", "‸$x", "[1] ‸x", "{}‸,", "‸\\u0041", "\"a\"‸b", "‸_",
    "‸*", "[‸*]",
    // Whitespace that JSON does not allow, and control characters between tokens.
    "[‸\u{B}1]", "‸\u{C}1", "[1‸\u{A0}]", "‸\u{2028}1", "1‸\u{0}", "‸\u{0}", "[‸\u{7F}]", "[]‸\u{3000}",
    " ‸\u{FEFF}1",
  ])
  func `a syntax error is located at the first invalid character`(marked: String) throws {
    let text = MarkedText(marked)
    let read = ReadDocument(text.bytes)
    let finding = try #require(read.findings.last)
    #expect(finding.code == .syntaxError)
    guard case .bytes(_, let start, let end, _) = finding.place else {
      Issue.record("the finding stands at \(finding.place)")
      return
    }
    #expect(start == text.offset)
    let rest = String(decoding: text.bytes[start...], as: UTF8.self).unicodeScalars
    #expect(end - start == (rest.first.map { String($0).utf8.count } ?? 0))
    #expect(!read.document.isComplete)
    #expect(read.findings.count == 1)
  }
}
