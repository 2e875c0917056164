// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigDI

@Suite struct DiagnosticBagTests {
  @Test func `a bag that is full says so once and takes no more`() {
    let finding = Finding(.nullValue, "null is not allowed", at: .commandLine(path: ""))
    var bag = DiagnosticBag()
    for _ in 0..<DiagnosticBag.greatestCount + 3 { bag.report(finding) }
    #expect(bag.findings.count == DiagnosticBag.greatestCount)
    #expect(!bag.findings.dropLast().contains { !$0.notes.isEmpty })
    #expect(bag.findings.last?.notes.count == 1)
  }

  @Test func `suggestions are made for the findings of one code alone, and keep a help that is there`() {
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
