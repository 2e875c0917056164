// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct DifferenceReportTests {
  /// A difference with something of each kind.
  private let report: DifferenceReport = {
    func module(_ members: String) -> ResolvedModule? {
      let text = "{ \"configdi\": 1, \"module\": \"app\", \(members) }"
      let check = ModuleCheck(
        checking: ModuleRequest(entry: .file("app.json")), environments: nil,
        files: MemoryFiles(texts: ["app.json": text]))
      return check.compositions.first?.graph.map { ResolvedModule($0) }
    }
    let first = module(
      #""services": {"cache": {"type": "MemoryCache"}, "toolbar": {"type": "T"}}, "aliases": {"c": "cache"}"#)
    let second = module(
      #""parameters": {"p": {"env": "P"}}, "services": {"cache": {"type": "A", "values": {"a|`b`": "x|y\n"}}}"#)
    guard let first, let second else { preconditionFailure("the modules are sound") }
    return DifferenceReport(ModuleDifference(from: first, to: second), from: "dev", to: "prod")
  }()

  @Test func `for programs`() {
    #expect(report.hasDifference)
    #expect(
      report.value == [
        "from": "dev", "to": "prod",
        "services": [
          "added": [], "removed": ["toolbar"],
          "changed": [
            "cache": [
              ["path": "type", "from": "MemoryCache", "to": "A"],
              ["path": #"values["a|`b`"]"#, "to": "x|y\n"],
            ]
          ],
        ],
        "parameters": ["added": ["p"], "removed": [], "changed": [:]],
        "aliases": ["added": [], "removed": ["c"], "changed": [:]],
        "bindings": ["added": [], "removed": [], "changed": [:]],
        "variables": ["added": ["P"], "removed": []],
      ])
  }

  @Test func `for people`() {
    #expect(
      report.text() == #"""
        from dev to prod

        services:
          - toolbar
          ~ cache
              type             "MemoryCache" -> "A"
              values["a|`b`"]  absent -> "x|y\n"

        parameters:
          + p

        aliases:
          - c

        variables:
          + P

        """#)
    #expect(report.text(usesColor: true).contains("\u{1B}[31m  - toolbar\u{1B}[0m\n"))
  }

  @Test func `for a review`() {
    #expect(
      report.markdown == #"""
        | | what | path | `dev` | `prod` |
        |---|---|---|---|---|
        | removed | service `toolbar` | | | |
        | changed | service `cache` | `type` | `"MemoryCache"` | `"A"` |
        | changed | service `cache` | ``values["a\|`b`"]`` |  | `"x\|y\n"` |
        | added | parameter `p` | | | |
        | removed | alias `c` | | | |
        | added | variable `P` | | | |

        """#)
  }
}
