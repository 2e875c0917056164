// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@Suite struct DiffTests {
  /// A module with two environments.
  static let files = [
    "app.json": #"""
    {
      "configdi": 1, "module": "app", "environments": { "dev": [], "prod": ["prod.json"] },
      "parameters": { "mail.host": "localhost" },
      "services": { "cache": { "type": "MemoryCache" }, "s": { "type": "S", "values": { "host": "${mail.host}" } } },
      "bindings": { "Cache": "cache" }
    }
    """#,
    "prod.json": #"""
    {
      "configdi": 1, "module": "prod",
      "parameters": { "pw": { "env": "MAIL_PASSWORD", "secret": true } },
      "services": { "metrics": { "type": "Metrics", "values": { "pw": "${pw}" } } },
      "override": { "services": { "cache": { "type": "RedisCache" } }, "parameters": { "mail.host": "mx" } }
    }
    """#,
  ]

  /// The run that prints the difference of the environments.
  static let run = Result { try BuiltTool(files: Self.files).run("diff", "app.json", "--from", "dev", "--to", "prod") }

  @Test func `text output for two environments`() throws {
    let run = try Self.run.get()
    #expect(run.status == 0)
    #expect(run.error == "")
    #expect(
      run.output == """
        from dev to prod

        services:
          + metrics
              type       "Metrics"
              values.pw  "<secret pw>"
          ~ cache
              type  "MemoryCache" -> "RedisCache"
          ~ s
              values.host  "localhost" -> "mx"

        parameters:
          + pw
              env     "MAIL_PASSWORD"
              secret  true
              type    "string"
              value   "<secret pw>"
          ~ mail.host
              value  "localhost" -> "mx"

        variables:
          + MAIL_PASSWORD

        1 service added, 2 changed; 1 parameter added, 1 changed; 1 variable added

        """)
  }

  @Test func `a difference beside a missing variable in one text`() throws {
    let module = #"""
      {"configdi": 1, "module": "m", "environments": {"dev": [], "prod": ["l.json"]},
       "parameters": {"host": "a", "path": {"env": "ABSENT"}, "url": "http://${host}/${path}"},
       "services": {"s": {"type": "S", "values": {"page": "${url}#top", "same": "${path}!"}}}}
      """#
    let layer = #"{"configdi": 1, "module": "l", "override": {"parameters": {"host": "b"}}}"#
    let tool = try BuiltTool(files: ["app.json": module, "l.json": layer])
    let difference = try tool.run("diff", "app.json", "--from", "dev", "--to", "prod", "--format", "json").json
    let changed = { (section: String) in
      let entries = ((difference[section] as? NSDictionary)?["changed"] as? [String: [NSDictionary]]) ?? [:]
      return entries.mapValues { $0.compactMap { $0["path"] as? String } }
    }
    #expect(changed("services") == ["s": ["values.page"]])
    #expect(changed("parameters") == ["host": ["value"], "url": ["value"]])
    #expect(try tool.run("diff", "app.json", "--from", "dev", "--to", "dev").output.hasPrefix("no difference"))
  }

  @Test(arguments: LongTests.sample(["text", "json", "markdown"], every: 3))
  func `a secret beside a missing variable in one list is redacted`(format: String) throws {
    let module = #"""
      {"configdi": 1, "module": "m", "environments": {"dev": [], "prod": ["l.json"]},
       "parameters": {"key": {"value": "planted", "secret": true}, "name": {"env": "ABSENT"}},
       "services": {"s": {"type": "S", "values": {"list": ["${key}", {"deep": "${key}"}, "hi ${name}"]}}}}
      """#
    let layer = #"{"configdi": 1, "module": "l", "override": {"services": {"s": {"values": {"list": "#
    let list = #"["${key}", {"deep": "${key}"}, "ho ${name}"]}}}}}"#
    let tool = try BuiltTool(files: ["app.json": module, "l.json": layer + list])
    let difference = try tool.run("diff", "app.json", "--from", "dev", "--to", "prod", "--format", format)
    #expect(difference.output.contains("ho <unset ABSENT>"))
    #expect(!difference.output.contains("planted"), "\(difference.output)")
    let explanation = try tool.run(
      "explain", "app.json", "s", "-e", "prod", "--format", format == "text" ? "text" : "json")
    #expect(explanation.output.contains("ho ") && !explanation.output.contains("planted"), "\(explanation.output)")
  }

  @Test func `JSON and Markdown output for two environments`() throws {
    let tool = try BuiltTool(files: Self.files)
    let json = try tool.run("diff", "app.json", "--from", "prod", "--to", "dev", "--format", "json").json
    #expect(json["from"] as? String == "prod")
    #expect(json["to"] as? String == "dev")
    #expect((json["services"] as? NSDictionary)?["removed"] as? [String] == ["metrics"])
    #expect(json["variables"] as? NSDictionary == ["added": [], "removed": ["MAIL_PASSWORD"]])
    // The usual run takes only JSON, since the documentation has an example in Markdown.
    guard LongTests.isSelected else { return }
    let table = try tool.run("diff", "app.json", "--from", "dev", "--to", "prod", "--format", "markdown").output
    #expect(table.contains("| changed | service `cache` | `type` | `\"MemoryCache\"` | `\"RedisCache\"` |\n"))
  }

  @Test func `a difference fails only if requested`() throws {
    let tool = try BuiltTool(files: Self.files)
    #expect(try Self.run.get().status == 0)
    #expect(try tool.run("diff", "app.json", "--from", "dev", "--to", "prod", "--exit-code").status == 1)
    let same = try tool.run("diff", "app.json", "--from", "dev", "--to", "dev", "--exit-code")
    #expect(same.status == 0)
    #expect(same.output == "no difference between dev and dev\n")
  }

  @Test func `another module, alone or in an environment that both have`() throws {
    var files = Self.files
    files["new/app.json"] = Self.files["app.json"]?.replacing("MemoryCache", with: "Cache2")
    files["new/prod.json"] = Self.files["prod.json"]
    let tool = try BuiltTool(files: files)
    let alone = try tool.run("diff", "app.json", "--against", "new/app.json", "--format", "json").json
    #expect(alone["from"] as? String == "app.json")
    #expect(alone["to"] as? String == "new/app.json")
    #expect(
      (alone["services"] as? NSDictionary)?["changed"] as? NSDictionary
        == ["cache": [["path": "type", "from": "MemoryCache", "to": "Cache2"]]])
    let piped = try tool.shell("\"$TOOL\" diff app.json --against - --syntax json --format json < new/app.json").json
    #expect(piped["services"] as? NSDictionary == alone["services"] as? NSDictionary)
    let prod = try tool.run("diff", "app.json", "--against", "new/app.json", "-e", "prod", "--exit-code")
    #expect(prod.status == 0)
  }

  @Test func `findings of either side replace the output`() throws {
    var files = Self.files
    files["bad.json"] = ValidateTests.misspelt
    files["worse.json"] = #"{"configdi": 1, "module": "w", "aliases": {"a": "b"}}"#
    let tool = try BuiltTool(files: files)
    let cases = [
      (["app.json", "--against", "bad.json"], ["CDI0501"]), (["bad.json", "--against", "app.json"], ["CDI0501"]),
      (["bad.json", "--against", "worse.json"], ["CDI0501", "CDI0503"]),
      (["bad.json", "--against", "bad.json"], ["CDI0501"]),
      (["app.json", "--from", "dev", "--to", "staging"], ["CDI0307"]),
      (["app.json", "--against", "none.json"], ["CDI0107"]),
    ]
    for (arguments, codes) in LongTests.sample(cases, every: 6) {
      let run = try tool.shell("$TOOL diff --format json \(arguments.joined(separator: " "))")
      #expect(run.status == 1)
      #expect(try run.codes == codes)
    }
    let text = try tool.run("diff", "bad.json", "--against", "app.json")
    #expect(text.output == "" && text.error.hasPrefix("error[CDI0501]"))
  }

  @Test func `a missing variable is printed by name, a secret only by its own name`() throws {
    let files = [
      "app.json": #"""
      {"configdi": 1, "module": "app", "environments": {"a": [], "b": ["b.json"]},
       "parameters": {"p": "x", "k": {"env": "KEY", "secret": true}}}
      """#,
      "b.json":
        #"{"configdi": 1, "module": "b", "override": {"parameters": {"p": {"env": "P"}, "k": {"env": "KEY2"}}}}"#,
    ]
    let tool = try BuiltTool(files: files)
    let run = try tool.run(
      "diff", "app.json", "--from", "a", "--to", "b", variables: ["KEY": "hunter2", "KEY2": "swordfish"])
    #expect(run.status == 0)
    #expect(run.output.contains("value  \"x\" -> \"<unset P>\"\n"))
    #expect(run.output.contains("  ~ k\n      env    \"KEY\" -> \"KEY2\"\n      value  (secret changed)\n"))
    #expect(!run.output.contains("hunter2") && !run.output.contains("swordfish"))
    #expect(try tool.run("diff", "app.json", "--from", "a", "--to", "b", "--require-env").status == 1)
  }

  @Test func `findings of either module hide what the other declares secret`() throws {
    let head = #"{"configdi": 1, "module": "m", "parameters": {"pw": {"env": "PW", "#
    let tool = try BuiltTool(files: [
      "a.json": head + #""default": "planted", "oneOf": ["planted", "x"]}, "n": {"env": "N", "type": "int"}}}"#,
      "b.json": head + #""secret": true}, "n": {"env": "N", "type": "int", "secret": true}}}"#,
      "c.json": head + #""default": "planted"}}, "override": {"parameters": {"none": {"default": "legible"}}}}"#,
    ])
    for sides in [("a.json", "b.json"), ("b.json", "a.json")] {
      let run = try tool.run("diff", sides.0, "--against", sides.1, variables: ["PW": "live", "N": "hunter4"])
      #expect(run.status == 1 && run.error.contains("error[CDI0406]") && run.error.contains("error[CDI0407]"))
      for piece in ["planted", "live", "hunter4"] { #expect(!run.error.contains(piece), "\(run.error)") }
    }
    let excerpt = try tool.run("diff", "c.json", "--against", "b.json", variables: ["N": "1"])
    #expect(excerpt.status == 1 && !excerpt.error.contains("planted"), "\(excerpt.error)")
  }

  @Test func `a removed default and a changed host around a secret fail the check of a deployment`() throws {
    let layer = #"{"configdi": 1, "module": "b", "override": {"parameters": {"#
    let tool = try BuiltTool(files: [
      "app.json": #"""
      {"configdi": 1, "module": "app", "environments": {"a": [], "lost": ["lost.json"], "host": ["host.json"]},
       "parameters": {"k": {"env": "KEY", "secret": true, "default": "x"}, "url": "mail://${k}@old", "plain": "a"},
       "services": {"s": {"type": "S", "values": {"url": "${url}"}}}}
      """#,
      "lost.json": layer + #""k": {"unset": ["default"]}}}}"#, "host.json": layer + #""url": "mail://${k}@new"}}}"#,
    ])
    func run(_ environment: String, _ format: String) throws -> BuiltTool.Run {
      try tool.run(
        "diff", "app.json", "--from", "a", "--to", environment, "--exit-code", "--format", format,
        variables: ["KEY": "hunter2"])
    }
    let lost = try run("lost", "text")
    #expect(lost.status == 1)
    #expect(lost.output.contains("  ~ k\n      default  \"<secret k>\" -> absent\n"))
    let host = try run("host", "text")
    #expect(host.status == 1)
    #expect(host.output.contains("  ~ s\n      values.url  (secret changed)\n"))
    for output in [lost.output, host.output] { #expect(!output.contains("hunter2") && !output.contains("old")) }
    // The usual run takes only the text.
    guard LongTests.isSelected else { return }
    #expect(try run("host", "markdown").output.contains("| `values.url` | `\"<secret k>\"` | (secret changed) |\n"))
    let changed = (try run("host", "json").json["services"] as? NSDictionary)?["changed"] as? NSDictionary
    #expect(
      changed == [
        "s": [["path": "values.url", "from": "<secret k>", "to": "<secret k>", "secretChanged": true] as NSDictionary]
      ])
  }
}
