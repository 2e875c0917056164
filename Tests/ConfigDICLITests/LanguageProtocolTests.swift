// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite struct LanguageProtocolTests {
  /// Returns the error code of a response, or `nil` if it has no error.
  private func code(_ answer: [String: Any]) -> Int? { (answer["error"] as? [String: Any])?["code"] as? Int }

  @Test func `requests out of order are rejected, and the session continues`() throws {
    let tool = try BuiltTool()
    let client = try LanguageClient(tool.folder)
    #expect(try code(client.answer("textDocument/hover")) == -32002)
    #expect(try code(client.answer("shutdown")) == -32002)
    try client.notify("textDocument/didOpen", ["textDocument": ["uri": "file:///x.json", "text": "{"]])
    try client.initialize()
    #expect(try code(client.answer("initialize")) == -32600)
    #expect(try code(client.answer("textDocument/frobnicate")) == -32601)
    try client.notify("textDocument/frobnicate")
    try client.notify("$/setTrace", ["value": "off"])
    #expect(try code(client.answer("shutdown")) == nil)
    #expect(try code(client.answer("textDocument/hover")) == -32600)
    #expect(try code(client.answer("shutdown")) == -32600)
    try client.notify("exit")
    #expect(client.waitForExit() == 0)
  }

  @Test func `a file URI may have no host`() throws {
    let tool = try BuiltTool()
    let client = try LanguageClient(tool.folder)
    try client.initialize()
    for (number, prefix) in ["file:", "FILE:", "file://localhost"].enumerated() {
      let uri = client.uri("\(number).json").replacing("file://", with: prefix, maxReplacements: 1)
      try client.notify(
        "textDocument/didOpen",
        ["textDocument": ["uri": uri, "languageId": "json", "version": 1, "text": #"{"configdi": 1}"#]])
      let found = try client.message("textDocument/publishDiagnostics") { $0["uri"] as? String == uri }
      #expect((found["diagnostics"] as? [Any])?.isEmpty == false)
    }
    _ = try client.end()
  }

  @Test func `exit without shutdown, and a disconnected client, end with a status`() throws {
    let tool = try BuiltTool()
    let first = try LanguageClient(tool.folder)
    try first.notify("exit")
    #expect(first.waitForExit() == 1)
    let second = try LanguageClient(tool.folder)
    try second.initialize()
    try second.closeInput()
    #expect(second.waitForExit() == 1)
  }

  @Test func `a malformed message is answered by its error code`() throws {
    let tool = try BuiltTool()
    let client = try LanguageClient(tool.folder)
    try client.initialize()
    func errorCode(_ raw: String) throws -> Int? {
      try client.send(raw: raw)
      return try code(client.response(to: nil))
    }
    #expect(try errorCode("Content-Length: 5\r\n\r\n{\"a\":") == -32700)
    #expect(try errorCode("Content-Length: 2\r\n\r\n[]") == -32600)
    #expect(try errorCode("Content-Length: 2\r\n\r\n{}") == -32600)
    #expect(try errorCode("Content-Length: 10\r\n\r\n\"\\ud83d x\"") == -32600)
    #expect(try errorCode("Content-Type: text/plain\r\n\r\n") == -32600)
    #expect(try errorCode("Content-Length: -1\r\n\r\n") == -32600)
    #expect(try errorCode("Content-Length: 1\r\nContent-Length: 2\r\n\r\n") == -32600)
    #expect(try errorCode("nonsense\r\n\r\n") == -32600)
    #expect(try errorCode(String(repeating: "x", count: 20_000)) == -32600)
    #expect(try errorCode("Content-Length: 31\r\n\r\n{\"method\":\"shutdown\",\"id\":true}") == -32600)
    // Other headers, and header names in lower case, are valid.
    try client.send(
      raw:
        "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length: 28\r\n\r\n{\"id\":77,\"method\":\"unknown\"}"
    )
    #expect(try code(client.response(to: 77)) == -32601)
    #expect(try client.end() == 0)
  }

  @Test func `missing and mistyped parameters are rejected`() throws {
    let tool = try BuiltTool()
    let client = try LanguageClient(tool.folder)
    try client.initialize()
    for method in [
      "completion", "hover", "definition", "references", "rename", "codeAction", "documentSymbol", "prepareRename",
      "documentHighlight",
    ] {
      #expect(try code(client.answer("textDocument/\(method)")) == -32602, "\(method)")
      #expect(
        try code(client.answer("textDocument/\(method)", ["textDocument": 3, "position": "x"])) == -32602, "\(method)")
    }
    try client.notify("textDocument/didOpen", ["textDocument": ["uri": 3, "text": []]])
    try client.notify("textDocument/didChange", ["textDocument": ["uri": "file:///none.json"], "contentChanges": "x"])
    try client.notify("textDocument/didClose")
    try client.notify("workspace/didChangeWatchedFiles", ["changes": [["uri": "http://x"], 3]])
    #expect(try client.end() == 0)
  }

  @Test func `changes without a version, and positions out of range, are accepted`() throws {
    let tool = try BuiltTool()
    let client = try LanguageClient(tool.folder, arguments: ["--log", "session.log"])
    try client.initialize()
    try client.open("a.json", "{}")
    let text = #"{ "configdi": 1, "module": "a", "services": { "x": {} } }"#
    let change: [String: Any] = [
      "textDocument": ["uri": client.uri("a.json"), "version": NSNull()] as [String: Any],
      "contentChanges": [["text": text]],
    ]
    try client.notify("textDocument/didChange", change)
    let found = try client.message("textDocument/publishDiagnostics") { !($0["diagnostics"] as? [Any] ?? []).isEmpty }
    #expect((found["diagnostics"] as? [[String: Any]])?.first?["code"] as? String == "CDI0203")
    for number in [Int.min, -1, .max] {
      let result = try client.request("textDocument/hover", client.at("a.json", number, number))
      #expect(result is NSNull)
    }
    #expect(try client.end() == 0)
  }

  @Test func `the findings of a document are removed from the URI that it had`() throws {
    let tool = try BuiltTool()
    let client = try LanguageClient(tool.folder)
    try FileManager.default.createDirectory(
      at: tool.folder.appendingPathComponent("files"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: tool.folder.appendingPathComponent("link"), withDestinationURL: client.folder.appendingPathComponent("files"))
    try client.initialize()
    for uri in ["untitled:Untitled-1", client.uri("link/a.json")] {
      func count(of uri: String) throws -> Int? {
        let sent = try client.message("textDocument/publishDiagnostics") { $0["uri"] as? String == uri }
        return (sent["diagnostics"] as? [Any])?.count
      }
      let text = #"{ "configdi": 1, "module": "a", "services": { "x": {} } }"#
      try client.notify(
        "textDocument/didOpen", ["textDocument": ["uri": uri, "languageId": "json", "version": 1, "text": text]])
      #expect(try count(of: uri) == 1)
      try client.notify("textDocument/didClose", ["textDocument": ["uri": uri]])
      #expect(try count(of: uri) == 0)
    }
    #expect(try client.end() == 0)
  }

  @Test func `a file that is open under two URIs stays open until both are closed`() throws {
    let tool = try BuiltTool(files: ["files/a.json": "{}"])
    try FileManager.default.createSymbolicLink(
      at: tool.folder.appendingPathComponent("link"), withDestinationURL: tool.folder.appendingPathComponent("files"))
    let client = try LanguageClient(tool.folder)
    try client.initialize()
    let text = #"{ "configdi": 1, "module": "a", "services": { "x": {} } }"#
    for name in ["files/a.json", "link/a.json"] { try client.open(name, text) }
    #expect(try client.diagnostics("files/a.json", version: 1).count == 1)
    #expect(try client.diagnostics("link/a.json", version: 1).count == 1)
    try client.notify("textDocument/didClose", ["textDocument": ["uri": client.uri("link/a.json")]])
    try client.change("files/a.json", version: 2, [(nil, text.replacing("{}", with: #"{"type": "X"}"#))])
    #expect(try client.diagnostics("files/a.json", version: 2).isEmpty)
    #expect(try client.end() == 0)
  }

  @Test func `a request that is cancelled before its turn gets no result`() throws {
    let tool = try BuiltTool()
    let client = try LanguageClient(tool.folder)
    try client.initialize()
    let messages: [[String: Any]] = [
      [
        "jsonrpc": "2.0", "id": 90, "method": "textDocument/documentSymbol",
        "params": ["textDocument": ["uri": client.uri("a.json")]],
      ],
      [
        "jsonrpc": "2.0", "id": 91, "method": "textDocument/documentSymbol",
        "params": ["textDocument": ["uri": client.uri("a.json")]],
      ],
      ["jsonrpc": "2.0", "method": "$/cancelRequest", "params": ["id": 91]],
      ["jsonrpc": "2.0", "method": "$/cancelRequest", "params": ["id": 4_000]],
    ]
    try client.send(raw: messages.map(LanguageClient.framed).joined())
    #expect(try code(client.response(to: 90)) == nil)
    #expect(try code(client.response(to: 91)) == -32800)
    #expect(try client.end() == 0)
  }

  @Test func `untitled documents and files of other kinds can be opened`() throws {
    let tool = try BuiltTool()
    let client = try LanguageClient(tool.folder)
    try client.initialize()
    let text = #"{ "configdi": 1, "module": "a", "services": { "x": {} } }"#
    for uri in ["git:/a/b.json?%7B%22ref%22%3A%22HEAD%22%7D", "untitled:Untitled-1"] {
      try client.notify(
        "textDocument/didOpen", ["textDocument": ["uri": uri, "languageId": "json", "version": 4, "text": text]])
    }
    let found = try client.message("textDocument/publishDiagnostics") { $0["uri"] as? String == "untitled:Untitled-1" }
    #expect((found["diagnostics"] as? [[String: Any]])?.first?["code"] as? String == "CDI0203")
    // A version of a file that an editor shows in a comparison is not part of the workspace's modules.
    let compared: [String: Any] = ["textDocument": ["uri": "git:/a/b.json?%7B%22ref%22%3A%22HEAD%22%7D"]]
    #expect(try client.request("textDocument/documentSymbol", compared) is NSNull)
    #expect(!client.received.contains("git:"))
    try client.notify(
      "textDocument/didOpen",
      ["textDocument": ["uri": client.uri("a.md"), "languageId": "markdown", "version": 1, "text": "# x"]])
    #expect(try client.request("textDocument/hover", client.at("a.md", 0, 0)) is NSNull)
    #expect(try client.end() == 0)
  }

  @Test func `the log contains the messages and no document texts`() throws {
    let tool = try BuiltTool(files: LanguageServerTests.files)
    let client = try LanguageClient(tool.folder, arguments: ["--log", "session.log"])
    try client.initialize()
    try client.open("app.json")
    _ = try client.diagnostics("app.json")
    #expect(try client.end() == 0)
    let log = try tool.text(of: "session.log")
    #expect(
      log.contains(
        "--> textDocument/didOpen app.json v1\n<-- textDocument/publishDiagnostics app.json v1 no findings\n"))
    #expect(!log.contains("example.net"))
  }
}
