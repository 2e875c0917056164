// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

/// `configdi validate --fix`.
@Suite struct FixTests {
  /// A module with a misspelt key, and a misspelt reference below it.
  private static let broken = """
    {
      "configdi": 1,
      "module": "app",
      "servces": {
        "logger": { "type": "ConsoleLogger" },
        "mailer": { "type": "SMTPMailer", "inject": { "logger": "loger" } }
      }
    }

    """
  /// The same module without errors.
  private static let valid = broken.replacingOccurrences(of: "servces", with: "services")
    .replacingOccurrences(of: "loger\"", with: "logger\"")

  @Test func `without --yes the changes are shown and nothing is written`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.broken])
    let run = try tool.run("validate", "app.json", "--fix")
    #expect(run.status == 1 && run.error == "")
    #expect(
      run.output == """
        would fix:
          app.json:4:3: replace with "services"  (CDI0201: unknown key "servces")
          app.json:6:61: replace with "logger"  (CDI0501: service "mailer" injects unknown service "loger")
        nothing was written; use --fix --yes to write the changes

        remaining findings:

        no findings; 2 services

        """)
    #expect(try tool.text(of: "app.json") == Self.broken)
  }

  @Test func `with --yes the file is written and keeps its permissions`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.broken])
    let path = tool.folder.appendingPathComponent("app.json").path
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    // Only the superuser may change the owner of a file.
    let owner: UInt32 = geteuid() == 0 ? 1234 : geteuid()
    chown(path, owner, getegid())
    let run = try tool.run("validate", "app.json", "--fix", "--yes")
    #expect(run.status == 0 && run.output.hasPrefix("fixed:\n") && run.output.hasSuffix("no findings; 2 services\n"))
    #expect(try tool.text(of: "app.json") == Self.valid)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID] as? Int == Int(owner))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).filter { !$0.hasPrefix(".") } == [
        "app.json"
      ])
    guard LongTests.isSelected else { return }
    let again = try tool.run("validate", "app.json", "--fix", "--yes")
    #expect(again.status == 0 && again.output == "nothing to fix\n\nno findings; 2 services\n")
  }

  @Test func `a symbolic link is kept, and its target is written`() throws {
    let tool = try BuiltTool(files: ["real/app.json": Self.broken])
    let link = tool.folder.appendingPathComponent("app.json").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real/app.json")
    #expect(try tool.run("validate", "app.json", "--fix", "--yes").status == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real/app.json")
    #expect(try tool.text(of: "real/app.json") == Self.valid)
  }

  @Test func `JSON output`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.broken])
    let shown = try tool.run("validate", "app.json", "--fix", "--format", "json")
    #expect(shown.status == 1)
    #expect(try shown.json["written"] as? Bool == false)
    #expect(
      (try shown.json["fixed"] as? [NSDictionary])?.map { $0["text"] as? String } == ["\"services\"", "\"logger\""])
    #expect((try shown.json["fixed"] as? [NSDictionary])?.map { $0["line"] as? Int } == [4, 6])
    #expect(try shown.codes == [])
    // In the usual run, a test of suppressions writes a fix and prints JSON.
    guard LongTests.isSelected else { return }
    #expect(try tool.run("validate", "app.json", "--fix", "--yes", "--format", "json").json["written"] as? Bool == true)
  }

  @Test func `findings without a fix remain and are printed`() throws {
    let text = Self.broken.replacingOccurrences(of: "\"loger\"", with: "\"zzz\"")
    let tool = try BuiltTool(files: ["app.json": text.replacingOccurrences(of: "servces", with: "services")])
    let run = try tool.run("validate", "app.json", "--fix", "--yes")
    #expect(run.status == 1 && run.output.hasPrefix("nothing to fix\n\nerror[CDI0501]"))
  }

  /// Arguments that are usage errors, with the messages. The usual run takes a sample.
  private static let wrong = LongTests.sample(
    [
      (["app.json", "--yes"], "--yes is for --fix."),
      (["-", "--syntax", "json", "--fix"], "--fix cannot change a module on standard input."),
      (["app.json", "--fix", "--format", "sarif"], "--fix supports only --format text and json."),
    ], every: 3)

  @Test(arguments: wrong)
  func `usage errors`(arguments: [String], message: String) throws {
    let run = try BuiltTool(files: ["app.json": Self.valid]).run(["validate"] + arguments)
    #expect(run.status == 64 && run.error.contains(message))
  }

  @Test func `a file that cannot be written is unchanged`() throws {
    let text = Self.broken + String(repeating: " ", count: 600)
    let tool = try BuiltTool(files: ["full/app.json": text])
    let run = try tool.onFullDisk("validate full/app.json --fix --yes")
    #expect(run.status == 74 && run.error == "error: cannot write \"full/app.json\": File too large\n")
    #expect(try tool.text(of: "full/app.json") == text)
    #expect(try tool.names(in: "full") == ["app.json"])
  }

  @Test func `a file with a very long name is replaced`() throws {
    let name = String(repeating: "a", count: 240) + ".json"
    let tool = try BuiltTool(files: [name: Self.broken])
    #expect(try tool.run("validate", name, "--fix", "--yes").status == 0)
    #expect(try tool.text(of: name) == Self.valid)
    #expect(try tool.names(in: ".") == [name])
  }
}
