// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import ConfigDITooling
import Testing
import _ConfigDITestSupport

@Suite struct EditorWorkspaceTests {
  /// Returns a module file with the given name and members.
  private static func module(_ name: String, _ rest: String) -> String {
    "{ \"configdi\": 1, \"module\": \"\(name)\", \(rest) }"
  }

  @Test func `a valid module has no findings in any file`() {
    for file in ["app.json", "parts/mail.json", "prod.json"] {
      let open = EditorSample.pointing(file, behind: #""configdi""#)
      #expect(open.findings.map(\.path) == ["/w/\(file)"])
      #expect(open.codes(in: file) == [])
    }
  }

  @Test func `an unsaved text is used, in the file itself and in its dependents`() {
    let open = EditorSample.open("parts/mail.json", #""mailer": {"#, #""mail‸er2": {"#)
    #expect(open.codes(in: "app.json") == ["CDI0503 19:24"])
    #expect(open.codes(in: "prod.json") == ["CDI0305 5:57"])
    #expect(open.findings.map(\.path) == ["/w/app.json", "/w/parts/mail.json", "/w/prod.json"])
  }

  @Test func `resolved findings are reported as an empty list`() {
    let open = EditorSample.open("parts/mail.json", #""logger": "logger""#, #""logger": "logg‸r""#)
    #expect(open.codes(in: "parts/mail.json") == ["CDI0501 7:29"])
    open.workspace.setText(EditorText(EditorSample.files["parts/mail.json"] ?? ""), of: open.path)
    let changes = open.workspace.refresh()
    #expect(changes.map(\.path) == [open.path])
    #expect(changes.first?.findings == [])
    #expect(open.workspace.refresh().isEmpty)
  }

  @Test func `a closed file is read from the disk, and closing the last one removes all findings`() {
    let open = EditorSample.open("parts/mail.json", #""mailer": {"#, #""mail‸er2": {"#)
    open.workspace.setText(EditorText(EditorSample.files["app.json"] ?? ""), of: "/w/app.json")
    _ = open.workspace.refresh()
    // The file on the disk has the same error, as it differs only by the cursor's mark.
    open.workspace.close(open.path)
    _ = open.workspace.refresh()
    #expect(open.codes(in: "app.json") == ["CDI0503 19:24"])
    open.workspace.close("/w/app.json")
    let changes = open.workspace.refresh()
    #expect(changes.map(\.path) == ["/w/app.json", "/w/prod.json"])
    #expect(changes.allSatisfy { $0.findings.isEmpty })
  }

  @Test func `a malformed layer has one finding, and uncertain findings of the module are suppressed`() {
    let open = EditorSample.open("prod.json", #""remove": { "aliases": [] }"#, #""remove": { "aliases": [ ‸"#)
    #expect(open.codes(in: "prod.json").count == 1)
    #expect(open.codes(in: "prod.json").first?.hasPrefix("CDI0101") == true)
    #expect(open.codes(in: "app.json") == [])
  }

  @Test func `a file that is not read, because its module is malformed, has findings of its own`() {
    let open = EditorSample.open("parts/mail.json", #""type": "Mailer""#, #""tpye‸": "Mailer""#)
    open.workspace.setText(EditorText("{ \"configdi\": 1, \"imports\": ["), of: "/w/app.json")
    _ = open.workspace.refresh()
    #expect(open.codes(in: "parts/mail.json") == ["CDI0201 6:7"])
    #expect(open.workspace.fixAllAction(in: open.path)?.fixes.map(\.text) == ["\"type\""])
    open.workspace.setText(EditorText(EditorSample.files["app.json"] ?? ""), of: "/w/app.json")
    _ = open.workspace.refresh()
    #expect(open.codes(in: "parts/mail.json") == ["CDI0201 6:7"])
    open.workspace.setText(EditorText(EditorSample.files["parts/mail.json"] ?? ""), of: open.path)
    _ = open.workspace.refresh()
    #expect(open.codes(in: "parts/mail.json") == [])
  }

  @Test func `a file imported by several modules is checked in each`() {
    let workspace = OpenWorkspace([
      "a.json": Self.module("a", #""imports": ["part.json"], "services": { "x": { "type": "X" } }"#),
      "b.json": Self.module("b", #""imports": ["part.json"]"#),
      "part.json": Self.module("part", #""services": { "p": { "type": "P‸", "inject": { "x": "x" } } }"#),
    ])
    #expect(workspace.workspace.owners(of: workspace.path) == ["/w/a.json", "/w/b.json"])
    // The service is valid in one entry module and not in the other.
    #expect(workspace.codes(in: "part.json") == ["CDI0501 1:87"])
  }

  @Test func `a configured entry module takes precedence`() {
    let files = [
      "a.json": Self.module("a", #""imports": ["part.json"], "services": { "x": { "type": "X" } }"#),
      "b.json": Self.module("b", #""imports": ["part.json"]"#),
      "part.json": Self.module("part", #""services": { "p": { "type": "P‸", "inject": { "x": "x" } } }"#),
    ]
    #expect(OpenWorkspace(files, entry: "a.json").codes(in: "part.json") == [])
    #expect(OpenWorkspace(files, entry: "/w/b.json").codes(in: "part.json") == ["CDI0501 1:87"])
  }

  @Test func `a configured catalog takes precedence over the one beside the entry module`() {
    var files = EditorSample.files
    files["types.json"] = Catalog(types: []).json
    files["app.json"] = files["app.json"]?.replacing(#""module": "app""#, with: #""module": "a‸pp""#)
    #expect(OpenWorkspace(files).codes(in: "app.json") == [])
    #expect(OpenWorkspace(files, catalog: "types.json").codes(in: "app.json").contains { $0.hasPrefix("CDI0601") })
    #expect(OpenWorkspace(files, catalog: "missing.json").codes(in: "app.json") == ["CDI0107 1:1"])
  }

  @Test func `a layer without a module is checked structurally only`() {
    let layer = Self.module(
      "l",
      #""override": { "services": { "x": { "tpye‸": "X" } } }, "services": { "y": { "type": "Y", "inject": { "z": "z" } } }"#
    )
    #expect(OpenWorkspace(["layer.json": layer]).codes(in: "layer.json").map { $0.prefix(7) } == ["CDI0201"])
  }

  @Test(arguments: [#""services": {}"#, #""doc": "only imports""#])
  func `an entry module with a misspelt version key is the owner of its imports`(rest: String) {
    let open = OpenWorkspace([
      "a.json": #"{ "confgdi": 1, "module": "a", "imports": ["part.json", "x.json"], \#(rest) }"#,
      "x.json": Self.module("x", #""services": { "x": { "type": "X" } }"#),
      "part.json": Self.module("part", #""services": { "p": { "type": "P‸", "inject": { "x": "x" } } }"#),
    ])
    #expect(open.workspace.owners(of: open.path) == ["/w/a.json"])
    #expect(open.codes(in: "a.json") == ["CDI0201 1:3"])
    #expect(open.codes(in: "part.json") == [])
  }

  @Test func `files that are no modules are ignored`() {
    for text in [#"{ "name": "x‸" }"#, "[‸]", "{ ‸", #"{ "services": { "web‸": {} } }"#, "‸"] {
      #expect(OpenWorkspace(["other.json": text]).findings.flatMap(\.findings).isEmpty)
    }
  }

  @Test func `an unreadable file stays in its module`() {
    let open = EditorSample.pointing("app.json", behind: #""configdi""#)
    open.workspace.setText(EditorText("{ \"configdi\": 1, \"imports\": ["), of: open.path)
    _ = open.workspace.refresh()
    #expect(open.workspace.owners(of: "/w/parts/mail.json") == ["/w/app.json"])
  }

  @Test func `a new file on the disk is found`() {
    let open = OpenWorkspace(
      ["app.json": Self.module("a", #""imports": ["part.json"], "services": { "x": { "type": "X‸" } }"#)],
      unsaved: ["part.json": Self.module("p", "")])
    #expect(open.codes(in: "app.json") == [])
    open.workspace.close("/w/part.json")
    _ = open.workspace.refresh()
    #expect(open.codes(in: "app.json").map { $0.prefix(7) } == ["CDI0301"])
  }

  @Test func `a finding has its notes, its help and its fix`() throws {
    let open = EditorSample.open("app.json", #""mailer": "post""#, #""mailer": "pots‸""#)
    let finding = try #require(open.workspace.findings(of: "/w/app.json").first)
    #expect(finding.code == "CDI0501")
    #expect(finding.message.contains("\nhelp: did you mean \"post\"?"))
    #expect(finding.related.map(\.path) == ["/w/app.json"])
    let action = try #require(open.workspace.codeActions(in: open.path, touching: finding.range).first)
    #expect(action.title == "Replace with \"post\"")
    #expect(action.fixes.map(\.text) == ["\"post\""])
    #expect(action.fixes.map(\.range) == [finding.range])
    #expect(open.workspace.fixAllAction(in: open.path)?.fixes == action.fixes)
    let elsewhere = TextRange(start: TextPosition(line: 0, character: 0), end: TextPosition(line: 0, character: 1))
    #expect(open.workspace.codeActions(in: open.path, touching: elsewhere).isEmpty)
  }

  @Test func `all repairs are those that are right in each environment and module of the file`() {
    let environments = OpenWorkspace([
      "app.json": Self.module(
        "a",
        #""environments": { "dev": ["dev.json"], "prod": ["prod.json"] }, "services": { "x": { "type": "X", "inject": { "c": "cache.redis‸" } } }"#
      ),
      "dev.json": Self.module("d", #""services": { "cache.redid": { "type": "C" } }"#),
      "prod.json": Self.module("p", #""services": { "cache.redis": { "type": "C" } }"#),
    ])
    #expect(environments.codes(in: "app.json").map { $0.prefix(7) } == ["CDI0501"])
    #expect(environments.workspace.fixAllAction(in: environments.path) == nil)
    let imports = { (id: String) in
      Self.module("a", #""imports": ["lib.json"], "services": { "\#(id)": { "type": "L" } }"#)
    }
    let modules = OpenWorkspace([
      "lib.json": Self.module("l", #""services": { "x": { "type": "X", "inject": { "l": "logger‸" } } }"#),
      "a.json": imports("logger"), "b.json": imports("loger"),
    ])
    #expect(modules.codes(in: "lib.json").map { $0.prefix(7) } == ["CDI0501"])
    #expect(modules.workspace.fixAllAction(in: modules.path) == nil)
  }

  @Test func `findings in files that another workspace does not know are removed`() {
    let app = Self.module(
      "a", #""imports": ["a/b/base.json"], "services": { "x": { "type": "X", "inject": { "l": "no" } } }"#)
    let open = OpenWorkspace(["app.json": app, "a/b/base.json": Self.module("b", #""services": {‸}"#)])
    #expect(open.codes(in: "app.json").map { $0.prefix(7) } == ["CDI0501"])
    let files = MemoryFiles(
      texts: ["app.json": app, "a/b/base.json": Self.module("b", #""services": {}"#)], workingFolder: "/w")
    let other = EditorWorkspace(
      replacing: open.workspace, EditorWorkspace.Configuration(), files: files, listing: MemoryFolders([]))
    #expect(other.refresh().contains { $0.path == "/w/app.json" && $0.findings.isEmpty })
  }

  @Test(arguments: [
    // In an entry: after its last scalar member, before a map or list, or in an existing `suppress`.
    (
      #""services": { "s": { ‸"type": "A", "private": true } }"#, "Suppress CDI0701 for \"s\" (write the reason)",
      #""services": { "s": { "type": "A", "private": true, "suppress": { "CDI0701": "" } } }"#
    ),
    (
      "\"services\": {\n \"s\": {‸\n  \"type\": \"A\",\n  \"private\": true,\n  \"inject\": {}\n } }",
      "Suppress CDI0701 for \"s\" (write the reason)",
      "\"services\": {\n \"s\": {\n  \"type\": \"A\",\n  \"private\": true,\n"
        + "  \"suppress\": { \"CDI0701\": \"\" },\n  \"inject\": {}\n } }"
    ),
    (
      #""services": { "s": { ‸"type": "A", "private": true, "suppress": { "CDI0705": "x" } } }"#,
      "Suppress CDI0701 for \"s\" (write the reason)",
      #""services": { "s": { "type": "A", "private": true, "suppress": { "CDI0705": "x", "CDI0701": "" } } }"#
    ),
    (
      #""parameters": { "p": { ‸"sources": [{ "env": "A" }] } }, "services": {"x": {"type": "X"}}"#,
      "Suppress CDI0702 for \"p\" (write the reason)",
      #""parameters": { "p": { "suppress": { "CDI0702": "" }, "sources": [{ "env": "A" }] } }, "services": {"x": {"type": "X"}}"#
    ),
    // The entry is not a map, so the file suppresses the warning.
    (
      #""parameters": { "p": ‸1 }, "services": {"x": {"type": "X"}}"#,
      "Suppress CDI0702 in this file (write the reason)",
      #""suppress": { "CDI0702": "" }, "parameters": { "p": 1 }, "services": {"x": {"type": "X"}}"#
    ),
  ])
  func `a warning can be suppressed, with a reason`(members: String, title: String, changed: String) throws {
    let open = OpenWorkspace(["app.json": "{ \"configdi\": 1, \"module\": \"a\", \(members) }"])
    let warnings = open.workspace.findings(of: open.path).filter { ["CDI0701", "CDI0702"].contains($0.code) }
    let warning = try #require(warnings.first)
    let action = try #require(open.workspace.suppressions(in: open.path, touching: warning.range).first)
    #expect(action.title == title && action.finding == warning)
    var text = try #require(open.workspace.texts[open.path])
    for fix in action.fixes { text = text.replacing(fix.range, by: fix.text, .utf16) }
    #expect(String(decoding: text.bytes, as: UTF8.self) == "{ \"configdi\": 1, \"module\": \"a\", \(changed) }")
    // The suppression takes effect after a reason is written. Until then an error asks for one.
    open.workspace.setText(text, of: open.path)
    _ = open.workspace.refresh()
    #expect(open.workspace.findings(of: open.path).contains { $0.code == "CDI0202" && $0.message.contains("a reason") })
    #expect(open.workspace.suppressions(in: open.path, touching: warning.range).isEmpty)
    let reasoned = String(decoding: text.bytes, as: UTF8.self)
      .replacing("\(warning.code)\": \"\"", with: "\(warning.code)\": \"meant\"")
    open.workspace.setText(EditorText(reasoned), of: open.path)
    _ = open.workspace.refresh()
    #expect(!open.workspace.findings(of: open.path).contains { $0.code == warning.code || $0.code == "CDI0202" })
  }

  @Test func `errors, and files in other syntaxes than JSON, have no suppression`() throws {
    let broken = OpenWorkspace(["app.json": Self.module("a", #""services": { "s": { "type": ‸1, "private": true } }"#)])
    let whole = TextRange(start: TextPosition(line: 0, character: 0), end: TextPosition(line: 9, character: 0))
    #expect(broken.workspace.suppressions(in: broken.path, touching: whole).isEmpty)
    let list = OpenWorkspace([
      "app.plist": """
      <plist><dict><key>configdi</key><integer>1</integer><key>module</key><string>‸a</string>
      <key>parameters</key><dict><key>p</key><integer>1</integer></dict>
      <key>services</key><dict><key>x</key><dict><key>type</key><string>X</string></dict></dict></dict></plist>
      """
    ])
    try #require(list.codes(in: "app.plist").map { $0.prefix(7) } == ["CDI0702"])
    #expect(list.workspace.suppressions(in: list.path, touching: whole).isEmpty)
  }

  @Test func `imports may use paths that the user allows`() {
    let files = [
      "app/app.json": #"{ "configdi": 1, "module": "‸a", "imports": ["../common/part.json"] }"#,
      "common/part.json": #"{ "configdi": 1, "module": "p" }"#,
    ]
    #expect(OpenWorkspace(files, entry: "app/app.json").codes(in: "app/app.json") == ["CDI0303 1:45"])
    for open in [
      OpenWorkspace(files, entry: "app/app.json", root: "."),
      OpenWorkspace(files, entry: "app/app.json", allowedPaths: ["common"]),
    ] {
      #expect(open.codes(in: "app/app.json") == [])
    }
  }

  @Test func `the outline of a file has its sections and their entries`() {
    let symbols = EditorSample.pointing("app.json", behind: #""configdi""#).workspace.symbols(in: "/w/app.json")
    #expect(symbols.map(\.name) == ["environments", "parameters", "templates", "services", "aliases", "bindings"])
    #expect(symbols[3].children.map(\.name) == ["logger", "clock", "news"])
    #expect(symbols[3].children.map(\.detail) == [nil, "SystemClock", "News"])
    #expect(symbols[4].children.map(\.kind) == [.alias])
    #expect(symbols[4].children.map(\.detail) == ["mailer"])
    for symbol in symbols + symbols.flatMap(\.children) {
      #expect(symbol.range.start <= symbol.selection.start && symbol.selection.end <= symbol.range.end)
    }
    let layer = EditorSample.pointing("prod.json", behind: #""configdi""#).workspace.symbols(in: "/w/prod.json")
    #expect(layer.first?.children.first?.children.map(\.name) == ["logger", "mailer"])
  }

  @Test(arguments: ["app.json", "parts/mail.json", "prod.json"])
  func `a file truncated anywhere gets an answer`(file: String) throws {
    let text = Array(try #require(EditorSample.files[file]).utf8)
    let open = EditorSample.pointing(file, behind: #""configdi""#)
    let step = LongTests.size(29, full: 1)
    for end in stride(from: 0, through: text.count, by: step) {
      let cut = EditorText(Array(text[..<end]))
      open.workspace.setText(cut, of: open.path)
      _ = open.workspace.refresh()
      let place = cut.position(of: end, .utf16)
      for item in open.workspace.completions(in: open.path, at: place) {
        #expect(item.edit.range.lowerBound <= end && item.edit.range.upperBound <= end)
        #expect(!item.label.contains("hunter2"))
      }
      _ = open.workspace.hover(in: open.path, at: place)
      _ = open.workspace.symbols(in: open.path)
      _ = open.workspace.rename(in: open.path, at: place, to: "other")
      for finding in open.workspace.findings(of: open.path) { #expect(!finding.message.contains("hunter2")) }
    }
  }
}
