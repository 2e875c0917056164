// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

/// No output contains characters that control a terminal, from the name of a file, a variable or anything else.
@Suite struct TerminalTests {
  /// Characters that control a terminal: ESC, a C1 control character, a change of the writing direction, BEL, DEL and a
  /// line separator.
  private static let hostile = "\u{1B}[31m\u{9B}2J\u{202E}\u{7}\u{7F}\u{2028}"
  /// The same characters, as escapes of JSON.
  private static let escaped = #"\u001b[31m\u009b2J\u202e\u0007\u007f\u2028"#

  /// A valid module and broken ones, in files whose names also have these characters.
  private static let files = [
    "a\(hostile).json": """
    {"configdi": 1, "module": "m\(escaped)", "environments": {"dev": ["l\(escaped).json"]},
      "parameters": {"v": {"env": "V\(escaped)"}, "f": {"file": "f\(escaped)"}, "t": "x\(escaped)"},
      "services": {"s": {"type": "T", "inject": {"k\(escaped)": "o"}, "values": {"v": "${v}", "\(escaped)": "${t}", "f": "${f}"},
          "tags": {"t": {"key": "\(escaped)"}}, "when": {"not": {"parameter": "t", "equals": "\(escaped)"}}},
        "o": {"type": "T"}}}
    """,
    "l\(hostile).json":
      #"{"configdi": 1, "module": "l", "override": {"services": {"s": {"values": {"f": "\#(escaped)"}}}}}"#,
    "b\(hostile).json": """
    {"configdi": 1, "module": "m", "environments": {"\(escaped)": []},
      "services": {"s\(escaped)": {"type": "T\(escaped)", "inject": {"k\(escaped)": "g\(escaped)"}, "\(escaped)": 1, "\(escaped)": 2}},
      "parameters": {"p": {"env": "V\(escaped)", "type": "int"}, "\(escaped)": "${\(escaped)}"}, "imports": ["no\(escaped).json"]}
    """,
    "c\(hostile).json": "{\"configdi\": 1, \"\(hostile)",
  ]

  /// Commands with these characters in files and arguments. The usual run takes a sample.
  private static let commands = LongTests.sample(
    [
      ["validate", "a"], ["resolve", "a"], ["explain", "a", "s"], ["explain", "a", "t"],
      ["explain", "a", "none\(hostile)"],
      ["diff", "a", "--from", "dev", "--to", "dev"], ["diff", "a", "--against", "b"], ["diff", "a", "--against", "a"],
      ["list", "a"], ["rename", "a", "s", "x\(hostile)"], ["rename", "a", "none\(hostile)", "x"],
      ["rename", "a", "s", "x"],
      ["explain", "CDI\(hostile)"], ["diff", "a", "--from-git", "x\(hostile)"],
      ["diff", "a", "--to-set", "parameters.t=\(hostile)"],
      ["graph", "a"], ["schema", "a"], ["convert", "a", "out\(hostile).yaml"],
      ["convert", "a", "no\(hostile)/out.json"],
      ["init", "new\(hostile)"], ["init", "."],
      ["validate", "b"], ["validate", "c"], ["validate", "none"], ["resolve", "b"], ["convert", "c", "out.yaml"],
      ["validate", "a", "--layer", "none\(hostile).json"], ["validate", "a", "--env-file", "none\(hostile)"],
      ["validate", "a", "-e", "none\(hostile)"], ["validate", "a", "--set", "x\(hostile)=\(hostile)"],
      ["validate", "a", "--set", "parameters.t=\(hostile)"], ["validate", "a", "--\(hostile)"], ["\(hostile)"],
      ["validate", "a", "--format", "x\(hostile)"], ["validate", "a", "--catalog", "none\(hostile).json"],
    ], every: 6)

  @Test(arguments: commands)
  func `no output contains terminal control characters`(arguments: [String]) throws {
    let tool = try BuiltTool(files: Self.files)
    let formats: [String: [String]] = [
      "validate": ["text", "json", "sarif", "github", "xcode"], "diff": ["text", "json", "markdown"],
      "graph": ["text", "dot", "mermaid", "json", "html"],
    ]
    let modules = ["a", "b", "c", "none"]
    let words = arguments.map { modules.contains($0) ? "\($0)\(Self.hostile).json" : $0 }
    let own = arguments.contains("--format") ? [nil] : (formats[arguments[0]] ?? ["text", "json"]).map(Optional.some)
    // The usual run takes only the first format, the text that a terminal shows.
    for format in own.prefix(LongTests.size(1, full: own.count)) {
      let variables = ["V\(Self.hostile)": "text\(Self.hostile)"]
      let run = try tool.run(words + (format.map { ["--format", $0] } ?? []), variables: variables)
      for text in [run.output, run.error] {
        let found = text.unicodeScalars.first { scalar in
          switch scalar.value {
          case 0x0A: false
          case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
          default: false
          }
        }
        #expect(found == nil, "\(format ?? "") \(text.debugDescription)")
      }
    }
  }
}
