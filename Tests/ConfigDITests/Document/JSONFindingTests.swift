// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct JSONFindingTests {
  @Test(arguments: [
    // Unpaired surrogates; the position is that of the backslash.
    #"["‸\ud800"]"#, #"["‸\ud800x"]"#, #"["‸\ud800\n"]"#, #"["‸\udc00"]"#, #"["ab‸\udfff\ud800"]"#,
    #"["‸\ud800\u0041"]"#,
    #"["‸\ud800\ud800\udc00"]"#, #"{"‸\udc00": 1}"#,
    // Control characters in strings.
    "[\"‸\u{0}\"]", "[\"eight by‸\u{1F}tes\"]", "[\"a‸\n\"]", "\"‸\r\n\"", "\"\\n‸\t\"", "\"‸\u{8}", "{\"‸\n\": 1}",
  ])
  func `a forbidden character is located at its first byte`(marked: String) {
    let text = MarkedText(marked)
    #expect(ReadDocument(text.bytes).places == ["104@\(text.offset)"])
  }

  @Test(
    arguments: [
      [0xFF], [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
      [0xED, 0xA0, 0x80],
      [0xED, 0xBF, 0xBF], [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98],
      [0xF0, 0x28, 0x8C, 0xBC],
    ] as [[UInt8]])
  func `invalid UTF-8 is reported at any position`(bytes: [UInt8]) {
    #expect(ReadDocument(Array("[\"a".utf8) + bytes + Array("\"]".utf8)).places == ["104@3"])
    #expect(ReadDocument(Array("[\"".utf8) + Array("1234567890é".utf8) + bytes).places == ["104@14"])
    #expect(ReadDocument(Array("[\"\\n".utf8) + bytes + Array("\"]".utf8)).places == ["104@4"])
    #expect(ReadDocument(Array("[1,".utf8) + bytes + Array("]".utf8)).places == ["104@3"])
    #expect(ReadDocument(bytes).places == ["104@0"])
  }

  @Test func `null is reported and reading continues`() {
    let read = ReadDocument(#"{"a": null, "b": [1, null], "c": 2}"#)
    #expect(read.places == ["103@6", "103@21"])
    #expect(read.outline == #"{"a": !, "b": [1, !], "c": 2}"#)
    #expect(read.document.isComplete)
  }

  @Test(arguments: [
    "9223372036854775808", "-9223372036854775809", "12345678901234567890", "18446744073709551616",
    "99999999999999999999999",
    "1e400", "-1e400", "1.8e308", "1e99999999999999999999", "100000000000000000000e999",
  ])
  func `a number out of range is reported and reading continues`(number: String) {
    let read = ReadDocument("[1, \(number), 2]")
    #expect(read.places == ["108@4"])
    #expect(read.outline == "[1, !, 2]")
    #expect(read.document.isComplete)
    #expect(read.document.range(of: 2) == (4, 4 + number.utf8.count))
  }

  @Test func `nesting is limited by the number of open brackets`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(ReadDocument(nested(128)).places == [])
    #expect(ReadDocument(nested(129)).places == ["105@128"])
    #expect(ReadDocument(nested(1_000_000)).places == ["105@128"])
    #expect(ReadDocument("[{\"a\": []}]", limits: Limits(nesting: 2)).places == ["105@7"])
    #expect(ReadDocument("[[], [], {}]", limits: Limits(nesting: 2)).places == [])
    #expect(ReadDocument("[[], [{}]]", limits: Limits(nesting: 2)).places == ["105@6"])
  }

  @Test func `a text over the limit is not read`() {
    #expect(ReadDocument("[1]", limits: Limits(fileSize: 3)).places == [])
    let read = ReadDocument("[1] ", limits: Limits(fileSize: 3))
    #expect(read.places == ["106@0"])
    #expect(!read.document.isComplete)
    #expect(read.document.nodes.isEmpty)
  }

  @Test(arguments: [
    (#"[1, ]"#, #"unexpected "]", expected a value"#, "remove the trailing comma"),
    (#"{"a": 1, }"#, #"unexpected "}", expected a key in double quotes"#, "remove the trailing comma"),
    ("{'a': 1}", #"unexpected "'", expected a key in double quotes"#, "keys and strings are written in double quotes"),
    (#"{"a" "b"}"#, #"unexpected quotation mark, expected ":""#, nil),
    (#"{"a": 1"#, #"unexpected end of file, expected "," or "}""#, nil),
    ("// x", #"unexpected "/", expected a value"#, "comments are allowed in JSONC (.jsonc), not in JSON"),
    ("True", #"unexpected "T", expected a value"#, "true and false are written in lower case"),
    ("NaN", #"unexpected "N", expected a value"#, "JSON has no such number"),
    ("[1.5.5]", #"unexpected ".", expected "," or "]""#, nil),
    ("[.5]", #"unexpected ".", expected a value"#, "a number needs a digit before the decimal point"),
    ("[1\u{A0}]", #"unexpected character U+00A0, expected "," or "]""#, nil),
    (
      "\"a\nb\"", "line break is not allowed in a string",
      #"close the string on the same line, or write \n for a line break"#
    ),
    ("\"a\tb\"", "control character U+0009 is not allowed in a string", #"write \u0009"#),
    (
      #""\ud800""#, #"unpaired surrogate "\ud800""#,
      "write the character itself, or both halves of the pair"
    ),
    ("[] x", #"unexpected "x", expected the end of the file"#, nil),
  ])
  func `a message describes the error, a help line the solution`(text: String, message: String, help: String?) throws {
    let finding = try #require(ReadDocument(text).findings.first)
    #expect(finding.message == message)
    #expect(finding.help == help)
  }

  @Test(arguments: [
    ("[1, ]", 2), ("{\"a\": 1\n,\n }", 8), ("[1}", nil), ("[1, }", nil), ("{\"a\": 1, ]", nil), ("[ ,]", nil),
  ])
  func `the fix of a trailing comma removes it`(text: String, comma: Int?) throws {
    let finding = try #require(ReadDocument(text).findings.first)
    #expect(finding.replacement == comma.map { .deletion($0..<$0 + 1) })
  }

  @Test(arguments: [
    (#"{"services": {"a": {"type": tru"#, "services.a.type"), (#"{"services": {"a": {"type""#, "services.a.type"),
    (#"{"services": {"a": {"type": 1"#, "services.a"), (#"{"a": [1, {"b": 2}, [3, x]]}"#, "a[2]"), ("[1] 2", ""),
    (#"{"a": {"b": 1}, "c.d": {"e": +}}"#, #"["c.d"].e"#), (#"{"a": "\ud800"}"#, "a"), ("x", ""),
  ])
  func `a fatal error has the path of its position`(text: String, expected: String) {
    guard case .bytes(_, _, _, let path)? = ReadDocument(text).findings.first?.place else {
      Issue.record("no finding for the bytes")
      return
    }
    #expect(path == expected)
  }

  @Test(arguments: [
    ("[1, 2, x", "[1, 2]"), (#"{"a": 1, "b": {"c": [1, "#, #"{"a": 1, "b": {"c": [1]}}"#), (#"{"a""#, #"{"a": !}"#),
    (#"{"a": {"b": "#, #"{"a": {"b": !}}"#), ("[[1], [2], [", "[[1], [2], []]"), ("[null, x", "[!]"),
  ])
  func `a truncated text is a tree up to its end`(text: String, outline: String) {
    let read = ReadDocument(text)
    #expect(read.outline == outline)
    #expect(read.problemsOfForm == [])
    #expect(!read.document.isComplete)
  }
}
