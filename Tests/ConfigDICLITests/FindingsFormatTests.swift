// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@Suite struct FindingsFormatTests {
  @Test func `GitHub format`() throws {
    let run = try BuiltTool(files: ["app.json": ValidateTests.misspelt]).run(
      "validate", "app.json", "--format", "github")
    #expect(run.status == 1)
    #expect(run.error == "")
    #expect(
      run.output == """
        ::error file=app.json,line=6,col=61,endColumn=68,title=CDI0501::\
        service "mailer" injects unknown service "loger"%0Ahelp: did you mean "logger"?

        """)
  }

  @Test func `Xcode format, with absolute paths`() throws {
    let tool = try BuiltTool(files: ["app.json": ValidateTests.misspelt])
    let run = try tool.run("validate", "app.json", "--format", "xcode")
    #expect(run.status == 1)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.hasPrefix("/") == true)
    #expect(
      lines.first?.hasSuffix(
        "/app.json:6:61: error: service \"mailer\" injects unknown service \"loger\" [CDI0501]") == true)
    #expect(lines[1].hasSuffix("/app.json:5:5: note: a similar id is defined here"))
  }

  @Test func `SARIF format for code scanning`() throws {
    let run = try BuiltTool(files: ["app.json": ValidateTests.misspelt]).run(
      "validate", "app.json", "--format", "sarif")
    #expect(run.status == 1)
    let log = try run.json
    #expect(log["version"] as? String == "2.1.0")
    let runs = try #require((log["runs"] as? [NSDictionary])?.first)
    let result = try #require((runs["results"] as? [NSDictionary])?.first)
    #expect(result["ruleId"] as? String == "CDI0501")
    let base = (runs["originalUriBaseIds"] as? [String: NSDictionary])?["WORKINGFOLDER"]?["uri"] as? String
    #expect(base?.hasPrefix("file:///") == true)
  }

  @Test(arguments: LongTests.sample(["github", "xcode"], every: 2))
  func `a module without findings prints nothing`(format: String) throws {
    let run = try BuiltTool(files: ["app.json": UsageTests.clean]).run("validate", "app.json", "--format", format)
    #expect(run.status == 0)
    #expect(run.output == "")
  }

  @Test func `warnings fail a strict check in every format`() throws {
    let tool = try BuiltTool(files: ["app.json": #"{"configdi": 1, "module": "app", "parameters": {"idle": 1}}"#])
    for format in LongTests.sample(["text", "json", "sarif", "github", "xcode"], every: 5) {
      #expect(try tool.run("validate", "app.json", "--format", format).status == 0)
      #expect(try tool.run("validate", "app.json", "--format", format, "--strict").status == 1)
    }
  }

  @Test(arguments: LongTests.sample(["xcode", "sarif", "github"], every: 3))
  func `findings about command-line options name no file`(format: String) throws {
    let run = try BuiltTool(files: ["app.json": UsageTests.clean]).run(
      "validate", "app.json", "--set", "parameters.none=1", "--format", format)
    #expect(run.status == 1)
    #expect(run.output.contains("CDI0305"))
    #expect(!run.output.contains("command line"))
  }

  @Test func `findings in the standard input have a line for compilers`() throws {
    let run = try BuiltTool().run(
      "validate", "-", "--syntax", "json", "--format", "xcode", input: ValidateTests.misspelt)
    #expect(run.output.contains(/^<stdin>:\d+:\d+: error: service "mailer" injects unknown service/))
  }
}
