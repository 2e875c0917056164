// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@Suite struct ValidateTests {
  /// A module whose mailer refers to a service that does not exist.
  static let misspelt = """
    {
      "configdi": 1,
      "module": "app",
      "services": {
        "logger": { "type": "ConsoleLogger" },
        "mailer": { "type": "SMTPMailer", "inject": { "logger": "loger" } }
      }
    }

    """

  @Test func `a module without findings exits with 0`() throws {
    let run = try BuiltTool(files: ["app.json": UsageTests.clean]).run("validate", "app.json")
    #expect(run.status == 0)
    #expect(run.output == "no findings; 1 service\n")
    #expect(run.error == "")
  }

  @Test func `text output of a finding`() throws {
    let run = try BuiltTool(files: ["app.json": Self.misspelt]).run("validate", "app.json")
    #expect(run.status == 1)
    #expect(run.error == "")
    #expect(run.output.hasPrefix("error[CDI0501]: service \"mailer\" injects unknown service \"loger\"\n"))
    #expect(run.output.contains(" --> app.json:6:61\n"))
    #expect(
      run.output.contains(
        """
        6 |     "mailer": { "type": "SMTPMailer", "inject": { "logger": "loger" } }
          |                                                             ^^^^^^^
        """))
    #expect(run.output.contains("= help: did you mean \"logger\"?\n"))
    #expect(run.output.hasSuffix("\n1 error; 2 services\n"))
    #expect(!run.output.contains("\u{1B}"))
  }

  @Test func `the name of a file is relative to the working folder, however its path is written`() throws {
    let tool = try BuiltTool(files: [
      "app.json": Self.misspelt, "sub/layer.json": #"{ "configdi": 1, "module": "l", "colour": 1 }"#,
      "catalog.json": #"{ "configdi-catalog": 1, "types": [], "colour": 1 }"#,
    ])
    let fromParent = "../\(tool.folder.lastPathComponent)/app.json"
    let entries = [fromParent, "./app.json", "sub/../app.json", "\(tool.folder.path)/app.json"]
    for entry in LongTests.sample(entries, every: 4) {
      let run = try tool.run(
        "validate", entry, "--layer", "./sub/layer.json", "--catalog", "./catalog.json", "--format", "json")
      #expect(try run.files == ["app.json", "sub/layer.json", "catalog.json"], "\(entry)")
    }
  }

  @Test func `a path that leads out of the working folder by a symbolic link is shown as given`() throws {
    let tool = try BuiltTool(files: ["app.json": "", "outside/app.json": Self.misspelt, "outside/sub/x": ""])
    try FileManager.default.createSymbolicLink(
      at: tool.folder.appendingPathComponent("link"),
      withDestinationURL: tool.folder.appendingPathComponent("outside/sub"))
    let run = try tool.run("validate", "link/../app.json", "--format", "json")
    #expect(try run.files == ["link/../app.json"])
  }

  @Test func `JSON output of a finding`() throws {
    let run = try BuiltTool(files: ["app.json": Self.misspelt]).run("validate", "app.json", "--format", "json")
    #expect(run.status == 1)
    let json = try run.json
    #expect(json["configdi"] as? Int == 1)
    #expect(json["errors"] as? Int == 1)
    #expect(json["warnings"] as? Int == 0)
    #expect(json["services"] as? Int == 2)
    #expect(json["environments"] as? [String] == [])
    #expect(json["variables"] as? NSDictionary == [:])
    #expect(json["files"] as? NSDictionary == [:])
    let finding = try #require((json["diagnostics"] as? [NSDictionary])?.first)
    #expect(finding["code"] as? String == "CDI0501")
    #expect(finding["severity"] as? String == "error")
    #expect(finding["file"] as? String == "app.json")
    #expect(["line", "column", "endLine", "endColumn"].map { finding[$0] as? Int } == [6, 61, 6, 68])
    #expect(finding["path"] as? String == "services.mailer.inject.logger")
    #expect(finding["notes"] as? [String] == [])
    #expect(finding["environments"] == nil)
  }

  @Test func `warnings fail only a strict check, and stay warnings`() throws {
    let tool = try BuiltTool(files: [
      "app.json": #"{"configdi": 1, "module": "app", "parameters": {"idle": 1}}"#
    ])
    let strict = try tool.run("validate", "app.json", "--strict", "--format", "json")
    #expect(strict.status == 1)
    #expect(try strict.json["errors"] as? Int == 0)
    #expect(try strict.json["warnings"] as? Int == 1)
    // In the usual run, the tests of formats make this call.
    guard LongTests.isSelected else { return }
    #expect(try tool.run("validate", "app.json").status == 0)
  }

  @Test func `all or the requested environments are checked`() throws {
    let tool = try BuiltTool(files: [
      "app.json": #"{"configdi": 1, "module": "app", "environments": {"dev": [], "prod": ["prod.json"]}}"#,
      "prod.json": #"{"configdi": 1, "module": "prod", "services": {"a": {"type": "A", "inject": {"x": "gone"}}}}"#,
    ])
    let all = try tool.run("validate", "app.json", "--format", "json")
    #expect(all.status == 1)
    #expect(try all.json["environments"] as? [String] == ["dev", "prod"])
    #expect(try ((all.json["diagnostics"] as? [NSDictionary])?.first)?["environments"] as? [String] == ["prod"])
    let one = try tool.run("validate", "app.json", "-e", "dev")
    #expect(one.status == 0)
    #expect(one.output == "no findings; 0 services in dev\n")
    for (options, code) in LongTests.sample(
      [(["-e", "test"], "CDI0307"), (["-e", "dev", "-e", "prod"], "CDI0501")], every: 2)
    {
      let run = try tool.run(["validate", "app.json", "--format", "json"] + options)
      #expect(run.status == 1)
      #expect(try run.codes == [code])
    }
  }

  @Test func `layers and settings apply`() throws {
    let tool = try BuiltTool(files: [
      "app.json": UsageTests.clean,
      "layer.json": #"{"configdi": 1, "module": "layer", "services": {"b": {"type": "B", "inject": {"a": "a"}}}}"#,
    ])
    let layered = try tool.run("validate", "app.json", "--layer", "layer.json", "--format", "json")
    #expect(layered.status == 0)
    #expect(try layered.json["services"] as? Int == 2)
    let wrong = [(["--layer", "none.json"], "CDI0301"), (["--set", "parameters.none=1"], "CDI0305")]
    for (options, code) in LongTests.sample(wrong, every: 2) {
      let run = try tool.run(["validate", "app.json", "--format", "json"] + options)
      #expect(run.status == 1)
      #expect(try run.codes == [code])
    }
  }

  @Test func `a module can be read from the standard input`() throws {
    let run = try BuiltTool().run("validate", "-", "--syntax", "json", input: UsageTests.clean)
    #expect(run.status == 0)
    #expect(run.output == "no findings; 1 service\n")
    guard LongTests.isSelected else { return }
    #expect(try BuiltTool().run("validate", "-", "--syntax", "json", input: "{").status == 1)
  }

  @Test func `imports stay below the given root`() throws {
    let tool = try BuiltTool(files: [
      "configs/app.json": #"{"configdi": 1, "module": "app", "imports": ["../common/a.json"]}"#,
      "common/a.json": #"{"configdi": 1, "module": "a", "services": {"a": {"type": "A"}}}"#,
    ])
    #expect(try tool.run("validate", "configs/app.json", "--format", "json").codes == ["CDI0303"])
    #expect(try tool.run("validate", "configs/app.json", "--root", ".").status == 0)
    let help = "the root folder \"gone\" does not exist"
    #expect(try tool.run("validate", "configs/app.json", "--root", "gone").output.contains(help))
    guard LongTests.isSelected else { return }
    #expect(try !tool.run("validate", "configs/app.json", "--root", "configs").output.contains("does not exist"))
  }

  @Test func `types are checked by the catalog, and errors of the catalog are located in it`() throws {
    let tool = try BuiltTool(files: [
      "app.json": #"{"configdi": 1, "module": "app", "services": {"a": {"type": "B"}}}"#,
      "catalog.json":
        #"{"configdi-catalog": 1, "types": [{"name": "A", "provides": [], "kind": "class", "sendable": true, "arguments": []}]}"#,
      "broken.json": #"{"configdi-catalog": 2, "types": []}"#,
    ])
    let typed = try tool.run("validate", "app.json", "--catalog", "catalog.json", "--format", "json")
    #expect(try typed.codes == ["CDI0601"])
    let broken = try tool.run("validate", "app.json", "--catalog", "broken.json", "--format", "json")
    #expect(broken.status == 1)
    #expect(try broken.codes == ["CDI0205"])
    #expect(try (broken.json["diagnostics"] as? [NSDictionary])?.first?["file"] as? String == "broken.json")
    guard LongTests.isSelected else { return }
    #expect(try tool.run("validate", "app.json").status == 0)
  }
}
