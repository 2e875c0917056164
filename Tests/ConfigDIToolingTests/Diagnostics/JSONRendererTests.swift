// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct JSONRendererTests {
  /// Returns the findings as JSON.
  private func text(_ diagnostics: [Diagnostic]) -> String {
    var writer = JSONWriter()
    JSONRenderer.write(diagnostics, to: &writer)
    return writer.text
  }

  @Test func `a finding with all parts`() {
    #expect(
      text([SampleFindings.full()]) == #"""
        [
          {
            "code": "CDI0501",
            "severity": "error",
            "message": "service \"mailer\" injects unknown service \"loger\"",
            "file": "Configs/mail.json",
            "line": 14,
            "column": 29,
            "endLine": 14,
            "endColumn": 36,
            "path": "services.mailer.inject.logger",
            "environments": ["prod", "test"],
            "related": [
              { "file": "Configs/logging.json", "line": 3, "column": 5, "message": "a similar id is defined here" }
            ],
            "notes": ["a note"],
            "help": "did you mean \"logger\"?",
            "fixes": [
              { "file": "Configs/mail.json", "line": 14, "column": 29, "endLine": 14, "endColumn": 36, "text": "\"logger\"" }
            ]
          }
        ]
        """#)
  }

  @Test func `a bare warning has empty lists, and a file without lines has none`() {
    let diagnostic = Diagnostic(
      code: .overrideWithoutEffect, message: "m",
      location: Diagnostic.Location(file: "app.plist", start: nil, end: nil), path: "a.b", label: nil, related: [],
      notes: [], help: nil, fixes: [], environments: nil, severity: .warning)
    #expect(
      text([diagnostic]) == """
        [
          {
            "code": "CDI0308",
            "severity": "warning",
            "message": "m",
            "file": "app.plist",
            "path": "a.b",
            "related": [],
            "notes": [],
            "fixes": []
          }
        ]
        """)
  }
}
