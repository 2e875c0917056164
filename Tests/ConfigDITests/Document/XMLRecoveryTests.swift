// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// Reading of an XML property list continues after an error if the repair is certain.
@Suite struct XMLRecoveryTests {
  @Test(arguments: [
    // Scalars.
    "‸<integer>x</integer><string>a</string>‸<real>1,5</real>‸<data>?</data>‸<date>today</date>",
    "<string>a ‸&nbsp; b &‸ c</string>‸<integer/>", "<string>&#x‸;</string><string>‸&#1;</string>",
    // Unexpected elements.
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
  func `each error is reported once`(marked: String) {
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
  func `parsing stops if the intended meaning is uncertain`(marked: String) {
    let text = MarkedText(marked)
    let read = ReadDocument(text.bytes, as: .plist)
    #expect(read.findings.map { ReadDocument.start(of: $0.place, in: read.document) } == [text.offset])
    #expect(read.problems == [])
  }

  @Test func `the path of each error refers to its value`() {
    let read = ReadDocument(
      "<plist><dict><key>a</key><integer>x</integer><key>b</key><dict><key>c</key></dict></dict></plist>", as: .plist)
    let paths = read.findings.map { finding in if case .bytes(_, _, _, let path) = finding.place { path } else { "" } }
    #expect(paths == ["a", "b.c"])
  }

  @Test(arguments: 0..<LongTests.size(100, full: 2_000))
  func `of separate errors each is reported once`(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let text = BrokenPropertyList(using: &random)
    let bytes = Array(text.text.utf8)
    let read = ReadDocument(text.text, as: .plist)
    let table = LineTable(bytes)
    let starts = read.findings.map { ReadDocument.start(of: $0.place, in: read.document) }
    let lines = table.positions(of: starts, in: bytes).map(\.line).sorted()
    #expect(lines == text.brokenLines, "\(read.findings.map(\.message)) in\n\(text.text)")
    #expect(read.problems == [])
  }
}

/// A random property list with one entry in each line. Some of the lines have one error each.
private struct BrokenPropertyList {
  /// The text.
  private(set) var text = ""
  /// The numbers of the lines with an error, from 1. No two are adjacent, since a key without a value followed by a
  /// value without a key is a valid entry.
  private(set) var brokenLines: [Int] = []

  private var line = 1

  init(using random: inout SeededRandom) {
    text = "<plist version=\"1.0\"><dict>\n"
    addEntries(depth: 0, using: &random)
    text += "</dict></plist>\n"
  }

  private mutating func addEntries(depth: Int, using random: inout SeededRandom) {
    for _ in 0..<Int.random(in: 1...7, using: &random) {
      line += 1
      let key = "<key>key\(line)</key>"
      switch Int.random(in: 0..<8, using: &random) {
      case 0 where depth < 4:
        text += "\(key)<dict>\n"
        addEntries(depth: depth + 1, using: &random)
        line += 1
        text += "</dict>\n"
      case 1...2 where brokenLines.last != line - 1:
        brokenLines.append(line)
        text += BrokenPropertyList.broken(key, using: &random) + "\n"
      default:
        let values = [
          "<integer>1</integer>", "<real>-2.5</real>", "<true/>", "<string>text &lt;of&gt; &#65;</string>",
          "<array><integer>1</integer><string/></array>", "<dict/>", "<string><![CDATA[<a>&]]></string>",
          "<!-- one --><false/>",
        ]
        text += key + (values.randomElement(using: &random) ?? "") + "\n"
      }
    }
  }

  /// Returns an entry with an error.
  private static func broken(_ key: String, using random: inout SeededRandom) -> String {
    let lines = [
      "\(key)<integer>x</integer>", "\(key)<integer/>", "\(key)<integer>1.5</integer>", "\(key)<real>1,5</real>",
      "\(key)<data>?</data>", "\(key)<date>today</date>", "\(key)<string>&nbsp;</string>",
      "\(key)<string>a & b</string>",
      "\(key)<string>&#x110000;</string>", "\(key)<strng>a</strng>", "\(key)<null/>", "\(key)<string>a</str>", key,
      "<integer>1</integer>", "<dict/>", "\(key)<array><null/><true/></array>", "\(key)<array><true/></arr>",
      "\(key)<dict><key>a</key></dict>", "\(key)<dict><true/></dict>", "<key>a & b</key><true/>",
    ]
    return lines.randomElement(using: &random) ?? ""
  }
}
