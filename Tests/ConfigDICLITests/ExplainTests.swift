// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@Suite struct ExplainTests {
  @Test func `text output for a service`() throws {
    let run = try BuiltTool(files: DiffTests.files).run("explain", "app.json", "cache", "-e", "prod")
    #expect(run.status == 0)
    #expect(run.error == "")
    #expect(
      run.output == """
        service cache, RedisCache, shared

          type      "RedisCache"   override  prod.json:5:50
            before  "MemoryCache"  define    app.json:4:36

        binding  Cache  app.json:5:26
        uses     nothing
        used by  nothing

        since the module without an environment:
          type  "MemoryCache" -> "RedisCache"

        """)
  }

  /// Formats with the ids of a secret and of entries that contain it. The usual run takes a sample.
  private static let secrets = LongTests.sample(
    ["text", "json"].flatMap { format in ["s", "url", "key"].map { (format: format, id: $0) } }, every: 6)

  @Test(arguments: secrets)
  func `a parameter that an environment declares secret is also secret in the module alone`(
    format: String, id: String
  ) throws {
    let module =
      #"{"configdi": 1, "module": "m", "environments": {"prod": ["l.json"]}, "parameters": {"key": "planted", "#
      + #""url": "http://${key}/"}, "services": {"s": {"type": "S", "values": {"url": "${url}"}}}}"#
    let layer =
      #"{"configdi": 1, "module": "l", "override": {"parameters": {"key": {"env": "KEY", "secret": true}, "#
      + #""url": "none"}}}"#
    let tool = try BuiltTool(files: ["app.json": module, "l.json": layer])
    let run = try tool.run("explain", "app.json", id, "-e", "prod", "--format", format)
    #expect(run.output.contains(format == "text" ? "since the module" : "sinceBase"), "\(run.output)")
    #expect(!(run.output + run.error).contains("planted"), "\(run.output)")
  }

  @Test func `an entry that only one environment has is marked`() throws {
    let tool = try BuiltTool(files: DiffTests.files)
    let added = try tool.run("explain", "app.json", "metrics", "-e", "prod", "--format", "json").json
    #expect(added["sinceBase"] as? NSDictionary == ["added": true])
    #expect(try tool.run("explain", "app.json", "metrics", "-e", "dev").status == 1)
    let same = try tool.run("explain", "app.json", "s", "-e", "dev", "--format", "json").json
    #expect(same["sinceBase"] as? NSDictionary == ["changed": []])
  }

  @Test func `JSON output for a service, a parameter and a missing variable`() throws {
    let tool = try BuiltTool(files: DiffTests.files)
    let service = try tool.run("explain", "app.json", "s", "--format", "json").json
    #expect(service["kind"] as? String == "service")
    #expect((service["definition"] as? NSDictionary)?["values"] as? NSDictionary == ["host": "localhost"])
    let parameter = try tool.run("explain", "app.json", "mail.host", "-e", "prod", "--format", "json").json
    #expect(parameter["kind"] as? String == "parameter")
    #expect(parameter["usedBy"] as? [String] == ["s"])
    let decision = try #require((parameter["decisions"] as? [NSDictionary])?.first)
    #expect(decision["verb"] as? String == "override")
    #expect((decision["before"] as? [NSDictionary])?.first?["value"] as? String == "localhost")
    let secret = try tool.run("explain", "app.json", "pw", "-e", "prod", "--format", "json")
    #expect(secret.status == 0)
    #expect(secret.output.contains("<secret pw>") || secret.output.contains("<unset MAIL_PASSWORD>"))
  }

  @Test func `the file of a parameter has a separate JSON key`() throws {
    let tool = try BuiltTool(files: [
      "app.json": #"""
      { "configdi": 1, "module": "m", "parameters": { "p": { "sources": [{ "env": "NONE" }, { "file": "f" }] } },
        "services": { "a": { "type": "A", "values": { "v": "${p}" } } } }
      """#, "f": "text",
    ])
    let source: NSDictionary = [
      "path": "f", "set": true, "default": false, "file": "app.json", "line": 1, "column": 97,
    ]
    let parameter = try tool.run("explain", "app.json", "p", "--format", "json").json
    let decisions = try #require(parameter["decisions"] as? [NSDictionary])
    #expect(decisions.compactMap { $0["source"] as? NSDictionary } == [source])
    let service = try tool.run("explain", "app.json", "a", "--format", "json").json
    let links = try #require(service["decisions"] as? [NSDictionary]).compactMap { $0["from"] as? [NSDictionary] }
    #expect(links.joined().compactMap { $0["source"] as? NSDictionary } == [source])
  }

  @Test func `an unknown id is reported with a suggestion`() throws {
    let tool = try BuiltTool(files: DiffTests.files)
    let reason =
      "no service, parameter, alias, binding or template has the id \"cahce\"; did you mean \"Cache\" or \"cache\"?"
    let text = try tool.run("explain", "app.json", "cahce")
    #expect(text.status == 1 && text.output == "" && text.error == "error: \(reason)\n")
    // The usual run takes only the text.
    guard LongTests.isSelected else { return }
    let json = try tool.run("explain", "app.json", "cahce", "--format", "json")
    #expect(json.status == 1 && json.error == "")
    #expect(try json.json as NSDictionary == ["configdi": 1, "error": reason])
  }

  @Test func `findings replace the output`() throws {
    let tool = try BuiltTool(files: ["app.json": ValidateTests.misspelt])
    let json = try tool.run("explain", "app.json", "mailer", "--format", "json")
    #expect(json.status == 1)
    #expect(try json.codes == ["CDI0501"])
    let text = try tool.run("explain", "app.json", "none")
    #expect(text.output == "" && text.error.hasPrefix("error[CDI0501]"))
  }

  @Test func `warnings go to the standard error, beside the result`() throws {
    let unused = UsageTests.clean.replacing("\"services\"", with: "\"parameters\": {\"unused\": 1}, \"services\"")
    let tool = try BuiltTool(files: ["app.json": unused])
    let lines = [
      ["explain", "app.json", "a"], ["resolve", "app.json"], ["graph", "app.json"], ["schema", "app.json"],
      ["diff", "app.json", "--against", "app.json"],
      ["diff", "app.json", "--against", "app.json", "--format", "markdown"],
    ]
    for arguments in LongTests.sample(lines, every: 4) {
      let run = try tool.run(arguments)
      #expect(run.status == 0 && run.error.hasPrefix("warning[CDI07"), "\(arguments)")
      #expect(run.error.hasSuffix("\n1 warning\n") && !run.output.contains("[CDI07"), "\(arguments)")
    }
    for command in LongTests.sample(["resolve", "graph"], every: 2) {
      #expect(try tool.run(command, "app.json", "--format", "json").error == "")
    }
  }
}
