// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import ConfigDITooling
import Testing
import _ConfigDITestSupport

@Suite struct NavigationTests {
  @Test(arguments: [
    ("parts/mail.json", #""logger": "log"#, ["app.json:15:6", "prod.json:5:20"]),
    ("app.json", #""mailer": "po"#, ["app.json:19:17"]),
    ("app.json", #""post": "mai"#, ["parts/mail.json:5:6", "prod.json:5:58"]),
    ("parts/mail.json", "${u", ["app.json:11:6"]),
    ("app.json", #""extends": "ba"#, ["app.json:13:19"]),
    ("app.json", #""scope": "req"#, ["app.json:6:15"]),
    ("app.json", #"["parts/"#, ["parts/mail.json:1:1"]),
    ("app.json", #""module": "a"#, []),
  ])
  func `a name leads to its declaration and changes`(file: String, text: String, expected: [String]) {
    #expect(EditorSample.pointing(file, behind: text).definitions == expected)
  }

  @Test func `a type leads to its entry in the catalog`() throws {
    let place = try #require(EditorSample.pointing("parts/mail.json", behind: #""type": "Mai"#).definitions.first)
    #expect(place.hasPrefix("catalog.json:"))
  }

  @Test(arguments: [
    ("app.json", #""logg"#, ["app.json:15:6", "app.json:20:28", "parts/mail.json:7:30", "prod.json:5:20"]),
    ("app.json", #"["si"#, ["app.json:15:70", "app.json:17:85", "prod.json:5:47"]),
    ("parts/mail.json", #""parameter": "le"#, ["app.json:9:6", "parts/mail.json:9:40"]),
    ("app.json", #""ho"#, ["app.json:11:22", "app.json:13:73", "app.json:8:6", "prod.json:6:22"]),
  ])
  func `all references are found, and none in custom strings and keys`(file: String, text: String, expected: [String]) {
    #expect(EditorSample.pointing(file, behind: text).references.sorted() == expected)
  }

  @Test func `a service is renamed in all files, in every kind of reference`() throws {
    let (texts, error) = EditorSample.pointing("parts/mail.json", behind: #""mailer"#).renaming(to: "courier")
    #expect(error == nil)
    #expect(texts.keys.sorted() == ["app.json", "parts/mail.json", "prod.json"])
    #expect(texts["app.json"]?.contains(#""post": "courier""#) == true)
    #expect(texts["app.json"]?.contains(#""x-mailer": "mailer""#) == true)
    #expect(texts["app.json"]?.contains(#""mailer": "post""#) == true)
    #expect(texts["parts/mail.json"]?.contains(#""courier": {"#) == true)
    #expect(texts["parts/mail.json"]?.contains(#""text": "mailer""#) == true)
    #expect(texts["prod.json"]?.contains(#""courier": { "values""#) == true)
  }

  @Test(arguments: [["/w"], ["/w/sub", "/w"], ["/w/sub", "/w/app"]])
  func `a service is renamed in the modules of every workspace folder`(folders: [String]) throws {
    let open = OpenWorkspace(
      [
        "sub/shared.json": #"{"configdi": 1, "module": "s", "services": {"lo‸gger": {"type": "L"}}}"#,
        "app/app.json": """
        {"configdi": 1, "module": "a", "imports": ["../sub/shared.json"],
         "services": {"s": {"type": "S", "inject": {"l": "logger"}}}}
        """,
      ], root: "/w", folders: folders)
    let (texts, error) = open.renaming(to: "log")
    #expect(error == nil)
    #expect(texts["app/app.json"]?.contains(#""l": "log""#) == true)
  }

  @Test func `a renamed entry keeps its findings`() throws {
    for (file, text) in [
      ("app.json", #""logg"#), ("app.json", #"["si"#), ("app.json", "${ho"), ("app.json", #""po"#),
      ("app.json", #""ba"#),
      ("app.json", #""ke"#), ("app.json", #"["req"#), ("app.json", #""pro"#), ("parts/mail.json", #""mailer"#),
      ("app.json", #""level"#),
    ] {
      let open = EditorSample.pointing(file, behind: text)
      let before = open.workspace.findings(of: "/w/app.json").map(\.code)
      let (texts, error) = open.renaming(to: "other.name-2")
      #expect(error == nil)
      var files = EditorSample.files
      files.merge(texts) { $1 }
      let after = OpenWorkspace(files, unsaved: ["app.json": files["app.json"] ?? ""])
      #expect(after.workspace.findings(of: "/w/app.json").map(\.code) == before, "\(text)")
      #expect(after.findings.count == 1, "\(text)")
      #expect(!texts.isEmpty)
    }
  }

  @Test(arguments: [
    ("tags.sink", "tags.a.b"), ("tags.sink.order", "tags.a.b.order"), (#"tags[\"sink\"]"#, #"tags[\"a.b\"]"#),
  ])
  func `a tag is renamed in unset paths`(old: String, new: String) {
    var files = EditorSample.files
    files["prod.json"] = files["prod.json"]?.replacing("tags.sink", with: old)
    files["app.json"] = files["app.json"]?.replacing(#"["sink"]"#, with: #"["si‸nk"]"#)
    let texts = OpenWorkspace(files).renaming(to: "a.b").texts
    #expect(texts["prod.json"] == files["prod.json"]?.replacing(old, with: new))
    // The name can be changed back, although it now contains a dot.
    files.merge(texts) { $1 }
    files["app.json"] = files["app.json"]?.replacing(#"["a.b"]"#, with: #"["a.‸b"]"#)
    #expect(OpenWorkspace(files).renaming(to: "sink").texts["prod.json"]?.contains(old) == true)
  }

  @Test func `the longest tag in an unset path is renamed`() {
    let files = [
      "app.json": """
      {"configdi": 1, "module": "m", "environments": {"p": ["p.json"]}, "tags": {"t": {}, "t.order": {}},
       "services": {"a": {"type": "A", "tags": ["t", "t.ord‸er"]}}}
      """,
      "p.json":
        #"{"configdi": 1, "module": "p", "override": {"services": {"a": {"unset": ["tags.t.order"]}}}}"#,
    ]
    let open = OpenWorkspace(files)
    #expect(open.renaming(to: "u").texts["p.json"] == files["p.json"]?.replacing("t.order", with: "u"))
    var inPath = files.mapValues { $0.replacing("‸", with: "") }
    inPath["p.json"] = inPath["p.json"]?.replacing("tags.t", with: "tags.t‸")
    #expect(OpenWorkspace(inPath).references == open.references)
  }

  @Test func `a name with escapes is rewritten, escapes beside a placeholder are kept`() {
    let open = EditorSample.open("parts/mail.json", #""url": "${url}""#, #""url": "\u0041${u‸rl}${url}""#)
    let texts = open.renaming(to: "address").texts
    #expect(texts["parts/mail.json"]?.contains(#""url": "\u0041${address}${address}""#) == true)
    let escaped = EditorSample.open("parts/mail.json", #""url": "${url}""#, #""url": "\u0041${u‸rl}$\u007burl}""#)
    #expect(escaped.renaming(to: "address").texts["parts/mail.json"]?.contains(#""A${address}${address}""#) == true)
    let key = EditorSample.open("parts/mail.json", #""logger": "logger""#, #""logger": "\u006cogg‸er""#)
    #expect(key.renaming(to: "log").texts["parts/mail.json"]?.contains(#""logger": "log""#) == true)
  }

  @Test func `names are renamed in property lists`() {
    let text = """
      <plist version="1.0"><dict><key>configdi</key><integer>1</integer><key>module</key><string>app</string>
      <key>parameters</key><dict><key>p</key><string>x</string></dict>
      <key>services</key><dict><key>a</key><dict><key>type</key><string>A &amp; B</string></dict>
      <key>b</key><dict><key>type</key><string>B</string><key>inject</key><dict><key>a</key><string>a‸</string></dict>
      <key>values</key><dict><key>v</key><string>&lt;${p}&gt;</string></dict></dict></dict></dict></plist>
      """
    let texts = OpenWorkspace(["app.plist": text]).renaming(to: "c").texts
    #expect(
      texts["app.plist"]
        == text.replacing("‸", with: "").replacing("<key>a</key><dict><key>type", with: "<key>c</key><dict><key>type")
        .replacing("<string>a</string>", with: "<string>c</string>"))
    let parameter = text.replacing("‸", with: "").replacing("${p}", with: "${‸p}")
    #expect(
      OpenWorkspace(["app.plist": parameter]).renaming(to: "q").texts["app.plist"]?.contains(
        "<string>&lt;${q}&gt;</string>") == true)
  }

  @Test(arguments: [
    ("parts/mail.json", #""mailer"#, "logger", "there is already a service or alias \"logger\""),
    ("parts/mail.json", #""mailer"#, "post", "there is already a service or alias \"post\""),
    ("app.json", #"["req"#, "shared", "\"shared\" is a built-in scope"),
    ("app.json", #""eager""#, "x", "there is nothing here that can be renamed"),
    ("app.json", #""Log"#, "x", "there is nothing here that can be renamed"),
  ])
  func `a rename that would break the module is rejected`(file: String, text: String, name: String, reason: String) {
    #expect(EditorSample.pointing(file, behind: text).renaming(to: name).error == reason)
  }

  @Test func `a rename that changes more than the name is rejected`() {
    let text = """
      {"configdi": 1, "module": "m", "tags": {"t": {}},
       "services": {"a‸": {"type": "A", "tags": ["t"]}, "b": {"type": "B", "tags": ["t"]}}}
      """
    #expect(
      OpenWorkspace(["app.json": text]).renaming(to: "c").error
        == "the order of the services with the tag \"t\" would change, which depends on their ids")
    // An error elsewhere in the module does not prevent a rename.
    let wrong = text.replacing("\"B\"", with: "\"B\", \"inject\": {\"x\": \"ghost\"}")
    #expect(OpenWorkspace(["app.json": wrong]).renaming(to: "aa").texts.count == 1)
  }

  @Test func `an invalid name and a malformed file are rejected`() throws {
    #expect(
      try #require(EditorSample.pointing("app.json", behind: #""logg"#).renaming(to: "a b").error).contains(
        "not a valid name"))
    var files = EditorSample.files
    files["prod.json"] = "{ \"configdi\": 1, "
    files["app.json"] = files["app.json"]?.replacing("\"logger\": {", with: "\"log‸ger\": {")
    #expect(try #require(OpenWorkspace(files).renaming(to: "log").error).hasPrefix("prod.json has a syntax error"))
  }

  /// Two entry modules that share a file. The cursor is in a reference to a service of that file.
  private static let sharing = [
    "a.json": #"{"configdi":1,"module":"a","imports":["s.json"],"services":{"x":{"type":"X","inject":{"l":"lo‸g"}}}}"#,
    "b.json":
      #"{"configdi":1,"module":"b","imports":["s.json"],"services":{"y":{"type":"X","inject":{"l":"log"}},"log2":{"type":"Z"}}}"#,
    "s.json": #"{"configdi":1,"module":"s","services":{"log":{"type":"L"}}}"#,
  ]

  @Test func `an entry of several modules is found and renamed in all of them, though one is open`() throws {
    let open = OpenWorkspace(NavigationTests.sharing)
    #expect(open.references == ["a.json:1:92", "s.json:1:41", "b.json:1:92"])
    #expect(open.renaming(to: "log3").texts.keys.sorted() == ["a.json", "b.json", "s.json"])
    #expect(open.renaming(to: "log2").error == "there is already a service or alias \"log2\"")
    var files = NavigationTests.sharing
    files["b.json"]?.removeLast()
    let reason = try #require(OpenWorkspace(files).renaming(to: "log3").error)
    #expect(reason.hasPrefix("b.json has a syntax error"))
  }

  @Test func `a rename includes the modules of each changed file`() {
    var files = NavigationTests.sharing
    files["a.json"] = files["a.json"]?.replacing("[", with: "[\"u.json\",")
    files["b.json"] = #"{"configdi":1,"module":"b","imports":["u.json","t.json"]}"#
    files["c.json"] = files["a.json"]?.replacing("‸", with: "").replacing("s.json", with: "t.json").replacing(
      "\"u.json\",", with: "")
    files["t.json"] = files["s.json"]
    files["u.json"] = #"{"configdi":1,"module":"u","services":{"y":{"type":"X","inject":{"l":"log"}}}}"#
    let texts = OpenWorkspace(files).renaming(to: "log3").texts
    #expect(texts.keys.sorted() == ["a.json", "c.json", "s.json", "t.json", "u.json"])
  }

  @Test func `positions use the encoding of the client`() {
    let old = #""url": "${url}""#
    for (encoding, column) in [(PositionEncoding.utf8, 32), (.utf16, 29), (.utf32, 28)] {
      let open = EditorSample.open("parts/mail.json", old, #""é😀": "${ho‸st}", "url": "${url}""#, encoding: encoding)
      #expect(open.references.contains("parts/mail.json:8:\(column)"), "\(open.references)")
    }
  }
}
