// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct OverrideTests {
  /// Returns a service after an override.
  private func overridden(
    _ service: String, by patch: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Value {
    let resolved = try resolved(
      [
        "app.json": module(
          #"""
          "services": {"a": \#(service), "b": {"type": "B"}, "c": {"type": "C"}}
          """#),
        "layer.json": module(#""override": {"services": {"a": \#(patch)}}"#),
      ], layers: ["layer.json"], sourceLocation: sourceLocation)
    return try #require(resolved["services"]?["a"], sourceLocation: sourceLocation)
  }

  @Test func `scalars replace old ones, omitted keys stay`() throws {
    let service = try overridden(
      #"{"type": "A", "scope": "transient", "private": true, "values": {"k": 1}}"#,
      by: #"{"type": "B", "scope": "shared", "eager": true, "private": false}"#)
    #expect(service["type"] == "B")
    #expect(service["scope"] == "shared")
    #expect(service["eager"] == true)
    #expect(service["private"] == false)
    #expect(service["values"] == ["k": 1])
  }

  @Test func `references are replaced completely, key by key`() throws {
    let service = try overridden(
      #"{"type": "A", "inject": {"x": "b", "l": ["b", "c"], "m": {"map": {"k": "b"}}, "y": "c"}}"#,
      by: #"{"inject": {"x": "c", "l": ["c"], "m": {"map": {"l": "c"}}, "z": "b"}}"#)
    #expect(service["inject"] == ["l": ["c"], "m": ["map": ["l": "c"]], "x": "c", "y": "c", "z": "b"])
  }

  @Test func `values merge if both are maps, at any depth, and are replaced otherwise`() throws {
    let service = try overridden(
      #"{"type": "A", "values": {"m": {"a": {"x": 1, "y": 2}, "l": [1, 2], "s": "t"}, "l": [{"a": 1}], "k": 1}}"#,
      by: #"{"values": {"m": {"a": {"y": 3, "z": 4}, "l": [3], "s": {"new": 1}}, "l": [{"b": 2}], "k": {"x": 1}}}"#)
    #expect(
      service["values"] == [
        "k": ["x": 1], "l": [["b": 2]],
        "m": ["a": ["x": 1, "y": 3, "z": 4], "l": [3], "s": ["new": 1]],
      ])
  }

  @Test func `an argument moves between inject and values`() throws {
    let service = try overridden(
      #"{"type": "A", "inject": {"x": "b", "y": "b"}, "values": {"p": 1, "q": 2}}"#,
      by: #"{"inject": {"p": "c"}, "values": {"x": {"k": 1}}}"#)
    #expect(service["inject"] == ["p": "c", "y": "b"])
    #expect(service["values"] == ["q": 2, "x": ["k": 1]])
  }

  @Test(arguments: [
    (#"["N"]"#, ["N"]), (#"[]"#, []), (#"{"append": ["N", "O"]}"#, ["N", "O", "T", "U"]),
    (#"{"prepend": ["N"]}"#, ["N", "T", "U"]), (#"{"append": ["O"], "prepend": ["N"]}"#, ["N", "O", "T", "U"]),
  ])
  func `provided names are replaced or extended`(patch: String, names: [String]) throws {
    let service = try overridden(#"{"type": "A", "provides": ["T", "U"]}"#, by: #"{"provides": \#(patch)}"#)
    #expect(service["provides"] == .list(names.map(Value.string)))
  }

  @Test func `append and prepend create a missing list, prepend first`() throws {
    #expect(try overridden(#"{"type": "A"}"#, by: #"{"provides": {"append": ["N"]}}"#)["provides"] == ["N"])
    let module = expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"a": {"type": "A", "provides": ["M"]}},
        "override": {"services": {"a": {"provides": {"append": ["Z"], "prepend": ["A", "B"]}}}}
        """#)
    ])
    let definition = try #require(module.check.compositions[0].definition)
    let names = definition.services[0].declaration.provides?.appended.map { definition.names[$0.name] }
    #expect(names == ["A", "B", "M", "Z"])
  }

  @Test func `overrides of several files are applied in order`() throws {
    let resolved = try resolved(
      [
        "app.json": module(
          #""services": {"a": {"type": "A", "values": {"m": {"k": 1}}}}, "aliases": {"x": "a"}, "bindings": {"T": "a"}"#
        ),
        "l.json": module(
          #""services": {"b": {"type": "B"}}, "override": {"services": {"a": {"values": {"m": {"l": 2}}}}, "aliases": {"x": "b"}}"#
        ),
        "m.json": module(
          #""override": {"services": {"a": {"values": {"m": {"l": 3, "n": 4}}}}, "bindings": {"T": "x"}}"#),
      ], layers: ["l.json", "m.json"])
    #expect(resolved.values(of: "a") == ["m": ["k": 1, "l": 3, "n": 4]])
    #expect(resolved["bindings"] == ["T": "b"])
  }

  @Test func `canonically equivalent keys with different Unicode scalars do not merge`() throws {
    let service = try overridden(
      #"{"type": "A", "values": {"m": {"é": 1}}}"#, by: "{\"values\": {\"m\": {\"e\u{301}\": 2}}}")
    #expect(service["values"]?["m"]?["é"] == 1)
    #expect(service["values"]?["m"]?["e\u{301}"] == 2)
  }

  @Test func `a finding in a merged map is located at the deciding token`() {
    expectFindings(
      in: [
        "app.json": module(#""services": {"a": {"type": "A", "values": {"m": {"k": 1, "l": «CDI0401»"${no}"}}}}"#),
        "l.json": module(#""override": {"services": {"a": {"values": {"m": {"n": «CDI0401»"${no}"}}}}}"#),
      ], layers: ["l.json"])
  }
}
