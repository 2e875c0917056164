// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite struct GraphTests {
  /// A module whose names try to become markup and code.
  static let hostile = #"""
    {"configdi": 1, "module": "</title><script>alert(1)</script>", "services": {
      "a": {"type": "Cache<String, Data>", "inject": {"</script><!--<script>alert(2)</script>": "b"}}, "b": {"type": "B"}}}
    """#

  @Test func `for programs`() throws {
    let run = try BuiltTool(files: DiffTests.files).run("graph", "app.json", "-e", "prod", "--format", "json")
    #expect(run.status == 0)
    let json = try run.json
    #expect((json["nodes"] as? [NSDictionary])?.map { $0["id"] as? String } == ["cache", "metrics", "s"])
    #expect(
      (json["nodes"] as? [NSDictionary])?.first == ["id": "cache", "type": "RedisCache", "scope": "shared", "tags": []])
    #expect(json["edges"] as? [NSDictionary] == [])
  }

  @Test func `text is the form for Graphviz`() throws {
    let tool = try BuiltTool(files: ["app.json": Self.hostile])
    let text = try tool.run("graph", "app.json")
    #expect(text.status == 0)
    #expect(text.output.hasPrefix("digraph "))
    #expect(try tool.run("graph", "app.json", "--format", "dot").output == text.output)
    #expect(try tool.run("graph", "app.json", "--format", "mermaid").output.hasPrefix("flowchart LR\n"))
  }

  @Test func `the page holds names as data, never as markup`() throws {
    let run = try BuiltTool(files: ["app.json": Self.hostile]).run("graph", "app.json", "--format", "html")
    #expect(run.status == 0)
    let page = run.output
    #expect(page.hasPrefix("<!doctype html>"))
    #expect(page.contains("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; - wiring</title>"))
    #expect(page.components(separatedBy: "<script").count == 3)
    #expect(page.components(separatedBy: "</script").count == 3)
    #expect(!page.contains("<!--"))
    // The data read back as they were.
    let start = try #require(page.range(of: #"<script id="data" type="application/json">"#)).upperBound
    let end = try #require(page[start...].range(of: "</script>")).lowerBound
    let data = try JSONSerialization.jsonObject(with: Data(page[start..<end].utf8)) as? NSDictionary
    let edge = try #require((data?["edges"] as? [NSDictionary])?.first)
    #expect(edge["argument"] as? String == "</script><!--<script>alert(2)</script>")
  }

  @Test func `the page reaches for nothing outside`() throws {
    let page = try BuiltTool(files: ["app.json": UsageTests.clean]).run("graph", "app.json", "--format", "html").output
    #expect(page.contains("default-src 'none'"))
    for word in ["src=", "href=", "url(h", "@import", "fetch("] { #expect(!page.contains(word), "\(word)") }
    let addresses = page.components(separatedBy: "http").dropFirst().filter { !$0.hasPrefix("-equiv") }
    #expect(addresses.allSatisfy { $0.hasPrefix("://www.w3.org/2000/svg\"") })
  }

  @Test(arguments: ["text", "dot", "mermaid", "json", "html"])
  func `findings are printed instead`(format: String) throws {
    let run = try BuiltTool(files: ["app.json": ValidateTests.misspelt]).run("graph", "app.json", "--format", format)
    #expect(run.status == 1)
    #expect(run.output.hasPrefix(format == "json" ? "{" : "error[CDI0501]"))
    #expect(!run.output.contains("nodes"))
  }
}
