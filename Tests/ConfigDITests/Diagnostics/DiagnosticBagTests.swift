// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigDI

@Suite struct DiagnosticBagTests {
  /// An error and a warning.
  private let error = Finding(.nullValue, "null is not allowed", at: .commandLine(path: ""))
  private let warning = Finding(.unusedAlias, "never used", at: .commandLine(path: ""))

  @Test func `a full bag reports it once, drops further findings, and still counts them`() {
    var bag = DiagnosticBag()
    for _ in 0..<DiagnosticBag.maximumCount + 3 { bag.report(error) }
    #expect(bag.findings.count == DiagnosticBag.maximumCount)
    #expect(!bag.findings.dropLast().contains { !$0.notes.isEmpty })
    #expect(bag.findings.last?.notes.count == 1)
    #expect(bag.reported.errors == DiagnosticBag.maximumCount + 3)
    #expect(bag.truncated.errors == 3)
  }

  @Test func `an error after any number of warnings is counted and kept`() {
    var bag = DiagnosticBag()
    for _ in 0...DiagnosticBag.maximumCount { bag.report(warning) }
    #expect(!bag.hasErrors && !bag.hasReadingErrors)
    bag.report(error)
    #expect(bag.hasErrors && bag.hasReadingErrors)
    #expect(bag.findings.last == error)
    var all = DiagnosticBag()
    all.append(bag)
    #expect(all.hasErrors && all.hasReadingErrors)
    #expect(all.reported == bag.reported)
    #expect(all.truncated.warnings == 1)
  }

  @Test func `dropped findings stay counted after others are removed`() {
    var bag = DiagnosticBag()
    for _ in 0..<DiagnosticBag.maximumCount + 3 { bag.report(warning) }
    bag.drop { $0.code == .unusedAlias }
    #expect(bag.findings.isEmpty)
    #expect(bag.truncated.warnings == 3)
    bag.report(warning)
    #expect(bag.findings.count == 1 && bag.reported.warnings == 4)
  }

  @Test func `suggestions apply to the findings of one code, and keep an existing help`() {
    var unknown = Finding(.unknownType, "unknown", at: .commandLine(path: "a"))
    unknown.subject = "Loger"
    var helped = unknown
    helped.help = "register it"
    var other = Finding(.unknownService, "unknown", at: .commandLine(path: "b"))
    other.subject = "Loger"
    var bag = DiagnosticBag()
    for finding in [unknown, helped, other] { bag.report(finding) }
    bag.suggest(among: ["Logger", "Mailer"], for: .unknownType)
    #expect(bag.findings.map(\.help) == ["did you mean \"Logger\"?", "register it", nil])
    #expect(bag.findings.map(\.replacement) == [.string("Logger"), nil, nil])
  }
}
