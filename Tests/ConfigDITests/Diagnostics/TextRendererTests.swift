// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct TextRendererTests {
  /// Returns the range between the marks `«` and `»` as a location, and a file with the text without the marks.
  private func marked(_ file: String, _ text: String, number: Int = 0) -> (SourceFile, Diagnostic.Location) {
    var bytes: [UInt8] = []
    var offsets: [Int] = []
    for scalar in text.unicodeScalars {
      if scalar == "«" || scalar == "»" { offsets.append(bytes.count) } else { bytes += Array(String(scalar).utf8) }
    }
    let table = LineTable(bytes)
    let positions = offsets.map { table.position(of: $0, in: bytes) }
    var location = Diagnostic.Location(file: file, start: positions[0], end: positions[positions.count - 1])
    location.source = FileID(number)
    return (SourceFile(name: file, bytes: bytes), location)
  }

  /// Returns a finding without notes or help.
  private func finding(
    _ code: DiagnosticCode = .unknownService, _ message: String = "wrong", at location: Diagnostic.Location,
    label: String? = nil
  ) -> Diagnostic {
    Diagnostic(
      code: code, message: message, location: location, path: "", label: label, related: [], notes: [], help: nil,
      fixes: [], environments: nil, severity: code.severity)
  }

  /// Returns the two lines of a report that show and underline the marked range of a text.
  private func excerpt(of text: String, secrets: [Range<Int>] = []) -> [String] {
    let (file, place) = marked("a.json", text)
    let masks = secrets.map { TextRenderer.Mask(range: $0, text: "***") }
    let rendered = TextRenderer { _ in TextRenderer.Source(file, masks: masks) }.text(of: [finding(at: place)])
    return rendered.split(separator: "\n", omittingEmptySubsequences: false)[3...4].map(String.init)
  }

  @Test func `a finding with all parts`() {
    let (mail, place) = marked(
      "Configs/mail.json",
      String(repeating: "\n", count: 13) + "      \"inject\": { \"logger\": «\"loger\"» },\n")
    let (logging, near) = marked(
      "Configs/logging.json", "\n\n    «\"logger\"»: { \"type\": \"ConsoleLogger\" },\n", number: 1)
    var diagnostic = finding(
      .unknownService, "service \"mailer\" injects unknown service \"loger\"", at: place,
      label: "no service or alias has this id")
    diagnostic.related = [Diagnostic.Related(location: near, message: "a similar id is defined here")]
    diagnostic.notes = ["further words"]
    diagnostic.help = "did you mean \"logger\"?"
    diagnostic.environments = ["dev", "prod"]
    let files = [mail, logging]
    #expect(
      TextRenderer { TextRenderer.Source(files[Int($0.index)]) }.text(of: [diagnostic]) == """
        error[CDI0501]: service "mailer" injects unknown service "loger"
          --> Configs/mail.json:14:29
           |
        14 |       "inject": { "logger": "loger" },
           |                             ^^^^^^^ no service or alias has this id
           |
          ::: Configs/logging.json:3:5
           |
         3 |     "logger": { "type": "ConsoleLogger" },
           |     -------- a similar id is defined here
           |
           = note: further words
           = help: did you mean "logger"?
           = environments: dev, prod

        1 error

        """)
  }

  @Test(arguments: [(8, 8), (9, 4), (15, 4)])
  func `of very many notes the first are shown`(count: Int, shown: Int) {
    let (file, place) = marked("a.json", "«1»")
    var diagnostic = finding(at: place)
    diagnostic.related = (0..<count).map { Diagnostic.Related(location: place, message: "place \($0)") }
    let text = TextRenderer { _ in TextRenderer.Source(file) }.text(of: [diagnostic])
    #expect(text.split(separator: "\n").filter { $0.contains("::: a.json") }.count == shown)
    #expect(text.contains("- place \(shown - 1)\n") && !text.contains("place \(shown)\n"))
    #expect(text.contains("  = note: \(count - shown) further places are not shown\n") == (count > shown))
  }

  @Test func `locations without lines show the file only`() {
    var plist = finding(
      at: Diagnostic.Location(file: "app.plist", start: nil, end: nil), label: "not a name")
    plist.path = "services.a"
    plist.related = [
      Diagnostic.Related(location: Diagnostic.Location(file: "b.plist", start: nil, end: nil), message: "here")
    ]
    let first = SourcePosition(line: 1, column: 1)
    let words = finding(
      .overrideWithoutEffect, at: Diagnostic.Location(file: "<command line>", start: first, end: first))
    #expect(
      TextRenderer { _ in nil }.text(of: [plist, words]) == """
        error[CDI0501]: wrong
         --> app.plist: services.a
         ::: b.plist: here
          = note: not a name

        warning[CDI0308]: wrong
         --> <command line>

        1 error, 1 warning

        """)
  }

  @Test(arguments: [(0, 0, "no findings"), (2, 0, "2 errors"), (0, 1, "1 warning"), (1, 2, "1 error, 2 warnings")])
  func `the closing line counts findings`(errors: Int, warnings: Int, summary: String) {
    let place = Diagnostic.Location(file: "a", start: nil, end: nil)
    let diagnostics =
      Array(repeating: finding(at: place), count: errors)
      + Array(repeating: finding(.overrideWithoutEffect, at: place), count: warnings)
    #expect(TextRenderer.summary(of: FindingCounts(of: diagnostics)) == summary)
  }

  @Test func `colours apply to the labels, never to the lines of a file`() {
    let (file, place) = marked("a.json", "«x»")
    let text = TextRenderer(usesColor: true) { _ in TextRenderer.Source(file) }.text(of: [
      finding(at: place, label: "here")
    ])
    #expect(text.contains("\u{1B}[1;31merror[CDI0501]\u{1B}[0m\u{1B}[1m: wrong\u{1B}[0m\n"))
    #expect(text.contains("\u{1B}[1;34m1\u{1B}[0m \u{1B}[1;34m|\u{1B}[0m x\n"))
    #expect(text.contains("\u{1B}[1;31m^ here\u{1B}[0m\n"))
  }

  @Test func `an empty range and the end of the text are marked by one character`() {
    #expect(excerpt(of: "ab«»c") == ["1 | abc", "  |   ^"])
    #expect(excerpt(of: "{«»") == ["1 | {", "  |  ^"])
    #expect(excerpt(of: "\n«»") == ["2 |", "  | ^"])
  }

  @Test func `an empty or missing file has no source line`() {
    let (file, place) = marked("a.json", "«»")
    #expect(
      TextRenderer { _ in TextRenderer.Source(file) }.text(of: [finding(at: place)]) == """
        error[CDI0501]: wrong
         --> a.json:1:1

        1 error

        """)
  }

  @Test func `a range over several lines is marked to the end of its first line`() {
    #expect(excerpt(of: "a: «{\r\n}»") == ["1 | a: {", "  |    ^"])
    #expect(excerpt(of: "a: «<dict>\n</dict>»") == ["1 | a: <dict>", "  |    ^^^^^^"])
  }

  @Test func `marks are aligned below tabs, wide characters and escapes`() {
    #expect(excerpt(of: "\t\t«ab»\t") == ["1 |         ab    ", "  |         ^^"])
    #expect(excerpt(of: "é😀«ab»") == ["1 | é😀ab", "  |   ^^"])
    #expect(excerpt(of: "\u{1B}[31m«ab»") == ["1 | \\u{1B}[31mab", "  |           ^^"])
    #expect(excerpt(of: "«a\u{202E}b»") == ["1 | a\\u{202E}b", "  | ^^^^^^^^^^"])
  }

  @Test func `invalid UTF-8 is replaced and uses the counted columns`() {
    let file = SourceFile(name: "a.json", bytes: [0x22, 0xFF, 0xC3, 0x22, 0x78])
    let position = SourcePosition(line: 1, column: 5)
    var place = Diagnostic.Location(file: "a.json", start: position, end: position)
    place.source = FileID(0)
    let text = TextRenderer { _ in TextRenderer.Source(file) }.text(of: [finding(at: place)])
    #expect(text.contains("1 | \"\u{FFFD}\u{FFFD}\"x\n  |     ^\n"))
  }

  @Test func `a long line is truncated around the marks`() {
    let filler = String(repeating: "x", count: 500)
    #expect(excerpt(of: "«ab»" + filler) == ["1 | ab\(filler.prefix(98))…", "  | ^^"])
    #expect(
      excerpt(of: filler + "«ab»" + filler) == [
        "1 | …\(filler.prefix(33))ab\(filler.prefix(65))…", "  | " + String(repeating: " ", count: 34) + "^^",
      ])
    #expect(
      excerpt(of: filler + "«ab»") == [
        "1 | …\(filler.prefix(33))ab", "  | " + String(repeating: " ", count: 34) + "^^",
      ])
    #expect(
      excerpt(of: "«" + filler + "»") == [
        "1 | \(filler.prefix(100))…", "  | " + String(repeating: "^", count: 100),
      ])
    #expect(excerpt(of: "a«" + String(repeating: "é", count: 98) + "»b").first?.contains("…") == false)
  }

  @Test func `secrets are masked at any position in the line`() {
    #expect(
      excerpt(of: "{ \"key\": \"hunter2\", «\"b\"»: 1 }", secrets: [9..<18]) == [
        "1 | { \"key\": ***, \"b\": 1 }", "  |               ^^^",
      ])
    #expect(excerpt(of: "a: «\"hunter2\"»,", secrets: [3..<12]) == ["1 | a: ***,", "  |    ^^^"])
    #expect(excerpt(of: "a: \"hun«ter2\"»,", secrets: [3..<12]) == ["1 | a: ***,", "  |    ^^^"])
    #expect(excerpt(of: "a: «\"hun»ter2\",", secrets: [3..<12]) == ["1 | a: ***,", "  |    ^^^"])
    let long = String(repeating: "s", count: 300)
    #expect(excerpt(of: long + "«b»", secrets: [0..<300]) == ["1 | …***b", "  |     ^"])
  }

  @Test func `control characters of a file are escaped`() {
    let (file, place) = marked("a.json", "«x»")
    var diagnostic = finding(.unknownService, "unknown \"\u{1B}[2J\"", at: place, label: "a\nb")
    diagnostic.help = "\u{9B}"
    let text = TextRenderer { _ in TextRenderer.Source(file) }.text(of: [diagnostic])
    #expect(text.contains("unknown \"\\u{1B}[2J\""))
    #expect(text.contains("^ a\\u{A}b\n"))
    #expect(text.contains("help: \\u{9B}\n"))
  }

  @Test func `each of many findings on one long line is marked`() {
    let count = LongTests.size(1_000, full: 3_000)
    let file = SourceFile(name: "a.json", text: String(repeating: "\"loger\", ", count: count * 100))
    let diagnostics = (0..<count).map { index in
      var place = Diagnostic.Location(
        file: "a.json", start: SourcePosition(line: 1, column: index * 900 + 1),
        end: SourcePosition(line: 1, column: index * 900 + 8))
      place.source = FileID(0)
      return finding(at: place)
    }
    let text = TextRenderer { _ in TextRenderer.Source(file) }.text(of: diagnostics)
    #expect(text.split(separator: "\n").count { $0.hasSuffix("^^^^^^^") } == count)
  }
}
