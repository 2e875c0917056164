// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

/// `configdi list`.
@Suite struct ListTests {
  /// A module with entries of all kinds that `configdi list` prints.
  private static let files = [
    "app.json": #"""
    {"configdi": 1, "module": "app", "scopes": ["request"], "environments": {"prod": ["prod.json"]},
     "parameters": {"host": "localhost", "pw": {"env": "PW", "secret": true}},
     "services": {
       "mailer": {"type": "SMTP", "provides": ["Mailer"], "tags": ["health"], "values": {"h": "${host}", "p": "${pw}"}},
       "metrics": {"type": "Metrics", "scope": "transient", "tags": ["health", "slow"]}},
     "aliases": {"mail": "mailer"}, "bindings": {"Mailer": "mailer"}}
    """#,
    "prod.json": #"{"configdi": 1, "module": "prod", "override": {"services": {"mailer": {"type": "SES"}}}}"#,
  ]

  @Test func `text output of all parts`() throws {
    let run = try BuiltTool(files: Self.files).run("list", "app.json")
    #expect(run.status == 0)
    #expect(
      run.output == """
        services:
          mailer   SMTP     shared     health
          metrics  Metrics  transient  health, slow

        parameters:
          host  string  "localhost"
          pw    string  "<secret pw>"

        tags:
          health  mailer, metrics
          slow    metrics

        types:
          Metrics  metrics
          SMTP     mailer

        provides:
          Mailer  mailer  bound to mailer

        scopes:
          shared     mailer
          transient  metrics
          request

        aliases:
          mail  mailer

        """)
  }

  /// Parts and filters with the output. The usual run takes a sample.
  private static let filtered = LongTests.sample(
    [
      (["services", "-e", "prod", "--type", "SES"], "mailer  SES  shared  health\n"),
      (["services", "--type", "SES"], ""),
      (["services", "--tag", "slow"], "metrics  Metrics  transient  health, slow\n"),
      (["tags", "--scope", "shared"], "health  mailer\n"), (["types", "--provides", "Mailer"], "SMTP  mailer\n"),
      (["parameters", "--id", "os"], "host  string  \"localhost\"\n"), (["aliases", "--id", "mail"], "mail  mailer\n"),
      (["aliases", "--tag", "slow"], ""), (["parameters", "--tag", "slow"], ""), (["scopes", "--id", "zzz"], ""),
    ], every: 5)

  @Test(arguments: filtered)
  func `text output of one part, filtered`(arguments: [String], expected: String) throws {
    let run = try BuiltTool(files: Self.files).run(["list", "app.json"] + arguments)
    #expect(run.status == 0 && run.output == expected)
  }

  /// Filters that nothing or something matches, with the hints. The usual run takes a sample.
  private static let hinted = LongTests.sample(
    [
      (["--tag", "slw"], "hint: no service has the tag \"slw\"; did you mean \"slow\"?\n"),
      (["--type", "SMPT"], "hint: no service has the type \"SMPT\"; did you mean \"SMTP\"?\n"),
      (["--scope", "trans"], "hint: no service has the scope \"trans\"\n"),
      (["--id", "zzz"], "hint: no id contains \"zzz\"\n"),
      (["aliases", "--tag", "slow"], "hint: nothing matches all of the filters\n"),
      (
        ["--provides", "Maler"],
        """
        hint: no service provides "Maler"; did you mean "Mailer"?
        hint: what the registered types provide is not known without --catalog

        """
      ),
      (["services", "--tag", "slow"], ""), (["--tag", "slw", "--quiet"], ""),
    ], every: 4)

  @Test(arguments: hinted)
  func `an unknown name is reported if nothing is listed`(arguments: [String], hint: String) throws {
    let run = try BuiltTool(files: Self.files).run(["list", "app.json"] + arguments)
    let hints = run.error.split(separator: "\n").filter { $0.hasPrefix("hint: ") }.map { $0 + "\n" }.joined()
    #expect(run.status == 0 && hints == hint, "\(run.error)")
  }

  @Test func `JSON output`() throws {
    let tool = try BuiltTool(files: Self.files)
    let json = try tool.run("list", "app.json", "services", "provides", "--format", "json", "--id", "mail").json
    #expect(
      json == [
        "services": ["mailer": ["type": "SMTP", "scope": "shared", "tags": ["health"], "provides": ["Mailer"]]],
        "provides": ["Mailer": ["services": ["mailer"], "binding": "mailer"]],
      ])
  }

  @Test func `findings and usage errors`() throws {
    let tool = try BuiltTool(files: ["bad.json": ValidateTests.misspelt])
    let bad = try tool.run("list", "bad.json")
    #expect(bad.status == 1 && bad.output == "" && bad.error.hasPrefix("error[CDI0501]"))
    guard LongTests.isSelected else { return }
    #expect(try tool.run("list", "bad.json", "things").status == 64)
  }

  @Test func `a section that is named twice is shown once`() throws {
    let tool = try BuiltTool(files: Self.files)
    for format in LongTests.sample(["text", "json"], every: 2) {
      let once = try tool.run("list", "app.json", "tags", "services", "--format", format)
      #expect(try tool.run("list", "app.json", "tags", "services", "tags", "--format", format).output == once.output)
    }
  }
}
