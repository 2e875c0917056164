// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

/// `configdi build`, as the plugin runs it. `Scripts/check-plugin.sh` tests the plugin itself.
@Suite struct BuildTests {
  /// A module with a warning, its layer, and the list of modules.
  private static let files = [
    "app/configdi-modules.json": #"{ "modules": [ { "module": "../configs/app.json" } ] }"#,
    "configs/app.json": #"""
    { "configdi": 1, "module": "app", "environments": { "dev": [], "prod": ["prod.json"] },
      "parameters": { "unused": 1, "port": { "env": "PORT", "type": "int" } },
      "services": { "server": { "type": "Server", "values": { "port": "${port}" } } } }
    """#,
    "configs/prod.json": #"{ "configdi": 1, "module": "prod" }"#,
    "configs/catalog.json": #"""
    { "configdi-catalog": 1, "types": [ { "name": "Server", "provides": ["Server"], "kind": "class", "sendable": true,
      "arguments": [ { "key": "port", "kind": "value", "type": "Int" } ] } ] }
    """#,
  ]

  /// Runs the command on the list of modules.
  private func build(_ tool: borrowing BuiltTool, _ more: [String] = []) throws -> BuiltTool.Run {
    try tool.run(["build", "app/configdi-modules.json", "--output", "out.swift"] + more, variables: ["PORT": "many"])
  }

  /// Returns the modification date of a file.
  private func time(_ tool: borrowing BuiltTool, _ name: String) throws -> Date? {
    try FileManager.default.attributesOfItem(atPath: tool.folder.appendingPathComponent(name).path)[.modificationDate]
      as? Date
  }

  @Test func `warnings are printed, unset variables are ignored, and the output is written once`() throws {
    let tool = try BuiltTool(files: Self.files)
    let run = try build(tool)
    let folder = tool.folder.resolvingSymlinksInPath().path
    #expect(run.status == 0 && run.error == "")
    #expect(
      run.output == """
        \(folder)/configs/app.json:2:19: warning: parameter "unused" is never used [CDI0702]
        \(folder)/configs/app.json:2:19: note: help: remove it

        """)
    #expect(try tool.text(of: "out.swift").hasPrefix("// "))
    let first = try time(tool, "out.swift")
    #expect(try build(tool).status == 0)
    #expect(try time(tool, "out.swift") == first)
  }

  /// Lists with an error, its place and its text. The usual run takes a sample.
  private static let broken = LongTests.sample(
    [
      (
        #""module": "../configs/app.json", "environments": ["pro"]"#, "app/configdi-modules.json:1:16: error: ",
        "unknown environment \"pro\""
      ),
      (
        #""module": "../configs/app.json", "catalog": "none.json""#, "app/configdi-modules.json:1:16: error: ",
        "file \"app/none.json\" does not exist"
      ),
      (#""module": "../configs/app.json", "layers": ["more.json"]"#, "app/more.json:1:73: error: ", "oops"),
      (#""module": "../configs/app.json", "strict": true"#, "configs/app.json:2:19: warning: ", "CDI0702"),
      (#""module": "../configs/none.json""#, "error: ", "none.json"),
      (#""module": 3"#, "app/configdi-modules.json:1:28: error: expected a string, found an integer", "CDI0202"),
      (
        #""module": "../configs/app.json", "accessor": "s" }, { "module": "../configs/app.json", "accessor": "s""#,
        "app/configdi-modules.json:1:117: error: ", "two modules have the accessor \"s\""
      ),
      (
        #""module": "../configs/app.json", "accessor": "s" }, { "module": "../configs/app.json", "accessor": "t""#,
        "app/configdi-modules.json: error: ",
        #"the code for the accessors "s" and "t" would declare "AppServices" twice; set "type" or rename an accessor"#
      ),
      (
        #""module": "../configs/app.json", "type": "a-b""#, "app/configdi-modules.json:1:59: error: ",
        "not a name in Swift"
      ),
      (#""modul": "../configs/app.json""#, "app/configdi-modules.json:1:18: error: unknown key", "\"module\""),
    ], every: 6)

  @Test(arguments: broken)
  func `errors that fail a build`(module: String, place: String, text: String) throws {
    var files = Self.files
    files["app/configdi-modules.json"] = "{ \"modules\": [ { \(module) } ] }"
    files["app/more.json"] =
      #"{ "configdi": 1, "module": "m", "override": { "services": { "server": { "oops": 1 } } } }"#
    let tool = try BuiltTool(files: files)
    let run = try build(tool)
    #expect(run.status == 1)
    #expect(run.output.contains(place) && run.output.contains(text), "\(run.output)")
    #expect(!FileManager.default.fileExists(atPath: tool.folder.appendingPathComponent("out.swift").path))
  }

  @Test func `one module has two accessors if their types differ`() throws {
    var files = Self.files
    files["app/configdi-modules.json"] = #"""
      { "modules": [ { "module": "../configs/app.json", "accessor": "s" },
        { "module": "../configs/app.json", "accessor": "t", "type": "Other" } ] }
      """#
    let tool = try BuiltTool(files: files)
    #expect(try build(tool).status == 0)
    let code = try tool.text(of: "out.swift")
    #expect(code.contains("var s: AppServices<Self>") && code.contains("var t: Other<Self>"))
  }

  @Test func `an unreadable list is reported`() throws {
    let run = try BuiltTool().run("build", "none.json", "--output", "out.swift")
    #expect(run.status == 1 && run.output.contains("error: file \"none.json\" does not exist"))
  }

  @Test func `inputs that are not listed cause the list to be written again`() throws {
    let all = Self.files.keys.sorted()
    let cases: [String?] = [nil] + all.map(Optional.init)
    for missing in LongTests.sample(cases, every: 3) {
      let tool = try BuiltTool(files: Self.files)
      let list = all.filter { $0 != missing }.map { tool.folder.appendingPathComponent($0).path + "\n" }.joined()
      try Data(list.utf8).write(to: tool.folder.appendingPathComponent("inputs.txt"))
      let old = Date(timeIntervalSince1970: 1_000_000)
      let path = tool.folder.appendingPathComponent("inputs.txt").path
      try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
      #expect(try build(tool, ["--inputs", "inputs.txt"]).status == 0)
      #expect(try (time(tool, "inputs.txt") == old) == (missing == nil), "\(missing ?? "none")")
      #expect(try tool.text(of: "inputs.txt") == list)
    }
  }

  @Test func `the list of inputs is not overwritten by the output`() throws {
    var files = Self.files
    files["out.swift"] = "kept"
    let tool = try BuiltTool(files: files)
    let run = try build(tool, ["--inputs", "out.swift"])
    #expect(run.status == 64 && run.error.contains("--output: the command reads this file"))
    #expect(try tool.text(of: "out.swift") == "kept")
  }

  @Test func `an application with embedded commands checks lists by its own registry`() throws {
    var files = Self.files
    files["configs/catalog.json"] = nil
    let tool = try BuiltTool(files: files)
    let run = try tool.runEmbedded("--alone", "build", "app/configdi-modules.json", "--output", "out.swift")
    #expect(run.status == 1 && run.output.contains("[CDI0601]"))
  }
}
