// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct GitHubRendererTests {
  @Test func `a finding is one line, notes follow after encoded line breaks`() {
    #expect(
      GitHubRenderer.text(of: [SampleFindings.full()])
        == "::error file=Configs/mail.json,line=14,col=29,endColumn=36,title=CDI0501::"
        + "service \"mailer\" injects unknown service \"loger\"%0Aa note%0Ahelp: did you mean \"logger\"?"
        + "%0Aenvironments: prod, test\n")
  }

  @Test func `a location without lines or a file omits them, and shows its path`() {
    #expect(
      GitHubRenderer.text(of: [SampleFindings.withoutLines, SampleFindings.onTheCommandLine]) == """
        ::warning file=app.plist,title=CDI0702::parameter "idle" is never used%0Aat parameters.idle
        ::error title=CDI0305::cannot set "parameters.x": nothing has this path%0Aat parameters.x

        """)
  }

  @Test func `a range over several lines has no end column`() {
    var place = SampleFindings.place("a.json", 2, 3, 9)
    place.end?.line = 5
    #expect(
      GitHubRenderer.text(of: [SampleFindings.bare(.syntaxError, "m", at: place)])
        == "::error file=a.json,line=2,col=3,title=CDI0101::m\n")
  }

  @Test func `characters that would end a command or a property are encoded`() {
    let place = SampleFindings.place("a,b:c%0A\n.json", 1, 1, 2)
    let finding = SampleFindings.bare(.syntaxError, "100%: a,b\r\n::error::x", at: place)
    #expect(
      GitHubRenderer.text(of: [finding])
        == "::error file=a%2Cb%3Ac%250A\\u{A}.json,line=1,col=1,endColumn=2,title=CDI0101::"
        + "100%25: a,b\\u{D}\\u{A}::error::x\n")
  }

  @Test func `additional lines follow the message in the same command`() {
    let finding = SampleFindings.bare(
      .syntaxError, "m", at: SampleFindings.place("a.json", 1, 1, 2), help: "100%")
    #expect(
      GitHubRenderer.text(of: [finding])
        == "::error file=a.json,line=1,col=1,endColumn=2,title=CDI0101::m%0Ahelp: 100%25\n")
  }

  @Test func `no findings give no output`() {
    #expect(GitHubRenderer.text(of: []) == "")
  }
}
