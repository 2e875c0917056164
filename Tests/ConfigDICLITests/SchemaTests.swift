// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@Suite struct SchemaTests {
  /// A catalog with one type.
  static let catalog = #"""
    {"configdi-catalog": 1, "types": [{"name": "A", "provides": [], "kind": "class", "sendable": true, "arguments": [
      {"key": "host", "kind": "value", "type": "String"}]}]}
    """#

  /// The run that prints the schema of the format.
  static let run = Result { try BuiltTool().run("schema") }

  @Test func `the schema of the format requires no module`() throws {
    let run = try Self.run.get()
    #expect(run.status == 0)
    #expect(run.error == "")
    let schema = try run.json
    #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    #expect((schema["properties"] as? NSDictionary)?["services"] != nil)
    #expect((schema["$defs"] as? NSDictionary)?["typed"] == nil)
    guard LongTests.isSelected else { return }
    #expect(try BuiltTool().run("schema", "--format", "json").output == run.output)
  }

  @Test func `a catalog adds its types, a module adds its ids`() throws {
    let tool = try BuiltTool(files: ["app.json": UsageTests.clean, "catalog.json": Self.catalog])
    let typed = try tool.run("schema", "--catalog", "catalog.json")
    #expect(typed.status == 0)
    #expect(typed.output.contains(#""const": "A""#))
    let whole = try tool.run("schema", "app.json", "--catalog", "catalog.json")
    #expect(whole.status == 1)
    #expect(whole.error.contains("error[CDI0603]"))
    #expect(whole.output.contains(#""enum": ["a"]"#))
    #expect(try tool.run("schema", "-", "--syntax", "json", input: UsageTests.clean).output.contains(#""enum": ["a"]"#))
  }

  @Test func `a module with errors still has ids, unless it cannot be read`() throws {
    let tool = try BuiltTool(files: [
      "app.json": ValidateTests.misspelt, "broken.json": "{", "catalog.json": #"{"configdi-catalog": 2, "types": []}"#,
      "envs.json": #"{"configdi": 1, "module": "e", "environments": {"a": [], "b": ["gone.json"]}}"#,
    ])
    let misspelt = try tool.run("schema", "app.json", "--format", "json")
    #expect(misspelt.status == 1 && misspelt.error.hasPrefix("error[CDI0501]"), "\(misspelt.error)")
    #expect(misspelt.output.contains(#""enum": ["logger", "mailer"]"#))
    #expect(try tool.run("schema", "envs.json", "-e", "a").status == 0)
    let cases = [
      ("broken.json", "CDI0101"), ("none.json", "CDI0107"), ("--catalog catalog.json", "CDI0205"),
      ("app.json --catalog none.json", "CDI0107"), ("--catalog none.json", "CDI0107"), ("envs.json", "CDI0301"),
    ]
    for (line, code) in LongTests.sample(cases, every: 6) {
      let run = try tool.shell("$TOOL schema \(line) --format json")
      #expect(run.status == 1, "\(line)")
      #expect(try run.codes.contains(code), "\(line)")
    }
  }
}
