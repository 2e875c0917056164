// SPDX-License-Identifier: Apache-2.0
#if YAML
  import ConfigDI
  import ConfigDITooling
  import ConfigDIYAML
  import Testing
  import _ConfigDITestSupport

  @Suite struct YAMLEditorTests {
    /// A module with block style and flow style.
    private static let text = """
      configdi: 1
      module: app
      parameters:
        host: localhost
        url: "http://${host}/"
      services:
        logger: {type: Logger}
        "cache":
          type: Cache
          inject:
            log: logger
            other: [logger, 'logger']
          values: &values
            url: ${url}
            text: logger
        copy:
          type: Cache
          inject: {log: "logger"}
          values: *values
      """

    /// Opens a workspace in which the first occurrence of a text is replaced.
    private static func open(_ old: String, _ new: String) -> OpenWorkspace {
      OpenWorkspace(["app.yaml": text.replacing(old, with: new, maxReplacements: 1)], syntaxes: [.yaml])
    }

    @Test func `a half-typed file offers the entries of its last valid text`() {
      let open = YAMLEditorTests.open("log: logger", "log: logger‸")
      #expect(open.codes(in: "app.yaml") == ["CDI0707 15:13", "CDI0707 19:13"])
      let text = YAMLEditorTests.text.replacing("log: logger", with: "log: lo\n      bad")
      open.workspace.setText(EditorText(text), of: open.path)
      _ = open.workspace.refresh()
      #expect(!open.codes(in: "app.yaml").isEmpty)
      #expect(
        open.workspace.completions(in: open.path, at: TextPosition(line: 10, character: 13)).map(\.label) == [
          "copy", "logger",
        ])
    }

    @Test(arguments: [
      ("log: logger", "log: ‸", "logger", "log: logger"),
      ("log: logger", "log: \"‸\"", "logger", "log: \"logger\""),
      ("    type: Cache\n    inject:\n", "    type: Cache\n    ea‸\n    inject:\n", "eager", "    eager: "),
      ("${url}", "${‸", "host", "url: ${host}"),
      ("{log: \"logger\"}", "{log: ‸}", "logger", "inject: {log: logger}"),
    ])
    func `the inserted text is written as YAML`(old: String, new: String, label: String, expected: String) {
      let open = YAMLEditorTests.open(old, new)
      #expect(open.text(accepting: label)?.contains(expected) == true, "\(open.labels)")
    }

    @Test func `an inserted text that would be read as a number is quoted`() {
      let catalog = """
        {"configdi-catalog": 1, "types": [{"name": "T", "provides": ["T"], "kind": "class", "sendable": true, "arguments": [
          {"key": "tls", "kind": "value", "type": {"oneOf": ["1.2", "off", "safe"]}}]}]}
        """
      let text = "configdi: 1\nmodule: m\nservices:\n  a:\n    type: T\n    values:\n      tls: "
      for (label, expected) in [("1.2", "tls: \"1.2\""), ("off", "tls: \"off\""), ("safe", "tls: safe")] {
        let open = OpenWorkspace(
          ["app.yaml": text + "‸\n", "catalog.json": catalog], syntaxes: [.yaml], catalog: "catalog.json")
        #expect(open.text(accepting: label)?.contains(expected) == true, "\(open.labels)")
      }
    }

    @Test func `a service is renamed everywhere, also to a word that needs quotes`() {
      let open = YAMLEditorTests.open("logger: {type", "log‸ger: {type")
      #expect(open.references.count == 5)
      #expect(
        open.renaming(to: "log").texts["app.yaml"]
          == YAMLEditorTests.text.replacing("  logger: {", with: "  log: {").replacing(
            "log: logger\n", with: "log: log\n"
          )
          .replacing("[logger, 'logger']", with: "[log, 'log']").replacing("{log: \"logger\"}", with: "{log: \"log\"}"))
      #expect(open.renaming(to: "null").texts["app.yaml"]?.contains("log: \"null\"\n") == true)
      let parameter = YAMLEditorTests.open("  url: \"", "  u‸rl: \"")
      #expect(parameter.renaming(to: "address").texts["app.yaml"]?.contains("url: ${address}") == true)
    }

    @Test func `a placeholder is renamed in place, in any style of scalar`() {
      func text(_ name: String) -> String {
        """
        configdi: 1
        module: app
        parameters:
          \(name == "lv" ? "l‸v" : name): 1
        services:
          a:
            type: A
            values:
              block: |
                # ${\(name)} of
                  ${\(name)}${\(name)}
              folded: >-
                x
                ${\(name)}
              single: 'it''s ${\(name)} $${lv}'
              double: "\\U000E0001${\(name)}\\t"
              plain: x
                ${\(name)}
        """
      }
      let open = OpenWorkspace(["app.yaml": text("lv")], syntaxes: [.yaml])
      #expect(open.codes(in: "app.yaml") == [])
      #expect(open.renaming(to: "log.level").texts["app.yaml"] == text("log.level"))
    }

    @Test(arguments: [
      (#""\x24{lv} ${x}""#, #""${level} ${x}""#), (#""$\x7blv} ${lv}""#, #""${level} ${level}""#),
      (#""\x24${lv} $\x7blv}""#, #""$${lv} ${level}""#),
    ])
    func `a name written with escapes is rewritten with its string`(old: String, new: String) {
      func text(_ name: String, _ value: String) -> String {
        "configdi: 1\nmodule: app\nparameters: {\(name): 1, x: 2}\nservices: {a: {type: A, values: {v: \(value)}}}"
      }
      let open = OpenWorkspace(["app.yaml": text("l‸v", old)], syntaxes: [.yaml])
      #expect(open.renaming(to: "level").texts["app.yaml"] == text("level", new))
    }

    @Test func `the outline and hover support YAML`() {
      let open = YAMLEditorTests.open("log: logger", "log: log‸ger")
      #expect(open.hover?.hasPrefix("**service** `logger` · `Logger`") == true)
      #expect(open.definitions == ["app.yaml:7:3"])
      #expect(open.workspace.symbols(in: open.path).map(\.name) == ["parameters", "services"])
    }

    @Test(arguments: [
      ("x-names: [&n logger]", "{l: *n}", "log‸ger: {", "*n"),
      ("x-inject: &i {l: logger}", "*i", "log‸ger: {", "*i"),
      ("x-url: &u '${host}'", "{l: logger}, values: {url: *u}", "h‸ost: x", "*u"),
      ("x-none: 1", "{l: &n logger}, tags: [*n]", "log‸ger: {", "*n"),
      ("x-none: 1", "{l: &n logger}, values: {text: *n}", "log‸ger: {", "*n"),
    ])
    func `a name is not renamed if its YAML alias refers to another entry`(
      head: String, inject: String, cursor: String, alias: String
    ) {
      let text = """
        configdi: 1
        module: app
        \(head)
        parameters: {host: x}
        services:
          logger: {type: Logger}
          a: {type: A, inject: \(inject)}
        """
      let open = OpenWorkspace(
        ["app.yaml": text.replacing(cursor.replacing("‸", with: ""), with: cursor, maxReplacements: 1)],
        syntaxes: [.yaml])
      let (texts, error) = open.renaming(to: "log")
      #expect(texts.isEmpty)
      #expect(error?.contains("alias \"\(alias)\" in app.yaml") == true, "\(error ?? "no error")")
    }

    @Test func `a name is renamed if its YAML aliases refer to the same entry`() {
      let text = """
        configdi: 1
        module: app
        x-names: [&x elsewhere, *x]
        services:
          logger: {type: Logger}
          a: {type: A, inject: &i {l: &n logger}}
          b: {type: A, inject: {l: *n}}
          c: {type: A, inject: *i}
        """
      let open = OpenWorkspace(["app.yaml": text.replacing("logger: {", with: "log‸ger: {")], syntaxes: [.yaml])
      #expect(open.renaming(to: "log").texts["app.yaml"] == text.replacing("logger", with: "log"))
    }

    @Test func `a name after its line or in a block scalar is renamed from another position`() {
      let text = """
        configdi: 1
        module: app
        services:
          logger: {type: Logger}
          a:
            type: A
            inject:
              x:
                logger
              y: >-
                logger
              z: !!str
                logger
        """
      let open = OpenWorkspace(["app.yaml": text.replacing("logger: {", with: "log‸ger: {")], syntaxes: [.yaml])
      #expect(open.references.count == 4)
      let renamed = open.renaming(to: "log").texts["app.yaml"] ?? ""
      let after = OpenWorkspace(["app.yaml": renamed.replacing("log: {", with: "lo‸g: {")], syntaxes: [.yaml])
      #expect(after.references.count == 4, "\(renamed)")
    }

    @Test func `a completion before a quotation mark replaces the quoted string`() {
      let flow = YAMLEditorTests.open("{log: \"logger\"}", "{log: ‸\"logger\"}")
      #expect(flow.text(accepting: "cache")?.contains("inject: {log: \"cache\"}\n") == true)
      let block = YAMLEditorTests.open("log: logger", "log: ‸'logger'")
      #expect(block.text(accepting: "copy")?.contains("log: \"copy\"\n") == true)
    }

    @Test func `a completion replaces the text around the cursor`() {
      let open = YAMLEditorTests.open("log: logger", "log: logger‸")
      let text = EditorText(Array(YAMLEditorTests.text.utf8))
      for offset in 0...text.bytes.count {
        let items = open.workspace.completions(in: open.path, at: text.position(of: offset, .utf16))
        #expect(items.allSatisfy { $0.edit.range.contains(offset) || $0.edit.range.upperBound == offset }, "\(offset)")
      }
    }

    @Test func `a file truncated anywhere gets an answer`() {
      let bytes = Array(YAMLEditorTests.text.utf8)
      let open = YAMLEditorTests.open("log: logger", "log: logger‸")
      for end in stride(from: 0, through: bytes.count, by: LongTests.size(5, full: 1)) {
        let cut = EditorText(Array(bytes[..<end]))
        open.workspace.setText(cut, of: open.path)
        _ = open.workspace.refresh()
        let place = cut.position(of: end, .utf16)
        for item in open.workspace.completions(in: open.path, at: place) { #expect(item.edit.range.upperBound <= end) }
        _ = open.workspace.hover(in: open.path, at: place)
        _ = open.workspace.symbols(in: open.path)
      }
    }
  }
#endif
