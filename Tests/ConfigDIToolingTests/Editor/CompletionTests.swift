// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import ConfigDITooling
import Testing
import _ConfigDITestSupport

@Suite struct CompletionTests {
  /// Returns the labels of the completions after a part of a file is replaced by a text with a cursor.
  private func labels(_ file: String, _ old: String, _ new: String) -> [String] {
    EditorSample.open(file, old, new).labels
  }

  @Test func `an argument is offered services that provide its type`() {
    #expect(labels("parts/mail.json", #""logger": "logger""#, #""logger": "‸""#) == ["logger"])
    #expect(labels("parts/mail.json", #""logger": "logger""#, #""clock": "cl‸""#) == ["clock"])
    #expect(labels("app.json", #""mailer": "post""#, #""mailer": ‸"#) == ["mailer", "post"])
  }

  @Test func `an unknown argument is offered all services except its own`() {
    let all = ["clock", "logger", "news", "post"]
    #expect(labels("parts/mail.json", #""logger": "logger""#, #""other": "‸""#) == all)
    #expect(labels("parts/mail.json", #""logger": "logger""#, #""other": { "service": "‸" }"#) == all)
    #expect(labels("parts/mail.json", #""logger": "logger""#, #""other": ["clock", "‸"]"#) == all)
    #expect(labels("parts/mail.json", #""logger": "logger""#, #""other": { "map": { "k": "‸" } }"#) == all)
  }

  @Test func `the keys of a map are those of its table that are missing`() {
    let keys = labels("parts/mail.json", #""type": "Mailer","#, #""type": "Mailer", ‸"#)
    #expect(keys.contains("scope") && keys.contains("decorate") && keys.contains("doc"))
    #expect(!keys.contains("type") && !keys.contains("inject") && !keys.contains("unset"))
    #expect(labels("prod.json", #""unset": ["tags.sink"]"#, "‸").contains("unset"))
    #expect(labels("app.json", #""env": "HOST","#, #""env": "HOST", "‸""#).contains("secret"))
    #expect(labels("app.json", #""module": "app","#, #""module": "app", "‸""#).contains("override"))
  }

  @Test func `of mutually exclusive forms one is offered`() {
    #expect(labels("app.json", #"{ "tagged": "sink" }"#, "{ ‸ }") == ["service", "tagged", "map", "doc"])
    #expect(labels("app.json", #"{ "tagged": "sink" }"#, #"{ "tagged": "sink", "‸" }"#) == ["as", "doc"])
    #expect(
      labels("parts/mail.json", #"{ "parameter": "level", "equals": "debug" }"#, #"{ "parameter": "level", ‸ }"#) == [
        "equals", "doc",
      ])
  }

  @Test func `arguments are offered by type, required ones first, without given ones`() {
    #expect(labels("parts/mail.json", #"{ "logger": "logger" }"#, "{ ‸ }") == ["logger", "clock"])
    #expect(labels("parts/mail.json", #""text": "mailer""#, #""‸""#) == ["text"])
    #expect(labels("app.json", #""path": "${host}.log""#, "‸") == ["path"])
    // The type of an overridden service may be in another file than its layer.
    #expect(labels("prod.json", #"{ "level": "low" }"#, "{ ‸ }") == ["level", "url", "text"])
  }

  @Test func `a decorator has its own type and arguments`() {
    let type = #""type": "Mailer","#
    #expect(labels("parts/mail.json", type, type + #" "decorate": [{ "type": "‸" }],"#) == ["Retry"])
    #expect(
      labels("parts/mail.json", type, type + #" "decorate": [{ "type": "Retry", "values": { ‸ } }],"#) == ["times"])
    #expect(
      labels("parts/mail.json", #""type": "Mailer""#, #""type": "‸""#) == [
        "FileLogger", "Mailer", "News", "SystemClock",
      ])
  }

  @Test func `only parameters are offered in a placeholder`() {
    let all = ["host", "key", "level", "url"]
    #expect(labels("parts/mail.json", "${url}", "${‸") == all)
    #expect(labels("parts/mail.json", "${url}", "a ${u‸rl} b") == all)
    #expect(labels("parts/mail.json", "${url}", "$${‸") == [])
    #expect(labels("app.json", "smtp://${host}", "smtp://${h‸}") == ["host", "key", "level"])
    let open = EditorSample.open("parts/mail.json", "${url}", "${u‸")
    #expect(open.text(accepting: "url")?.contains(#""url": "${url}""#) == true)
    let closed = EditorSample.open("parts/mail.json", "${url}", "${u‸rl}")
    #expect(closed.text(accepting: "host")?.contains(#""url": "${host}""#) == true)
  }

  @Test(arguments: [
    ("app.json", #""scope": "request""#, #""scope": "‸""#, ["graph", "shared", "transient", "weak", "request"]),
    ("app.json", #""extends": "base""#, #""extends": "‸""#, ["base"]),
    ("app.json", #"["sink"]"#, #"["‸"]"#, ["sink"]),
    ("app.json", #"{ "tagged": "sink" }"#, #"{ "tagged": "‸" }"#, ["sink"]),
    ("app.json", #"{ "tagged": "sink" }"#, #"{ "tagged": "sink", "as": "‸" }"#, ["list", "map"]),
    ("app.json", #""post": "mailer""#, #""post": "‸""#, ["clock", "logger", "mailer", "news"]),
    ("app.json", #""Logger": "logger""#, #""Logger": "‸""#, ["logger"]),
    ("app.json", #""Logger": "logger""#, #""‸""#, ["Clock", "Logger", "Mailer", "News", "Sender"]),
    (
      "app.json", #""value": "info""#, #""type": "‸""#,
      ["bool", "double", "duration", "int", "json", "list", "size", "string"]
    ),
    ("app.json", #""value": "info""#, #""secret": ‸"#, ["false", "true"]),
    ("parts/mail.json", #""level": "high""#, #""level": "‸""#, ["high", "low"]),
    ("parts/mail.json", #""text": "mailer""#, #""text": "‸""#, ["hello"]),
    ("parts/mail.json", #""parameter": "level""#, #""parameter": "‸""#, ["host", "key", "level", "url"]),
    ("parts/mail.json", #""equals": "debug""#, #""equals": "‸""#, ["debug", "info"]),
    (
      "parts/mail.json", #"{ "not": { "parameter": "level", "equals": "debug" } }"#,
      #"{ "environment": ["dev", "‸"] }"#, ["dev", "prod"]
    ),
    ("parts/mail.json", #""type": "Mailer","#, #""type": "Mailer", "provides": ["‸"],"#, ["Mailer", "Sender"]),
    ("prod.json", #""aliases": []"#, #""aliases": ["‸"]"#, ["post"]),
    ("prod.json", #""logger": { "unset": ["tags.sink"] }"#, #""‸""#, ["clock", "logger", "news"]),
    ("prod.json", #"["tags.sink"]"#, #"["‸"]"#, ["extends", "tags", "tags.sink", "type", "values", "values.path"]),
    ("app.json", #"["parts/mail.json"]"#, #"["‸"]"#, ["prod.json", "parts/"]),
    ("app.json", #"["parts/mail.json"]"#, #"["parts/‸"]"#, ["parts/mail.json"]),
    ("app.json", #"["prod.json"]"#, #"["‸"]"#, ["prod.json", "parts/"]),
    ("app.json", #""configdi": 1"#, #""configdi": ‸"#, ["1"]),
  ])
  func `a value is offered its allowed values`(file: String, old: String, new: String, expected: [String]) {
    #expect(labels(file, old, new) == expected)
  }

  @Test func `the inserted text is written in the syntax of its location`() {
    func accepting(_ label: String, _ old: String, _ new: String) -> String? {
      EditorSample.open("parts/mail.json", old, new).text(accepting: label).flatMap { text in
        text.split(separator: "\n").first { $0.contains("inject") || $0.contains("eager") }.map {
          String($0.drop { $0 == " " })
        }
      }
    }
    let line = #""inject": { "logger": "logger" },"#
    #expect(accepting("logger", line, #""inject": { "logger": "lo‸" },"#) == line)
    #expect(accepting("logger", line, #""inject": { "logger": ‸ },"#) == line)
    #expect(accepting("logger", line, #""inject": { "logger": lo‸ },"#) == line)
    #expect(accepting("logger", line, #""inject": { "lo‸": "logger" },"#) == line)
    #expect(accepting("logger", line, #""inject": { "lo‸" },"#) == #""inject": { "logger": "" },"#)
    #expect(accepting("logger", line, #""inject": { ‸ },"#) == #""inject": { "logger": "" },"#)
    #expect(
      accepting("eager", #""type": "Mailer","#, #""type": "Mailer", ea‸"#) == #""type": "Mailer", "eager": true,"#)
    // A comma separates a new member or element from the next one.
    #expect(
      accepting("logger", line, #""inject": { ‸ "x": "news" },"#) == #""inject": { "logger": "", "x": "news" },"#)
    #expect(
      accepting("logger", line, #""inject": { "x": [‸ "news"] },"#) == #""inject": { "x": ["logger", "news"] },"#)
    // If the cursor is before the quotation mark, the whole string is replaced.
    #expect(accepting("logger", line, #""inject": { "logger": ‸"lo" },"#) == line)
    #expect(accepting("logger", line, #""inject": { ‸"lo": "logger" },"#) == line)
    // If the closing quotation mark is missing, the text after the cursor is kept.
    #expect(accepting("logger", line, #""inject": { "logger": "lo‸ },"#) == #""inject": { "logger": "logger" },"#)
  }

  @Test func `a completion replaces the text around the cursor`() {
    let open = EditorSample.open("parts/mail.json", "\"url\"", "\"url‸\"")
    let text = EditorText(EditorSample.files["parts/mail.json"] ?? "")
    for offset in 0...text.bytes.count {
      let items = open.workspace.completions(in: open.path, at: text.position(of: offset, .utf16))
      #expect(items.allSatisfy { $0.edit.range.contains(offset) || $0.edit.range.upperBound == offset }, "\(offset)")
    }
  }

  @Test func `snippets have placeholders for missing parts`() {
    let open = EditorSample.open("parts/mail.json", #"{ "logger": "logger" }"#, "{ ‸ }")
    let items = open.workspace.completions(in: open.path, at: open.cursor, usesSnippets: true)
    #expect(items.first?.edit.text == #""logger": "$1""#)
    #expect(items.first?.isSnippet == true)
  }

  @Test func `a property list is completed by elements`() {
    let head =
      "<plist version=\"1.0\"><dict><key>configdi</key><integer>1</integer><key>module</key><string>app</string>"
    let services =
      "<key>services</key><dict><key>a</key><dict><key>type</key><string>A</string></dict><key>b</key><dict>"
    func text(_ rest: String, accepting label: String) -> String? {
      OpenWorkspace(["app.plist": head + services + rest]).text(accepting: label).map {
        String($0.dropFirst((head + services).count))
      }
    }
    #expect(text("‸</dict></dict></dict></plist>", accepting: "inject")?.hasPrefix("<key>inject</key></dict>") == true)
    #expect(text("<key>in‸</key></dict>", accepting: "inject") == "<key>inject</key></dict>")
    #expect(text("<key>in‸\n</dict>", accepting: "inject") == "<key>inject</key>\n</dict>")
    let inject = "<key>inject</key><dict><key>x</key>"
    #expect(text(inject + "‸</dict>", accepting: "a") == inject + "<string>a</string></dict>")
    #expect(text(inject + "<string>‸</string>", accepting: "a") == inject + "<string>a</string>")
    #expect(text("<key>eager</key>‸", accepting: "true") == "<key>eager</key><true/>")
  }

  @Test func `nothing is offered in comments, in strings, and in files that are no modules`() {
    #expect(OpenWorkspace(["a.jsonc": "{ \"configdi\": 1, // ‸\n \"module\": \"a\" }"]).labels == [])
    #expect(labels("app.json", "Where mail goes.", "Where ‸") == [])
    #expect(labels("app.json", #""x-mailer": "mailer""#, #""x-mailer": "‸""#) == [])
    #expect(OpenWorkspace(["package.json": #"{ "name": "x", "‸" }"#]).labels == [])
    #expect(OpenWorkspace(["new.json": "{ ‸ }"]).labels.first == "configdi")
  }

  @Test func `values of a secret are not offered`() {
    let text =
      EditorSample.files["app.json"]?.replacing(#""secret": true"#, with: #""secret": true, "oneOf": ["hunter2"]"#)
      ?? ""
    for flag in [#""secret": true"#, #""secrte": true"#, #""secret": "yes""#] {
      var files = EditorSample.files
      files["app.json"] = text.replacing(#""secret": true"#, with: flag)
      files["parts/mail.json"] = files["parts/mail.json"]?.replacing(
        #""parameter": "level", "equals": "debug""#, with: #""parameter": "key", "equals": "‸""#)
      #expect(OpenWorkspace(files).labels == [])
    }
  }

  @Test func `ids of malformed files and of unsaved texts are offered`() {
    let workspace = OpenWorkspace(
      [
        "app.json": EditorSample.files["app.json"] ?? "",
        "parts/mail.json": EditorSample.files["parts/mail.json"]?.replacing(
          #""logger": "logger""#, with: #""other": "‸"#) ?? "",
      ],
      unsaved: ["app.json": (EditorSample.files["app.json"] ?? "").replacing("\"clock\":", with: "\"watch\":")])
    #expect(workspace.labels == ["logger", "news", "post", "watch"])
  }

  @Test func `codes of warnings are offered in suppress and diagnostics`() {
    let codes = labels("parts/mail.json", #""type": "Mailer","#, #""type": "Mailer", "suppress": { ‸ },"#)
    #expect(codes.first == "CDI0308" && codes.contains("CDI0710") && !codes.contains("CDI0501"))
    #expect(labels("app.json", #""module": "app","#, #""module": "app", "diagnostics": { "‸" },"#) == codes)
    let inside = #""module": "app", "diagnostics": { "CDI0705": { X } },"#
    #expect(
      labels("app.json", #""module": "app","#, inside.replacing("X", with: "‸")) == ["severity", "reason", "doc"])
    #expect(
      labels("app.json", #""module": "app","#, inside.replacing("X", with: #""severity": "‸""#)) == [
        "error", "ignore", "warning",
      ])
    #expect(labels("prod.json", #""values": { "level": "low" }"#, #""suppress": { "CDI0308": "r", ‸ }"#).count == 10)
  }
}
