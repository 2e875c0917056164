// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@Suite struct ConvertTests {
  /// A module with values of every kind.
  private static let module = #"""
    { "configdi": 1, "module": "app", "doc": "a & <b>\n\"é\" 😀", "parameters": { "n": 1, "r": 2.0, "b": true, "l": ["x", 2] },
      "services": { "z": { "type": "Cache<String, Data>", "values": { "n": "${n}", "m": {}, "l": [[]] } }, "a": { "type": "A" } } }
    """#

  /// The files of a chain of conversions. Each is converted from the one before it.
  private static var chain: [String] {
    #if YAML
      ["app.json", "b.plist", "c.yaml", "d.jsonc", "e.yml", "f.json", "g.PLIST"]
    #else
      ["app.json", "b.plist", "d.jsonc", "f.json", "g.PLIST"]
    #endif
  }

  @Test func `a module in every syntax composes to the same bytes`() throws {
    let tool = try BuiltTool(files: ["app.json": ConvertTests.module])
    let wanted = try tool.run("resolve", "app.json")
    #expect(wanted.status == 0)
    let composed = LongTests.sample(ConvertTests.chain.reversed(), every: 2)
    for (input, output) in zip(ConvertTests.chain, ConvertTests.chain.dropFirst()) {
      let run = try tool.run("convert", input, output)
      #expect(run.status == 0)
      #expect(run.output == "")
      #expect(run.error == "")
      guard composed.contains(output) else { continue }
      #expect(try tool.run("resolve", output).output == wanted.output)
    }
    let (json, jsonc) = (try tool.text(of: "f.json"), try tool.text(of: "d.jsonc"))
    #expect(json == jsonc)
    let (first, second) = (try #require(json.range(of: "\"z\"")), try #require(json.range(of: "\"a\"")))
    #expect(first.lowerBound < second.lowerBound)
  }

  /// Inputs with outputs that are the same file. The usual run takes a sample.
  private static let sameFiles = LongTests.sample(
    ["app.json", "link.json"].flatMap { input in
      ["app.json", "./app.json", "link.json", "folder/../app.json"].map { (input: input, output: $0) }
    }, every: 5)

  @Test(arguments: sameFiles) func `the input is never written to`(input: String, output: String) throws {
    let tool = try BuiltTool(files: ["app.json": ConvertTests.module, "folder/x": ""])
    try FileManager.default.createSymbolicLink(
      at: tool.folder.appendingPathComponent("link.json"),
      withDestinationURL: tool.folder.appendingPathComponent("app.json"))
    let run = try tool.run("convert", input, output)
    #expect(run.status == 64)
    #expect(run.output == "")
    #expect(try tool.text(of: "app.json") == ConvertTests.module)
  }

  @Test func `a file that exists keeps its permissions`() throws {
    let tool = try BuiltTool(files: ["app.json": ConvertTests.module, "out.plist": ""])
    let path = tool.folder.appendingPathComponent("out.plist").path
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(try tool.run("convert", "app.json", "out.plist").status == 0)
    #expect(try tool.text(of: "out.plist").hasPrefix("<?xml"))
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test func `an unreadable input is reported, and nothing is written`() throws {
    let tool = try BuiltTool(files: [
      "app.json": #"{"configdi": 1, "module": "app", "module": null, "doc": }"#, "app.txt": "", "old.json": "old",
    ])
    let run = try tool.run("convert", "app.json", "old.json", "--format", "json")
    #expect(run.status == 1)
    #expect(try run.codes == ["CDI0102", "CDI0103", "CDI0101"])
    #expect(try tool.text(of: "old.json") == "old")
    for input in LongTests.sample(["missing.json", "app.txt", "."], every: 3) {
      #expect(try tool.run("convert", input, "new.json").status == 1)
    }
    #expect(!FileManager.default.fileExists(atPath: tool.folder.appendingPathComponent("new.json").path))
  }

  @Test func `values that the target syntax cannot represent are reported at their locations`() throws {
    let tool = try BuiltTool(files: ["app.json": #"{"configdi": 1, "module": "app", "doc": "\u0001"}"#])
    let run = try tool.run("convert", "app.json", "app.plist", "--format", "json")
    #expect(run.status == 1)
    #expect(try run.codes == ["CDI0104"])
    guard LongTests.isSelected else { return }
    #expect(try tool.run("convert", "app.json", "app.jsonc").status == 0)
  }

  @Test func `an unknown file extension is reported`() throws {
    let tool = try BuiltTool(files: ["app.json": ConvertTests.module])
    let run = try tool.run("convert", "app.json", "app.txt", "--format", "json")
    #expect(run.status == 1)
    #expect(try run.codes == ["CDI0109"])
  }

  @Test func `a file that cannot be written is not a finding`() throws {
    let tool = try BuiltTool(files: ["app.json": ConvertTests.module])
    let run = try tool.run("convert", "app.json", "no/such/folder/app.plist", "--format", "json")
    #expect(run.status == 74)
    #expect(run.output == "")
    #expect(run.error.contains("no/such/folder/app.plist"))
  }

  @Test func `the standard input requires a syntax`() throws {
    let tool = try BuiltTool()
    let run = try tool.run(
      "convert", "-", "app.plist", "--syntax", "jsonc", input: "// a\n{\"configdi\": 1, \"module\": \"app\",}")
    #expect(run.status == 0)
    let list = try tool.text(of: "app.plist")
    #expect(try tool.run("validate", "-", "--syntax", "plist", input: list).status == 0)
    let wrong = [["-", "app.plist"], ["app.plist", "app.json", "--syntax", "plist"]]
    for arguments in LongTests.sample(wrong, every: 2) {
      #expect(try tool.run(["convert"] + arguments).status == 64)
    }
  }

  @Test func `findings contain no secret`() throws {
    let tool = try BuiltTool(files: [
      "app.json":
        #"{"configdi": 1, "module": "app", "parameters": {"p": {"value": "hunter2", "secret": true, "colour": 1}}}"#
    ])
    let run = try tool.run("convert", "app.json", "app.plist")
    #expect(run.status == 1)
    #expect(run.output == "" && run.error.contains("CDI0201"))
    #expect(!run.error.contains("hunter2"))
  }
}
