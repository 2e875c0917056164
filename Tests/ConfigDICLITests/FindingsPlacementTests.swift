// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

/// The stream to which each command writes findings, in each format.
@Suite struct FindingsPlacementTests {
  /// A command without its format, and the formats that cannot contain findings.
  private static let commands: [(arguments: [String], forms: [String])] = [
    (["resolve", "MODULE", "-e", "dev"], ["text"]), (["explain", "MODULE", "a", "-e", "dev"], ["text"]),
    (["graph", "MODULE", "-e", "dev"], ["text", "dot", "mermaid", "html"]),
    (["diff", "MODULE", "--from", "dev", "--to", "prod"], ["text", "markdown"]), (["schema", "MODULE"], ["text"]),
  ]

  /// Creates a module with a warning, one with a wiring error, and one with a syntax error.
  private func tool() throws -> BuiltTool {
    let module = { (rest: String) in
      #"{"configdi": 1, "module": "m", "environments": {"dev": [], "prod": []}, \#(rest)}"#
    }
    return try BuiltTool(files: [
      "warned.json": module(#""parameters": {"p": 1}, "services": {"a": {"type": "T"}}"#),
      "broken.json": module(#""services": {"a": {"type": "T", "inject": {"x": "ghost"}}}"#),
      "syntax.json": module(#""services": {"a": }"#),
    ])
  }

  /// Returns the arguments of a command for a module and a format.
  private func arguments(_ command: [String], _ module: String, _ form: String) -> [String] {
    command.map { $0 == "MODULE" ? module : $0 } + ["--format", form]
  }

  @Test func `findings go to the standard error beside a result that cannot contain them`() throws {
    let tool = try tool()
    for (command, forms) in LongTests.sample(Self.commands, every: 2) {
      for form in LongTests.sample(forms, every: 3) {
        let run = try tool.run(arguments(command, "warned.json", form))
        #expect(run.status == 0 && run.output != "" && run.error.hasPrefix("warning[CDI0702]"), "\(command) \(form)")
        #expect(!run.output.contains("[CDI0702]"), "\(command) \(form)")
        // The other formats take the same path if there is no result.
        guard LongTests.isSelected || form == forms[0] else { continue }
        let broken = try tool.run(arguments(command, "syntax.json", form))
        #expect(broken.status == 1 && broken.output == "" && broken.error.hasPrefix("error[CDI0101]"), "\(command)")
        // `schema` needs only the ids, which are known in spite of wiring errors. In the usual run, the tests of the other
        // commands have such errors.
        guard LongTests.isSelected, command[0] != "schema" else { continue }
        let wiring = try tool.run(arguments(command, "broken.json", form))
        #expect(wiring.status == 1 && wiring.output == "" && wiring.error.hasPrefix("error[CDI0501]"), "\(command)")
      }
    }
  }

  @Test func `in JSON, errors replace the result, and the standard error is empty`() throws {
    let tool = try tool()
    let cases = Self.commands.flatMap { command in
      [("syntax.json", "CDI0101"), ("broken.json", "CDI0501")].map { (command.arguments, $0.0, $0.1) }
    }
    for (command, module, code) in LongTests.sample(cases, every: 5) {
      guard command[0] != "schema" || module == "syntax.json" else { continue }
      let run = try tool.run(arguments(command, module, "json"))
      #expect(run.status == 1 && run.error == "", "\(command)")
      #expect(try run.codes == [code], "\(command)")
    }
  }

  @Test func `validate prints to the standard output in every format`() throws {
    let tool = try tool()
    let modules = [("warned.json", "CDI0702"), ("broken.json", "CDI0501"), ("syntax.json", "CDI0101")]
    let cases = ["text", "json", "sarif", "github", "xcode"].flatMap { form in modules.map { (form, $0.0, $0.1) } }
    for (form, module, code) in LongTests.sample(cases, every: 8) {
      let run = try tool.run(arguments(["validate", "MODULE"], module, form))
      #expect(run.output.contains(code) && run.error == "", "\(form) \(module)")
    }
  }

  @Test func `findings about a converted file go to the standard error`() throws {
    let tool = try tool()
    let run = try tool.run(["convert", "syntax.json", "out.plist"])
    #expect(run.status == 1 && run.output == "" && run.error.hasPrefix("error[CDI0101]"))
    // In the usual run, the tests of `convert` have findings in JSON.
    guard LongTests.isSelected else { return }
    let json = try tool.run(["convert", "syntax.json", "out.plist", "--format", "json"])
    #expect(try json.codes == ["CDI0101"] && json.error == "")
  }

  @Test func `if warnings fail a strict run, the standard error says so, also beside JSON`() throws {
    let tool = try tool()
    for (command, _) in LongTests.sample(Self.commands, every: 5) where command[0] != "schema" {
      let run = try tool.run(arguments(command, "warned.json", "json") + ["--strict"])
      #expect(run.status == 1 && run.error.hasPrefix("warning[CDI0702]"), "\(command)")
      #expect(try run.json.count > 0, "\(command)")
    }
  }
}
