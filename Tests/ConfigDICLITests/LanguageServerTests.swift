// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@Suite struct LanguageServerTests {
  /// A module of three files.
  static let files = [
    "app.json": """
    {
      "configdi": 1,
      "module": "app",
      "imports": ["mail.json"],
      "environments": { "dev": [], "prod": ["prod.json"] },
      "parameters": { "host": "example.net" },
      "services": {
        "logger": { "type": "Logger", "doc": "Writes lines 😀." },
        "news": { "type": "News", "inject": { "mailer": "mailer", "log": "logger" } }
      }
    }
    """,
    "mail.json": """
    {
      "configdi": 1,
      "module": "mail",
      "services": {
        "mailer": { "type": "Mailer", "inject": { "logger": "logger" }, "values": { "to": "😀 ${host}", "from": "${host}" } }
      }
    }
    """,
    "prod.json": """
    {
      "configdi": 1,
      "module": "prod",
      "override": { "services": { "mailer": { "values": { "from": "prod" } } } }
    }
    """,
  ]

  /// Starts a session, and opens a file.
  private func session(
    _ tool: borrowing BuiltTool, _ name: String = "mail.json", capabilities: [String: Any] = [:]
  ) throws -> LanguageClient {
    let client = try LanguageClient(tool.folder)
    try client.initialize(capabilities: capabilities)
    try client.open(name)
    #expect(try client.diagnostics(name, version: 1).isEmpty)
    return client
  }

  @Test func `an error is reported while it is typed, and its fix removes it`() throws {
    let tool = try BuiltTool(files: Self.files)
    let client = try session(tool)
    let valid = try #require(Self.files["mail.json"])
    let start = place(of: #""logger" }"#, in: valid, offset: 5)
    let range = [
      "start": ["line": start.line, "character": start.character],
      "end": ["line": start.line, "character": start.character + 1],
    ]
    try client.change("mail.json", version: 2, [(range, "")])
    let findings = try client.diagnostics("mail.json", version: 2)
    #expect(findings.map { $0["code"] as? String } == ["CDI0501"])
    #expect((findings[0]["message"] as? String)?.contains("unknown service \"loggr\"") == true)
    #expect(findings[0]["severity"] as? Int == 1)
    let related = try #require((findings[0]["relatedInformation"] as? [[String: Any]])?.first)
    #expect((related["location"] as? [String: Any])?["uri"] as? String == client.uri("app.json"))

    let actions =
      try client.request(
        "textDocument/codeAction",
        [
          "textDocument": ["uri": client.uri("mail.json")], "range": findings[0]["range"] ?? [:],
          "context": ["diagnostics": findings, "only": ["quickfix"]],
        ]) as? [[String: Any]]
    let action = try #require(actions?.first)
    #expect(action["title"] as? String == "Replace with \"logger\"")
    let changes = (action["edit"] as? [String: Any])?["changes"] as? [String: [[String: Any]]]
    let edits = try #require(changes?[client.uri("mail.json")])
    let fixed = text(valid.replacing("\"logger\" }", with: "\"loggr\" }"), applying: edits)
    #expect(fixed == valid)
    try client.change("mail.json", version: 3, [(nil, fixed)])
    #expect(try client.diagnostics("mail.json", version: 3).isEmpty)
    #expect(try client.end() == 0)
  }

  @Test func `completion offers values, also immediately after a change`() throws {
    let tool = try BuiltTool(files: Self.files)
    let client = try session(tool)
    let half = try #require(Self.files["mail.json"]).replacing(#"{ "logger": "logger" }"#, with: #"{ "logger": "ne"#)
    try client.change("mail.json", version: 2, [(nil, half)])
    let cursor = place(of: "\"ne", in: half, offset: 3)
    let list = try client.request("textDocument/completion", client.at("mail.json", cursor.line, cursor.character))
    let items = try #require((list as? [String: Any])?["items"] as? [[String: Any]])
    #expect(items.map { $0["label"] as? String } == ["logger", "news"])
    let edit = try #require(items[1]["textEdit"] as? [String: Any])
    #expect(
      text(half, applying: [edit]).contains(#"{ "logger": "news", "values""#)
        || text(half, applying: [edit]).contains(#""logger": "news""#))
    #expect(try client.end() == 0)
  }

  @Test func `hover, definition, references and the outline`() throws {
    let tool = try BuiltTool(files: Self.files)
    let client = try session(
      tool, capabilities: ["textDocument": ["documentSymbol": ["hierarchicalDocumentSymbolSupport": true]]])
    let valid = try #require(Self.files["mail.json"])
    let reference = place(of: #""logger" }"#, in: valid, offset: 3)
    let hover =
      try client.request("textDocument/hover", client.at("mail.json", reference.line, reference.character))
      as? [String: Any]
    let words = try #require((hover?["contents"] as? [String: Any])?["value"] as? String)
    #expect(words.hasPrefix("**service** `logger` · `Logger`\n\nWrites lines 😀."))

    let definition =
      try client.request("textDocument/definition", client.at("mail.json", reference.line, reference.character))
      as? [[String: Any]]
    #expect(definition?.map { $0["uri"] as? String } == [client.uri("app.json")])
    let start = ((definition?.first?["range"] as? [String: Any])?["start"]) as? [String: Int]
    #expect(start == ["line": 7, "character": 5])

    // The position is after a character of two UTF-16 code units.
    let parameter = place(of: "${host}\", \"from", in: valid, offset: 3)
    let uses =
      try client.request(
        "textDocument/references",
        client.at("mail.json", parameter.line, parameter.character, ["context": ["includeDeclaration": false]]))
      as? [[String: Any]]
    let columns = uses?.compactMap { (($0["range"] as? [String: Any])?["start"] as? [String: Int])?["character"] }
    #expect(
      columns == [
        place(of: "${host}\", \"from", in: valid, offset: 2).character,
        place(of: "${host}\" } }", in: valid, offset: 2).character,
      ])

    let symbols =
      try client.request("textDocument/documentSymbol", ["textDocument": ["uri": client.uri("mail.json")]])
      as? [[String: Any]]
    #expect(symbols?.map { $0["name"] as? String } == ["services"])
    #expect((symbols?[0]["children"] as? [[String: Any]])?.map { $0["detail"] as? String } == ["Mailer"])
    #expect(try client.end() == 0)
  }

  @Test func `a rename changes all files, and the module stays valid`() throws {
    let tool = try BuiltTool(files: Self.files)
    let client = try session(tool)
    let valid = try #require(Self.files["mail.json"])
    let key = place(of: #""mailer": {"#, in: valid, offset: 3)
    let prepared =
      try client.request("textDocument/prepareRename", client.at("mail.json", key.line, key.character))
      as? [String: Any]
    #expect(prepared?["placeholder"] as? String == "mailer")
    let result =
      try client.request("textDocument/rename", client.at("mail.json", key.line, key.character, ["newName": "courier"]))
      as? [String: Any]
    let changes = try #require(result?["changes"] as? [String: [[String: Any]]])
    #expect(
      changes.mapValues(\.count) == [client.uri("app.json"): 1, client.uri("mail.json"): 1, client.uri("prod.json"): 1])
    for (name, old) in Self.files {
      let new = text(old, applying: changes[client.uri(name)] ?? [])
      try Data(new.utf8).write(to: tool.folder.appendingPathComponent(name))
    }
    #expect(try tool.text(of: "app.json").contains(#""mailer": "courier""#))
    #expect(try tool.run("validate", "app.json").status == 0)

    let rejected = try client.answer(
      "textDocument/rename", client.at("mail.json", key.line, key.character, ["newName": "news"]))
    #expect((rejected["error"] as? [String: Any])?["code"] as? Int == -32803)
    #expect(try client.end() == 0)
  }

  @Test func `an unsaved layer is used, and a broken one is reported`() throws {
    var files = Self.files
    files["prod.json"] = nil
    let tool = try BuiltTool(files: files)
    let client = try LanguageClient(tool.folder)
    try client.initialize()
    try client.open("app.json")
    #expect(try client.diagnostics("app.json").map { $0["code"] as? String } == ["CDI0301"])
    try client.open("prod.json", Self.files["prod.json"])
    #expect(try client.diagnostics("app.json").isEmpty)
    try client.change(
      "prod.json", version: 2, [(nil, (Self.files["prod.json"] ?? "").replacing("\"mailer\"", with: "\"mailr\""))])
    #expect(try client.diagnostics("prod.json", version: 2).map { $0["code"] as? String } == ["CDI0305"])
    try client.change("prod.json", version: 3, [(nil, "{ \"configdi\": 1, \"override\": {")])
    #expect(try client.diagnostics("prod.json", version: 3).map { $0["code"] as? String }.contains("CDI0101"))
    try client.notify("textDocument/didClose", ["textDocument": ["uri": client.uri("prod.json")]])
    #expect(try client.diagnostics("prod.json").isEmpty)
    #expect(try client.diagnostics("app.json").map { $0["code"] as? String } == ["CDI0301"])
    #expect(try client.end() == 0)
  }

  @Test func `a file that changes on the disk is read again when the client reports it`() throws {
    let tool = try BuiltTool(files: Self.files)
    let client = try LanguageClient(tool.folder)
    try client.initialize(capabilities: ["workspace": ["didChangeWatchedFiles": ["dynamicRegistration": true]]])
    #expect(try client.message("client/registerCapability")["registrations"] != nil)
    try client.open("app.json")
    #expect(try client.diagnostics("app.json").isEmpty)
    try Data((Self.files["mail.json"] ?? "").replacing("\"mailer\"", with: "\"courier\"").utf8)
      .write(to: tool.folder.appendingPathComponent("mail.json"))
    try client.notify("workspace/didChangeWatchedFiles", ["changes": [["uri": client.uri("mail.json"), "type": 2]]])
    #expect(try client.diagnostics("app.json").map { $0["code"] as? String } == ["CDI0501"])
    #expect(try client.end() == 0)
  }

  /// The encodings that a client offers, the negotiated one, and the width of a character in it. The usual run takes a
  /// sample.
  private static let encodings: [([String], String, Int)] = LongTests.sample(
    [(["utf-8", "utf-16"], "utf-8", 4), (["utf-32"], "utf-32", 1), (["utf-7"], "utf-16", 2), ([], "utf-16", 2)],
    every: 4)

  @Test(arguments: encodings)
  func `positions use the negotiated encoding`(offered: [String], chosen: String, width: Int) throws {
    let tool = try BuiltTool(files: Self.files)
    let client = try LanguageClient(tool.folder)
    let result = try client.initialize(capabilities: ["general": ["positionEncodings": offered]])
    #expect((result["capabilities"] as? [String: Any])?["positionEncoding"] as? String == chosen)
    let text = #"{ "configdi": 1, "module": "😀", "services": { "a": { "type": "A", "inject": { "b": "c" } } } }"#
    try client.open("app.json", text)
    let finding = try #require(try client.diagnostics("app.json").first { $0["code"] as? String == "CDI0501" })
    let start = try #require((finding["range"] as? [String: Any])?["start"] as? [String: Int])
    let utf32 = text.unicodeScalars.count - "\"c\" } } } }".count
    #expect(start["character"] == utf32 + width - 1)
    #expect(try client.end() == 0)
  }

  @Test func `very many changes at once end with the findings of the last one`() throws {
    let tool = try BuiltTool(files: Self.files)
    let client = try session(tool)
    let valid = try #require(Self.files["mail.json"])
    let cursor = place(of: #""logger" }"#, in: valid, offset: 7)
    for version in 2..<60 {
      let position = ["line": cursor.line, "character": cursor.character + version - 2]
      try client.change("mail.json", version: version, [(["start": position, "end": position], "x")])
    }
    let findings = try client.diagnostics("mail.json", version: 59)
    #expect((findings.first?["message"] as? String)?.contains("logger" + String(repeating: "x", count: 58)) == true)
    #expect(try client.end() == 0)
  }

  @Test(arguments: LongTests.sample(["mail.json", "app.json", "prod.json"], every: 3))
  func `a file truncated anywhere gets an answer`(name: String) throws {
    let tool = try BuiltTool(files: Self.files)
    let client = try session(tool, name)
    let units = Array(try #require(Self.files[name]).utf16)
    var version = 1
    for end in stride(from: 0, through: units.count, by: LongTests.size(37, full: 1)) {
      // A cut inside a surrogate pair leaves a replacement character.
      let cut = String(decoding: units[..<end], as: UTF16.self)
      version += 1
      try client.change(name, version: version, [(nil, cut)])
      let last = cut.split(separator: "\n", omittingEmptySubsequences: false)
      let at = client.at(name, last.count - 1, last.last?.utf16.count ?? 0, ["newName": "other", "context": [:]])
      for method in [
        "completion", "hover", "definition", "references", "rename", "prepareRename", "documentHighlight",
        "documentSymbol",
      ] {
        let answer = try client.answer("textDocument/\(method)", at)
        #expect(
          answer["result"] != nil || (answer["error"] as? [String: Any])?["code"] as? Int == -32803, "\(method) \(end)")
      }
      _ = try client.diagnostics(name, version: version)
    }
    #expect(try client.end() == 0)
  }

  @Test func `no message contains a secret`() throws {
    for seed in 0..<UInt64(LongTests.size(4, full: 40)) {
      let planted = PlantedSecret(seed: seed)
      // The server does not know the layers of a command line, so it does not know which parameters only they declare
      // secret.
      guard !planted.options.contains("--layer") else { continue }
      let tool = try BuiltTool(files: planted.files)
      let client = try LanguageClient(tool.folder, arguments: ["--entry", planted.entry])
      try client.initialize()
      for name in planted.modules where ["json", "jsonc", "plist"].contains(URL(fileURLWithPath: name).pathExtension) {
        try client.open(name)
        let text = try tool.text(of: name)
        for cut in [text, String(text.dropLast(9))] {
          try client.change(name, version: 2, [(nil, cut)])
          let lines = cut.split(separator: "\n", omittingEmptySubsequences: false)
          for (line, content) in lines.enumerated() {
            for character in stride(from: 0, to: content.utf16.count, by: LongTests.size(11, full: 3)) {
              for method in ["hover", "completion"] {
                _ = try client.answer("textDocument/\(method)", client.at(name, line, character))
              }
            }
          }
          _ = try client.answer("textDocument/documentSymbol", ["textDocument": ["uri": client.uri(name)]])
        }
        try client.notify("textDocument/didClose", ["textDocument": ["uri": client.uri(name)]])
      }
      #expect(try client.end() == 0)
      let said = client.received.replacing(client.folder.path, with: "")
      for piece in planted.pieces { #expect(!said.contains(piece), "\(seed)") }
    }
  }
}
