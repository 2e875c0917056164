// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import ConfigDITooling
import Testing
import _ConfigDITestSupport

@Suite struct HoverTests {
  @Test func `a service is shown with its type, its text, its declaration and its changes`() {
    #expect(
      EditorSample.pointing("parts/mail.json", behind: #""logger": "log"#).hover
        == """
        **service** `logger` · `FileLogger`

        provides Logger  
        - `path`: String, required

        Writes lines.

        - defined at `app.json:15`
        - overridden at `prod.json:5` (prod)

        2 uses
        """.replacing("provides Logger  \n", with: "class, provides Logger\n"))
  }

  @Test func `a parameter is shown with its value in each environment`() throws {
    let hover = try #require(EditorSample.pointing("app.json", behind: "smtp://${ho").hover)
    #expect(
      hover.hasPrefix(
        "**parameter** `host`\n\nWhere mail goes.\n\n- dev: `\"localhost\"` (string)\n- prod: `\"mail.example\"` (string)"
      ))
    #expect(hover.contains("- overridden at `prod.json:6` (prod)"))
  }

  @Test(arguments: ["key", "url"])
  func `a secret and its containers are not shown`(name: String) throws {
    for variables in [[:], ["KEY": "hunter2"]] {
      let open = EditorSample.open("app.json", "\"\(name)\":", "\"\(name)‸\":", variables: variables)
      let hover = try #require(open.hover)
      #expect(hover.contains("<secret key>"))
      #expect(!hover.contains("hunter2"))
    }
  }

  @Test func `no value is shown if a module has an error`() throws {
    let open = EditorSample.open(
      "app.json", #""key": { "env": "KEY", "default": "hunter2", "secret": true }"#,
      #""key‸": { "env": "KEY", "default": "hunter2", "secrte": true }"#)
    #expect(try #require(open.hover).hasPrefix("**parameter** `key`\n\n- defined"))
  }

  @Test(arguments: [
    ("app.json", #""eager""#, ""),
    ("parts/mail.json", #""ty"#, "`type`\n\nThe registered type's name."),
    (
      "parts/mail.json", #""type": "Mai"#,
      "**type** `Mailer`\n\nclass, provides Mailer, Sender  \nregistered at App/Types.swift:3"
    ),
    ("parts/mail.json", #""lev"#, "**argument** `level` of `Mailer`\n\n\"low\" | \"high\", required"),
    ("app.json", #"{ "tagged": "si"#, "**tag** `sink`"),
    ("app.json", #""scope": "req"#, "**scope** `request`"),
    ("app.json", #""extends": "ba"#, "**template** `base` · `FileLogger`"),
    ("app.json", #""mailer": "po"#, "**alias** `post` of `mailer` · `Mailer`"),
    ("app.json", #""pro"#, "**environment** `prod`\n\n- `prod.json`"),
    ("app.json", #"["parts/ma"#, "**file** `parts/mail.json`"),
  ])
  func `keys and names of a file are explained`(file: String, text: String, expected: String) {
    let hover = EditorSample.pointing(file, behind: text).hover
    #expect(expected.isEmpty ? hover == nil : hover?.hasPrefix(expected) == true, "\(hover ?? "nothing")")
  }

  @Test func `nothing is shown for numbers, strings, and files that are no modules`() {
    #expect(EditorSample.open("app.json", #""configdi": 1"#, #""configdi": ‸1"#).hover == nil)
    #expect(EditorSample.pointing("app.json", behind: "Where mail").hover == nil)
    #expect(OpenWorkspace(["package.json": #"{ "imp‸orts": [] }"#]).hover == nil)
  }

  @Test func `a code shows its meaning`() throws {
    let open = EditorSample.open(
      "app.json", #""module": "app","#, #""module": "app", "suppress": { "CDI‸0705": "r" },"#)
    #expect(try #require(open.hover) == "**warning** `CDI0705`\n\ndeprecated service, parameter or type used")
  }
}
