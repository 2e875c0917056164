// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

/// The hint that a result depends on the catalog. `--quiet` suppresses it.
@Suite struct HintTests {
  /// A module in which a service is autowired.
  private static let files = [
    "app.json": #"""
    {"configdi": 1, "module": "app", "environments": {"a": [], "b": []}, "parameters": {"p": 1},
     "services": {"logger": {"type": "L"}, "mailer": {"type": "M", "autowire": true, "values": {"n": "${p}"}}}}
    """#,
    "catalog.json": #"""
    {"configdi-catalog": 1, "types": [
      {"name": "L", "provides": ["L"], "kind": "class", "sendable": true, "async": false, "arguments": []},
      {"name": "M", "provides": ["M"], "kind": "class", "sendable": true, "async": false, "arguments": [
        {"key": "n", "kind": "value", "type": "Int"}, {"key": "log", "kind": "service", "type": "L"}]}]}
    """#,
  ]

  /// Commands whose results depend on references by type. The usual run takes a sample.
  private static let commands = LongTests.sample(
    [
      ["graph", "app.json"], ["graph", "app.json", "--format", "json"], ["explain", "app.json", "logger"],
      ["resolve", "app.json"], ["resolve", "app.json", "--format", "json"],
      ["diff", "app.json", "--from", "a", "--to", "b"],
    ], every: 6)

  @Test(arguments: commands)
  func `a result without references by type has a hint`(arguments: [String]) throws {
    let tool = try BuiltTool(files: Self.files)
    let run = try tool.run(arguments)
    #expect(run.status == 0)
    #expect(
      run.error == """
        hint: service "mailer" takes references by type ("autowire"), which are not known without --catalog and missing here

        """)
    let known = try tool.run(arguments + ["--catalog", "catalog.json"])
    #expect(known.status == 0 && known.error == "")
    let quiet = try tool.run(arguments + ["--quiet"])
    #expect(quiet.error == "")
    if arguments[0] != "diff" { #expect(quiet.output == run.output) }
  }

  @Test func `no hint without references by type or for a parameter`() throws {
    let tool = try BuiltTool(files: Self.files)
    #expect(try tool.run("explain", "app.json", "p").error == "")
    // In the usual run, the tests of `diff` show that this module has no hint.
    guard LongTests.isSelected else { return }
    #expect(try BuiltTool(files: DiffTests.files).run("graph", "app.json").error == "")
  }

  @Test func `quiet keeps findings and results`() throws {
    var files = DiffTests.files
    files["bad.json"] = ValidateTests.misspelt
    let tool = try BuiltTool(files: files)
    let valid = try tool.run("validate", "app.json", "-q")
    #expect(valid.status == 0 && valid.output == "" && valid.error == "")
    let bad = try tool.run("validate", "bad.json", "-q")
    #expect(bad.status == 1 && bad.output.hasPrefix("error[CDI0501]") && !bad.output.contains("1 error"))
    let difference = try tool.run("diff", "app.json", "--from", "dev", "--to", "prod", "--quiet").output
    #expect(difference.hasSuffix("variables:\n  + MAIL_PASSWORD\n"))
    guard LongTests.isSelected else { return }
    let json = try tool.run("validate", "app.json", "-q", "--format", "json")
    #expect(try json.json["errors"] as? Int == 0)
  }

  @Test func `colours are always, never or automatically used`() throws {
    let tool = try BuiltTool(files: DiffTests.files)
    let arguments = ["diff", "app.json", "--from", "dev", "--to", "prod"]
    let plain = try DiffTests.run.get().output
    #expect(!plain.contains("\u{1B}"))
    #expect(try tool.run(arguments + ["--color", "never"]).output == plain)
    let colored = try tool.run(arguments + ["--color", "always"], variables: ["NO_COLOR": "1"]).output
    #expect(colored.contains("\u{1B}[32m  + metrics\u{1B}[0m\n"))
    guard LongTests.isSelected else { return }
    #expect(try tool.run(arguments + ["--color", "maybe"]).status == 64)
  }
}
