// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

/// `configdi rename`.
@Suite struct RenameTests {
  /// A module in several files. A service and a parameter have the same name.
  private static let files = [
    "app.json": #"""
    {"configdi": 1, "module": "app", "imports": ["parts/mail.json"], "environments": {"prod": ["prod.json"]},
     "parameters": {"level": "info", "both": 1},
     "services": {"logger": {"type": "L", "values": {"level": "at ${level}!", "n": "${both}"}}, "both": {"type": "B"}}}
    """#,
    "parts/mail.json":
      #"{"configdi": 1, "module": "mail", "services": {"mail": {"type": "M", "inject": {"l": "log\u0067er"}}}}"#,
    "prod.json": #"""
    {"configdi": 1, "module": "prod", "override": {"services": {"logger": {"type": "P"}}, "parameters": {"level": "warning"}}}
    """#,
    "tags.json": #"""
    {"configdi": 1, "module": "tags", "services": {"a": {"type": "A", "tags": ["t"]}, "b": {"type": "B", "tags": ["t"]},
     "u": {"type": "U", "inject": {"m": {"tagged": "t", "as": "map"}}}}}
    """#,
  ]

  @Test func `a preview shows the locations in all files and writes nothing`() throws {
    let tool = try BuiltTool(files: Self.files)
    let run = try tool.run("rename", "app.json", "logger", "log.main")
    #expect(run.status == 0 && run.error == "")
    #expect(
      run.output == """
        would rename service logger to log.main at
          app.json:3:16
          parts/mail.json:1:86
          prod.json:1:62
        nothing was written; use --yes to write the changes

        """)
    for (name, text) in Self.files { #expect(try tool.text(of: name) == text) }
  }

  @Test func `with --yes all files have the new name, and no other byte differs`() throws {
    let tool = try BuiltTool(files: Self.files)
    #expect(try tool.run("rename", "app.json", "logger", "log.main", "--yes").status == 0)
    for name in ["app.json", "prod.json"] {
      #expect(try tool.text(of: name) == Self.files[name]?.replacing("\"logger\"", with: "\"log.main\""))
    }
    #expect(
      try tool.text(of: "parts/mail.json") == Self.files["parts/mail.json"]?.replacing("log\\u0067er", with: "log.main")
    )
    // This fails if the renamed module has an error.
    let parameter = try tool.run("rename", "app.json", "level", "log-level", "--yes", "--format", "json").json
    #expect(parameter["kind"] as? String == "parameter" && parameter["written"] as? Bool == true)
    #expect((parameter["places"] as? [NSDictionary])?.count == 3)
    #expect(try tool.text(of: "app.json").contains("at ${log-level}!"))
    #expect(try tool.run("validate", "app.json", "--strict").status == 0)
  }

  @Test func `the comments in an XML element are kept before it`() throws {
    let dict = """
      <plist><dict><key>configdi</key><integer>1</integer><key>module</key><string>m</string>
      <key>parameters</key><dict><key><!-- id -->port</key><integer>1</integer></dict>
      <key>services</key><dict><key>a</key><dict><key>type</key><string>A</string><key>values</key><dict>
      <key>t</key><string>a<!-- ${keep} --> ${port}<![CDATA[<!-- text --> ${port}]]></string></dict></dict></dict>
      </dict></plist>
      """
    let tool = try BuiltTool(files: ["app.plist": dict])
    let run = try tool.run("rename", "app.plist", "port", "p2", "--yes")
    #expect(run.output.split(separator: "\n").count == 3, "\(run.output)")
    let text = try tool.text(of: "app.plist")
    #expect(text.contains("<!-- id --><key>p2</key>"))
    #expect(text.contains("<!-- ${keep} --><string>a ${p2}&lt;!-- text --&gt; ${p2}</string>"), "\(text)")
    #expect(try tool.run("validate", "app.plist", "--strict").status == 0)
  }

  @Test func `an alias is called an alias`() throws {
    let text = UsageTests.clean.replacing("\"services\"", with: "\"aliases\": {\"other\": \"a\"}, \"services\"")
    let tool = try BuiltTool(files: ["app.json": text])
    #expect(try tool.run("rename", "app.json", "other", "x").output.hasPrefix("would rename alias other to x at\n"))
    // The usual run takes only the text.
    guard LongTests.isSelected else { return }
    let json = try tool.run("rename", "app.json", "aliases.other", "aliases.x", "--format", "json").json
    #expect(json["kind"] as? String == "alias" && json["from"] as? String == "other" && json["to"] as? String == "x")
  }

  @Test func `escapes around a placeholder are kept`() throws {
    let text = #"{"configdi": 1, "module": "app", "parameters": {"l": 1, "m": "\u00e9\/${l}\n${l}"}}"#
    let tool = try BuiltTool(files: ["app.json": text])
    #expect(try tool.run("rename", "app.json", "parameters.l", "level", "--yes").status == 0)
    #expect(
      try tool.text(of: "app.json") == text.replacing("${l}", with: "${level}").replacing("\"l\"", with: "\"level\""))
  }

  /// Invalid renames with the reasons.
  private static let invalid: [(arguments: [String], reason: String)] = [
    (["app.json", "logger", "both"], "cannot rename \"logger\": there is already a service or alias \"both\""),
    (
      ["app.json", "both", "x"],
      "cannot rename \"both\": several things have the name \"both\"; write services.both or "
    ),
    (["app.json", "loger", "x"], "nothing in the module has the name \"loger\"; did you mean \"logger\"?"),
    (["app.json", "logger", "a b"], "cannot rename \"logger\": \"a b\" is not a valid name"),
    (["app.json", "logger", "logger"], "cannot rename \"logger\": that is its name already"),
    (
      ["tags.json", "a", "z"], "cannot rename \"a\": service \"u\" would change at inject.m.map.a: the key or the order"
    ),
  ]

  /// Invalid renames in both formats. The usual run takes a sample.
  private static let invalidLines = LongTests.sample(
    invalid.flatMap { rename in ["text", "json"].map { (rename.arguments, rename.reason, $0) } }, every: 7)

  @Test(arguments: invalidLines)
  func `an invalid rename is rejected with a reason`(arguments: [String], reason: String, form: String) throws {
    let tool = try BuiltTool(files: Self.files)
    let run = try tool.run(["rename"] + arguments + (form == "text" ? ["--yes"] : ["--format", "json"]))
    #expect(run.status == 1)
    if form == "text" {
      #expect(run.output == "")
      #expect(run.error.hasPrefix("error: \(reason)"), "\(run.error)")
    } else {
      #expect(run.error == "")
      #expect(try (run.json["error"] as? String)?.hasPrefix(reason) == true)
    }
    for (name, text) in Self.files { #expect(try tool.text(of: name) == text) }
  }

  @Test func `a rename that changes the order of a tag or of the start is rejected`() throws {
    let text = #"""
      {"configdi": 1, "module": "m", "tags": {"t": {}}, "services": {"a": {"type": "A", "tags": ["t"], "eager": true},
       "b": {"type": "B", "tags": ["t"]}, "c": {"type": "C", "eager": true}}}
      """#
    let tool = try BuiltTool(files: ["app.json": text])
    for (old, new, what) in [("a", "bb", "services with the tag \"t\""), ("c", "_c", "services at the start")] {
      let run = try tool.run("rename", "app.json", old, new, "--yes")
      #expect(run.status == 1 && run.output == "")
      #expect(run.error.contains("\"\(old)\": the order of the \(what) would change"), "\(run.error)")
      #expect(try tool.text(of: "app.json") == text)
    }
    #expect(try tool.run("rename", "app.json", "a", "aa").status == 0)
  }

  @Test func `a section distinguishes two entries of the same name`() throws {
    let tool = try BuiltTool(files: Self.files)
    #expect(try tool.run("rename", "app.json", "parameters.both", "x", "--yes").status == 0)
    // The new name may have a section, like the old one.
    let again = try tool.run("rename", "app.json", "parameters.x", "parameters.y")
    #expect(again.output.hasPrefix("would rename parameter x to y at\n"), "\(again.output)")
    let text = try tool.text(of: "app.json")
    #expect(text.contains("\"x\": 1") && text.contains("${x}") && text.contains("\"both\": {\"type\": \"B\"}"))
  }

  @Test func `a service that a decorator injects can be renamed without other differences`() throws {
    let text = #"""
      {"configdi": 1, "module": "m", "services": {"logger": {"type": "L"},
       "s": {"type": "S", "decorate": [{"type": "D", "inject": {"l": "logger"}}]}}}
      """#
    let renamed = text.replacing("\"logger\"", with: "\"zlog\"")
    let tool = try BuiltTool(files: [
      "app.json": text, "new.json": renamed, "more.json": renamed.replacing("\"D\"", with: "\"E\""),
    ])
    let same = try tool.run("diff", "app.json", "--against", "new.json")
    #expect(same.status == 0 && same.output.contains("logger -> zlog  (renamed)"))
    #expect(!same.output.contains("decorate[0]"))
    #expect(try tool.run("diff", "app.json", "--against", "more.json").output.contains("decorate[0].type"))
    let run = try tool.run("rename", "app.json", "logger", "zlog", "--yes")
    #expect(run.status == 0 && run.error == "")
    #expect(try tool.text(of: "app.json") == renamed)
  }

  @Test func `a module with errors is not changed`() throws {
    let tool = try BuiltTool(files: ["bad.json": ValidateTests.misspelt])
    let run = try tool.run("rename", "bad.json", "logger", "x", "--yes")
    #expect(run.status == 1 && run.output == "" && run.error.hasPrefix("error[CDI0501]"))
    #expect(try tool.text(of: "bad.json") == ValidateTests.misspelt)
    #expect(try tool.run("rename", "-", "--syntax", "json", "a", "b").status == 64)
  }

  @Test func `if a file cannot be written, the others are restored`() throws {
    var files = Self.files
    files["prod.json"]? += String(repeating: " ", count: 600)
    let tool = try BuiltTool(files: files)
    let run = try tool.onFullDisk("rename app.json logger log --yes")
    #expect(run.status == 74 && run.output == "" && run.error == "error: cannot write \"prod.json\": File too large\n")
    for (name, text) in files { #expect(try tool.text(of: name) == text) }
  }
}
