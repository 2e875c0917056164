// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct TagMergeTests {
  /// Returns the tags of service `a` after the layers are applied, each as `name order key`.
  private func tags(
    _ tags: String, by patches: String..., settings: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    let layers = patches.map { ModuleLayer.text(module(#""override": {"services": {"a": \#($0)}}"#)) }
    let loaded = expectFindings(
      in: ["app.json": module(#""services": {"a": {"type": "A"\#(tags)}}"#)], settings: settings, layers: layers,
      sourceLocation: sourceLocation)
    let definition = try #require(loaded.check.compositions[0].definition)
    return definition.services[0].tags.map { "\(definition.names[$0.name]) \($0.order) \($0.key)" }
  }

  @Test func `tags ascend by name, with order 0 and the service's id as default key`() throws {
    #expect(try tags(#", "tags": ["b", "a"]"#) == ["a 0 a", "b 0 a"])
    #expect(try tags(#", "tags": {"b": {"order": -2}, "a": {"key": "k"}, "c": {}}"#) == ["a 0 k", "b -2 a", "c 0 a"])
    #expect(try tags("") == [])
  }

  @Test func `lists and maps merge by name, and properties of a tag merge`() throws {
    let tags = #", "tags": {"x": {"order": 1, "key": "k"}, "y": {"order": 5}}"#
    #expect(try self.tags(tags, by: #"{"tags": ["z"]}"#) == ["x 1 k", "y 5 a", "z 0 a"])
    #expect(try self.tags(tags, by: #"{"tags": {"x": {"order": 2}}}"#) == ["x 2 k", "y 5 a"])
    #expect(
      try self.tags(tags, by: #"{"tags": {"x": {"key": "l"}, "z": {"key": "m"}}}"#) == ["x 1 l", "y 5 a", "z 0 m"])
    #expect(
      try self.tags(#", "tags": ["x"]"#, by: #"{"tags": {"x": {"order": 3}}}"#, #"{"tags": ["y"]}"#) == [
        "x 3 a", "y 0 a",
      ])
    #expect(try self.tags("", by: #"{"tags": {"x": {"key": "k"}}}"#) == ["x 0 k"])
  }

  @Test func `tags are removed completely, by name or in parts`() throws {
    let tags = #", "tags": {"x": {"order": 1, "key": "k"}, "a.b": {"order": 2}, "a": {"order": 3}}"#
    #expect(try self.tags(tags, by: #"{"unset": ["tags"]}"#) == [])
    #expect(try self.tags(tags, by: #"{"unset": ["tags.x", "tags.a.b"]}"#) == ["a 3 a"])
    #expect(try self.tags(tags, by: #"{"unset": ["tags[\"a\"]", "tags.a.b.order"]}"#) == ["a.b 0 a", "x 1 k"])
    #expect(try self.tags(tags, by: #"{"unset": ["tags.x.key", "tags.x.order"]}"#) == ["a 3 a", "a.b 2 a", "x 0 a"])
    #expect(try self.tags(tags, by: #"{"unset": ["tags"], "tags": ["x"]}"#) == ["x 0 a"])
  }

  @Test(arguments: ["tags.no", "tags.x.no", "tags.x.key", "tags.x.order.x", "tags[0]", "tags.x[0]"])
  func `unset of an unknown part of a tag is reported`(path: String) {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"a": {"type": "A", "tags": {"x": {"order": 1}}}}, "override": {"services": {"a": {"unset": [«CDI0306»"\#(path)"]}}}
        """#)
    ])
  }

  @Test func `a tag without effect is reported at the value that equals the old one`() {
    expectFindings(in: [
      "app.json": module(
        #"""
        "services": {"a": {"type": "A", "tags": {"x": {"order": 1, "key": "k"}, "y": {}}}, "b": {"type": "B", "tags": ["x", "y"]}},
        "override": {"services": {"a": {"tags": {"x": {"order": «CDI0308»1, "key": «CDI0308»"k"}, "y": «CDI0308»{}}},
          "b": {"tags": [«CDI0308»"x", "z"]}}}
        """#)
    ])
  }

  @Test func `settings change orders and keys`() throws {
    let tags = #", "tags": {"x": {"order": 1}, "a.b": {"key": "k"}}"#
    #expect(
      try self.tags(tags, settings: ["services.a.tags.x.order=-7", "services.a.tags.a.b.key=l"]) == [
        "a.b 0 l", "x -7 a",
      ])
    #expect(try self.tags(#", "tags": ["x"]"#, settings: ["services.a.tags.x.key=k"]) == ["x 0 k"])
  }

  @Test func `the location of a tag is its deciding token or that of its key`() throws {
    let check = LoadedModule(
      ["app.json": module(#""services": {"a": {"type": "A", "tags": {"x": {"order": 1}, "y": {}}}}"#)],
      .init(layers: [
        .text(module(#""override": {"services": {"a": {"tags": {"x": {"order": 2}, "y": {"key": "k"}}}}}"#))
      ])
    ).check
    let definition = try #require(check.compositions[0].definition)
    #expect(definition.services[0].tags.map { Int($0.node.file.index) } == [0, 1])
  }
}
