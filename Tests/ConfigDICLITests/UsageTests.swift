// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@Suite struct UsageTests {
  /// A module without findings.
  static let clean = #"{"configdi": 1, "module": "app", "services": {"a": {"type": "A"}}}"#

  /// Arguments that no command accepts. The usual run takes a sample.
  private static let wrongLines = LongTests.sample(
    [
      "validate", "resolve", "frobnicate app.json", "validate app.json --no-such-option", "validate app.json more.json",
      "validate app.json --format csv", "resolve app.json --format yaml", "validate app.json --set services.a",
      "resolve app.json --set", "validate app.json --config port",
      "validate app.json --config =1", "validate -", "validate - --syntax xml", "validate app.json --syntax json",
      "validate app.json --env-file missing.env", "validate app.json --env-file .", "resolve app.json -e",
      "diff app.json", "diff app.json --from a", "diff app.json --to a", "diff app.json --against app.json --from a",
      "diff app.json --from a --to b -e c", "diff app.json --from a --to b --format yaml",
      "graph app.json --format svg",
      "graph", "diff --from a --to b", "diff - --from a --to b", "diff - --against - --syntax json",
      "resolve app.json --format sarif",
      "explain app.json", "explain", "explain app.json a b", "init a b", "init --format yaml",
      "schema --root .", "schema --strict", "schema --config a=b", "schema -e prod", "schema -",
      "schema --format sarif",
      "validate app.json --env-file broken.env", "resolve app.json --env-file nameless.env",
      "validate app.json --env-file latin1.env",
    ], every: 9)

  /// The run that prints the version.
  static let version = Result { try BuiltTool().run("--version") }

  @Test func `the version has three numbers`() throws {
    let run = try Self.version.get()
    #expect(run.status == 0)
    #expect(run.output.split(separator: ".").count == 3)
    #expect(run.error == "")
  }

  @Test(
    arguments: LongTests.sample(
      [
        ["--help"], ["init", "--help"], ["validate", "--help"], ["help", "validate"], ["help", "diff"],
        ["lsp", "--help"], ["resolve", "-h"],
      ], every: 3))
  func `every level of commands has help`(arguments: [String]) throws {
    let run = try BuiltTool().shell("$TOOL \(arguments.joined(separator: " "))")
    #expect(run.status == 0)
    #expect(run.output.contains("USAGE: configdi"))
    #expect(run.error == "")
  }

  @Test func `the help of a command lists every option`() throws {
    let tool = try BuiltTool()
    for command in LongTests.sample(["validate", "resolve", "explain", "diff", "graph", "schema"], every: 6) {
      let help = try tool.run(command, "--help").output
      for option in [
        "-e, --environment", "--layer", "--set", "--catalog", "--env-file", "--config", "--require-env", "--root",
        "--strict",
        "--format", "--syntax",
      ] {
        #expect(help.contains(option), "\(command) \(option)")
      }
      #expect(help.contains("EXAMPLES:"), "\(command)")
    }
  }

  @Test(arguments: ShellCompletionTests.shells)
  func `completion scripts exist for the supported shells`(shell: String) throws {
    let run = try #require(ShellCompletionTests.scripts[shell]).get()
    #expect(run.status == 0)
    #expect(run.output.contains("validate"))
  }

  @Test(arguments: wrongLines)
  func `usage errors go to the standard error only`(line: String) throws {
    let tool = try BuiltTool(files: [
      "app.json": UsageTests.clean, "broken.env": "A=1\n\n# fine\nhunter2\n", "nameless.env": "=1\n",
    ])
    try Data([0x41, 0x3D, 0xE9, 0x0A]).write(to: tool.folder.appendingPathComponent("latin1.env"))
    let run = try tool.shell("$TOOL \(line)")
    #expect(run.status == 64)
    #expect(run.output == "")
    #expect(run.error.hasPrefix("Error: "))
  }

  @Test(
    arguments: LongTests.sample(
      [
        ("vaildate", "there is no command \"vaildate\"; did you mean \"validate\"?"),
        ("app.json", "there is no command \"app.json\""),
      ], every: 2))
  func `an unknown command is reported with similar names`(name: String, words: String) throws {
    let run = try BuiltTool().run(name, "--strict")
    #expect(run.status == 64 && run.output == "")
    #expect(
      run.error == """
        Error: \(words)
        Usage: configdi <subcommand>
          See 'configdi --help' for more information.

        """, "\(run.error)")
  }

  @Test func `help for an unknown command is a usage error`() throws {
    let run = try BuiltTool().run("help", "vaildate")
    #expect(run.status == 64 && run.output == "")
    #expect(run.error.hasPrefix("Error: there is no command \"vaildate\"; did you mean \"validate\"?"))
  }

  @Test func `an invalid line of an environment file is reported by its number, not its contents`() throws {
    let tool = try BuiltTool(files: ["app.json": UsageTests.clean, "broken.env": "A=1\n\n# fine\nhunter2\n"])
    let run = try tool.run("validate", "app.json", "--env-file", "broken.env")
    #expect(run.error.hasPrefix("Error: "))
    #expect(run.error.hasSuffix("\nUsage: configdi validate [<options>] <module>\n"), "\(run.error)")
    #expect(run.error.contains("broken.env:4"))
    #expect(!run.error.contains("hunter2"))
  }

  @Test func `a closed reader of the output does not change the status`() throws {
    let tool = try BuiltTool(files: ["app.json": "["])
    let run = try tool.shell("{ sleep 0.3; $TOOL validate app.json; echo $? >status; } | true")
    #expect(run.error == "")
    let status = try String(contentsOf: tool.folder.appendingPathComponent("status"), encoding: .utf8)
    #expect(status == "1\n")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `an output that cannot be written is reported`() throws {
    let tool = try BuiltTool(files: ["app.json": UsageTests.clean])
    let commands = ["validate app.json", "--help", "help diff", "--version", "--generate-completion-script bash"]
    for command in LongTests.sample(commands, every: 3) {
      let run = try tool.shell("$TOOL \(command) >/dev/full")
      #expect(run.status == 74, "\(command)")
      #expect(run.error.hasPrefix("error: cannot write the output"), "\(command)")
      // In the usual run, other tests run these commands with an output that can be written.
      guard LongTests.isSelected else { continue }
      #expect(try tool.shell("$TOOL \(command)").status == 0, "\(command)")
    }
  }
}
