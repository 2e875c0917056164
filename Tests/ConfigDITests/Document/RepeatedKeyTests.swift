// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct RepeatedKeyTests {
  @Test(arguments: [
    (#"{"a": 1, "a": 2}"#, ["102@9"], #"{"a": 1}"#),
    (#"{"a": 1, "\u0061": 2, "a": 3}"#, ["102@9", "102@22"], #"{"a": 1}"#),
    (#"{"": 1, "b": {"c": 1, "c": {"c": 1}}, "": 2}"#, ["102@38", "102@22"], #"{"": 1, "b": {"c": 1}}"#),
    (#"{"a": {"a": 1}, "b": {"a": 1}}"#, [], #"{"a": {"a": 1}, "b": {"a": 1}}"#),
    ("{\"é\": 1, \"e\u{301}\": 2}", [], "{\"é\": 1, \"e\u{301}\": 2}"),
    (#"{"a": null, "a": null}"#, ["103@6", "103@17", "102@12"], #"{"a": !}"#),
    (#"{"a": 1, "a": [}"#, ["101@15", "102@9"], #"{"a": 1}"#),
    (#"{"a": 1, "a""#, ["101@12", "102@9"], #"{"a": 1}"#),
  ])
  func `the second of two equal keys is reported and dropped`(text: String, places: [String], outline: String) {
    let read = ReadDocument(text)
    #expect(read.places == places)
    #expect(read.outline == outline)
    #expect(read.problemsOfForm == [])
  }

  @Test func `the finding shows the first key and has the path of the second`() throws {
    let read = ReadDocument(#"{"p": {"a": 1, "b": 2, "a": 3, "a": 4}}"#)
    for finding in read.findings {
      let first = try #require(finding.related.first)
      #expect(ReadDocument.start(of: first.place, in: read.document) == 7)
      guard case .node(let later) = finding.place else { continue }
      #expect(read.document.path(of: later.node) == "p.a")
    }
    #expect(read.findings.count == 2)
  }

  @Test(arguments: [12, 13, 64, 1_000])
  func `duplicates are found in a map of any size`(count: Int) {
    let keys = (0..<count).map { "\"key\($0)\": \($0)" }
    #expect(ReadDocument("{\(keys.joined(separator: ","))}").places == [])
    let repeated = ReadDocument("{\((keys + keys).joined(separator: ","))}")
    #expect(repeated.findings.count == count)
    #expect(repeated.document[0].payload == Int64(count))
    #expect(Array(repeated.document.keys(of: 0)).count == count)
  }
}
