// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct FindingsReportTests {
  /// The three files of the tests. Each value is looked up by its path.
  private let documents = [
    Self.document(0, "app.json", "{\n  \"a\": \"é\", \"b\": [1,\n    2]\n}"),
    Self.document(1, "prod.json", "{ \"x.y\": { \"z\": 1 } }"),
    Self.document(2, "dev.json", "\u{FEFF}{ \"w\": 1 }"),
  ]

  @Test func `a finding is reported with lines, columns, path and all texts`() throws {
    var finding = Finding(.wrongKind, "message", at: node(0, "b[1]"))
    finding.label = "label"
    finding.related = [.init(.node(node(1, #"["x.y"].z"#)), "there")]
    finding.notes = ["note"]
    finding.help = "help"
    finding.replacement = .string("x")
    let reported = try #require(report([("dev", [finding])]).first)
    let location = Diagnostic.Location(
      file: "app.json", start: SourcePosition(line: 3, column: 5), end: SourcePosition(line: 3, column: 6))
    #expect(
      reported
        == Diagnostic(
          code: .wrongKind, message: "message", location: location, path: "b[1]", label: "label",
          related: [
            .init(
              location: .init(
                file: "prod.json", start: SourcePosition(line: 1, column: 17), end: SourcePosition(line: 1, column: 18)),
              message: "there")
          ], notes: ["note"], help: "help", fixes: [.init(location: location, text: "\"x\"")], environments: nil,
          severity: .error))
  }

  @Test func `findings are sorted by composition order, position and code, the command line last`() {
    let findings = [
      Finding(.unknownEnvironment, "last", at: .commandLine(path: "p")),
      Finding(.missingKey, "in file 1", at: node(1, "")),
      Finding(.syntaxError, "behind", at: .bytes(FileID(0), start: 30, end: 31, path: "b")),
      Finding(.wrongKind, "second code", at: node(0, "b")),
      Finding(.unknownKey, "first code", at: node(0, "b")),
      Finding(.unknownKey, "of a file outside the order", at: node(2, "w")),
      Finding(.wrongKind, "in front", at: node(0, "a")),
    ]
    let reported = report([(nil, findings)], order: [1, 0])
    #expect(
      reported.map(\.message)
        == ["in file 1", "in front", "first code", "second code", "behind", "of a file outside the order", "last"])
    #expect(reported.map(\.path) == ["", "a", "b", "b", "b", "w", "p"])
    #expect(reported.last?.location.file == "<command line>")
    #expect(reported.last?.location.start == SourcePosition(line: 1, column: 1))
    #expect(reported.last?.location.end == SourcePosition(line: 1, column: 1))
    #expect(reported[5].location.start == SourcePosition(line: 1, column: 8))
  }

  @Test func `a finding of several environments is one finding in the words of the first`() {
    func unknown(_ words: String, _ subject: String = "") -> Finding {
      var finding = Finding(.unknownService, words, at: node(0, "a"))
      finding.subject = subject
      return finding
    }
    let reported = report([
      ("dev", [unknown("dev"), unknown("dev again"), unknown("other", "x")]), ("test", [unknown("other in test", "x")]),
      ("prod", [unknown("prod"), unknown("other in prod", "x")]),
    ])
    #expect(reported.map(\.message) == ["dev", "other"])
    #expect(reported.map(\.environments) == [["dev", "prod"], nil])
  }

  @Test func `an unused entry is reported only if no environment uses it`() {
    for code in [DiagnosticCode.unusedService, .unusedParameter, .unusedAlias, .unusedTemplate] {
      let finding = Finding(code, "unused", at: node(0, "a"))
      #expect(report([("dev", [finding]), ("prod", [])]).map(\.environments) == [["dev"]])
      #expect(report([("dev", [finding]), ("prod", [finding])]).map(\.environments) == [nil])
      var users = [DiagnosticBag(), DiagnosticBag()]
      users[0].uses.mark(node(0, "a"))
      users[1].uses.markAll()
      for user in users {
        let checks = [("dev", bag([finding])), ("prod", user)].map {
          FindingsReport.Check(environment: $0.0, bag: $0.1, files: [])
        }
        let reported = [Diagnostic](resolving: FindingsReport(checks: checks, documents: documents, order: []))
        #expect(reported.isEmpty)
      }
    }
    let deprecated = Finding(.deprecated, "not about use", at: node(0, "a"))
    #expect(report([("dev", [deprecated]), ("prod", [])]).map(\.environments) == [["dev"]])
  }

  @Test func `an override without effect is reported unless it has one in another environment of its file`() {
    let finding = Finding(.overrideWithoutEffect, "nothing changes", at: node(1, #"["x.y"]"#))
    func environments(filesOfTest: [FileID]) -> [[String]?] {
      let checks = [
        FindingsReport.Check(environment: "dev", bag: bag([]), files: [FileID(0)]),
        FindingsReport.Check(environment: "test", bag: bag([]), files: filesOfTest),
        FindingsReport.Check(environment: "prod", bag: bag([finding]), files: [FileID(0), FileID(1)]),
      ]
      return [Diagnostic](resolving: FindingsReport(checks: checks, documents: documents, order: [])).map(
        \.environments)
    }
    #expect(environments(filesOfTest: [FileID(0)]) == [["prod"]])
    #expect(environments(filesOfTest: [FileID(0), FileID(1)]) == [])
  }

  @Test func `a document without positions has paths only, in the order of its nodes`() {
    var plain = documents
    plain[0].content.hasPositions = false
    for index in plain[0].nodes.indices {
      if plain[0].nodes[index].isVerbatim {
        plain[0].content.texts.append(documents[0].text(of: UInt32(index)))
        plain[0].content.nodes[index].isVerbatim = false
        plain[0].content.nodes[index].payload = Int64(plain[0].texts.count - 1)
      }
      (plain[0].content.nodes[index].start, plain[0].content.nodes[index].end) = (0, 0)
    }
    let findings = [Finding(.wrongKind, "2", at: node(0, "b[0]")), Finding(.wrongKind, "1", at: node(0, "a"))]
    let reported = [Diagnostic](
      resolving: FindingsReport(
        checks: [.init(environment: nil, bag: bag(findings), files: [])], documents: plain, order: [FileID(0)]))
    #expect(reported.map(\.path) == ["a", "b[0]"])
    #expect(reported.map(\.location) == Array(repeating: .init(file: "app.json", start: nil, end: nil), count: 2))
  }

  @Test(.hangLimit) func `very many findings in one line are reported in linear time`() {
    let count = LongTests.size(10_000, full: 100_000)
    let document = Self.document(0, "long.json", "[" + String(repeating: "null,", count: count - 1) + "1]")
    let shown = FindingsReport.Budget.findingsOfOneCode
    let findings = document.elements(of: 0).enumerated().filter { ($0.offset + 1) % (count / shown) == 0 }
      .map { Finding(.nullValue, "null", at: document.reference($0.element)) }
    let reported = [Diagnostic](
      resolving: FindingsReport(
        checks: [.init(environment: nil, bag: bag(findings), files: [])], documents: [document], order: [FileID(0)]))
    #expect(reported.count == shown)
    #expect(reported.last?.location.start == SourcePosition(line: 1, column: 5 * (count - 1) + 2))
    #expect(reported.last?.path == "[\(count - 1)]")
  }

  @Test func `of very many findings of one code the first are shown, and the last gives the number of the others`() {
    let shown = FindingsReport.Budget.findingsOfOneCode
    let document = Self.document(0, "long.json", "[" + String(repeating: "null,", count: shown + 7) + "1]")
    let findings = document.elements(of: 0).map { Finding(.wrongKind, "null", at: document.reference($0)) }
    let other = Finding(.unknownKey, "other", at: document.reference(UInt32(document.nodes.count - 1)))
    let reported = [Diagnostic](
      resolving: FindingsReport(
        checks: [.init(environment: nil, bag: bag(findings + [other]), files: [])], documents: [document],
        order: [FileID(0)]))
    #expect(reported.count == shown + 1)
    #expect(reported[shown - 1].path == "[\(shown - 1)]")
    #expect(reported[shown - 1].notes == ["8 more findings of CDI0202 are not shown"])
    #expect(reported.last?.code == .unknownKey && reported.last?.notes == [])
  }

  @Test func `the total text is bounded, and each code is shown at least once`() {
    let document = Self.document(0, "long.json", "[" + String(repeating: "null,", count: 999) + "1]")
    let text = String(repeating: "x", count: 1_900)
    let codes: [DiagnosticCode] = [.wrongKind, .unknownKey, .missingKey, .invalidName, .excludingKeys, .unknownType]
    let further: [DiagnosticCode] = [.unknownScope, .unknownService, .unknownTemplate, .unknownParameter]
    let findings = document.elements(of: 0).flatMap { element in
      (codes + further).map { code in
        var finding = Finding(code, text, at: document.reference(element))
        finding.notes = [text]
        return finding
      }
    }
    let last = Finding(.secretLeak, text, at: document.reference(UInt32(document.nodes.count - 1)))
    let reported = [Diagnostic](
      resolving: FindingsReport(
        checks: [.init(environment: nil, bag: bag(findings + [last]), files: [])], documents: [document],
        order: [FileID(0)]))
    #expect(reported.reduce(0) { $0 + $1.message.utf8.count } <= FindingsReport.Budget.textSize)
    #expect(reported.count > 1_000 && reported.last?.code == .secretLeak)
    let omitted = reported.flatMap(\.notes).filter { $0.hasSuffix("are not shown") }
    #expect(omitted.count == codes.count + further.count)
  }

  @Test func `a finding of many environments names them all`() {
    let finding = Finding(.wrongKind, "x", at: node(0, "a"))
    let names = ["a0", "b1", "c2", "a3", "b4", "c5", "a6", "b7", "c8"]
    let reported = report(names.map { ($0, $0.hasPrefix("b") ? [] : [finding]) })
    #expect(reported.map(\.environments) == [["a0", "c2", "a3", "c5", "a6", "c8"]])
  }

  @Test func `the first of two fixes of one token is kept, and a fixed token is not removed`() {
    func finding(_ code: DiagnosticCode, _ path: String, _ replacement: Finding.Replacement) -> Finding {
      var finding = Finding(code, "message", at: node(0, path))
      finding.replacement = replacement
      return finding
    }
    let reported = report([
      (
        nil,
        [
          finding(.unknownService, "a", .string("x")), finding(.disabledService, "a", .optionalReference("y")),
          finding(.overrideWithoutEffect, "a", .removal), finding(.overrideWithoutEffect, "b[1]", .removal),
          finding(.overrideWithoutEffect, "b[0]", .removal),
        ]
      )
    ])
    #expect(reported.map { $0.fixes.map(\.text) } == [[], ["\"x\""], [], [""], []])
    let fix = reported[3].fixes[0].location
    // The fix removes both elements, and the entry that holds the list.
    #expect(fix.start == SourcePosition(line: 2, column: 11) && fix.end == SourcePosition(line: 3, column: 7))
  }

  // MARK: - Making reports

  private static func document(_ number: Int, _ name: String, _ text: String) -> Document {
    var bag = DiagnosticBag()
    return Document(
      reading: SourceFile(name: name, text: text), file: FileID(number), syntax: .json, bag: &bag)
  }

  /// Returns the node of the value at a path.
  private func node(_ file: Int, _ path: String) -> NodeRef {
    let document = documents[file]
    let node = document.nodes.indices.last { document.path(of: UInt32($0)) == path }
    return document.reference(UInt32(node ?? 0))
  }

  private func bag(_ findings: [Finding]) -> DiagnosticBag {
    var bag = DiagnosticBag()
    for finding in findings { bag.report(finding) }
    return bag
  }

  private func report(_ checks: [(String?, [Finding])], order: [Int] = [0, 1, 2]) -> [Diagnostic] {
    [Diagnostic](
      resolving: FindingsReport(
        checks: checks.map { .init(environment: $0.0, bag: bag($0.1), files: []) }, documents: documents,
        order: order.map { FileID($0) }))
  }
}
