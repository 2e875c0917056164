// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct HistoryTests {
  /// A composed module: `app.json` and its layers `1.json`, `2.json` and so on, in this order.
  private struct Composed {
    let definition: ModuleDefinition

    init(_ files: String..., settings: [String] = [], sourceLocation: SourceLocation = #_sourceLocation) throws {
      let layers = files.dropFirst().enumerated().map {
        ModuleLayer.text(module($0.element), name: "\($0.offset + 1).json")
      }
      let loaded = LoadedModule(
        ["app.json": module(files[0])], .init(settings: settings, layers: layers))
      definition = try #require(loaded.check.compositions[0].definition, sourceLocation: sourceLocation)
    }

    /// Returns a token as its file and text, with an opening bracket for a map or list.
    func shown(_ node: NodeRef) -> String {
      let document = definition.documents[node.file]
      let text =
        switch document[node.node].kind {
        case .string, .key: document.text(of: node.node)
        case .map: "{"
        case .list: "["
        default: definition.documents.value(at: node).map { "\($0.quoted)" } ?? "?"
        }
      return "\(document.source.name) \(text)"
    }

    /// Returns a token and the tokens that it overrode, the latest first.
    func chain(_ node: NodeRef?) -> [String] {
      guard let node else { return [] }
      return ([node] + definition.history.tokens(before: node)).map(shown)
    }

    /// Returns the service with an id.
    func service(_ id: String) throws -> ComposedService {
      try #require(definition.services.first { definition.names[$0.name] == id })
    }

    /// Returns the chain of the value under a key of a service, or under the keys inside it.
    func values(_ id: String, _ key: String, _ inner: String...) throws -> [String] {
      var value = try #require(service(id).values.first { definition.names[$0.name] == key }).content
      for key in inner {
        guard case .map(let entries) = value.content else { break }
        value = try #require(entries.first { $0.key == key }).value
      }
      return chain(value.node)
    }

    /// Returns the chain of a reference of a service.
    func inject(_ id: String, _ key: String) throws -> [String] {
      chain(try service(id).declaration.arguments.inject.first { definition.names[$0.name] == key }?.content.node)
    }
  }

  @Test func `overrides and replacements are recorded in order, for every part`() throws {
    let composed = try Composed(
      #"""
      "parameters": {"p": 1, "q": {"env": "E", "default": "a", "deprecated": "d0"}}, "aliases": {"al": "b"}, "bindings": {"P": "b"},
      "services": {"b": {"type": "B"}, "c": {"type": "C"}, "s": {"type": "T0", "provides": ["P"], "scope": "weak", "inject": {"i": "b"}, "values": {"k": 1},
        "tags": {"t": {"order": 1, "key": "k0"}}, "decorate": [{"type": "D"}], "when": {"all": []}, "private": false, "eager": false, "deprecated": "d0"}}
      """#,
      #"""
      "override": {"parameters": {"p": 2, "q": {"default": "b", "deprecated": "d1"}}, "aliases": {"al": "c"}, "bindings": {"P": "c"},
        "services": {"s": {"type": "T1", "provides": {"append": ["Q"]}, "scope": "shared", "inject": {"i": "c"}, "values": {"k": 2},
          "tags": {"t": {"order": 2, "key": "k1"}}, "decorate": [{"type": "E"}], "when": {"not": {"any": []}}, "private": true, "eager": true, "deprecated": "d1"}}}
      """#,
      #"""
      "replace": {"parameters": {"p": 3}, "aliases": {"al": "s"}, "services": {"s": {"type": "T2", "inject": {"i": "b"}, "values": {"k": 3},
        "tags": {"t": {"order": 3}}, "when": {"all": []}}}}
      """#)
    let service = try composed.service("s").declaration
    #expect(composed.chain(service.type?.node) == ["2.json T2", "1.json T1", "app.json T0"])
    #expect(try composed.inject("s", "i") == ["2.json b", "1.json c", "app.json b"])
    #expect(try composed.values("s", "k") == ["2.json 3", "1.json 2", "app.json 1"])
    #expect(composed.chain(service.tags[0].order?.node) == ["2.json 3", "1.json 2", "app.json 1"])
    #expect(composed.chain(service.condition?.node) == ["2.json {", "1.json {", "app.json {"])
    #expect(composed.chain(composed.definition.parameters[0].origin) == ["2.json 3", "1.json 2", "app.json 1"])
    let other = composed.definition.parameters[1].declaration
    #expect(composed.chain(other.fallback?.node) == ["1.json b", "app.json a"])
    #expect(composed.chain(other.deprecated?.node) == ["1.json d1", "app.json d0"])
    #expect(composed.chain(other.source?.node) == ["app.json E"])
    #expect(composed.chain(composed.definition.aliases[0].target.node) == ["2.json s", "1.json c", "app.json b"])
    #expect(composed.chain(composed.definition.bindings[0].target.node) == ["1.json c", "app.json b"])
  }

  @Test func `each part of a service records the part that it replaced`() throws {
    let composed = try Composed(
      #"""
      "services": {"s": {"type": "T0", "provides": ["P"], "scope": "weak", "tags": {"t": {"key": "k0"}}, "decorate": [{"type": "D"}],
        "private": false, "eager": false, "autowire": false, "deprecated": "d0"}}
      """#,
      #"""
      "override": {"services": {"s": {"provides": {"append": ["Q"]}, "scope": "shared", "tags": {"t": {"key": "k1"}}, "decorate": [{"type": "E"}],
        "private": true, "eager": true, "autowire": true, "deprecated": "d1"}}}
      """#)
    let service = try composed.service("s").declaration
    #expect(composed.chain(service.provides?.node) == ["1.json {", "app.json ["])
    #expect(composed.chain(service.scope?.node) == ["1.json shared", "app.json weak"])
    #expect(composed.chain(service.tags[0].key?.node) == ["1.json k1", "app.json k0"])
    #expect(composed.chain(service.decorators?.node) == ["1.json [", "app.json ["])
    #expect(composed.chain(service.deprecated?.node) == ["1.json d1", "app.json d0"])
    for flag in [service.isPrivate, service.isEager, service.isAutowired] {
      #expect(composed.chain(flag?.node) == ["1.json true", "app.json false"])
    }
  }

  @Test func `nested merged values have a history for each leaf`() throws {
    let composed = try Composed(
      #""services": {"s": {"type": "T", "values": {"m": {"a": 1, "b": {"c": 2, "d": 3}}, "x": 0}}}"#,
      #""override": {"services": {"s": {"values": {"m": {"b": {"c": 20}}, "x": {"y": 1}}}}}"#,
      #""override": {"services": {"s": {"values": {"m": {"a": 10, "b": {"c": 200}}}}}}"#)
    #expect(try composed.values("s", "m", "a") == ["2.json 10", "app.json 1"])
    #expect(try composed.values("s", "m", "b", "c") == ["2.json 200", "1.json 20", "app.json 2"])
    #expect(try composed.values("s", "m", "b", "d") == ["app.json 3"])
    #expect(try composed.values("s", "x") == ["1.json {", "app.json 0"])
  }

  @Test func `a replacement keeps the history of common leaves`() throws {
    let composed = try Composed(
      #""services": {"s": {"type": "T", "values": {"m": {"a": 1, "b": 2}}}}"#,
      #""replace": {"services": {"s": {"type": "T", "values": {"m": {"a": 10, "c": 3}}}}}"#)
    #expect(try composed.values("s", "m", "a") == ["1.json 10", "app.json 1"])
    #expect(try composed.values("s", "m", "c") == ["1.json 3"])
  }

  @Test func `an argument that moves to the other map keeps its history`() throws {
    let composed = try Composed(
      #""services": {"b": {"type": "B"}, "s": {"type": "T", "inject": {"x": "b"}, "values": {"y": 1}}}"#,
      #""override": {"services": {"s": {"values": {"x": 5}, "inject": {"y": "b"}}}}"#)
    #expect(try composed.values("s", "x") == ["1.json 5", "app.json b"])
    #expect(try composed.inject("s", "y") == ["1.json b", "app.json 1"])
  }

  @Test func `template parts come after changes of layers, nearer templates first`() throws {
    let composed = try Composed(
      #"""
      "templates": {"far": {"type": "F", "scope": "weak", "inject": {"i": "b"}, "values": {"k": 1, "only": 1}},
        "near": {"extends": "far", "type": "N", "values": {"k": 2}}},
      "services": {"b": {"type": "B"}, "s": {"extends": "near", "type": "S", "values": {"k": 3, "i": 4}}, "t": {"extends": "near"}, "u": {"extends": "near", "scope": "shared"}}
      """#,
      #""override": {"templates": {"near": {"values": {"k": 20}}, "far": {"type": "F1", "values": {"k": 10}}}, "services": {"s": {"values": {"k": 30}}}}"#
    )
    let near = ["1.json 20", "app.json 2", "1.json 10", "app.json 1"]
    #expect(try composed.values("s", "k") == ["1.json 30", "app.json 3"] + near)
    #expect(try composed.values("t", "k") == near)
    #expect(try composed.values("u", "k") == near)
    #expect(try composed.values("s", "i") == ["app.json 4", "app.json b"])
    #expect(try composed.values("s", "only") == ["app.json 1"])
    let types = ["app.json N", "1.json F1", "app.json F"]
    #expect(composed.chain(try composed.service("s").declaration.type?.node) == ["app.json S"] + types)
    #expect(composed.chain(try composed.service("t").declaration.type?.node) == types)
    #expect(composed.chain(try composed.service("u").declaration.scope?.node) == ["app.json shared", "app.json weak"])
  }

  @Test func `settings come last, also over template parts`() throws {
    let composed = try Composed(
      #"""
      "parameters": {"p": 1}, "templates": {"t": {"type": "T", "values": {"k": 1, "m": {"l": 1}}}},
      "services": {"b": {"type": "B"}, "c": {"type": "C"}, "s": {"extends": "t", "provides": ["P"], "inject": {"i": "b"}, "tags": {"x": {"order": 1}},
        "decorate": [{"type": "D", "values": {"k": 1}}]}}, "aliases": {"al": "b"}
      """#, #""override": {"templates": {"t": {"values": {"k": 2}}}, "parameters": {"p": 2}}"#,
      settings: [
        "parameters.p=3", "services.s.values.k=3", "services.s.values.m.l=2", "services.s.inject.i=c",
        "services.s.tags.x.order=2", "services.s.decorate[0].values.k=2", "services.s.decorate[0].type=E",
        "aliases.al=c",
        "services.s.type=U", "services.s.provides[0]=Q",
      ])
    let service = try composed.service("s")
    #expect(composed.chain(composed.definition.parameters[0].origin) == ["<command line> 3", "1.json 2", "app.json 1"])
    #expect(try composed.values("s", "k") == ["<command line> 3", "1.json 2", "app.json 1"])
    #expect(try composed.values("s", "m", "l") == ["<command line> 2", "app.json 1"])
    #expect(try composed.inject("s", "i") == ["<command line> c", "app.json b"])
    #expect(composed.chain(service.declaration.tags[0].order?.node) == ["<command line> 2", "app.json 1"])
    #expect(composed.chain(service.declaration.type?.node) == ["<command line> U", "app.json T"])
    #expect(composed.chain(service.declaration.provides?.appended[0].node) == ["<command line> Q", "app.json P"])
    let decorator = service.decorators[0].declaration
    #expect(composed.chain(decorator.type.node) == ["<command line> E", "app.json D"])
    #expect(composed.chain(decorator.arguments.values[0].content.node) == ["<command line> 2", "app.json 1"])
    #expect(composed.chain(composed.definition.aliases[0].target.node) == ["<command line> c", "app.json b"])
  }

  @Test func `a part that was unset before its redefinition is in the history, a completely removed entry is not`()
    throws
  {
    let composed = try Composed(
      #""services": {"s": {"type": "T", "values": {"k": 1}}, "t": {"type": "T"}}"#,
      #""remove": {"services": ["t"]}, "override": {"services": {"s": {"unset": ["values.k"]}}}"#,
      #""services": {"t": {"type": "U"}}, "override": {"services": {"s": {"values": {"k": 2}}}}"#)
    #expect(try composed.values("s", "k") == ["2.json 2", "app.json 1"])
    #expect(composed.chain(try composed.service("t").declaration.type?.node) == ["2.json U"])
  }

  @Test func `a cycle of templates does not create a cyclic history`() throws {
    let composed = try Composed(
      #"""
      "templates": {"a": {"extends": "b", "type": "A", "scope": "weak"}, "b": {"extends": "a", "type": "B", "scope": "graph"}},
      "services": {"s": {"extends": "a", "type": "S"}}
      """#)
    #expect(composed.chain(try composed.service("s").declaration.type?.node) == ["app.json S", "app.json A"])
  }
}
