// SPDX-License-Identifier: Apache-2.0
#if YAML
  import ConfigDIYAML
  import Testing
  import _ConfigDITestSupport

  @testable import ConfigDI

  @Suite struct YAMLReaderTests {
    @Test(arguments: [
      ("{}", "{}"), ("[]", "[]"), ("--- {a: 1}\n...\n", #"{"a": 1}"#), ("\u{FEFF}a: 1", #"{"a": 1}"#),
      ("# a\r\na: 1 # b\r\nb: # c\r\n  - 1\r\n  - d: 2\r\n    e: 3\r\n", #"{"a": 1, "b": [1, {"d": 2, "e": 3}]}"#),
      ("b: 1\na:\n- x\n- - y\n", #"{"b": 1, "a": ["x", ["y"]]}"#), ("{a: [1, {b: 2}]}", #"{"a": [1, {"b": 2}]}"#),
      ("? a\n: b\n", #"{"a": "b"}"#), ("? |\n  long\n: b\n", "{\"long\n\": \"b\"}"),
      ("'<<': {a: 1}", #"{"<<": {"a": 1}}"#), ("!!str <<: {a: 1}", #"{"<<": {"a": 1}}"#),
      ("{\"a\": 1, 'b': \"\\u00e9\\n\"}", "{\"a\": 1, \"b\": \"é\n\"}"), ("%YAML 1.2\n---\na: 1", #"{"a": 1}"#),
      ("a: |\n  x\n   y\n\n", "{\"a\": \"x\n y\n\"}"), ("a: >-\n  x\n  y\n", #"{"a": "x y"}"#),
      ("a: 'it''s'", #"{"a": "it's"}"#),
      ("a: x\n  y", #"{"a": "x y"}"#), ("a: ${b}", #"{"a": "${b}"}"#), ("a: http://x/#y", #"{"a": "http://x/#y"}"#),
    ])
    func `a document is read`(text: String, outline: String) {
      let read = ReadDocument(yaml: text)
      #expect(read.findings.isEmpty)
      #expect(read.outline == outline)
      #expect(read.problems == [])
    }

    @Test(arguments: [
      ("no", "\"no\""), ("yes", "\"yes\""), ("on", "\"on\""), ("true", "true"), ("True", "true"), ("FALSE", "false"),
      ("tRue", "\"tRue\""),
      ("0", "0"), ("-7", "-7"), ("+7", "7"), ("017", "17"), ("0o17", "15"), ("0x1F", "31"), ("0X1F", "\"0X1F\""),
      ("-0x1", "\"-0x1\""),
      ("0b1", "\"0b1\""), ("1_000", "\"1_000\""), ("1:30", "\"1:30\""), ("2001-01-01", "\"2001-01-01\""),
      ("0o8", "\"0o8\""),
      ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
      ("1.5", "1.5"), (".5", "0.5"), ("1.", "1.0"), ("-1e3", "-1000.0"), ("+.5E-1", "0.05"), ("1e", "\"1e\""),
      (".", "\".\""),
      ("e1", "\"e1\""), ("0x7FFFFFFFFFFFFFFF", "9223372036854775807"), ("\"1\"", "\"1\""), ("'true'", "\"true\""),
      ("'~'", "\"~\""),
      ("!!str 1", "\"1\""), ("! 1", "\"1\""), ("!!int '1'", "1"), ("!!float 1", "1.0"), ("!!bool true", "true"),
      ("!!map {}", "{}"),
      ("!!seq [1]", "[1]"), ("!<tag:yaml.org,2002:str> 1", "\"1\""), ("&a 1", "1"), ("&a !!str 1", "\"1\""),
    ])
    func `a scalar is resolved by the core schema`(text: String, outline: String) {
      let read = ReadDocument(yaml: "[\(text)]")
      #expect(read.findings.isEmpty)
      #expect(read.outline == "[\(outline)]")
    }

    @Test(arguments: [
      ("a: ~", 103, 3), ("a: null", 103, 3), ("a: Null", 103, 3), ("a:", 103, 2), ("a:\nb: 1", 103, 2),
      ("- \n- 1", 103, 1), ("~", 103, 0),
      ("!!null ''", 103, 7), ("a: 9223372036854775808", 108, 3), ("a: 0x8000000000000000", 108, 3),
      ("a: 1e400", 108, 3), ("a: .inf", 108, 3),
      ("a: -.INF", 108, 3), ("a: .NaN", 108, 3), ("a: !!float 1e999", 108, 11), ("a: 1\nb: 2\na: 3", 102, 10),
      ("{a: 1, \"\\x61\": 2}", 102, 7),
      ("1: a", 202, 0), ("true: a", 202, 0), ("~: a", 202, 0), ("? [a, b]\n: c\n", 202, 2), ("? {a: [b]}\n: c", 202, 2),
      ("{1.5: a}", 202, 1),
      ("!!int 1: a", 202, 6), ("<<: {a: 1}", 201, 0), ("a: &x {b: 1}\nc:\n  <<: *x\n  d: 2", 201, 18), ("é: ~", 103, 4),
    ])
    func `reading continues after unsupported values`(text: String, code: Int, offset: Int) {
      let read = ReadDocument(yaml: text)
      #expect(read.places == ["\(code)@\(offset)"])
      #expect(read.document.isComplete)
      #expect(read.problems == [])
    }

    @Test func `non-string keys are skipped with their values`() {
      #expect(ReadDocument(yaml: "a: 1\n2: {b: 3}\n? [c]\n: d\ne: 4").outline == #"{"a": 1, "e": 4}"#)
      #expect(ReadDocument(yaml: "1: {e}\n? [f]\n: g").problems == [])
      #expect(ReadDocument(yaml: "? :").problems == [])
    }

    @Test(arguments: [
      ("values: {8080: a}", "8080"), ("services: {a: {inject: {x: {map: {true: b}}}}}", "true"),
      ("values: [{a: {1.5: b}}]", "1.5"), ("services: {true: {}}", "true"), ("services: {1: {}}", nil),
      ("services: {a: {-1: b}}", nil), ("? [a]\n: b", nil), ("1: a", nil),
    ])
    func `the fix of a non-string key is quoted if that gives a name`(text: String, key: String?) {
      let finding = ReadDocument(yaml: text).findings.first
      #expect(finding?.code == .wrongKind)
      #expect(finding?.replacement == key.map { .string($0) })
    }

    @Test func `quoting a key is no fix if that shows a secret or repeats a key`() {
      let text = """
        configdi: 1
        module: app
        parameters:
          token: {secret: true, value: {4711: x}}
        services:
          a: {type: A, values: {t: '${token}', m: {1: a, "1": b}, n: {2: a}}}
        """
      let check = ModuleCheck(
        checking: ModuleRequest(entry: .file("app.yaml"), syntaxes: [.yaml]), environments: nil,
        files: MemoryFiles(texts: ["app.yaml": text]))
      let findings = check.diagnostics.filter { $0.code == .wrongKind }
      #expect(findings.map { $0.fixes.map(\.text) } == [[], [], ["\"2\""]])
    }

    @Test(arguments: [
      ("{type:B, scope: weak}", 7), ("{scope: weak, type:B}", 20), ("{type:B }", 8), ("[{a:b:c}]", 7),
    ])
    func `a colon without a space after it is one error`(text: String, offset: Int) {
      let read = ReadDocument(yaml: text)
      #expect(read.places == ["103@\(offset)"])
      #expect(read.findings.first?.help == "put a space after the colon")
      #expect(read.problems == [])
    }

    @Test(arguments: ["{a:b: }", "{'a:b'}", "a:b:\n", "? a:b\n", "{ab}", "{a:b: ~}"])
    func `a key that contains a colon and has no value is no such error`(text: String) {
      let finding = ReadDocument(yaml: text).findings.first
      #expect(finding?.code == .nullValue && finding?.help != "put a space after the colon")
    }

    @Test(arguments: [
      ("b: {type:B, scope: weak}", [["CDI0103", "services.b[\"type:B\"]"]]),
      ("m: &m {type: B}\n  a: {<<: *m}", [["CDI0201", "services.a[\"<<\"]"]]),
      ("a: {type: A, inject: {<<: {}}, values: {x: {service: ghost}}}", [["CDI0201", "services.a.inject[\"<<\"]"]]),
      ("<<: {}\n  a: {type: A, inject: {b: b}}", [["CDI0201", "services[\"<<\"]"]]),
    ])
    func `consequences of an unreadable part are not reported`(services: String, expected: [[String]]) {
      let files = MemoryFiles(texts: ["app.yaml": "configdi: 1\nmodule: app\nservices:\n  \(services)\n"])
      let check = ModuleCheck(
        checking: ModuleRequest(entry: .file("app.yaml"), syntaxes: [.yaml]), environments: nil, files: files)
      #expect(check.diagnostics.map { [$0.code.description, $0.path] } == expected)
      #expect(check.diagnostics.allSatisfy { $0.fixes.isEmpty })
    }

    @Test(arguments: [
      ("a: !!int b", "value does not match tag \"!!int\""), ("a: !!set {}", "unsupported tag \"!!set\""),
      ("a: !foo b", "unsupported tag \"!foo\""),
    ])
    func `a tag is shown as in the file`(text: String, message: String) {
      #expect(ReadDocument(yaml: text).findings.map(\.message) == [message])
    }

    @Test func `half of a surrogate pair is a forbidden character, and a pair of escapes has a help`() {
      for text in [#""x\ud83d""#, #""x\ude00""#, #""x\ud83d\u0041""#, #""x\ud83dy\ude00""#] {
        #expect(ReadDocument(yaml: text).places == ["104@2"])
      }
      let read = ReadDocument(yaml: #"a: "\ud83d\ude00""#)
      #expect(read.places == ["101@4"])
      #expect(read.findings.first?.help == #"write \U0001F600, or the character itself"#)
      #expect(ReadDocument(yaml: #""\U0001F600""#).outline == "\"😀\"")
    }

    @Test func `text after an anchor or a tag is not removed`() {
      func text(removing keys: [String], from text: String) -> String {
        let document = ReadDocument(yaml: text).document
        let nodes = document.nodes.indices.map(UInt32.init).filter { node in
          keys.contains(document.text(of: node)) && document.copies(in: node..<node + 1).isEmpty
        }
        var bytes = document.source.bytes
        for removal in document.removals(of: Set(nodes)).sorted(by: { $0.start > $1.start }) {
          bytes.removeSubrange(removal.start..<removal.end)
        }
        return String(decoding: bytes, as: UTF8.self)
      }
      for kept in [
        "{x: &one 1, b: *one}", "{&k x: 1, b: *k}", "{x: {y: [&one 1]}, b: *one}", "{x: 1, &k c: *k}",
        "[x, &one 1, *one]", "[x, !!str 1]", "[!!str x, 1]",
      ] {
        #expect(text(removing: ["x"], from: kept) == kept)
      }
      #expect(text(removing: ["x"], from: "[&one [x], *one, x]") == "[&one [], *one]")
      #expect(text(removing: ["x"], from: "{x: 1, b: &one 2, c: *one}") == "{b: &one 2, c: *one}")
      let nested = "{a: 1, x: 1, &k c: 2, d: {x: 2, e: 3}}"
      #expect(text(removing: ["x"], from: nested) == nested.replacing("{x: 2, ", with: "{"))
    }

    @Test(arguments: [
      "‸", "# a‸", "a: 1\n‸---\nb: 2", "a: 1\n...\n‸---\n{}", "[1‸", "{a: 1‸", "a: [1, 2\nb‸: 3", "a: ‸*b",
      "a: &b [‸*b]", "a: ‸%x", "a: ‸@x",
      "a: b‸: c", "\"a‸", "a: ‸!foo b", "a: ‸!!binary AAEC", "a: ‸!!set {}", "a: ‸!!str []", "a: !!int ‸b",
      "a: !!bool ‸1", "a: \"\\‸q\"", "a: \"\\‸é\"",
      "a: \"\\‸", "\"\\u00‸gf\"", "\"\\x4‸\"", "\"\\U0001F6‸ \"",
      "a: ‸!!map b", "  a: 1\n‸b: 2",
    ])
    func `a syntax error ends reading at its position`(marked: String) {
      let parts = marked.utf8.split(separator: Array("‸".utf8), maxSplits: 1, omittingEmptySubsequences: false)
      let read = ReadDocument(yaml: parts.flatMap { Array($0) })
      #expect(read.places == ["101@\(parts[0].count)"])
      #expect(!read.document.isComplete)
      #expect(read.problems == [])
    }

    @Test(
      arguments: [
        ([0x61, 0x3A, 0x20, 0xFF], 3), ([0x22, 0x01, 0x22], 1), ([0x23, 0x7F], 1), ([0x61, 0xC2, 0x80], 1),
        ([0xFE, 0xFF], 0),
        ([0x61, 0x3A, 0xEF, 0xBF, 0xBE], 2), ([0x61, 0x00], 1),
      ] as [([UInt8], Int)])
    func `unsupported YAML is reported at its position`(bytes: [UInt8], offset: Int) {
      let read = ReadDocument(yaml: bytes)
      #expect(read.places == ["104@\(offset)"])
      #expect(read.problems == [])
    }

    @Test func `a token is the scalar with its quotes, or the first character of a collection`() {
      let text = "é: 'a'\n\"b\": [ 1.5 , x y ] # c\nd:\n  - |\n    e\n    f\n\n  - &g !!str h\n  - *g\n  - i: {}\n"
      #expect(
        ReadDocument(yaml: text).tokens == [
          String(decoding: [0xC3], as: UTF8.self), "é", "'a'", "\"b\"", "[", "1.5", "x y", "d", "-",
          "|\n    e\n    f", "h", "*g", "i", "i", "{",
        ])
    }

    @Test func `a token begins after its anchor and its tag`() {
      let text = "- &a {}\n- &e\n- [&b , !!str , &c !!str d]\n- !<tag:yaml.org,2002:str> e\n- &d # f\n  - g\n"
      #expect(ReadDocument(yaml: text).tokens == ["-", "{", "", "[", "", "", "d", "e", "-", "g"])
      #expect(ReadDocument(yaml: "&a # b\r# c\u{85}\u{2028}d: 1").tokens == ["d", "d", "1"])
      #expect(ReadDocument(yaml: "!!map\n!!str a: 1").tokens == ["!", "a", "1"])
    }

    @Test func `columns count characters`() {
      let files = MemoryFiles(texts: [
        "app.yaml": "configdi: 1\nmodule: app\nservices:\n  a: {doc: \"😀 é 日本\", colour: 1, type: A}\n"
      ])
      let check = ModuleCheck(
        checking: ModuleRequest(entry: .file("app.yaml"), syntaxes: [.yaml]), environments: nil, files: files)
      #expect(check.diagnostics.map(\.code) == [.unknownKey])
      #expect(check.diagnostics.first?.location.start == SourcePosition(line: 4, column: 22))
      #expect(check.diagnostics.first?.location.end == SourcePosition(line: 4, column: 28))
    }
  }

  @Suite struct YAMLAliasTests {
    @Test func `an alias refers to the latest definition of the anchor`() {
      let read = ReadDocument(yaml: "a: &x {k: [1, b]}\nb: *x\nc: &y d\n*y : 1\ne: &x 2\nf: *x\ng: &k h\n")
      #expect(read.findings.isEmpty)
      #expect(
        read.outline == #"{"a": {"k": [1, "b"]}, "b": {"k": [1, "b"]}, "c": "d", "d": 1, "e": 2, "f": 2, "g": "h"}"#)
      #expect(ReadDocument(yaml: "&a k: *a").outline == #"{"k": "k"}"#)
      #expect(ReadDocument(yaml: "a: &x [1]\n*x : 2").places == ["202@10"])
    }

    /// A key that is not a string is skipped. An alias of it, used as a value, has the value of its text.
    @Test(arguments: [
      ("? &k 5\n: a\nb: *k", #"{"b": 5}"#, ["202@5"]), ("[&k true: a, *k]", #"[{}, true]"#, ["202@4"]),
      ("&k <<: {}\nb: *k", #"{"b": "<<"}"#, ["201@3"]), ("&k 5: a\n*k : b", "{}", ["202@3", "202@8"]),
      ("[?&k ,[*k]]", "[{}, [!]]", ["202@4", "103@5", "103@7"]),
    ])
    func `an alias of a key as a value is the text of the key`(text: String, outline: String, places: [String]) {
      let read = ReadDocument(yaml: text)
      #expect(read.outline == outline)
      #expect(read.places == places)
      #expect(read.document.problemsOfForm(hasBlocks: true) == [])
    }

    @Test func `an error in an anchor's node is reported once`() {
      #expect(ReadDocument(yaml: "a: &x {k: ~, l: 1, l: 2}\nb: *x\nc: *x").places == ["103@10", "102@19"])
    }

    @Test func `findings about an aliased node are located at the alias`() {
      let read = ReadDocument(yaml: "a: &x {k: 1}\nb: *x")
      #expect(read.document.path(of: 7) == "b.k")
      #expect(read.document.range(of: 7) == (16, 18))
    }

    @Test func `nested aliases end at the limit of the file size, at the alias`() {
      var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
      for level in 1...30 {
        text +=
          "a\(level): &a\(level) [" + Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ") + "]\n"
      }
      let read = ReadDocument(yaml: text)
      #expect(read.findings.map(\.code) == [.tooLarge])
      let start = ReadDocument.start(of: read.findings[0].place, in: read.document)
      #expect(text.utf8.dropFirst(start).first == UInt8(ascii: "*"))
      #expect(read.document.nodes.count < 17 << 20)
    }

    @Test func `aliases as keys end at the limit of the file size`() {
      let key = String(repeating: "k", count: 1 << 20)
      let text = "key: &k \(key)\nlist:\n" + String(repeating: "- {*k : 1}\n", count: 40)
      let read = ReadDocument(yaml: text)
      #expect(read.findings.map(\.code) == [.tooLarge])
    }

    @Test func `nested aliases end at the limit of nesting`() {
      var text = "a0: &a0 [x]\n"
      for level in 1...200 { text += "a\(level): &a\(level) [*a\(level - 1)]\n" }
      let read = ReadDocument(yaml: text)
      #expect(read.findings.map(\.code) == [.nestedTooDeeply])
    }

    @Test func `secrets in an anchor's node are masked`() {
      let text = """
        configdi: 1
        module: app
        x-pass: &pass hunter2
        parameters:
          pw: {value: *pass, secret: true}
        servces: {}
        """
      let files = MemoryFiles(texts: ["app.yaml": text])
      let check = ModuleCheck(
        checking: ModuleRequest(entry: .file("app.yaml"), syntaxes: [.yaml]), environments: nil, files: files)
      let shown = check.renderer().text(of: check.diagnostics)
      #expect(shown.contains("unknown key \"servces\""))
      #expect(!shown.contains("hunter2"))
    }
  }

  @Suite struct YAMLLimitTests {
    @Test(arguments: ["[", "- ", "{a: ", "? ", "[{a: ", "- - "])
    func `nesting ends at the limit, for any depth of the text`(opening: String) {
      let read = ReadDocument(yaml: String(repeating: opening, count: 100_000))
      #expect(read.findings.last?.code == .nestedTooDeeply)
      #expect(read.problems == [])
    }

    @Test func `the limit is that of all syntaxes`() {
      let limits = Limits(nesting: 3)
      #expect(ReadDocument(yaml: "a: [[1]]", limits: limits).findings.isEmpty)
      #expect(ReadDocument(yaml: "a: [[{}]]", limits: limits).places == ["105@5"])
      #expect(
        ReadDocument(yaml: String(repeating: "[", count: 1_200), limits: Limits(nesting: 1_024)).findings.map(\.code)
          == [.nestedTooDeeply])
    }

    @Test(arguments: [
      ("a: \"", "x "), ("#", "é"), ("a: |\n", "  x\n"), ("[", "a,"), ("", "%TAG !a! b\n"), ("", "\n"), ("a: ", "b "),
      ("", "---\n"), ("{", "a: *b,"), ("&", "a"), ("", "&a "), ("", "? a\n"), ("!<", "a"),
    ])
    func `hostile texts take linear time`(start: String, part: String) {
      let text = start + String(repeating: part, count: (1 << 20) / part.utf8.count)
      #expect(ReadDocument(yaml: text).problemsOfForm == [])
      // `>` closes a verbatim tag.
      #expect(ReadDocument(yaml: text + "> b").problemsOfForm == [])
    }

    @Test(arguments: ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"])
    func `each line break of the parser ends a tag`(lineBreak: String) {
      let read = ReadDocument(yaml: "!\(lineBreak)? a\n")
      #expect(read.problems == [])
      #expect(read.document[0].start == 1 + lineBreak.utf8.count)
    }

    @Test func `a text truncated anywhere is handled`() {
      let text =
        "%YAML 1.2\n---\na: &x [1, 'b', \"c\\u00e9\", {d: ~}]\ne: *x\nf: !!str >-\n  g\n  h\n? i\n: |\n j\n...\n"
      let bytes = Array(text.utf8)
      for count in 0...bytes.count { #expect(ReadDocument(yaml: Array(bytes[..<count])).problems == [], "\(count)") }
    }

    @Test func `any changed byte is handled`() {
      let bytes = Array("a: &x [1, 'b', {c: ~}]\nd: *x\ne: !!str >-\n  f\n? g\n: - h\n".utf8)
      for place in bytes.indices {
        for byte in Array("\n :-?*&!|>'\"[]{},#%@`\t0a".utf8) {
          var changed = bytes
          changed[place] = byte
          #expect(ReadDocument(yaml: changed).problems == [], "\(place) \(byte)")
        }
      }
    }
  }
#endif
