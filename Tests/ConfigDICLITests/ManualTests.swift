// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The manual page, `Documentation/configdi.1`.
///
/// `CONFIGDI_UPDATE_MANUAL=1 swift test --filter ManualTests` rewrites it.
@Suite struct ManualTests {
  /// The file of the page.
  private static let file = URL(fileURLWithPath: #filePath).appendingPathComponent(
    "../../../Documentation/configdi.1"
  ).standardizedFileURL

  @Test func `the manual page matches the help`() throws {
    let tool = try BuiltTool()
    let version = try UsageTests.version.get().output.trimmingCharacters(in: .whitespacesAndNewlines)
    let page = try ManualPage(help: Data(try tool.run("--experimental-dump-help").output.utf8), version: version)
    if ProcessInfo.processInfo.environment["CONFIGDI_UPDATE_MANUAL"] == "1" {
      try Data(page.text.utf8).write(to: Self.file)
    }
    #expect(try String(contentsOf: Self.file, encoding: .utf8) == page.text)
  }

  @Test(arguments: [("mandoc", "mandoc -Tlint -Wwarning"), ("groff", "groff -man -Tutf8 -ww -z -rF0")])
  func `the manual page is well formed`(program: String, command: String) throws {
    let tool = try BuiltTool(files: ["configdi.1": try String(contentsOf: Self.file, encoding: .utf8)])
    guard try tool.shell("command -v \(program)").status == 0 else { return }
    let run = try tool.shell("\(command) configdi.1")
    #expect(run.status == 0 && run.output + run.error == "", "\(run.output)\(run.error)")
  }
}
