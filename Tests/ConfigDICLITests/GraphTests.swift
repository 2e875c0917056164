// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@Suite struct GraphTests {
  /// A module with names that would be markup and code if they were not escaped.
  static let hostile = #"""
    {"configdi": 1, "module": "</title><script>alert(1)</script>", "services": {
      "a": {"type": "Cache<String, Data>", "inject": {"</script><!--<script>alert(2)</script>": "b",
        "\u0600</script><script>document.documentElement.id='injected'</script><\u0301/script>": "b"}}, "b": {"type": "B"}}}
    """#

  @Test func `JSON output`() throws {
    let run = try BuiltTool(files: DiffTests.files).run("graph", "app.json", "-e", "prod", "--format", "json")
    #expect(run.status == 0)
    let json = try run.json
    #expect((json["nodes"] as? [NSDictionary])?.map { $0["id"] as? String } == ["cache", "metrics", "s"])
    #expect(
      (json["nodes"] as? [NSDictionary])?.first == ["id": "cache", "type": "RedisCache", "scope": "shared", "tags": []])
    #expect(json["edges"] as? [NSDictionary] == [])
  }

  @Test func `the text format is DOT`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.hostile])
    let text = try tool.run("graph", "app.json")
    #expect(text.status == 0)
    #expect(text.output.hasPrefix("digraph "))
    #expect(try tool.run("graph", "app.json", "--format", "mermaid").output.hasPrefix("flowchart LR\n"))
    guard LongTests.isSelected else { return }
    #expect(try tool.run("graph", "app.json", "--format", "dot").output == text.output)
  }

  @Test func `the page contains names as data, never as markup`() throws {
    let run = try BuiltTool(files: ["app.json": Self.hostile]).run("graph", "app.json", "--format", "html")
    #expect(run.status == 0)
    let page = run.output
    #expect(page.hasPrefix("<!doctype html>"))
    #expect(page.contains("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; - wiring</title>"))
    // The search is by bytes, since a sign such as `<` may be hidden in a larger `Character`.
    let bytes = Data(page.utf8)
    for (word, count) in [("<script", 2), ("</script", 2), ("<!--", 0)] {
      #expect(bytes.ranges(of: Data(word.utf8)).count == count, "\(word)")
    }
    // The data can be read again without change.
    let start = try #require(page.range(of: #"<script id="data" type="application/json">"#)).upperBound
    let end = try #require(page[start...].range(of: "</script>")).lowerBound
    let data = try JSONSerialization.jsonObject(with: Data(page[start..<end].utf8)) as? NSDictionary
    let services = data?["services"] as? [NSDictionary]
    let arguments = (services?.first?["edges"] as? [NSDictionary])?.compactMap { $0["argument"] as? String }
    #expect(arguments?.first == "</script><!--<script>alert(2)</script>")
    // A placeholder of the page template may occur in a module.
    #expect(!page.contains("%%"))
  }

  @Test func `the page has all environments, the requested one first`() throws {
    let layer = #"{"configdi": 1, "module": "l", "services": {"s": {"type": "T"}}}"#
    let environments = #"{"dev": ["l.json"], "bad": ["none.json"]}"#
    let module = #"{"configdi": 1, "module": "m", "environments": \#(environments), "services": {}}"#
    let tool = try BuiltTool(files: ["app.json": module, "l.json": layer])
    func data(_ options: String...) throws -> (data: NSDictionary?, error: String) {
      let run = try tool.run(["graph", "app.json", "--format", "html"] + options)
      #expect(run.status == 0)
      let start = try #require(run.output.range(of: #"<script id="data" type="application/json">"#)).upperBound
      let end = try #require(run.output[start...].range(of: "</script>")).lowerBound
      return (try JSONSerialization.jsonObject(with: Data(run.output[start..<end].utf8)) as? NSDictionary, run.error)
    }
    let (base, error) = try data()
    #expect(base?["environments"] as? [NSDictionary] == [[:], ["name": "dev"], ["name": "bad", "hasErrors": true]])
    #expect(base?["shown"] as? Int == 0)
    #expect(error.contains("environment \"bad\""))
    #expect(try data("-e", "dev").data?["shown"] as? Int == 1)
    #expect(try tool.run("graph", "app.json", "--format", "html", "-e", "bad").status == 1)
  }

  @Test func `a secret that a layer of one environment declares is redacted in all of them`() throws {
    let parameters = #""parameters": {"key": "planted", "other": "shown"}"#
    let module =
      #"{"configdi": 1, "module": "m", "environments": {"dev": [], "prod": ["l.json"]}, \#(parameters), "#
      + #""services": {"s": {"type": "T", "values": {"v": "${key}", "w": "${other}"}}}}"#
    let layer =
      #"{"configdi": 1, "module": "l", "override": {"parameters": {"key": {"env": "KEY", "secret": true}}}}"#
    let tool = try BuiltTool(files: ["app.json": module, "l.json": layer])
    for options in LongTests.sample([["-e", "dev"], ["-e", "prod"], []], every: 3) {
      let run = try tool.run(["graph", "app.json", "--format", "html"] + options)
      #expect(run.status == 0)
      #expect(run.output.contains("shown") && !run.output.contains("planted"), "\(options)")
    }
  }

  /// Layers with errors. The usual run takes a sample.
  private static let brokenLayers = LongTests.sample(
    [
      #"{"configdi": 1, "module": "l", "zork": 1, "override": {"parameters": {"key": {"env": "K", "secrt": true}}}}"#,
      #"{"configdi": 1, "module": "l", "override": {"parameters": {"key": {"env": "K", "secret": "yes"}}}}"#,
      #"{"configdi": 1, "module": "l", "overide": {"parameters": {"key": {"env": "K", "secret": true}}}}"#,
      #"{"configdi": 2, "module": "l", "override": {"parameters": {"key": {"env": "K", "secret": true}}}}"#,
    ], every: 4)

  @Test(arguments: brokenLayers)
  func `a secret that a layer with errors declares is redacted in the other environments`(layer: String) throws {
    let (page, _) = try pageBeside(layer: layer)
    #expect(page.contains("legible") && !page.contains("planted"))
  }

  /// Layers that cannot be read, or are missing. The usual run takes a sample.
  private static let unreadLayers: [String?] = LongTests.sample(
    [
      #"{"configdi": 1, "override": {"parameters": {"key": {"env": "K" "secret": true}}}}"#,
      #"{"configdi": 1, "override": {"parameters": {"key": {"env": "K","#, nil,
    ], every: 2)

  @Test(arguments: unreadLayers)
  func `no value is shown if a layer that was not read may declare it secret`(layer: String?) throws {
    let (page, error) = try pageBeside(layer: layer)
    #expect(page.contains("hidden") && !page.contains("legible") && !page.contains("planted"))
    #expect(error.contains("shows no values"))
  }

  @Test func `an optional file that does not exist hides no value`() throws {
    let module =
      #"{"configdi": 1, "module": "m", "imports": [{"path": "local.json", "optional": true}], "#
      + #""parameters": {"key": "legible"}, "services": {"s": {"type": "T", "values": {"v": "${key}"}}}}"#
    let run = try BuiltTool(files: ["app.json": module]).run("graph", "app.json", "--format", "html")
    #expect(run.output.contains("legible") && run.error == "")
  }

  @Test(arguments: LongTests.sample(["a", "s"], every: 2))
  func `findings beside or instead of the page redact secrets of other environments`(id: String) throws {
    let module =
      #"{"configdi": 1, "module": "m", "environments": {"prod": ["l.json"]}, "parameters": {"key": "planted"}, "#
      + #""services": {"s": {"type": "T", "private": true, "inject": {"x": "\#(id)"}}, "a": {"type": "T"}}}"#
    let layer =
      #"{"configdi": 1, "module": "l", "override": {"parameters": {"key": {"env": "KEY", "secret": true}}}}"#
    let run = try BuiltTool(files: ["app.json": module, "l.json": layer])
      .run("graph", "app.json", "--format", "html")
    #expect(run.status == (id == "s" ? 1 : 0))
    #expect(run.error.contains("<secret key>") && !(run.output + run.error).contains("planted"))
  }

  /// Returns the data of the page and the error output, if the layer of environment `prod` is missing or has an error.
  private func pageBeside(layer: String?) throws -> (page: String, error: String) {
    var files = [
      "app.json": """
      {"configdi": 1, "module": "m", "environments": {"dev": [], "prod": ["l.json"]},
        "parameters": {"key": "planted", "other": "legible"},
        "services": {"s": {"type": "T", "values": {"v": "${key}", "w": "${other}"}}}}
      """
    ]
    files["l.json"] = layer
    let run = try BuiltTool(files: files).run("graph", "app.json", "--format", "html", "-e", "dev")
    #expect(run.status == 0 && run.error.contains("environment \"prod\""))
    let start = try #require(run.output.range(of: #"<script id="data" type="application/json">"#)).upperBound
    let end = try #require(run.output[start...].range(of: "</script>")).lowerBound
    return (String(run.output[start..<end]), run.error)
  }

  @Test func `a module that contains the placeholders of the page template is rendered completely`() throws {
    let service = #"{"type": "T", "values": {"v": "%%SCRIPT%%"}}"#
    let module = #"{"configdi": 1, "module": "%%DATA%%", "services": {"s": \#(service)}}"#
    let page = try BuiltTool(files: ["app.json": module]).run("graph", "app.json", "--format", "html").output
    #expect(page.contains("<title>%%DATA%% - wiring</title>") && page.contains(#"\"%%SCRIPT%%\""#))
    #expect(page.components(separatedBy: "followAddress();").count < 5)
  }

  @Test func `the page has no external resources`() throws {
    let page = try BuiltTool(files: ["app.json": UsageTests.clean]).run("graph", "app.json", "--format", "html").output
    #expect(page.contains("default-src 'none'"))
    for word in ["src=", "href=", "url(h", "@import", "fetch("] { #expect(!page.contains(word), "\(word)") }
    let addresses = page.components(separatedBy: "http").dropFirst().filter { !$0.hasPrefix("-equiv") }
    #expect(addresses.allSatisfy { $0.hasPrefix("://www.w3.org/2000/svg\"") })
  }

  @Test(.enabled(if: LongTests.isSelected && FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium")))
  func `a browser runs only the script of the page`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.hostile])
    let page = try tool.run("graph", "app.json", "--format", "html").output
    func opened(_ page: String) throws -> BuiltTool.Run {
      try Data(page.utf8).write(to: tool.folder.appendingPathComponent("page.html"))
      return try tool.shell(
        "timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir=$PWD/profile"
          + " --enable-logging=stderr --dump-dom file://$PWD/page.html")
    }
    let valid = try opened(page)
    #expect(valid.status == 0)
    #expect(valid.output.contains("class=\"box"))
    #expect(!valid.output.contains("id=\"injected\""))
    #expect(!valid.error.contains("CONSOLE"), "\(valid.error)")
    // If text became markup, the content security policy would block its script.
    let script = "<h1><script>document.documentElement.id='injected'</script><b style='color:red'>"
    let broken = try opened(page.replacingOccurrences(of: "<h1>", with: script))
    #expect(broken.output.contains("class=\"box"))
    #expect(!broken.output.contains("id=\"injected\""))
    #expect(broken.error.contains("Content Security Policy"), "\(broken.error)")
  }
}
