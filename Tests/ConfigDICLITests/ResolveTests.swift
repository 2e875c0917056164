// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@Suite struct ResolveTests {
  /// A small module with an environment.
  static let files = [
    "app.json": """
    {
      "configdi": 1,
      "module": "app",
      "environments": { "prod": ["prod.json"] },
      "parameters": { "host": "localhost" },
      "services": {
        "mailer": { "type": "Mailer", "inject": { "log": "main" }, "values": { "host": "${host}" }, "eager": true },
        "logger": { "type": "Logger" }
      },
      "aliases": { "main": "logger" }
    }

    """,
    "prod.json":
      #"{"configdi": 1, "module": "prod", "override": {"parameters": {"host": "mx.example.net"}}}"#,
  ]

  @Test func `the path in a binary property list of another folder is relative to the entry module`() throws {
    let list: NSDictionary = ["configdi": 1, "module": "b", "parameters": ["p": ["file": "text.txt"]]]
    let tool = try BuiltTool(files: [
      "app.json":
        #"{"configdi": 1, "module": "a", "imports": ["sub/b.plist"], "services": {"s": {"type": "T", "values": {"a": "${p}"}}}}"#,
      "sub/text.txt": "hello", "text.txt": "another",
    ])
    try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
      .write(to: tool.folder.appendingPathComponent("sub/b.plist"))
    let run = try tool.shell("\"$TOOL\" resolve app.json > r.json; \"$TOOL\" resolve r.json --format json")
    #expect(run.status == 0 && run.output.contains("hello"))
  }

  @Test func `JSON output of the composed module`() throws {
    let run = try BuiltTool(files: Self.files).run("resolve", "app.json", "-e", "prod", "--format", "json")
    #expect(run.status == 0)
    #expect(run.error == "")
    #expect(
      run.output == """
        {
          "configdi": 1,
          "module": "app",
          "environment": "prod",
          "parameters": {
            "host": {
              "value": "mx.example.net",
              "type": "string",
              "origin": "prod.json:1:71"
            }
          },
          "scopes": [],
          "services": {
            "logger": {
              "type": "Logger",
              "scope": "shared",
              "inject": {},
              "values": {},
              "tags": {},
              "decorate": [],
              "eager": false,
              "private": false
            },
            "mailer": {
              "type": "Mailer",
              "scope": "shared",
              "inject": {
                "log": "logger"
              },
              "values": {
                "host": "mx.example.net"
              },
              "tags": {},
              "decorate": [],
              "eager": true,
              "private": false
            }
          },
          "aliases": {
            "main": "logger"
          },
          "bindings": {},
          "start": ["logger", "mailer"]
        }

        """)
  }

  @Test func `the text output is a module that resolves to itself`() throws {
    let tool = try BuiltTool(files: Self.files)
    let first = try tool.run("resolve", "app.json", "-e", "prod")
    #expect(first.status == 0)
    try Data(first.output.utf8).write(to: tool.folder.appendingPathComponent("again.json"))
    let second = try tool.run("resolve", "again.json")
    #expect(second.status == 0)
    #expect(second.output == first.output)
    #expect(first.output.contains("mx.example.net"))
  }

  @Test func `without an environment the module is composed alone, and settings apply`() throws {
    let tool = try BuiltTool(files: Self.files)
    let alone = try tool.run("resolve", "app.json", "--format", "json").json
    #expect(alone["environment"] == nil)
    let parameters =
      try tool.run("resolve", "app.json", "--set", "parameters.host=-x=", "--format", "json")
      .json["parameters"] as? [String: NSDictionary]
    #expect(parameters?["host"]?["value"] as? String == "-x=")
  }

  @Test func `a composition with errors prints the findings instead of the module`() throws {
    let tool = try BuiltTool(files: ["app.json": ValidateTests.misspelt])
    let json = try tool.run("resolve", "app.json", "--format", "json")
    #expect(json.status == 1)
    #expect(try json.codes == ["CDI0501"])
    #expect(try json.json["start"] == nil)
    // The usual run takes only JSON.
    guard LongTests.isSelected else { return }
    let text = try tool.run("resolve", "app.json")
    #expect(text.status == 1)
    #expect(text.output == "" && text.error.hasPrefix("error[CDI0501]"))
  }
}
