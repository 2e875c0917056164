// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

struct ReferenceTests {
  @Test func `an unknown service is reported in every form of reference, at the string that names it`() {
    _ = CheckedModule(
      """
      "services": {
        "a": { "type": "T", "inject": {
          "plain": «CDI0501»"gost",
          "long": { "service": «CDI0501»"gost" },
          "strict": { "service": «CDI0501»"gost", "optional": false },
          "list": ["ghost", «CDI0501»"gost", [«CDI0501»"gost"]],
          "map": { "map": { "x": «CDI0501»"gost", "y": { "map": { "z": [«CDI0501»"gost"] } } } } } },
        "ghost": { "type": "T" } }
      """)
  }

  @Test func `the message names both ids, and the similar id is shown beside it`() throws {
    let finding = try CheckedModule(
      #""services": { "a": { "type": "T", "inject": { "x": «CDI0501»"gost" } }, "ghost": { "type": "T" } }"#
    ).finding()
    #expect(finding.message == #"service "a" injects unknown service "gost""#)
    #expect(finding.path == "services.a.inject.x")
    #expect(finding.help == #"did you mean "ghost"?"#)
    #expect(finding.related.map(\.message) == ["a similar id is defined here"])
    #expect(finding.related.first?.location.start?.column == 64)
    #expect(finding.fixes.map(\.text) == [#""ghost""#])
    #expect(finding.fixes.first?.location == finding.location)
  }

  @Test func `an alias is a target like a service, and its own key is the location`() throws {
    let finding = try CheckedModule(
      """
      "aliases": { "ghost": "b" },
      "services": { "a": { "type": "T", "inject": { "x": «CDI0501»"gost" } }, "b": { "type": "T" } }
      """
    ).finding()
    #expect(finding.help == #"did you mean "ghost"?"#)
    #expect(finding.related.first?.location.start == SourcePosition(line: 2, column: 14))
  }

  @Test func `an absent optional reference is no finding and has no value`() throws {
    let module = CheckedModule(
      """
      "services": { "a": { "type": "T", "inject": {
        "one": { "service": "gone", "optional": true },
        "many": [{ "service": "gone", "optional": true }, "b"],
        "keyed": { "map": { "k": { "service": "gone", "optional": true }, "l": "b" } } } },
        "b": { "type": "T" } }
      """)
    #expect(
      try module.resolved().at("services", "a", "inject") == ["keyed": ["map": ["l": "b"]], "many": ["b"]])
  }

  @Test func `an optional reference through an alias refers to the aliased service`() throws {
    let module = CheckedModule(
      """
      "aliases": { "x": "y", "y": "b" },
      "services": { "a": { "type": "T", "inject": { "k": { "service": "x", "optional": true } } }, "b": { "type": "T" } }
      """)
    #expect(try module.resolved().at("services", "a", "inject", "k") == "b")
    #expect(module.check.compositions[0].graph?.graph.edges.map(\.kind) == [.optional])
  }

  @Test func `references through a dangling or cyclic alias are not reported again`() {
    _ = CheckedModule(
      """
      "aliases": { "x": «CDI0503»"gone", "p": "q", "q": «CDI0504»"r", "r": "q" },
      "services": { "a": { "type": "T", "inject": { "k": "x", "l": ["p"], "m": { "service": "q", "optional": true } } } }
      """)
  }

  @Test func `a malformed service is a valid target, and its own references are not followed`() {
    _ = CheckedModule(
      """
      "services": {
        "a": { "type": "T", "inject": { "x": "b" } },
        "b": { "type": "T", «CDI0201»"colour": "red", "inject": { "x": "gone" } } }
      """)
  }

  @Test func `the edges ascend by holder and argument and have their kinds`() throws {
    let types = [
      TypeDescriptor(
        name: "T", provides: ["T"],
        arguments: [
          ArgumentDescriptor(key: "later", kind: .service(type: "T", wrapper: .lazy)),
          ArgumentDescriptor(key: "each", kind: .service(type: "T", wrapper: .provider)),
          ArgumentDescriptor(key: "all", kind: .service(type: "T", wrapper: .list), isOptional: true),
          ArgumentDescriptor(key: "named", kind: .service(type: "T", wrapper: .map), isOptional: true),
          ArgumentDescriptor(key: "one", kind: .service(type: "T", wrapper: .direct), isOptional: true),
        ])
    ]
    let module = CheckedModule(
      """
      "services": {
        "b": { "type": "T", "inject": { "later": "b", "each": "b" } },
        «CDI0706»"a": { "type": "T", "inject": {
          "one": { "service": "b", "optional": true }, "later": "b", "each": "b", "all": ["b", "b"],
          "named": { "map": { "k": "b" } } } } }
      """, types: types)
    let graph = try module.graph().graph
    let edges = graph.edges.map {
      "\(graph.id(of: $0.from)) \(graph.argument(of: $0)) \($0.kind.rawValue) \(graph.id(of: $0.to))"
    }
    #expect(
      edges == [
        "a all list b", "a all list b", "a each provider b", "a later lazy b", "a named map b", "a one optional b",
        "b each provider b", "b later lazy b",
      ])
  }
}

// MARK: - Suggestions

struct ReferenceSuggestionTests {
  @Test func `providers of the wanted type are suggested before nearer names`() throws {
    let types = [
      TypeDescriptor(
        name: "User", provides: ["User"],
        arguments: [ArgumentDescriptor(key: "x", kind: .service(type: "Logger", wrapper: .direct))]),
      TypeDescriptor(name: "Console", provides: ["Logger"]),
      TypeDescriptor(name: "Other", provides: ["Other"]),
      TypeDescriptor(name: "Third", provides: ["Third"]),
    ]
    let finding = try CheckedModule(
      """
      "services": {
        "user": { "type": "User", "inject": { "x": «CDI0501»"logger1" } },
        "logger2": { "type": "Other" }, "logger": { "type": "Third" }, "lggr1": { "type": "Console" } }
      """, types: types
    ).finding()
    #expect(finding.help == #"did you mean "lggr1", "logger" or "logger2"?"#)
    #expect(finding.fixes.isEmpty)
  }

  @Test func `a service's own id is never suggested, and takes no slot of another suggestion`() throws {
    let module = CheckedModule(
      """
      "services": {
        "log": { "type": "T", "inject": { "x": «CDI0501»"log1" } }, "log2": { "type": "T" }, "log3": { "type": "T" },
        "log4": { "type": "T" } }
      """)
    #expect(try module.finding().help == #"did you mean "log2", "log3" or "log4"?"#)
  }

  @Test func `an alias of the service itself is never suggested`() throws {
    let module = CheckedModule(
      """
      "aliases": { "log1": "log", "log2": "other" },
      "services": { "log": { "type": "T", "inject": { "x": «CDI0501»"log3" } }, "other": { "type": "T" } }
      """)
    #expect(try module.finding().help == #"did you mean "log2"?"#)
  }

  @Test func `at most three names are suggested, including private ones`() throws {
    let module = CheckedModule(
      """
      "services": {
        "a": { "type": "T", "inject": { "x": «CDI0501»"node", "used": "node1" } },
        "node1": { "type": "T", "private": true }, "node2": { "type": "T" }, "node3": { "type": "T" },
        "node4": { "type": "T" } }
      """)
    #expect(try module.finding().help == #"did you mean "node1", "node2" or "node3"?"#)
  }

  @Test(arguments: ["@logger", "%logger%", "?logger", "\\\"logger"])
  func `the sigil of other systems is ignored in the comparison`(id: String) throws {
    let module = CheckedModule(
      #""services": { "a": { "type": "T", "inject": { "x": «CDI0501»"\#(id)" } }, "logger": { "type": "T" } }"#)
    #expect(try module.finding().help == #"did you mean "logger"?"#)
  }

  @Test func `a sigil before the service's own id suggests nothing`() throws {
    let module = CheckedModule(#""services": { "logger": { "type": "T", "inject": { "x": «CDI0501»"@logger" } } }"#)
    #expect(try module.finding().help == nil)
    #expect(try module.finding().related.isEmpty)
  }

  @Test func `without similar names there is no suggestion`() throws {
    let module = CheckedModule(
      #""services": { "a": { "type": "T", "inject": { "x": «CDI0501»"database" } }, "logger": { "type": "T" } }"#)
    #expect(try module.finding().help == nil)
  }
}
