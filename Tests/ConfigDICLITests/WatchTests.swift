// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

/// `validate --watch` of the built tool, on files that change.
@Suite struct WatchTests {
  /// A module with a layer, an optional import that is missing, and a file of a parameter.
  private static let files = [
    "app.json": """
    { "configdi": 1, "module": "app", "imports": ["part.json", { "path": "local.json", "optional": true }],
      "environments": { "dev": ["dev.json"] },
      "parameters": { "token": { "file": "token", "default": "none", "oneOf": ["none", "good"] } },
      "services": { "a": { "type": "A", "inject": { "b": "b" }, "values": { "token": "${token}" } } } }
    """,
    "part.json": #"{ "configdi": 1, "module": "part", "services": { "b": { "type": "B" } } }"#,
    "dev.json": #"{ "configdi": 1, "module": "dev" }"#,
    "catalog.json": """
    { "configdi-catalog": 1, "types": [
      { "name": "A", "provides": ["A"], "kind": "class", "sendable": true, "async": false, "arguments": [
        { "key": "b", "kind": "service", "type": "B" }, { "key": "token", "kind": "value", "type": "String" } ] },
      { "name": "B", "provides": ["B"], "kind": "class", "sendable": true, "async": false, "arguments": [] } ] }
    """,
  ]

  @Test func `each kind of file is watched, also if it is missing`() async throws {
    let tool = try BuiltTool(files: Self.files)
    let watch = try tool.start("validate", "app.json", "--watch", "--catalog", "catalog.json")
    defer { watch.process.terminate() }
    try await watch.wait(for: "no findings; 2 services in dev", count: 1)
    let broken = #"{ "configdi": 1, "module": "x" "#
    let steps: [(file: String, text: String?, line: String, result: String)] = [
      ("app.json", broken, "app.json changed", "CDI0101"),
      ("app.json", Self.files["app.json"], "app.json changed", "no findings"),
      ("part.json", nil, "part.json disappeared", "CDI0301"),
      ("part.json", Self.files["part.json"], "part.json appeared", "no findings"),
      ("dev.json", broken, "dev.json changed", "CDI0101"),
      ("dev.json", Self.files["dev.json"], "dev.json changed", "no findings"),
      ("token", "bad", "token appeared", "CDI0407"),
      ("token", "good", "token changed", "no findings"),
      (
        "local.json", #"{ "configdi": 1, "module": "l", "services": { "c": { "type": "Z" } } }"#, "local.json appeared",
        "CDI0601"
      ),
      ("local.json", nil, "local.json disappeared", "no findings"),
      ("catalog.json", "{}", "catalog.json changed", "error"),
      ("catalog.json", Self.files["catalog.json"], "catalog.json changed", "no findings"),
    ]
    for step in steps {
      let seen = try watch.output.utf8.count
      let file = tool.folder.appendingPathComponent(step.file)
      if let text = step.text {
        try Data(text.utf8).write(to: file)
      } else {
        try FileManager.default.removeItem(at: file)
      }
      let added = try await watch.wait(behind: seen, for: " services")
      #expect(added.prefix { $0 != "\n" }.hasSuffix(" \(step.line)"), "\(step.file): \(added)")
      #expect(added.contains(step.result), "\(step.file): \(added)")
      // The output is not a terminal, so it has no escape sequences.
      #expect(!added.contains("\u{1B}"))
    }
    watch.process.interrupt()
    #expect(try watch.end() == 0)
  }

  @Test func `a folder that a symbolic link replaces is noticed`() async throws {
    let tool = try BuiltTool(files: ["v1/app.json": Self.module("A"), "v2/app.json": Self.module("A"), "v3/none": ""])
    // The same links as for mounted configuration: the file is a link into a folder that is itself a link.
    try tool.link("data", to: "v1")
    try tool.link("app.json", to: "data/app.json")
    let watch = try tool.start("validate", "app.json", "--watch", "-q", "--format", "json")
    defer { watch.process.terminate() }
    try await watch.wait(for: "\"warnings\": 0", count: 1)
    try tool.link("data.new", to: "v2")
    try tool.rename("data.new", "data")
    try await watch.wait(for: "\"warnings\": 0", count: 2)
    try tool.link("data.new", to: "v3")
    try tool.rename("data.new", "data")
    try await watch.wait(for: "CDI0107", count: 1)
    watch.process.interrupt()
    #expect(try watch.end() == 1)
    // In the formats for programs, the standard output has only the results.
    #expect(try !watch.output.contains("---"))
    #expect(try watch.error.contains("--- ") && watch.error.contains("app.json disappeared"))
  }

  @Test func `a link to a folder of hard links is noticed`() async throws {
    let entry = #"{ "configdi": 1, "module": "app", "imports": ["part.json"] }"#
    let tool = try BuiltTool(files: ["v1/app.json": entry, "v1/part.json": Self.module("A"), "v2/part.json": "{}"])
    try FileManager.default.linkItem(
      at: tool.folder.appendingPathComponent("v1/app.json"), to: tool.folder.appendingPathComponent("v2/app.json"))
    try tool.link("current", to: "v1")
    let watch = try tool.start("validate", "current/app.json", "--watch")
    defer { watch.process.terminate() }
    try await watch.wait(for: "no findings", count: 1)
    try tool.link("next", to: "v2")
    try tool.rename("next", "current")
    try await watch.wait(for: "CDI0203", count: 2)
    watch.process.interrupt()
    #expect(try watch.end() == 1)
  }

  @Test func `a change that is reverted immediately is ignored, and --strict counts warnings`() async throws {
    let tool = try BuiltTool(files: [
      "app.json": #"{ "configdi": 1, "module": "app", "parameters": { "p": 1 } }"#, "env": "A=1\n",
    ])
    let watch = try tool.start("validate", "app.json", "--watch", "--strict", "--env-file", "env")
    defer { watch.process.terminate() }
    try await watch.wait(for: "1 warning", count: 1)
    // The environment file may disappear for a moment. Only at the start this is an error of usage.
    try FileManager.default.removeItem(at: tool.folder.appendingPathComponent("env"))
    try await watch.wait(for: "env disappeared", count: 1)
    try Data("A=2\n".utf8).write(to: tool.folder.appendingPathComponent("env"))
    try await watch.wait(for: "1 warning", count: 2)
    #expect(try watch.error.contains(#"error: --env-file: cannot read "env""#))
    watch.process.interrupt()
    #expect(try watch.end() == 1)
  }

  @Test func `the terminal is cleared between two checks`() async throws {
    let tool = try BuiltTool(files: ["app.json": Self.module("A")])
    let watch = try tool.startInTerminal("validate app.json --watch")
    defer { watch.process.terminate() }
    try await watch.wait(for: "no findings", count: 1)
    try await watch.wait(for: "watching 1 file; Ctrl-C ends it", count: 1)
    #expect(try !watch.output.contains("\u{1B}[2J"))
    try Data(Self.module("2").utf8).write(to: tool.folder.appendingPathComponent("app.json"))
    let added = try await watch.wait(for: "CDI0204", count: 1)
    #expect(added.contains("\u{1B}[H\u{1B}[2J\u{1B}[3J--- "))
  }

  @Test func `watching ends when the output is closed`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.module("A")])
    let run = try tool.shell("$TOOL validate app.json --watch | true; echo over")
    #expect(run.output == "over\n")
  }

  /// Arguments with inputs that cannot be watched. The usual run takes a sample.
  private static let unwatchable = LongTests.sample(
    [
      ["validate", "app.json", "--watch", "--env-file", "none"], ["validate", "-", "--syntax", "json", "--watch"],
      ["validate", "app.json", "--watch", "--fix"],
    ], every: 3)

  @Test(arguments: unwatchable)
  func `an input that cannot be watched is a usage error`(arguments: [String]) throws {
    let run = try BuiltTool(files: ["app.json": Self.module("A")]).run(arguments)
    #expect(run.status == 64 && run.output.isEmpty, "\(run.error)")
  }

  /// Returns a module with one service of a type.
  private static func module(_ type: String) -> String {
    #"{ "configdi": 1, "module": "app", "services": { "a": { "type": "\#(type)" } } }"#
  }
}
