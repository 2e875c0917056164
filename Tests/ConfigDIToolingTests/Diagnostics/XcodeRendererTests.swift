// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct XcodeRendererTests {
  /// Returns the findings as text, for a working folder.
  private func text(_ diagnostics: [Diagnostic], in folder: String = "/work folder/app") -> String {
    XcodeRenderer(workingFolder: folder).text(of: diagnostics)
  }

  @Test func `a finding and its notes have absolute paths`() {
    #expect(
      text([SampleFindings.full()]) == """
        /work folder/app/Configs/mail.json:14:29: error: service "mailer" injects unknown service "loger" [CDI0501]
        /work folder/app/Configs/logging.json:3:5: note: a similar id is defined here
        /work folder/app/Configs/mail.json:14:29: note: a note
        /work folder/app/Configs/mail.json:14:29: note: help: did you mean "logger"?
        /work folder/app/Configs/mail.json:14:29: note: environments: prod, test

        """)
  }

  @Test func `an absolute path is kept, parent components are resolved`() {
    let finding = SampleFindings.bare(.syntaxError, "m", at: SampleFindings.place("../b.json", 1, 2, 3))
    #expect(text([finding], in: "/a/x") == "/a/b.json:1:2: error: m [CDI0101]\n")
    #expect(text([SampleFindings.full(in: "/etc/a.json")]).hasPrefix("/etc/a.json:14:29: error: "))
  }

  @Test func `a location without lines or a file omits them, and shows its path`() {
    #expect(
      text([SampleFindings.withoutLines, SampleFindings.onTheCommandLine], in: "/a") == """
        /a/app.plist: warning: parameter "idle" is never used [CDI0702]
        /a/app.plist: note: at parameters.idle
        error: cannot set "parameters.x": nothing has this path [CDI0305]
        note: at parameters.x

        """)
  }

  @Test func `a message cannot start a new line`() {
    let finding = SampleFindings.bare(.syntaxError, "a\n/b:1:1: error: x", at: SampleFindings.place("a", 1, 1, 1))
    #expect(text([finding], in: "/") == "/a:1:1: error: a\\u{A}/b:1:1: error: x [CDI0101]\n")
  }
}
