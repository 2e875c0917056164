// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct TagTests {
  @Test func `tagged services are ordered by order, then by id, without the consumer`() throws {
    let module = CheckedModule(
      """
      "services": {
        "b": { "type": "T", "tags": { "t": { "order": 1 } } }, "a": { "type": "T", "tags": { "t": { "order": 1 } } },
        "c": { "type": "T", "tags": { "t": { "order": -1 } } }, "B": { "type": "T", "tags": ["t"] },
        "hub": { "type": "T", "tags": ["t"], "inject": { "all": { "tagged": "t", "as": "list" }, "none": { "tagged": «CDI0708»"u" } },
          "decorate": [{ "type": "D", "inject": { "others": { "tagged": "t" } } }] } }
      """)
    let hub = try #require(try module.resolved().at("services", "hub"))
    #expect(hub.at("inject", "all") == ["c", "B", "a", "b"])
    #expect(hub.at("inject", "none") == [])
    #expect(
      hub.at("decorate") == [["type": "D", "inject": ["others": ["c", "B", "a", "b"]], "values": [:]]])
  }

  @Test func `a map uses the keys of the tag, by default the ids`() throws {
    let module = CheckedModule(
      """
      "services": {
        "a": { "type": "T", "tags": { "t": { "key": "z" } } }, "b": { "type": "T", "tags": ["t"] },
        "hub": { "type": "T", "inject": { "all": { "tagged": "t", "as": "map" }, "none": { "tagged": «CDI0708»"u", "as": "map" } } } }
      """)
    #expect(
      try module.resolved().at("services", "hub", "inject") == [
        "all": ["map": ["b": "b", "z": "a"]], "none": ["map": [:]],
      ])
  }

  @Test func `a tag inside a list is a nested list, as an element of a map a list or a map`() throws {
    let module = CheckedModule(
      """
      "services": {
        "a": { "type": "T", "tags": ["t"] },
        "hub": { "type": "T", "inject": {
          "l": ["a", { "tagged": "t" }], "m": { "map": { "k": { "tagged": "t", "as": "map" } } } } } }
      """)
    #expect(
      try module.resolved().at("services", "hub", "inject") == [
        "l": ["a", ["a"]], "m": ["map": ["k": ["map": ["a": "a"]]]],
      ])
  }

  @Test func `duplicate keys are reported once for each service after the smallest id, and only for maps`() {
    let module = CheckedModule(
      """
      "services": {
        "c": { "type": "T", "tags": { «CDI0510»"t": { "key": "k" }, "u": { "key": "k" } } },
        "a": { "type": "T", "tags": { "t": { "key": "k" }, "u": { "key": "k" } } },
        "b": { "type": "T", "tags": { «CDI0510»"t": { "key": "k" }, "u": { "key": "k" } } },
        "k": { "type": "T", "tags": [«CDI0510»"t", "u"] },
        "hub": { "type": "T", "inject": { "x": { "tagged": "t", "as": "map" }, "y": { "tagged": "u" } } },
        "hub2": { "type": "T", "inject": { "x": { "tagged": "t", "as": "map" } } } }
      """)
    #expect(module.findings[0].message == #"services "a", "c" have the same key "k" in tag "t""#)
    #expect(module.findings[0].related.map(\.message) == [#"service "a" has this key, too"#])
  }

  @Test func `the consumer's own key causes no conflict`() {
    _ = CheckedModule(
      """
      "services": {
        "a": { "type": "T", "tags": { "t": { "key": "k" } } },
        "hub": { "type": "T", "tags": { "t": { "key": "k" } }, "inject": { "x": { "tagged": "t", "as": "map" } } } }
      """)
  }

  @Test func `keys compare by scalars`() {
    _ = CheckedModule(
      """
      "services": {
        "a": { "type": "T", "tags": { "t": { "key": "é" } } }, "b": { "type": "T", "tags": { "t": { "key": "e\u{301}" } } },
        "hub": { "type": "T", "inject": { "x": { "tagged": "t", "as": "map" } } } }
      """)
  }

  @Test func `the expansion of tags is limited, reported once, and suppresses further findings`() throws {
    let ids = (0..<3_000).map { "s\($0)" }
    let services = ids.map { id in
      #""\#(id)": {"type": "T", "private": true, "tags": ["t"], "inject": {"all": {"tagged": "t"}, "x": "s0"}}"#
    }
    let module = LoadedModule(["app.json": module(#""services": {\#(services.joined(separator: ","))}"#)])
    let finding = try #require(module.check.diagnostics.first)
    #expect(module.check.diagnostics.count == 1)
    #expect(finding.code == .tooLarge && finding.path.hasSuffix(".inject.all.tagged"))
  }

  @Test func `a tag may have many services`() throws {
    let count = LongTests.size(1_000, full: 8_000)
    let services = (0..<count).map { #""s\#($0)": {"type": "T", "tags": ["t"]}"# }.joined(separator: ",")
    let module = CheckedModule(
      #""services": {\#(services), "hub": {"type": "T", "inject": {"a": {"tagged": "t"}, "b": {"tagged": "t", "as": "map"}}}}"#
    )
    #expect(try module.graph().graph.edges.count == 2 * count)
  }

  @Test func `the caller may set the limit`() {
    let services = (0..<20).map { #""s\#($0)": {"type": "T", "tags": ["t"], "inject": {"all": {"tagged": "t"}}}"# }
    let text = module(#""services": {\#(services.joined(separator: ","))}"#)
    var limits = Limits()
    #expect(LoadedModule(["app.json": text], .init(limits: limits)).check.diagnostics.map(\.code) == [.dependencyCycle])
    limits.fileSize = 20 * 20 * 16 - 1
    #expect(LoadedModule(["app.json": text], .init(limits: limits)).check.diagnostics.map(\.code) == [.tooLarge])
  }
}
