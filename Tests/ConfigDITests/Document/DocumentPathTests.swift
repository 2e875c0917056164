// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct DocumentPathTests {
  @Test func `a path has keys after dots and indices in brackets, and a key has the path of its value`() {
    let read = ReadDocument(
      #"{"services": {"mail.smtp": {"inject": {"checks": [1, [2], {"x": 3}]}}, "a-b_1": 4}, "": 5}"#)
    let document = read.document
    let paths = document.paths(of: document.nodes.indices.map(UInt32.init))
    #expect(
      paths == [
        "", "services", "services", #"services["mail.smtp"]"#, #"services["mail.smtp"]"#,
        #"services["mail.smtp"].inject"#,
        #"services["mail.smtp"].inject"#, #"services["mail.smtp"].inject.checks"#,
        #"services["mail.smtp"].inject.checks"#,
        #"services["mail.smtp"].inject.checks[0]"#, #"services["mail.smtp"].inject.checks[1]"#,
        #"services["mail.smtp"].inject.checks[1][0]"#, #"services["mail.smtp"].inject.checks[2]"#,
        #"services["mail.smtp"].inject.checks[2].x"#, #"services["mail.smtp"].inject.checks[2].x"#, "services.a-b_1",
        "services.a-b_1", #"[""]"#, #"[""]"#,
      ])
  }

  @Test(arguments: [
    (#"[[["x"]]]"#, "[0][0][0]"), (#"{"a": {"1b": ["x"]}}"#, #"a["1b"][0]"#), (#"{"-": "x"}"#, #"["-"]"#),
    (#""x""#, ""),
    (#"{"é": "x"}"#, #"["é"]"#), (#"{"q\"\\": "x"}"#, #"["q\"\\"]"#), (#"{"_": "x"}"#, "_"),
    (#"{"\n\u0001\u001f/": "x"}"#, #"["\n\u0001\u001f/"]"#), (#"{"\u0085\u2028": "x"}"#, #"["\u0085\u2028"]"#),
    (#"{"a": 1, "a": {"b": "x"}}"#, "a.b"),
  ])
  func `a key that is not a plain word is in brackets and quotes`(text: String, path: String) throws {
    let document = ReadDocument(text).document
    let node = try #require(document.nodes.indices.last)
    #expect(document.path(of: UInt32(node)) == path)
  }

  @Test func `every path resolves to its node, and computing all paths equals computing each`() {
    var random = SeededRandom(seed: 3)
    for _ in 0..<200 {
      let text = RandomJSON(using: &random)
      let document = ReadDocument(text.bytes).document
      let wanted = document.nodes.indices.map(UInt32.init).filter { _ in Bool.random(using: &random) }
      #expect(document.paths(of: wanted) == wanted.map { document.path(of: $0) })
      var paths: [String: UInt32] = [:]
      for node in document.nodes.indices.map(UInt32.init) where document[node].kind != .key {
        let path = document.path(of: node)
        #expect(paths.updateValue(node, forKey: path) == nil, "\(path) is the path of two nodes")
      }
    }
  }

  @Test func `the range of every node is its token`() {
    var random = SeededRandom(seed: 5)
    for _ in 0..<300 {
      let text = RandomJSON(using: &random)
      let read = ReadDocument(text.bytes)
      #expect(read.findings.isEmpty)
      let tokens = read.document.nodes.indices.map { node in
        let range = read.document.range(of: UInt32(node))
        return String(decoding: text.bytes[range.start..<range.end], as: UTF8.self)
      }
      #expect(tokens == text.tokens)
      #expect(read.problemsOfForm == [])
    }
  }
}
