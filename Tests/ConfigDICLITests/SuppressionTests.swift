// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

/// The output of the tool about warnings that a module suppresses or raises to errors.
@Suite struct SuppressionTests {
  /// A module that suppresses one warning, raises another to an error, and leaves a third unchanged.
  private static let module = #"""
    {
      "configdi": 1, "module": "app",
      "diagnostics": { "CDI0705": { "severity": "error", "reason": "none in new code" } },
      "parameters": { "idle": 1 },
      "services": {
        "old": { "type": "Old", "deprecated": "use new" },
        "user": { "type": "User", "inject": { "old": "old" } },
        "spare": { "type": "Spare", "private": true, "suppress": { "CDI0701": "for emergencies" } }
      }
    }
    """#

  @Test func `a suppressed warning is counted as suppressed, an upgraded one sets the exit status`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.module])
    let text = try tool.run("validate", "app.json")
    #expect(text.status == 1 && !text.output.contains("CDI0701"))
    #expect(text.output.contains("error[CDI0705]: service \"old\" is deprecated"))
    #expect(
      text.output.contains(#"= note: "diagnostics" of the entry module makes CDI0705 an error: none in new code"#))
    #expect(text.output.hasSuffix("\n1 error, 1 warning, 1 suppressed; 3 services\n"), "\(text.output)")
    let json = try tool.run("validate", "app.json", "--format", "json").json
    #expect(json["errors"] as? Int == 1 && json["warnings"] as? Int == 1)
    let suppressed = try #require((json["suppressed"] as? [NSDictionary])?.first)
    #expect(suppressed["code"] as? String == "CDI0701" && suppressed["reason"] as? String == "for emergencies")
    #expect(suppressed["path"] as? String == "services.spare" && suppressed["line"] as? Int == 8)
    for (form, words, isFound) in LongTests.sample(
      [("github", "::error file=app.json,line=7", true), ("xcode", "CDI0701", false)], every: 2)
    {
      #expect(try tool.run("validate", "app.json", "--format", form).output.contains(words) == isFound)
    }
    // All commands report the raised warning as an error.
    let lines = ["resolve app.json", "explain app.json user", "graph app.json", "list app.json"]
    for line in LongTests.sample(lines, every: 4) {
      let run = try tool.shell("$TOOL \(line)")
      #expect(run.status == 1 && run.output.isEmpty && run.error.contains("error[CDI0705]"), "\(line)")
    }
  }

  @Test func `a suppressed warning passes --strict and stays suppressed in the output of resolve`() throws {
    let quiet = Self.module.replacingOccurrences(of: #""parameters": { "idle": 1 },"#, with: "")
      .replacingOccurrences(of: #""severity": "error""#, with: #""severity": "ignore""#)
    let tool = try BuiltTool(files: ["app.json": quiet])
    #expect(try tool.run("validate", "app.json", "--strict").status == 0)
    let resolved = try tool.shell("$TOOL resolve app.json > out.json; $TOOL validate out.json --strict")
    #expect(resolved.status == 0 && resolved.output == "no findings, 2 suppressed; 3 services\n", "\(resolved.output)")
    #expect(try tool.text(of: "out.json").contains(#""CDI0701": "for emergencies""#))
  }

  /// Modules that suppress the warning about an unused tag. The usual run takes a sample.
  private static let unusedTags = LongTests.sample(
    [
      #""services": { "a": { "type": "A", "tags": ["t"], "suppress": { "CDI0709": "r" } } }"#,
      #""diagnostics": { "CDI0709": { "severity": "ignore", "reason": "r" } }, "services": { "a": { "type": "A", "tags": ["t"] } }"#,
      #""suppress": { "CDI0709": "r" }, "services": { "a": { "type": "A", "tags": ["t"] } }"#,
    ], every: 3)

  @Test(arguments: unusedTags)
  func `a suppressed warning about an unused tag stays suppressed in the output of resolve`(members: String) throws {
    let tool = try BuiltTool(files: ["app.json": "{ \"configdi\": 1, \"module\": \"app\", \(members) }"])
    let resolved = try tool.shell("$TOOL resolve app.json > out.json; $TOOL validate out.json --strict")
    #expect(resolved.status == 0 && resolved.output == "no findings, 1 suppressed; 1 service\n", "\(resolved.output)")
  }

  /// Modules with suppressions in conditions and templates. The usual run takes a sample.
  private static let suppressions = LongTests.sample(
    [
      #""parameters": { "p": { "value": 1, "deprecated": "d" } }, "services": { "a": { "type": "A", "when": { "parameter": "p", "equals": 1 }, "suppress": { "CDI0705": "r" } } }"#,
      #""suppress": { "CDI0704": "r" }, "templates": { "t": { "type": "A", "inject": { "x": "a" }, "suppress": { "CDI0705": "r" } } }, "services": { "a": { "type": "A", "deprecated": "d" } }"#,
      #""suppress": { "CDI0704": "r" }, "templates": { "t": { "type": "A", "values": { "x": "a" }, "suppress": { "CDI0707": "r" } } }, "services": { "a": { "type": "A" } }"#,
    ], every: 3)

  @Test(arguments: suppressions)
  func `suppressions in conditions and templates cause no warning in the output of resolve`(members: String) throws {
    let catalog = #"""
      { "configdi-catalog": 1, "types": [{ "name": "A", "provides": ["A"], "kind": "class", "sendable": true, "async": false,
        "arguments": [{ "key": "x", "kind": "service", "type": "A", "optional": true }] }] }
      """#
    let tool = try BuiltTool(files: [
      "app.json": "{ \"configdi\": 1, \"module\": \"app\", \(members) }", "catalog.json": catalog,
    ])
    // Without the types, the absence of CDI0705 is not certain; with them, CDI0707 is not reported.
    let option = members.contains("CDI0707") ? "" : "--catalog catalog.json"
    _ = try tool.shell("$TOOL resolve app.json > out.json")
    for module in LongTests.sample(["out.json", "app.json"], every: 2) {
      let checked = try tool.shell("$TOOL validate \(module) --strict \(option)")
      #expect(checked.status == 0, "\(checked.output)")
    }
  }

  @Test func `an unused suppression is fixed by removing it`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.module.replacingOccurrences(of: #""private": true, "#, with: "")])
    #expect(try tool.run("validate", "app.json").output.contains("warning[CDI0710]: there is no warning CDI0701"))
    let fix = try tool.run("validate", "app.json", "--fix", "--yes", "--format", "json")
    #expect(try !tool.text(of: "app.json").contains("CDI0701"))
    #expect(try fix.json["written"] as? Bool == true && !fix.codes.contains("CDI0710"))
  }

  @Test func `the explanation of a warning shows how to suppress it`() throws {
    let tool = try BuiltTool()
    let warning = try tool.run("explain", "CDI0701").output
    #expect(warning.hasSuffix(#"    "diagnostics": { "CDI0701": { "severity": "error" } }"# + "\n"))
    #expect(warning.contains(#"    "suppress": { "CDI0701": "the reason" }"#))
    #expect(try !ExplainCodeTests.run.get().output.contains("suppress"))
  }

  @Test func `SARIF contains suppressions, the meaning of codes and their addresses`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.module])
    let run = try tool.run("validate", "app.json", "--format", "sarif", "--help-address", "https://example.com/c.html")
    #expect(run.status == 1)
    let log = try #require((try run.json["runs"] as? [NSDictionary])?.first)
    let results = try #require(log["results"] as? [NSDictionary])
    #expect(results.map { $0["ruleId"] as? String } == ["CDI0702", "CDI0705", "CDI0701"])
    #expect(results.map { $0["level"] as? String } == ["warning", "error", "warning"])
    let suppressions = results.map { ($0["suppressions"] as? [NSDictionary])?.first?["justification"] as? String }
    #expect(suppressions == [nil, nil, "for emergencies"])
    let driver = (log["tool"] as? NSDictionary)?["driver"] as? NSDictionary
    let rules = try #require(driver?["rules"] as? [NSDictionary])
    let addresses = rules.map { $0["helpUri"] as? String }
    #expect(addresses == ["cdi0701", "cdi0702", "cdi0705"].map { "https://example.com/c.html#\($0)" })
    for rule in rules {
      let help = try #require(rule["help"] as? NSDictionary)
      #expect((help["markdown"] as? String)?.contains("**Warning: ") == true)
      #expect((help["text"] as? String)?.hasPrefix("\(rule["id"] as? String ?? ""): ") == true)
      #expect(((rule["fullDescription"] as? NSDictionary)?["text"] as? String)?.hasPrefix("Warning: ") == true)
    }
    let wrong = [["--format", "sarif", "--help-address", "docs"], ["--help-address", "https://example.com"]]
    for arguments in LongTests.sample(wrong, every: 2) {
      #expect(try tool.run(["validate", "app.json"] + arguments).status == 64)
    }
  }
}
