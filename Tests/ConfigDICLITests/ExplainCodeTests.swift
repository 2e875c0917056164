// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

/// `configdi explain CODE`.
@Suite struct ExplainCodeTests {
  /// The page about all codes, `Documentation/DiagnosticCodes.md`.
  private static let page: String = {
    let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL
    return (try? String(contentsOf: root.appendingPathComponent("Documentation/DiagnosticCodes.md"), encoding: .utf8))
      ?? ""
  }()

  /// The run that explains a code.
  static let run = Result { try BuiltTool().run("explain", "CDI0501") }

  @Test func `a code is explained by its meaning, a wrong and a corrected example`() throws {
    let run = try Self.run.get()
    #expect(run.status == 0 && run.error == "")
    #expect(
      run.output.hasPrefix("CDI0501: reference to an unknown service\n\nError: a reference names an unknown service."))
    #expect(run.output.contains("\nWrong `app.json`:\n\n    {\n      \"configdi\": 1,"))
    #expect(run.output.contains("\nRight `app.json`:\n\n    {\n"))
    #expect(!run.output.contains("```") && !run.output.contains("**"))
  }

  @Test func `every code is explained by its section of the page`() throws {
    let tool = try BuiltTool()
    let sections = Self.page.components(separatedBy: "\n### ").dropFirst()
    #expect(sections.count > 60)
    for (place, section) in sections.enumerated() where place % LongTests.size(30, full: 1) == 0 {
      let code = String(section.prefix(7))
      let run = try tool.run("explain", code.lowercased(), "--format", "json")
      #expect(run.status == 0)
      let markdown = try run.json["markdown"] as? String ?? ""
      let text = section.dropFirst(7).components(separatedBy: "\n## ")[0].trimmingCharacters(in: .newlines)
      #expect(markdown == text && !markdown.isEmpty, "\(code)")
      #expect(try run.json["code"] as? String == code)
      #expect(try (run.json["title"] as? String)?.isEmpty == false, "\(code)")
    }
  }

  @Test func `an unknown code and a missing id are reported`() throws {
    let tool = try BuiltTool()
    let unknown = try tool.run("explain", "CDI0599")
    #expect(unknown.status == 1 && unknown.output == "")
    #expect(unknown.error.hasPrefix("error: no finding has the code \"CDI0599\""))
    let json = try tool.run("explain", "CDI0599", "--format", "json")
    #expect(try json.status == 1 && json.error == "" && json.json["error"] as? String != nil)
    let none = try tool.run("explain", "app.json")
    #expect(none.status == 64 && none.error.contains("explain requires a module and an id, or the code of a finding."))
  }
}
