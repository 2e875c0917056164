// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

/// The commands embedded in a program, with the program's registry.
@Suite struct EmbeddedToolTests {
  /// A module with a finding of each kind that requires the registered types.
  private static let broken = #"""
    { "configdi": 1, "module": "app", "services": {
      "greeter": { "type": "Greeter", "values": { "form": 3 }, "inject": { "clok": "clock" } },
      "visitor": { "type": "Visitor", "values": { "form": "odd" } },
      "formless": { "type": "Greeter", "inject": { "clock": "clock" } },
      "clock": { "type": "Clok" } }, "bindings": { "Greeter": "greeter" } }
    """#
  /// A module without findings, in which a service is autowired.
  private static let valid = #"""
    { "configdi": 1, "module": "app", "environments": { "dev": [] }, "services": {
      "greeter": { "type": "Greeter", "autowire": true, "values": { "form": "plain" } }, "clock": { "type": "Clock" } } }
    """#

  /// The two forms in which the program offers the commands.
  static let forms = [["--alone"], ["configdi"]]

  @Test(arguments: LongTests.sample(forms, every: 2))
  func `types, arguments and values come from the registry`(form: [String]) throws {
    let tool = try BuiltTool(files: ["app.json": Self.broken])
    let run = try tool.runEmbedded(form[0], "validate", "app.json", "--format", "json")
    #expect(run.status == 1 && run.error == "")
    #expect(try run.codes.sorted() == ["CDI0601", "CDI0602", "CDI0603", "CDI0604", "CDI0604"])
    // Only the application can convert this value.
    #expect(run.output.contains("a form is formal or plain"))
  }

  @Test func `references by type are shown without a catalog`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.valid])
    for command in LongTests.sample(["resolve", "graph"], every: 2) {
      let run = try tool.runEmbedded("--alone", command, "app.json", "--format", "json")
      #expect(run.status == 0 && run.error == "")
      #expect(
        run.output.contains(command == "graph" ? #""to": "clock""# : #""clock": "clock""#), "\(run.output)")
    }
    let list = try tool.runEmbedded("--alone", "list", "app.json", "provides")
    #expect(list.output == "Clock    clock\nGreeter  greeter\n")
    #expect(try tool.runEmbedded("--alone", "explain", "app.json", "clock").output.contains("used by  greeter"))
    let schema = try tool.runEmbedded("--alone", "schema").output
    #expect(schema.contains("\"Greeter\"") && !schema.contains("PoliteGreeter"))
  }

  @Test func `fixes and renames are checked by the registry`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.broken])
    let fix = try tool.runEmbedded("--alone", "validate", "app.json", "--fix", "--yes")
    #expect(fix.status == 1)
    #expect(try tool.text(of: "app.json").contains(#""inject": { "clock": "clock" }"#))
    #expect(try tool.text(of: "app.json").contains(#""type": "Clock""#))
    let rejected = try tool.runEmbedded("--alone", "rename", "app.json", "clock", "watch")
    #expect(rejected.status == 1 && rejected.error.contains("CDI0604"))
  }

  @Test func `an explicit catalog takes precedence over the registry`() throws {
    let tool = try BuiltTool(files: [
      "app.json": Self.valid, "catalog.json": #"{ "configdi-catalog": 1, "types": [] }"#,
    ])
    let run = try tool.runEmbedded("--alone", "validate", "app.json", "--catalog", "catalog.json", "--format", "json")
    #expect(try run.codes.contains("CDI0601"))
  }

  @Test func `the catalog can be exported and compared`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.broken])
    let printed = try tool.runEmbedded("--alone", "catalog").output
    #expect(printed.contains("EmbeddedExample.swift\""))
    #expect(try tool.runEmbedded("configdi", "catalog", "--lines").output.contains("EmbeddedExample.swift:"))
    #expect(try tool.runEmbedded("configdi", "catalog", "out/catalog.json").output == "wrote out/catalog.json\n")
    #expect(try tool.text(of: "out/catalog.json") == printed)
    // An unchanged catalog is not written again.
    #expect(try tool.runEmbedded("configdi", "catalog", "out/catalog.json").output == "")
    #expect(try tool.runEmbedded("configdi", "catalog", "out/catalog.json", "--check").status == 0)
    try Data("{}\n".utf8).write(to: tool.folder.appendingPathComponent("out/catalog.json"))
    let stale = try tool.runEmbedded("configdi", "catalog", "out/catalog.json", "--check")
    #expect(stale.status == 1 && stale.error == "error: \"out/catalog.json\" is not what the registry has\n")
    #expect(try tool.text(of: "out/catalog.json") == "{}\n")
    #expect(try tool.runEmbedded("configdi", "catalog", "out/catalog.json").status == 0)
    #expect(try tool.text(of: "out/catalog.json") == printed)
    // With the exported catalog, the tool reports the same findings as the application, except for the application's
    // own conversions.
    let run = try tool.run("validate", "app.json", "--catalog", "out/catalog.json", "--format", "json")
    #expect(try run.codes.sorted() == ["CDI0601", "CDI0602", "CDI0603", "CDI0604"])
  }

  @Test func `a registry with an error is rejected`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.valid])
    for arguments in LongTests.sample([["validate", "app.json"], ["catalog", "-q"]], every: 2) {
      let run = try tool.runEmbedded(["modules"] + arguments)
      #expect(run.status == 1 && run.output == "")
      #expect(run.error.hasPrefix("error: type \"Clock\" is registered twice: at "))
    }
  }

  @Test(
    arguments: LongTests.sample(
      [["validate", "app.json", "--format", "csv"], ["frobnicate"], ["catalog", "--check"]], every: 3))
  func `usage errors have the same form as those of the tool`(arguments: [String]) throws {
    let tool = try BuiltTool(files: ["app.json": Self.valid])
    for form in Self.forms.map({ $0[0] }) {
      let run = try tool.runEmbedded([form] + arguments)
      #expect(run.status == 64 && run.output == "")
      #expect(run.error.hasPrefix("Error: "))
      #expect(run.error.contains(form == "configdi" ? "Usage: greet" : "Usage: _configdi-embedded"))
      guard form == "--alone", arguments[0] != "catalog" else { continue }
      let own = try tool.run(arguments)
      #expect(own.error.split(separator: "\n").first == run.error.split(separator: "\n").first)
    }
  }

  @Test func `help names the program and mentions no catalog in its examples`() throws {
    let tool = try BuiltTool()
    let alone = try tool.runEmbedded("--alone", "validate", "--help").output
    #expect(alone.contains("USAGE: _configdi-embedded validate"))
    #expect(alone.contains("\n  _configdi-embedded validate app.json -e prod --strict\n"))
    #expect(try tool.runEmbedded("help", "modules", "list").output.contains("\n  modules list app.json provides\n"))
    let mounted = try tool.runEmbedded("configdi", "--help")
    #expect(mounted.status == 0 && mounted.output.contains("USAGE: greet configdi <subcommand>"))
    #expect(try tool.runEmbedded("--alone", "--version").output == "ConfigDI \(try UsageTests.version.get().output)")
    #expect(try tool.runEmbedded("greet").output == "good day\n")
    #expect(try tool.run("catalog").status == 64)
  }

  @Test func `shell completion offers names of the module`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.valid])
    let run = try tool.runEmbedded(
      "---completion", "configdi", "validate", "--", "--environment", "5", "1", "greet", "configdi", "validate",
      "app.json",
      "-e", "d", variables: ["SAP_SHELL": "fish"])
    #expect(run.status == 0 && run.output.split(separator: "\n").first == "dev")
  }
}
