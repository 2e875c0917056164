// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@Suite struct InitTests {
  @Test func `the new module validates without findings and differs by environment`() throws {
    let tool = try BuiltTool()
    let run = try tool.run("init")
    #expect(run.status == 0)
    #expect(run.error == "")
    #expect(
      run.output == """
        wrote app.json
        wrote prod.json
        wrote configdi.schema.json
        wrote .vscode/settings.json
        try: configdi validate app.json

        """)
    let settings = try JSONSerialization.jsonObject(with: Data(tool.text(of: ".vscode/settings.json").utf8))
    let schemas = (settings as? NSDictionary)?["json.schemas"] as? [NSDictionary]
    #expect(schemas?.first?["url"] as? String == "./configdi.schema.json")
    let check = try tool.run("validate", "app.json", "--strict", "--format", "json")
    #expect(check.status == 0)
    #expect(try check.codes == [])
    #expect(try check.json["environments"] as? [String] == ["dev", "prod"])
    let difference = try tool.run("diff", "app.json", "--from", "dev", "--to", "prod").output
    #expect(difference.contains("\"ConsoleLogger\" -> \"FileLogger\""))
    guard LongTests.isSelected else { return }
    #expect(try tool.run("resolve", "app.json", "-e", "prod").status == 0)
  }

  @Test func `a missing folder is created`() throws {
    let tool = try BuiltTool()
    let quiet = try tool.run("init", "quiet", "-q")
    #expect(quiet.output.split(separator: "\n").allSatisfy { $0.hasPrefix("wrote ") } && !quiet.output.isEmpty)
    let run = try tool.run("init", "a/b", "--format", "json")
    #expect(run.status == 0)
    #expect(
      try run.json["files"] as? [String] == [
        "a/b/app.json", "a/b/prod.json", "a/b/configdi.schema.json", "a/b/.vscode/settings.json",
      ])
    // In the usual run, the test above checks such files.
    guard LongTests.isSelected else { return }
    #expect(try tool.run("validate", "a/b/app.json").status == 0)
  }

  @Test func `the files refer to the written schema, and existing settings are kept`() throws {
    let tool = try BuiltTool(files: [".vscode/settings.json": "mine"])
    let run = try tool.run("init")
    #expect(run.status == 0 && !run.output.contains("settings"))
    #expect(try tool.text(of: ".vscode/settings.json") == "mine")
    #expect(try tool.text(of: "configdi.schema.json") == SchemaTests.run.get().output)
    for name in ["app.json", "prod.json"] {
      let file = try JSONSerialization.jsonObject(with: Data(tool.text(of: name).utf8)) as? NSDictionary
      #expect(file?["$schema"] as? String == "configdi.schema.json")
    }
  }

  /// The names of files that `init` writes, in both formats. The usual run takes a sample.
  private static let existing = LongTests.sample(
    ["app.json", "prod.json", "configdi.schema.json"].flatMap { name in
      ["json", "text"].map { (name: name, form: $0) }
    }, every: 6)

  @Test(arguments: existing)
  func `nothing is overwritten, and nothing is written beside existing files`(name: String, form: String) throws {
    let tool = try BuiltTool(files: [name: "mine"])
    let run = try tool.run("init", "--format", form)
    #expect(run.status == 1)
    if form == "text" {
      #expect(run.output == "")
      #expect(run.error == "error: \"\(name)\" exists; nothing was written\n")
    } else {
      #expect(run.error == "")
      #expect(try run.json["error"] as? String == "\"\(name)\" exists; nothing was written")
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path)
    #expect(files.filter { !$0.hasPrefix(".") } == [name])
    #expect(try String(contentsOf: tool.folder.appendingPathComponent(name), encoding: .utf8) == "mine")
  }

  @Test func `a second run names all existing files`() throws {
    let names = ["app.json", "prod.json", "configdi.schema.json", ".vscode/settings.json"]
    let tool = try BuiltTool(files: Dictionary(uniqueKeysWithValues: names.map { ($0, "") }))
    #expect(
      try tool.run("init").error
        == "error: \"app.json\", \"prod.json\", \"configdi.schema.json\" exist; nothing was written\n")
  }

  @Test func `a dangling link is not followed, and a file in place of the folder is reported`() throws {
    let tool = try BuiltTool(files: ["file": ""])
    try FileManager.default.createSymbolicLink(
      at: tool.folder.appendingPathComponent("app.json"), withDestinationURL: tool.folder.appendingPathComponent("away")
    )
    let run = try tool.run("init")
    #expect(run.status == 1)
    #expect(run.error == "error: \"app.json\" exists; nothing was written\n")
    #expect(!FileManager.default.fileExists(atPath: tool.folder.appendingPathComponent("away").path))
    let blocked = try tool.run("init", "file")
    #expect(blocked.status == 74)
    #expect(blocked.error == "error: cannot write \"file/app.json\": Not a directory\n")
  }

  @Test func `a file that does not fit on a full disk is not left partially written`() throws {
    let tool = try BuiltTool()
    let run = try tool.onFullDisk("init")
    #expect(run.status == 74 && run.output == "")
    #expect(try tool.names(in: ".") == [])
    guard LongTests.isSelected else { return }
    #expect(try tool.run("init").status == 0)
  }
}
