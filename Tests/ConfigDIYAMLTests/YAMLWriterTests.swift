// SPDX-License-Identifier: Apache-2.0
#if YAML
  import ConfigDIYAML
  import Testing
  import _ConfigDITestSupport

  @testable import ConfigDI
  @testable import ConfigDITooling

  @Suite struct YAMLWriterTests {
    /// Returns the document of a text in JSON.
    private static func document(_ json: String) -> Document {
      var bag = DiagnosticBag()
      return Document(reading: SourceFile(name: "", text: json), file: FileID(0), syntax: .json, bag: &bag)
    }

    @Test func `the text has block style and necessary quotes only`() {
      let document = YAMLWriterTests.document(
        #"{"type": "Cache<String, Data>", "on": "no", "n": [1, -0.5, true, "1", "", " a"], "m": [{"a": 1, "b": [[2, []], {}]}], "u": "http://x"}"#
      )
      #expect(
        document.text(in: .yaml) == """
          type: Cache<String, Data>
          "on": "no"
          "n":
            - 1
            - -0.5
            - true
            - "1"
            - ""
            - " a"
          m:
            - a: 1
              b:
                - - 2
                  - []
                - {}
          u: "http://x"

          """)
    }

    @Test(arguments: [
      #"{"b": {"list": [1, -2, 0.5, 1e300, 1e16, 5e-324, true, "", " x\r\n\t ", [], {}, [[{"k": []}]]]}, "a": "é 😀 # : - ? *a &b !c %d @e `f", "": {"": 9223372036854775807}}"#,
      #"["null", "~", "true", "FALSE", "1", "0x1", ".inf", "-", "---", "...", "? a", "- a", "a: b", "a #b", "<<", "y", "=", "a ", "2001-01-01", "NaN"]"#,
      #"["\u0000\u0001\u001f\u007f\u0080\u0085\u00a0\u2028\u2029\ufeff\ufffe\uffff\\\"\/\b\f", "a\nb", "\n", "'"]"#,
      "[[[[]]]]", "{}", "\"a\"", "1",
    ])
    func `a written document reads back equal`(json: String) throws {
      let document = YAMLWriterTests.document(json)
      let text = try #require(document.text(in: .yaml))
      let read = ReadDocument(yaml: text)
      #expect(read.findings.isEmpty)
      #expect(read.document.text(in: .json) == document.text(in: .json))
    }

    @Test func `a long key reads back equal`() throws {
      let key = String(repeating: "key ", count: 1_000)
      let document = YAMLWriterTests.document("{\"a\": {\"\(key)\": [1], \"b\": {\"\(key)\": {\"c\": 1}}}}")
      let text = try #require(document.text(in: .yaml))
      #expect(ReadDocument(yaml: text).document.text(in: .json) == document.text(in: .json))
    }
  }

  @Suite struct YAMLLoadingTests {
    /// A service with a text.
    private struct Word { let text: String }

    @Test func `an application loads a module in YAML whose parts are in other syntaxes`() throws {
      let files = MemoryFiles(texts: [
        "app.yaml": "configdi: 1\nmodule: app\nimports: [part.json]\nenvironments: {prod: [prod.yml]}\n",
        "part.json":
          #"{"configdi": 1, "module": "part", "services": {"word": {"type": "Word", "values": {"text": "a"}}}}"#,
        "prod.yml": "configdi: 1\nmodule: prod\noverride:\n  services:\n    word:\n      values: {text: b}\n",
      ])
      var registry = Registry()
      registry.add("Word", .value("text", String.self)) { Word(text: $0) }
      let container = try Container(
        ModuleSource(
          ModuleRequest(entry: .file("app.yaml"), syntaxes: [.yaml]), environment: "prod", files: files),
        registry: registry)
      #expect(try container.resolve(Word.self).text == "b")
    }
  }
#endif
