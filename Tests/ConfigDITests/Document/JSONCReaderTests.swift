// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct JSONCReaderTests {
  @Test(arguments: [
    ("// a\n{} // b", "{}"),
    ("/* a */{/* b */\"k\"/* c */:/* d */1/* e */,/* f */}/* g */", #"{"k": 1}"#),
    ("[1,/**/2,/***/3,/* * / **/]", "[1, 2, 3]"),
    ("[1 // é 😀 \t\u{1}\n,2,]", "[1, 2]"),
    ("{\"a\": [1,], \"b\": {\"c\": 2,},}", #"{"a": [1], "b": {"c": 2}}"#),
    ("{\"u\": \"http://x/*y*/ // z\"}", #"{"u": "http://x/*y*/ // z"}"#),
    ("[[],{},]//", "[[], {}]"),
    ("\u{FEFF}// a\r\n[]", "[]"),
    ("// a\r[]\n1", "1"),
  ])
  func `comments and trailing commas are skipped`(text: String, outline: String) {
    let read = ReadDocument(text, as: .jsonc)
    #expect(read.findings.isEmpty)
    #expect(read.outline == outline)
    #expect(read.problems == [])
  }

  @Test(arguments: [
    "[‸,]", "{‸,}", "[1,‸,]", "{\"a\":1,‸,}", "[1,‸}", "{\"a\":1,‸]", "/‸", "/‸x", "[1 /‸ 2]", "/*‸", "/* *‸", "/* /‸",
    "{} /* x ‸", "// x‸", "1‸, /**/", "[1,‸", "[1,//‸", "‸# x", "‸*/", "/* */‸*/ 1", "[1 //‸", "{\"a\" /**/‸}",
  ])
  func `a syntax error is located at the first invalid character`(marked: String) throws {
    let text = MarkedText(marked)
    let read = ReadDocument(text.bytes, as: .jsonc)
    #expect(read.places == ["101@\(text.offset)"])
    #expect(read.problems == [])
  }

  @Test func `a comment must be UTF-8`() {
    #expect(ReadDocument(Array("// a".utf8) + [0xFF], as: .jsonc).places == ["104@4"])
    #expect(ReadDocument(Array("/*".utf8) + [0xC3] + Array("*/ 1".utf8), as: .jsonc).places == ["104@2"])
  }

  @Test func `valid JSON has the same meaning`() {
    var random = SeededRandom(seed: 11)
    for _ in 0..<300 {
      let text = RandomJSON(using: &random).bytes
      let strict = ReadDocument(text)
      let lenient = ReadDocument(text, as: .jsonc)
      #expect(lenient.outline == strict.outline)
      #expect(lenient.places == strict.places)
    }
  }

  @Test func `an endless comment and many short ones take linear time`() {
    let count = 1 << 20
    #expect(ReadDocument("/*" + String(repeating: "*", count: count), as: .jsonc).places == ["101@\(count + 2)"])
    let many = String(repeating: "/**/", count: count / 4) + "1"
    #expect(ReadDocument(many, as: .jsonc).outline == "1")
  }
}
