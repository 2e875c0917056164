// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// Secrets in the excerpts and messages of findings, if some file of the load declares a secret.
@Suite struct RedactionsTests {
  /// A module that declares the parameter `key` secret.
  private static let app = module(
    """
    "parameters": {"key": {"env": "KEY", "secret": true}}, "services": {"s": {"type": "S", "values": {"k": "${key}"}}}
    """)

  /// Returns the complete output of a check of a module with layers. The check must have a finding.
  private func messages(
    _ files: [String: String], layers: [String] = [], variables: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> String {
    let module = LoadedModule(
      MemoryFiles(texts: files), .init(variables: variables, layers: layers.map { .file($0) }))
    #expect(!module.check.diagnostics.isEmpty, sourceLocation: sourceLocation)
    let text = module.check.renderer().text(of: module.check.diagnostics)
    return text + module.findingsText + "\(module.check.diagnostics.map(\.path))"
  }

  @Test(arguments: [
    // The value after, before and at the error; a number; a word without quotes; an unterminated string.
    #"{"configdi": 1, "override": {"parameters": {"key": {"value": "hunter2" "x"}}}}"#,
    #"{"configdi": 1, "override": {"parameters": {"key": {"value" "hunter2"}}}}"#,
    #"{"configdi": 1, "override": {"parameters": {"key": "hunter2",}}}"#,
    #"{"configdi": 1, "override": {"parameters": {"key": {"value": hunter2}}}}"#,
    #"{"configdi": 1, "override": {"parameters": {"key": {"value": "hunter2}}}}"#,
    #"{"configdi": 1, "override": {"parameters": {"key": {"value": ["a", {"hunter2": 1 2}]}}}}"#,
    #"{"configdi": 1, "override": {"parameters": {"key": {"value": {"hunter2": "\x"}}}}}"#,
    #"{"configdi": 1, "x": "\x", "override": {"parameters": {"key": "hunter2"}}}"#,
  ])
  func `a layer with a syntax error shows no scalars if another file declares a secret`(layer: String) {
    #expect(!messages(["app.json": Self.app, "l.json": layer], layers: ["l.json"]).contains("hunter2"))
  }

  /// A `null` or a number out of range is a value, so that its key is certainly a key.
  @Test(arguments: ["null", "1e400"])
  func `an unknown key with an invalid value is shown`(value: String) {
    let layer = #"{"configdi": 1, "module": "l", "override": {"services": {"s": {"scop": \#(value)}}}}"#
    let module = LoadedModule(
      MemoryFiles(texts: ["app.json": Self.app, "l.json": layer]), .init(layers: [.file("l.json")]))
    #expect(Set(module.check.diagnostics.map(\.path)) == ["override.services.s.scop"])
    #expect(module.findingsText.contains("unknown key \"scop\""))
  }

  @Test func `numbers are redacted like strings`() {
    let layer = #"{"configdi": 1, "override": {"parameters": {"key": {"value": 31415926 27182818}}}}"#
    let text = messages(["app.json": Self.app, "l.json": layer], layers: ["l.json"])
    #expect(!text.contains("31415") && !text.contains("27182"))
    #expect(text.contains(#""key": {"value": <hidden>"#))
  }

  @Test(arguments: [
    #""key": {"value": "hunter2" "secret": true}"#, #""key": {"value": "hunter2", "secret": tru}"#,
    #""key": {"value": "hunter2", secret: true}"#,
    #""key": {"value": "hunter2", "sec"ret": true}"#,
    #""key": {"value": "hunter2"}, "other": {"value": 1 "secrte": true}"#,
  ])
  func `a partly read file may declare secrets after the syntax error`(parameters: String) {
    #expect(!messages(["app.json": module("\"parameters\": {\(parameters)}")]).contains("hunter2"))
  }

  @Test(arguments: [
    #""parameters": {"key": {"value": "hunter2", "secret": "true"}}"#,
    #""parameters": {"key": {"value": "hunter2", "secrte": true}}"#,
    #""parameters": {"key": {"value": "hunter2", "Secret": true}}"#,
    #""parameters": {"key": {"vlaue": "hunter2", "secret": true}}"#,
    #""parameters": {"key": {"secret": "hunter2"}}"#,
    #""parameters": {"key": {"value": "a", "value": "hunter2", "secret": true}}"#,
    #""parameters": {"key": {"value": {"hunter2": 1, "hunter2": 2}, "secret": true}}"#,
    #""parameters": {"key": {"value": {"hunter2": null}, "secret": true}}"#,
    #""parameters": {"key": {"value": "pa${hunter2}", "secret": true}}"#,
    #""parmeters": {"key": {"value": "hunter2", "secret": true}}"#,
    #""services": {"key": {"value": "hunter2", "secret": true}}"#,
    #""parameters": {"key": {"value": "a", "secret": true}}, "override": {"parameters": {"kye": "hunter2"}}"#,
    #""parameters": {"key": {"value": "a", "secret": true}}, "x-was": "hunter2", "y": 1"#,
    #""parameters": {"key ": "hunter2"}, "override": {"parameters": {"key": {"secret": true}}}"#,
    #""parameters": {"key": {"value": "a", "secret": true}}, "services": {"s": {"type": "S", "when": {"parameter": "key", "equal": "hunter2"}}}"#,
  ])
  func `a file with a structural error shows only values whose role is certain`(body: String) {
    #expect(!messages(["app.json": module(body)]).contains("hunter2"))
  }

  @Test func `comments are redacted`() {
    let text =
      #"{"configdi": 1, "module": "m", "parameters": {"key": {"env": "K", "secret": true}}, /* hunter2 */ "y": 1}"#
    let module = LoadedModule(MemoryFiles(texts: ["app.jsonc": text]), entry: .file("app.jsonc"))
    let shown = module.check.renderer().text(of: module.check.diagnostics)
    #expect(shown.contains(#"<hidden>"y": <hidden>"#) || shown.contains(#"<hidden> "y": <hidden>"#))
    #expect(!shown.contains("hunter2"))
  }

  @Test(arguments: [
    ("<string>hunter2<dict/></string>", #"inside element "string""#),
    ("<integer>hunter2</integer>", #"element "integer" must"#),
    ("<string>hunter2 string></x>", #"expected "</string>""#),
  ])
  func `words of the format are shown in messages`(value: String, words: String) {
    let text =
      "<plist version=\"1.0\"><dict><key>parameters</key><dict><key>key</key><dict><key>secret</key><true/>"
      + "<key>value</key>\(value)</dict></dict></dict></plist>"
    let module = LoadedModule(MemoryFiles(texts: ["app.plist": text]), entry: .file("app.plist"))
    let shown = module.check.renderer().text(of: module.check.diagnostics)
    #expect(shown.contains(words) && !shown.contains("hunter2"), "\(shown)")
  }

  @Test func `the declared type of a secret that does not fit is shown`() {
    let text = messages([
      "app.json": module(#""parameters": {"key": {"value": "duration", "type": "duration", "secret": true}}"#)
    ])
    #expect(text.contains(#"the parameter has type "duration""#))
  }

  @Test func `the arguments in a partly read file are shown, but not their values`() {
    let layer = module(#""services": {"s": {"values": {"level": "hunter2", "port": {"hunter3": 1}, "hunter4"}}}"#)
    let text = messages(["app.json": Self.app, "l.json": layer], layers: ["l.json"])
    #expect(text.contains(#""port": {<hidden>}"#) && !text.contains("hunter"), "\(text)")
  }

  @Test func `without secrets everything is shown`() {
    #expect(messages(["app.json": module(#""parameters": {"a": "word" "b": 1}"#)]).contains(#""a": "word" "b": 1"#))
    let valid = module(#""parameters": {"key": {"value": "hunter2", "secret": false}}, "y": "word""#)
    #expect(messages(["app.json": valid]).contains(#""y": "word""#))
  }

  @Test(arguments: ["part.toml", "missing.json", "/elsewhere/part.json"])
  func `an unreadable file may declare a secret`(path: String) {
    let body = #""imports": ["\#(path)"], "override": {"parameters": {"key": {"value": "hunter2", "min": "hunter2"}}}"#
    #expect(!messages(["app.json": module(body), "part.toml": ""]).contains("hunter2"))
  }

  @Test(arguments: [
    #""enviroments": {"prod": ["part.json"]}"#, #""environments": {"prod": "part.json"}"#,
    #""environments": ["part.json"]"#, #""import": ["part.json"]"#, #""imports": "part.json""#,
  ])
  func `an invalid file reference may declare a secret`(naming: String) {
    let body = naming + #", "parameters": {"key": "hunter2"}"#
    #expect(!messages(["app.json": module(body), "part.json": module("")]).contains("hunter2"))
  }

  @Test(arguments: [
    (#"{"configdi": 1, "parameters": {"key": {"value": "hunter2"#, "app.json"),
    (#"{"configdi": 1, "parameters": {"key": {"value": "hunter2""#, "app.json"),
    ("<plist version=\"1.0\"><dict><key>parameters</key><dict><key>key</key><string>hunter2</string>", "app.plist"),
  ])
  func `a truncated file may have declared secrets`(text: String, name: String) {
    let module = LoadedModule(MemoryFiles(texts: [name: text]), entry: .file(name))
    #expect(!module.check.renderer().text(of: module.check.diagnostics).contains("hunter2"))
  }

  @Test func `certain values are shown beside a secret`() {
    let text = messages([
      "app.json": #"{"parameters": {"port": 25, "key": {"env": "KEY", "secret": true, "type": "strng"}}}"#
    ])
    for shown in [#""env": "KEY""#, #""type": "strng""#, #""port": 25"#] { #expect(text.contains(shown), "\(shown)") }
  }

  @Test func `files of the same name are distinguished`() {
    let broken = #"{"configdi": 1, "module": "l", "override": {"parameters": {"key": "hunter2"}}, "y": 1}"#
    let harmless =
      #"{"configdi": 1, "module": "l", "parameters": {"aaaaa": "bbbbbbbbbbbbbbbbbbb"}, "doc": "cccc", "y": 1}"#
    for layers in [[harmless, broken], [broken, harmless]] {
      let module = LoadedModule(
        MemoryFiles(texts: ["app.json": Self.app]),
        .init(layers: layers.map { ModuleLayer.text($0, name: "layer") }))
      let shown = module.check.renderer().text(of: module.check.diagnostics)
      #expect(!shown.contains("hunter2"))
      #expect(shown.contains(#""parameters": {"key": <secret key>}"#))
      #expect(shown.contains(#""aaaaa": "bbbbbbbbbbbbbbbbbbb""#))
    }
    // Two names that Swift's string comparison treats as equal.
    var files = MemoryFiles(texts: [
      "app.json": module(
        "\"imports\": [\"\u{E9}.json\", \"e\u{301}.json\"], \"parameters\": {\"key\": {\"env\": \"K\", \"secret\": true}}"
      ),
      "\u{E9}.json": harmless,
    ])
    files["e\u{301}.json"] = Array(broken.utf8)
    let module = LoadedModule(files)
    let shown = module.check.renderer().text(of: module.check.diagnostics)
    #expect(!shown.contains("hunter2"))
    #expect(shown.contains("<secret key>") && shown.contains("bbbbbbbb"))
  }

  @Test func `a secret file that does not convert is not shown, whichever parameter reads it`() {
    let app = module(
      #""parameters": {"p": {"file": "f", "type": "int"}, "q": {"file": "f", "oneOf": ["a"], "secret": true}}"#)
    let text = messages(["app.json": app, "f": "hunter2"])
    #expect(!text.contains("hunter2"))
    #expect(text.contains("file \"f\" is not an integer"))
  }

  @Test func `a variable of a secret parameter is secret for other parameters`() throws {
    let app = module(
      #""parameters": {"key": {"env": "KEY", "secret": true}, "p": {"env": "KEY", "type": "int"}}"#)
    #expect(!messages(["app.json": app], variables: ["KEY": "hunter2"]).contains("hunter2"))
    let valid = LoadedModule(
      ["app.json": app.replacing(#", "type": "int""#, with: "")], .init(variables: ["KEY": "hunter2"]))
    #expect(valid.resolved?.parameter("p") == "<secret p>")
  }

  @Test func `a declaration in the layer of another environment applies to the complete load`() {
    let files = [
      "app.json": module(
        #""environments": {"dev": [], "prod": ["p.json"]}, "parameters": {"key": {"value": "hunter2", "type": "int"}}"#),
      "p.json": module(#""override": {"parameters": {"key": {"secret": true}}}"#),
    ]
    #expect(!messages(files).contains("hunter2"))
  }

  @Test(arguments: [#""zork": 1, "override""#, #""overide""#])
  func `messages of other environments redact secrets of a layer with errors`(verb: String) {
    let types = [TypeDescriptor(name: "S", provides: ["S"], arguments: [.init(key: "k", kind: .value(.integer(.Int)))])]
    let files = [
      "app.json": module(
        """
        "environments": {"dev": [], "prod": ["l.json"]}, "parameters": {"key": "hunter2"},
        "services": {"s": {"type": "S", "values": {"k": "${key}"}}}
        """),
      "l.json": #"{"configdi": 1, "module": "l", \#(verb): {"parameters": {"key": {"env": "K", "secret": true}}}}"#,
      "types.json": Catalog(types: types).json,
    ]
    let check = ModuleCheck(
      checking: ModuleRequest(entry: .file("app.json")), environments: nil, files: MemoryFiles(texts: files),
      catalog: "types.json")
    #expect(check.diagnostics.contains { $0.code == .valueMismatch })
    #expect(check.diagnostics.allSatisfy { !$0.message.contains("hunter2") })
  }
}
