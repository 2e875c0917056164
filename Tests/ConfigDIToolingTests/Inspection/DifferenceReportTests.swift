// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct DifferenceReportTests {
  /// Returns the report of the difference between two modules with the given members.
  private static func report(_ first: String, _ second: String) -> DifferenceReport {
    func module(_ members: String) -> ResolvedModule? {
      let text = "{ \"configdi\": 1, \"module\": \"app\", \(members) }"
      let check = ModuleCheck(
        checking: ModuleRequest(entry: .file("app.json")), environments: nil,
        files: MemoryFiles(texts: ["app.json": text]))
      return check.compositions.first?.graph.map { ResolvedModule($0) }
    }
    guard let first = module(first), let second = module(second) else { preconditionFailure("the modules are valid") }
    return DifferenceReport(ModuleDifference(from: first, to: second), from: "dev", to: "prod")
  }

  /// The report of a difference with entries of each kind.
  private let report = Self.report(
    #""services": {"cache": {"type": "MemoryCache"}, "toolbar": {"type": "T"}}, "aliases": {"c": "cache"}"#,
    #""parameters": {"p": {"env": "P"}}, "services": {"cache": {"type": "A", "values": {"a|`b`": "x|y\n"}}}"#)

  @Test func `JSON output`() {
    #expect(report.hasDifference)
    let none: Value = ["added": [:], "removed": [:]]
    func counts(_ added: Int64, _ removed: Int64, _ changed: Int64) -> Value {
      [
        "added": .integer(added), "removed": .integer(removed), "changed": .integer(changed), "renamed": 0,
      ]
    }
    let expected: [(String, Value)] = [
      ("from", "dev"), ("to", "prod"),
      (
        "services",
        [
          "added": [], "removed": ["toolbar"],
          "changed": [
            "cache": [
              ["path": "type", "from": "MemoryCache", "to": "A"],
              ["path": #"values["a|`b`"]"#, "to": "x|y\n"],
            ]
          ],
        ]
      ),
      ("parameters", ["added": ["p"], "removed": [], "changed": [:]]),
      ("aliases", ["added": [], "removed": ["c"], "changed": [:]]),
      ("bindings", ["added": [], "removed": [], "changed": [:]]),
      ("variables", ["added": ["P"], "removed": []]),
      ("templates", ["added": [], "removed": [], "changed": [:]]),
      ("scopes", ["added": [], "removed": [], "changed": [:]]),
      ("optionalReferences", [:]),
      ("renamed", ["services": []]),
      (
        "contents",
        [
          "services": [
            "added": [:],
            "removed": [
              "toolbar": [
                "type": "T", "scope": "shared", "inject": [:], "values": [:], "tags": [:], "decorate": [],
                "eager": false, "private": false,
              ]
            ],
          ],
          "parameters": ["added": ["p": ["value": "<unset P>", "type": "string", "env": "P"]], "removed": [:]],
          "aliases": ["added": [:], "removed": ["c": ["target": "cache"]]], "bindings": none, "templates": none,
          "scopes": none,
        ]
      ),
      (
        "summary",
        [
          "services": counts(0, 1, 1), "parameters": counts(1, 0, 0), "aliases": counts(0, 1, 0),
          "bindings": counts(0, 0, 0), "variables": counts(1, 0, 0), "templates": counts(0, 0, 0),
          "scopes": counts(0, 0, 0),
        ]
      ),
    ]
    #expect(report.value.entries.map(\.key) == expected.map(\.0))
    for (key, value) in expected { #expect(report.value.member(key) == value, "\(key)") }
  }

  @Test func `text output`() {
    #expect(
      report.text() == #"""
        from dev to prod

        services:
          - toolbar
              type  "T"
          ~ cache
              type             "MemoryCache" -> "A"
              values["a|`b`"]  absent -> "x|y\n"

        parameters:
          + p
              env    "P"
              type   "string"
              value  "<unset P>"

        aliases:
          - c
              target  "cache"

        variables:
          + P

        1 service removed, 1 changed; 1 parameter added; 1 alias removed; 1 variable added

        """#)
    #expect(report.text(usesColor: true).contains("\u{1B}[31m  - toolbar\u{1B}[0m\n"))
    #expect(report.text(hasSummary: false).hasSuffix("\nvariables:\n  + P\n"))
  }

  @Test func `Markdown output for a review`() {
    #expect(
      report.markdown() == #"""
        | | what | path | `dev` | `prod` |
        |---|---|---|---|---|
        | removed | service `toolbar` | `type` | `"T"` | |
        | changed | service `cache` | `type` | `"MemoryCache"` | `"A"` |
        | changed | service `cache` | ``values["a\|`b`"]`` | | `"x\|y\n"` |
        | added | parameter `p` | `env` | | `"P"` |
        | added | parameter `p` | `type` | | `"string"` |
        | added | parameter `p` | `value` | | `"<unset P>"` |
        | removed | alias `c` | `target` | `"cache"` | |
        | added | variable `P` | | | |

        1 service removed, 1 changed; 1 parameter added; 1 alias removed; 1 variable added.

        """#)
  }

  @Test func `a renamed service is one line, with its references`() {
    let report = Self.report(
      #""services": {"old": {"type": "T", "tags": ["t"]}, "user": {"type": "U", "inject": {"x": "old", "y": "kept"}}, "kept": {"type": "K"}}, "aliases": {"a": "old"}"#,
      #""services": {"new": {"type": "T", "tags": ["t"]}, "user": {"type": "U", "inject": {"x": "new", "y": "new"}}, "kept": {"type": "K"}}, "aliases": {"a": "new"}"#
    )
    #expect(
      report.text() == #"""
        from dev to prod

        services:
          ~ old -> new  (renamed)
              in  user, alias a
          ~ user
              inject.y  "kept" -> "new"

        1 service renamed, 1 changed; 1 alias changed

        """#)
    #expect(report.markdown().contains("| renamed | service, in `user`, `alias a` | | `old` | `new` |\n"))
    // The lists of added and removed services stay the same.
    #expect(report.value.member("services")?.member("added") == ["new"])
    #expect(report.value.member("renamed") == ["services": [["from": "old", "to": "new"]]])
  }

  @Test func `a changed secret beside another change is marked`() {
    func module(_ text: String) -> String {
      #""parameters": {"k": {"value": "\#(text)", "secret": true}}, "services": {"s": {"type": "S", "values": {"l": ["${k}", "\#(text)"]}}}"#
    }
    let row = #"| `["<secret k>", "a"]` | `["<secret k>", "b"]` (secret changed) |"#
    #expect(Self.report(module("a"), module("b")).markdown().contains(row + "\n"))
  }

  @Test func `a long list shows its elements, a long string its lines`() {
    func module(_ list: String, _ text: String) -> String {
      let long = (1...30).map { "\"element \($0)\"" }.joined(separator: ", ")
      return #""services": {"s": {"type": "T", "values": {"list": [\#(long), \#(list)], "text": "\#(text)"}}}"#
    }
    let lines = (1...30).map { "line \($0)\\n" }.joined()
    let text = Self.report(module(#""a", "b""#, lines + #"\u001b[31m\n"#), module(#""a", "c""#, lines + "end")).text()
    #expect(
      text.contains(
        #"""
          ~ s
              values.list
                - "b"
                + "c"
              values.text
                - "\u001b[31m\n"
                + "end"

        """#))
    #expect(!text.contains("\\u{A}") && !text.contains("\u{1B}"))
  }

  @Test func `a new list is one line, of any length`() {
    let long = (1...40).map { "\"element \($0)\"" }.joined(separator: ", ")
    let text = Self.report(
      #""services": {"s": {"type": "T"}}"#,
      #""services": {"s": {"type": "T"}, "n": {"type": "N", "values": {"l": [\#(long)]}}}"#
    ).text()
    #expect(text.contains("      values.l  [\(long)]\n"))
  }
}
