// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

/// No output of a command contains a secret or a part of it, whatever errors the module has.
@Suite struct PlantedSecretTests {
  /// The commands with all their formats. `APP` is the entry module.
  private static let commands: [(arguments: [String], formats: [String])] = [
    (["validate", "APP"], ["text", "json", "sarif", "github", "xcode"]),
    (["validate", "APP", "--strict", "--require-env"], ["text"]),
    (["resolve", "APP"], ["text", "json"]), (["resolve", "APP", "-e", "prod"], ["text", "json"]),
    (["explain", "APP", "key"], ["text", "json"]), (["explain", "APP", "url", "-e", "dev"], ["text", "json"]),
    (["explain", "APP", "s", "-e", "prod"], ["text", "json"]), (["explain", "APP", "base"], ["text", "json"]),
    (["explain", "APP", "again"], ["text"]), (["explain", "APP", "plain", "-e", "prod"], ["text"]),
    (["diff", "APP", "--from", "dev", "--to", "prod"], ["text", "json", "markdown"]),
    (["diff", "APP", "--against", "ENTRY"], ["text", "json", "markdown"]),
    (["graph", "APP"], ["dot", "mermaid", "json", "html"]), (["schema", "APP"], ["text", "json"]),
  ]

  /// The seeds of the modules, in two parts that run in parallel. The module of seed 62 has imports that this tool
  /// cannot read.
  private static let seeds: [[UInt64]] = LongTests.isSelected ? [[62] + Array(0..<6), Array(6..<12)] : [[62]]

  @Test(arguments: seeds) func `no output of any command contains a secret or a part of it`(seeds: [UInt64]) throws {
    var statuses: [Int32: Int] = [:]
    for seed in seeds {
      let planted = PlantedSecret(seed: seed)
      let tool = try BuiltTool(files: planted.files)
      func check(_ arguments: [String]) throws {
        let run = try tool.run(arguments, variables: planted.variables)
        statuses[run.status, default: 0] += 1
        for piece in planted.pieces where run.output.contains(piece) || run.error.contains(piece) {
          Issue.record("seed \(seed): \(arguments)\n\(run.output)\(run.error)\n\(planted.files)")
          return
        }
        #expect([0, 1, 64].contains(run.status), "seed \(seed): \(arguments)")
      }
      let lines = Self.commands.flatMap { command in command.formats.map { command.arguments + ["--format", $0] } }
      for line in LongTests.sample(lines, every: 11) {
        try check(line.map { $0 == "APP" || $0 == "ENTRY" ? planted.entry : $0 } + planted.options)
      }
      let outputs = [["json"], ["yaml"], ["plist"], ["json", "--format", "json"]]
      for module in planted.modules {
        for output in LongTests.sample(outputs, every: 4) {
          try check(["convert", module, "converted.\(output[0])"] + output.dropFirst())
        }
      }
    }
    // Both valid and broken modules are among them.
    #expect(statuses[0, default: 0] > 0 && statuses[1, default: 0] > 0, "\(statuses)")
  }
}
