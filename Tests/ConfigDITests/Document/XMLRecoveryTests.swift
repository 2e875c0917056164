// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// Reading of an XML property list goes on behind a mistake where it is certain what is meant.
@Suite struct XMLRecoveryTests {
  @Test(arguments: [
    // Scalars.
    "‸<integer>x</integer><string>a</string>‸<real>1,5</real>‸<data>?</data>‸<date>today</date>",
    "<string>a ‸&nbsp; b &‸ c</string>‸<integer/>", "<string>&#x‸;</string><string>‸&#1;</string>",
    // Elements that do not belong there.
    "‸<strng>a</strng>‸<null/>‸<key>a</key>", "‸<set><string>a</string><set/></set>‸<integer>x</integer>",
    // Closing tags.
    "<string>a</str‸ng>‸<integer>x</integer>", "<string>a</‸array>",
    "<string>a‸<string>b</string>‸<integer>x</integer>",
    "<array><string>a</string></arr‸>‸<integer>x</integer>",
    // Keys and values.
    "<dict>‸<key>a</key>‸<key>b</key></dict>‸<integer>x</integer>",
    "<dict>‸<string>a</string><key>b</key><true/>‸<dict><key>a</key></dict></dict>‸<null/>",
    "<dict><key>a‸<string>b</string><key>c</ke‸e>‸<integer>x</integer></dict>",
    "<dict><key>a</key>‸<strng>b</strng><key>&‸ c</key><true/>‸<key>d</key></dict>",
  ])
  func `each mistake is reported once`(marked: String) {
    let parts = marked.split(separator: "‸" as Character, omittingEmptySubsequences: false).map(String.init)
    let head = "<plist><array>"
    var marks: [Int] = []
    var offset = head.utf8.count
    for part in parts.dropLast() {
      offset += part.utf8.count
      marks.append(offset)
    }
    let end = marked.contains("</‸array>") ? "</plist>" : "</array></plist>"
    let read = ReadDocument(head + parts.joined() + end, as: .plist)
    let places = read.findings.map { ReadDocument.start(of: $0.place, in: read.document) }
    #expect(places.sorted() == marks, "\(read.findings)")
    #expect(!read.document.isComplete)
    #expect(read.problems == [])
  }

  @Test(arguments: [
    "<plist><dict><key>a</key><array></‸dict><key>b</key></dict></plist>",
    "<plist><array>‸<set><integer>x</integer></array></plist>", "<plist><array><string ‸a><integer/></array></plist>",
    "<plist>‸<integer>x</integer></plist>",
  ])
  func `reading ends where it is not certain what is meant`(marked: String) {
    let text = MarkedText(marked)
    let read = ReadDocument(text.bytes, as: .plist)
    #expect(read.findings.map { ReadDocument.start(of: $0.place, in: read.document) } == [text.offset])
    #expect(read.problems == [])
  }

  @Test func `a path leads to what each mistake is about`() {
    let read = ReadDocument(
      "<plist><dict><key>a</key><integer>x</integer><key>b</key><dict><key>c</key></dict></dict></plist>", as: .plist)
    let paths = read.findings.map { finding in if case .bytes(_, _, _, let path) = finding.place { path } else { "" } }
    #expect(paths == ["a", "b.c"])
  }

  @Test func `the time grows with the length of the text`() {
    for mistake in ["<integer>x</integer>", "<set>", "<string>a", "& ", "<null/>", "<string>&nbsp;</string>", "</set>"]
    {
      func text(_ count: Int) -> String { "<plist><array>" + String(repeating: mistake, count: count) }
      let small = text(LongTests.size(2_000, full: 20_000))
      let large = text(LongTests.size(8_000, full: 80_000))
      let before = processorTime { _ = ReadDocument(small, as: .plist) }
      let after = processorTime { _ = ReadDocument(large, as: .plist) }
      #expect(after < max(before * 8, .milliseconds(200)), "\(mistake)")
    }
  }
}
