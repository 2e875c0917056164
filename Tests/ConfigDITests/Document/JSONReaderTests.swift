// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct JSONReaderTests {
  @Test(arguments: [
    (" { } ", "{}"),
    ("[\t]\r\n", "[]"),
    ("\u{FEFF}[]", "[]"),
    (#""""#, #""""#),
    (#"{"a": {"b": [1, [2], {}]}, "": "x"}"#, #"{"a": {"b": [1, [2], {}]}, "": "x"}"#),
    ("[true,false]", "[true, false]"),
    ("[0, -0, 12, -12]", "[0, 0, 12, -12]"),
    ("[9223372036854775807, -9223372036854775808]", "[9223372036854775807, -9223372036854775808]"),
    ("[0.5, -0.0, 1e3, 1E+3, 1e-3, 1.25e2]", "[0.5, -0.0, 1000.0, 1000.0, 0.001, 125.0]"),
    ("[1e-400, 0e9999999999999999999, -1e-99999999999999999999]", "[0.0, 0.0, -0.0]"),
    ("[1.7976931348623157e308, 5e-324]", "[1.7976931348623157e+308, 5e-324]"),
    (
      "[9007199254740993.0, 0.1, 123456789012345678901234567890.0]",
      "[9007199254740992.0, 0.1, 1.2345678901234568e+29]"
    ),
    ("[2.2250738585072011e-308, 8.5e22, 1e23]", "[2.225073858507201e-308, 8.5e+22, 1e+23]"),
    (#"["\"\\\/\b\f\n\r\t"]"#, "[\"\"\\/\u{8}\u{C}\n\r\t\"]"),
    (#"["\u00e9\u00E9\ud83d\uDE00x\u0000"]"#, "[\"éé😀x\0\"]"),
    (#"{"se\u0072vices": "é 日本 👩‍💻 and eight bytes"}"#, #"{"services": "é 日本 👩‍💻 and eight bytes"}"#),
    (#"["http://host/*path*/x // y", "a\u007fb"]"#, "[\"http://host/*path*/x // y\", \"a\u{7F}b\"]"),
    (
      "\"\u{10FFFF}\u{FFFF}\u{D7FF}\u{E000}\u{80}\u{7FF}\u{800}\u{10000}\"",
      "\"\u{10FFFF}\u{FFFF}\u{D7FF}\u{E000}\u{80}\u{7FF}\u{800}\u{10000}\""
    ),
  ])
  func `a text of RFC 8259 is read without changes`(text: String, outline: String) {
    let read = ReadDocument(text)
    #expect(read.outline == outline)
    #expect(read.findings.isEmpty)
    #expect(read.document.isComplete)
  }
}
