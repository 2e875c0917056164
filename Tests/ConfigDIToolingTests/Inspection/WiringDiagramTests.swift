// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct WiringDiagramTests {
  /// Returns the diagram of a module with the given members.
  private func diagram(_ members: String, types: [TypeDescriptor]? = nil) throws -> WiringDiagram {
    WiringDiagram(of: ResolvedModule(try CheckedModule(members, types: types).graph()))
  }

  /// Returns the edges of a diagram, each as `from argument kind to`.
  private func edges(_ diagram: WiringDiagram) -> [String] {
    diagram.edges.map { "\($0.from) \($0.argument) \($0.kind) \($0.to)" }
  }

  @Test func `nodes and edges ascend, aliases are resolved, absent services are omitted`() throws {
    let diagram = try diagram(
      """
      "services": {
        "zed": { "type": "Zed" },
        "app": { "type": "App", "inject": {
          "l": "log", "opt": { "service": "cache", "optional": true }, "all": ["mail", "db", "mail"],
          "byName": { "map": { "x": "zed", "y": ["log"] } }, "gone": { "service": "nothing", "optional": true } } },
        "cache": { "type": "Cache<String, Data>", "scope": "transient" },
        "database": { "type": "DB" }, "log": { "type": "Log" }, "mail": { "type": "Mail" } },
      "aliases": { "db": "database" }
      """)
    #expect(diagram.nodes.map(\.id) == ["app", "cache", "database", "log", "mail", "zed"])
    #expect(
      edges(diagram) == [
        "app opt optional cache", "app all list database", "app byName list log", "app l direct log",
        "app all list mail", "app byName map zed",
      ])
    #expect(diagram.value.member("nodes")?.elements[1].member("type") == "Cache<String, Data>")
    #expect(
      diagram.value.member("edges")?.elements.first == [
        "from": "app", "to": "cache", "argument": "opt", "kind": "optional",
      ])
  }

  @Test func `equal arguments are two edges, duplicates in one list are one`() throws {
    let diagram = try diagram(
      #""services": { "a": { "type": "A", "inject": { "\u00e9": "b", "e\u0301": "b", "l": ["b", "b"] } }, "b": { "type": "B" } }"#
    )
    #expect(diagram.edges.map { Array($0.argument.unicodeScalars).count } == [2, 1, 1])
  }

  @Test func `dependencies of a decorator belong to the decorated service`() throws {
    let diagram = try diagram(
      """
      "services": { "clock": { "type": "C" }, "db": { "type": "D", "tags": [«CDI0709»"z", «CDI0709»"check"],
        "decorate": [{ "type": "R", "inject": { "clock": "clock" } }] } }
      """)
    #expect(edges(diagram) == ["db decorate[0].clock decorator clock"])
    #expect(diagram.nodes.map(\.tags) == [[], ["check", "z"]])
    #expect(diagram.dot.contains(#""db" -> "clock" [label="decorate[0].clock", arrowhead=odiamond];"#))
    #expect(diagram.mermaid.contains("n1 --o|"))
  }

  @Test func `edges have the kinds that the types declare`() throws {
    let types = [
      TypeDescriptor(
        name: "A", provides: [],
        arguments: [
          ArgumentDescriptor(key: "x", kind: .service(type: "B", wrapper: .lazy)),
          ArgumentDescriptor(key: "y", kind: .service(type: "B", wrapper: .provider)),
        ]), TypeDescriptor(name: "B", provides: ["B"]),
    ]
    let diagram = try diagram(
      #""services": { "a": { "type": "A", "inject": { "x": "b", "y": "b" } }, "b": { "type": "B" } }"#, types: types)
    #expect(edges(diagram) == ["a x lazy b", "a y provider b"])
    #expect(diagram.dot.contains(#"  "a" -> "b" [label="x", style=dotted, arrowhead=vee];"#))
    #expect(diagram.mermaid.contains(#"  n0 -.->|"x"| n1"#))
  }

  @Test func `the DOT output`() throws {
    let diagram = try diagram(
      """
      "services": { "a.b": { "type": "A", "scope": "transient",
        "inject": { "q\\"\\\\&\\n": "c", "o": { "service": "c", "optional": true } } }, "c": { "type": "C" } }
      """)
    #expect(
      diagram.dot == #"""
        digraph "app" {
          rankdir=LR;
          node [shape=box, fontname="Helvetica", fontsize=11];
          edge [fontname="Helvetica", fontsize=9];
          "a.b" [label="a.b\nA\n(transient)", style=dashed];
          "c" [label="c\nC"];
          "a.b" -> "c" [label="o", style=dashed];
          "a.b" -> "c" [label="q\"\\&amp;\\u{A}"];
        }

        """#)
  }

  @Test func `the Mermaid output contains no ids and no Mermaid syntax in names`() throws {
    let diagram = try diagram(
      """
      "services": { "end": { "type": "A<B>", "scope": "graph", "inject": { "\\"]|#;é\\n": "class" } },
        "class": { "type": "C" } }
      """)
    #expect(
      diagram.mermaid == """
        flowchart LR
          n0["class<br/>C"]
          n1(["end<br/>A#60;B#62;<br/>(graph)"])
          n1 -->|"#34;#93;#124;#35;#59;é#92;u#123;A#125;"| n0

        """)
  }
}
