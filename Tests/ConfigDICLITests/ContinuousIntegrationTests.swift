// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _ConfigDITestSupport

/// The examples for continuous integration, run on the module files of the shop.
@Suite struct ContinuousIntegrationTests {
  /// The folder of the examples.
  private static let folder = Markdown.root.appending(path: "Examples/ContinuousIntegration")

  /// Creates a git repository with the module files of the shop, as the examples expect it.
  private static func repository() throws -> BuiltTool {
    let tool = try BuiltTool()
    let setUp = try tool.shell(
      """
      mkdir Configs && cp -R '\(Markdown.root.path)/Configs/Shop' Configs/ && git init -q -b main . && git add -A \
      && git -c user.name=n -c user.email=e@e commit -q -m one && git update-ref refs/remotes/origin/main main
      """)
    try #require(setUp.status == 0, "\(setUp.error)")
    return tool
  }

  /// Returns the commands of the workflow's steps by name.
  private static func steps() throws -> [String: String] {
    let lines = try String(contentsOf: folder.appending(path: "modules.yml"), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    var steps: [String: String] = [:]
    var name = ""
    for (place, line) in lines.enumerated() {
      let words = line.drop { $0 == " " }
      if words.hasPrefix("- name: ") { name = String(words.dropFirst(8)) }
      guard words.hasPrefix("run: ") else { continue }
      let command = words.dropFirst(5)
      steps[name] =
        command != "|"
        ? String(command)
        : lines[(place + 1)...].prefix { $0.hasPrefix("          ") }.map { $0.dropFirst(10) }
          .joined(separator: "\n")
    }
    return steps
  }

  /// Runs a step of the workflow in the same way as GitHub.
  private func run(_ step: String, in tool: borrowing BuiltTool) throws -> BuiltTool.Run {
    let command = try #require(try Self.steps()[step])
    try Data(command.utf8).write(to: tool.folder.appending(path: ".step"))
    return try tool.shell(
      """
      export PATH="$(dirname "$TOOL"):$PATH" HOME="$PWD" MODULE=Configs/Shop/app.json CATALOG=Configs/Shop/catalog.json
      export GITHUB_BASE_REF=main GITHUB_STEP_SUMMARY="$PWD/.summary"
      bash --noprofile --norc -eo pipefail .step
      """)
  }

  /// Replaces the first occurrence of a text in a file.
  private func replace(_ old: String, by new: String, in name: String, of tool: borrowing BuiltTool) throws {
    let text = try tool.text(of: name)
    try #require(text.contains(old))
    try Data(text.replacing(old, with: new, maxReplacements: 1).utf8).write(to: tool.folder.appending(path: name))
  }

  @Test func `the steps of the workflow behave as documented`() throws {
    let tool = try Self.repository()
    let check = try run("Check every environment", in: tool)
    #expect(check.status == 0, "\(check.output)\(check.error)")
    try replace(#""RetryMailer""#, by: #""RetryMailr""#, in: "Configs/Shop/environments/prod.json", of: tool)
    let broken = try run("Check every environment", in: tool)
    #expect(broken.status == 1)
    #expect(broken.output.contains("::error file=Configs/Shop/environments/prod.json,line="))
    #expect(try run("Write the findings for code scanning", in: tool).status == 0)
    #expect(try tool.text(of: "modules.sarif").contains("\"CDI0601\""))
  }

  @Test func `the workflow summarizes changes of production`() throws {
    let tool = try Self.repository()
    try replace(#""prefix": "letter""#, by: #""prefix": "mail""#, in: "Configs/Shop/environments/prod.json", of: tool)
    let run = try run("Say what changes in production", in: tool)
    #expect(run.status == 0, "\(run.error)")
    let summary = try tool.text(of: ".summary")
    #expect(summary.contains("values.prefix") && summary.contains("\"letter\""), "\(summary)")
  }

  @Test func `the hook rejects staged files with findings`() throws {
    let tool = try Self.repository()
    func commit() throws -> BuiltTool.Run {
      try tool.shell(
        #"export CONFIGDI="$TOOL"; git add -u; git -c user.name=n -c user.email=e@e commit -q --allow-empty -m more"#)
    }
    let installed = try tool.shell(
      "cp '\(Self.folder.path)/pre-commit' .git/hooks/ && git config --add configdi.module Configs/Shop/app.json")
    #expect(installed.status == 0)
    let valid = try commit()
    #expect(valid.status == 0, "\(valid.output)\(valid.error)")
    try replace(#""RetryMailer""#, by: #""RetryMailr""#, in: "Configs/Shop/environments/prod.json", of: tool)
    let rejected = try commit()
    #expect(rejected.status == 1)
    #expect((rejected.output + rejected.error).contains("error[CDI0601]"))
    // The hook checks the staged file, not the file in the working folder.
    try replace(#""RetryMailr""#, by: #""RetryMailer""#, in: "Configs/Shop/environments/prod.json", of: tool)
    let staged = try tool.shell(
      #"export CONFIGDI="$TOOL"; git -c user.name=n -c user.email=e@e commit -q -m more"#)
    #expect(staged.status == 1)
    #expect(try commit().status == 0)
    // Without a configured module, the hook prints how to configure one.
    let unset = try tool.shell(
      #"""
      export CONFIGDI="$TOOL"; git config --unset-all configdi.module
      git -c user.name=n -c user.email=e@e commit -q --allow-empty -m more
      """#)
    #expect(unset.status == 1 && unset.error.contains("git config --add configdi.module"))
  }

  @Test func `the hook respects the settings that git is given`() throws {
    let tool = try Self.repository()
    let file = #""file": "/run/secrets/shop/key""#
    try replace(#""env": "SHOP_SIGNING_KEY""#, by: file, in: "Configs/Shop/environments/prod.json", of: tool)
    func runHook(_ setUp: String = ":") throws -> BuiltTool.Run {
      try tool.shell(#"git add -u; \#(setUp); CONFIGDI="$TOOL" '\#(Self.folder.path)/pre-commit'"#)
    }
    let rejected = try runHook("git config --add configdi.module Configs/Shop/app.json")
    #expect(rejected.status == 1 && (rejected.output + rejected.error).contains("CDI0303"))
    let allowed = try runHook(
      "git config --add configdi.allowPath '/run/a b'; git config --add configdi.allowPath /run/secrets")
    #expect(allowed.status == 0, "\(allowed.output)\(allowed.error)")
  }

  @Test func `the hook finds a tool at a relative path`() throws {
    let tool = try Self.repository()
    let run = try tool.shell(
      """
      git config --add configdi.module Configs/Shop/app.json; mkdir tools && ln -s "$TOOL" tools/configdi
      CONFIGDI=tools/configdi '\(Self.folder.path)/pre-commit'
      """)
    #expect(run.status == 0, "\(run.output)\(run.error)")
  }
}
