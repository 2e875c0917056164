// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct SARIFRendererTests {
  /// Returns the run in the log of some findings, for a working folder.
  private func run(of diagnostics: [Diagnostic], in folder: String = "/w") throws -> Value {
    let log = try #require(Value(json: text(of: diagnostics, in: folder), limits: Limits()))
    return try #require(log.member("runs")?.elements.first)
  }

  /// Returns the log of some findings as text, for a working folder.
  private func text(of diagnostics: [Diagnostic], in folder: String = "/w") -> String {
    SARIFRenderer(toolVersion: "1.2.3", workingFolder: folder).text(of: diagnostics)
  }

  @Test func `a finding with all parts`() {
    #expect(
      text(of: [SampleFindings.full()], in: "/w") == #"""
        {
          "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
          "version": "2.1.0",
          "runs": [
            {
              "tool": {
                "driver": {
                  "name": "configdi",
                  "semanticVersion": "1.2.3",
                  "rules": [
                    {
                      "id": "CDI0501",
                      "shortDescription": { "text": "reference to an unknown service" },
                      "defaultConfiguration": { "level": "error" }
                    }
                  ]
                }
              },
              "originalUriBaseIds": {
                "WORKINGFOLDER": { "uri": "file:///w/" }
              },
              "columnKind": "unicodeCodePoints",
              "results": [
                {
                  "ruleId": "CDI0501",
                  "ruleIndex": 0,
                  "level": "error",
                  "message": { "text": "service \"mailer\" injects unknown service \"loger\"\na note\nhelp: did you mean \"logger\"?" },
                  "locations": [
                    {
                      "physicalLocation": {
                        "artifactLocation": { "uri": "Configs/mail.json", "uriBaseId": "WORKINGFOLDER" },
                        "region": { "startLine": 14, "startColumn": 29, "endLine": 14, "endColumn": 36 }
                      },
                      "logicalLocations": [
                        { "fullyQualifiedName": "services.mailer.inject.logger" }
                      ]
                    }
                  ],
                  "relatedLocations": [
                    {
                      "id": 0,
                      "physicalLocation": {
                        "artifactLocation": { "uri": "Configs/logging.json", "uriBaseId": "WORKINGFOLDER" },
                        "region": { "startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 13 }
                      },
                      "message": { "text": "a similar id is defined here" }
                    }
                  ],
                  "partialFingerprints": { "finding/v1": "60ac44f40b7339bd2d8739baeb099381" },
                  "fixes": [
                    {
                      "description": { "text": "replace this with \"logger\"" },
                      "artifactChanges": [
                        {
                          "artifactLocation": { "uri": "Configs/mail.json", "uriBaseId": "WORKINGFOLDER" },
                          "replacements": [
                            {
                              "deletedRegion": { "startLine": 14, "startColumn": 29, "endLine": 14, "endColumn": 36 },
                              "insertedContent": { "text": "\"logger\"" }
                            }
                          ]
                        }
                      ]
                    }
                  ],
                  "properties": {
                    "environments": ["prod", "test"]
                  }
                }
              ]
            }
          ]
        }

        """#)
  }

  @Test func `each code is one rule, ascending, and results refer to their rules`() throws {
    let run = try run(of: [SampleFindings.withoutLines, SampleFindings.full(), SampleFindings.withoutLines])
    let rules = run.member("tool")?.member("driver")?.member("rules")?.elements ?? []
    #expect(rules.map { $0.member("id") } == ["CDI0501", "CDI0702"])
    #expect(rules.last?.member("defaultConfiguration") == ["level": "warning"])
    #expect((run.member("results")?.elements ?? []).map { $0.member("ruleIndex") } == [1, 0, 1])
  }

  @Test func `a location without lines has no region, one without a file no physical location`() throws {
    let results = try run(of: [SampleFindings.withoutLines, SampleFindings.onTheCommandLine]).member("results")
    #expect(
      results?.elements.map { $0.member("locations") } == [
        [
          [
            "physicalLocation": ["artifactLocation": ["uri": "app.plist", "uriBaseId": "WORKINGFOLDER"]],
            "logicalLocations": [["fullyQualifiedName": "parameters.idle"]],
          ]
        ],
        [["logicalLocations": [["fullyQualifiedName": "parameters.x"]]]],
      ])
    let unknown = SampleFindings.bare(
      .unknownEnvironment, "m", at: SampleFindings.place("<command line>", 1, 1, 1))
    #expect(try run(of: [unknown]).member("results")?.elements.first?.member("locations") == [])
  }

  @Test(arguments: [
    ("a b/é#?.json", "a%20b/%C3%A9%23%3F.json", true), ("/w/x.json", "x.json", true),
    ("/etc/x.json", "file:///etc/x.json", false), ("../x:y.json", "file:///x%3Ay.json", false),
    ("./a/../b.json", "b.json", true),
  ])
  func `a file is named by a URI`(file: String, uri: String, isRelative: Bool) throws {
    let run = try run(of: [SampleFindings.bare(.syntaxError, "m", at: SampleFindings.place(file, 1, 1, 2))])
    let place = run.member("results")?.elements.first?.member("locations")?.elements.first?.member("physicalLocation")
    let artifact = place?.member("artifactLocation")
    #expect(artifact?.member("uri")?.text == uri)
    #expect(artifact?.member("uriBaseId") == (isRelative ? "WORKINGFOLDER" : nil))
  }

  @Test func `braces and links in messages are escaped`() throws {
    let place = SampleFindings.place("a.json", 1, 1, 2)
    let messages = ["write ${name}", "[click](https://example.com) \\", "list[0]"]
    let run = try run(of: messages.map { SampleFindings.bare(.malformedPlaceholder, $0, at: place) })
    #expect(
      run.member("results")?.elements.map { $0.member("message")?.member("text")?.text }
        == ["write ${{name}}", "\\[click\\](https://example.com) \\\\", "list[0]"])
  }

  @Test func `a fix without lines is omitted, and no findings give an empty list`() throws {
    var finding = SampleFindings.withoutLines
    finding.fixes = [Diagnostic.Fix(location: finding.location, text: "x")]
    #expect(try run(of: [finding]).member("results")?.elements.first?.member("fixes") == nil)
    #expect(try run(of: []).member("results") == [])
  }

  @Test func `every code has a title`() {
    for code in DiagnosticCode.all { #expect(code.title != code.description) }
  }

  @Test func `a fix that removes text is marked as a deletion`() throws {
    let location = Diagnostic.Location(
      file: "app.json", start: SourcePosition(line: 1, column: 2), end: SourcePosition(line: 1, column: 9))
    let finding = Diagnostic(
      code: .overrideWithoutEffect, message: "override has no effect", location: location, path: "a", related: [],
      notes: [],
      fixes: [Diagnostic.Fix(location: location, text: "")], severity: .warning)
    let fix = try #require(try run(of: [finding]).member("results")?.elements.first?.member("fixes")?.elements.first)
    #expect(fix.at("description", "text") == "remove this")
    let change = try #require(fix.member("artifactChanges")?.elements.first)
    #expect(change.member("replacements")?.elements.first?.at("insertedContent", "text") == "")
  }

  @Test func `the edits of a finding are one fix`() throws {
    let places = [3, 12].map { column in
      Diagnostic.Location(
        file: "app.json", start: SourcePosition(line: 1, column: column),
        end: SourcePosition(line: 1, column: column + 4))
    }
    let finding = Diagnostic(
      code: .unknownParameter, message: "two placeholders", location: places[0], path: "a", related: [], notes: [],
      fixes: places.map { Diagnostic.Fix(location: $0, text: "port") }, severity: .error)
    let fixes = try run(of: [finding]).member("results")?.elements.first?.member("fixes")?.elements
    #expect(fixes?.count == 1)
    #expect(fixes?.first?.at("description", "text") == "replace this with port")
    let changes = fixes?.first?.member("artifactChanges")?.elements
    #expect(changes?.count == 1)
    let columns = changes?.first?.member("replacements")?.elements.map { $0.at("deletedRegion", "startColumn") }
    #expect(columns == [3, 12])
  }

  /// Returns the fingerprints of some findings.
  private func fingerprints(of diagnostics: [Diagnostic]) throws -> [String] {
    try run(of: diagnostics).member("results")?.elements.compactMap {
      $0.member("partialFingerprints")?.member("finding/v1")?.text
    } ?? []
  }

  @Test func `a fingerprint is stable when lines move or words change, and unique per finding`() throws {
    let finding = SampleFindings.full()
    let original = try #require(try fingerprints(of: [finding]).first)
    #expect(original.utf8.count == 32)
    func fingerprint(_ change: (inout Diagnostic) -> Void) throws -> String? {
      var changed = finding
      change(&changed)
      return try fingerprints(of: [changed]).first
    }
    let moved = SampleFindings.place("Configs/mail.json", 99, 3, 9)
    #expect(try fingerprint { $0.location = moved } == original)
    #expect(try fingerprint { $0.message = #""mailer" wants "loger", which nobody knows"# } == original)
    #expect(try fingerprint { $0.help = "other" } == original)
    #expect(try fingerprint { $0.environments = nil } == original)
    #expect(try fingerprint { $0.path = "services.mailer.inject.other" } != original)
    #expect(try fingerprint { $0.message = #""mailer" wants "lager""# } != original)
    #expect(try fingerprint { $0.location.file = "Configs/news.json" } != original)
    #expect(try fingerprint { $0.code = .unknownTarget } != original)
    // The index of an element in a list is not part of the fingerprint.
    let element = try fingerprint { $0.path = #"imports[3]["a.b"].c"# }
    #expect(try element == fingerprint { $0.path = #"imports[12]["a.b"].c"# })
    #expect(try element != fingerprint { $0.path = #"imports[3]["a.c"].c"# })
  }

  @Test func `equal findings have different fingerprints`() throws {
    let finding = SampleFindings.full()
    #expect(Set(try fingerprints(of: [finding, finding, finding])).count == 3)
  }

  @Test func `a suppressed result has its reason, and others have an empty list`() throws {
    var hidden = SampleFindings.withoutLines
    hidden.suppression = #"shared {with} "others""#
    let renderer = SARIFRenderer(toolVersion: "1", workingFolder: "/w")
    let log = try #require(
      Value(json: renderer.text(of: [SampleFindings.full()], suppressed: [hidden]), limits: Limits()))
    let run = try #require(log.member("runs")?.elements.first)
    #expect(
      run.member("results")?.elements.map { $0.member("suppressions") } == [
        [], [["kind": "inSource", "justification": #"shared {with} "others""#]],
      ])
    #expect(run.member("tool")?.member("driver")?.member("rules")?.elements.count == 2)
    #expect(!text(of: [SampleFindings.full()]).contains("suppressions"))
  }

  @Test func `a rule describes its code and has a help address`() throws {
    let renderer = SARIFRenderer(toolVersion: "1", workingFolder: "/w", helpAddress: "https://example.com/codes") {
      $0 == .unknownService ? SARIFRenderer.Help(summary: "s", text: "a {b}", markdown: "**a** {b}") : nil
    }
    let log = try #require(
      Value(json: renderer.text(of: [SampleFindings.full(), SampleFindings.withoutLines]), limits: Limits()))
    let rules = log.member("runs")?.elements.first?.member("tool")?.member("driver")?.member("rules")?.elements ?? []
    #expect(rules.map { $0.member("help") } == [["text": "a {b}", "markdown": "**a** {b}"], nil])
    #expect(rules.first?.member("fullDescription") == ["text": "s"])
    #expect(
      rules.map { $0.member("helpUri")?.text } == [
        "https://example.com/codes#cdi0501", "https://example.com/codes#cdi0702",
      ])
  }
}
