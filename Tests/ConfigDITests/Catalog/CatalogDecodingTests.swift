// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct CatalogDecodingTests {
  /// Returns the catalog that a text decodes to, and each finding as `code token-or-text`.
  private func read(_ text: String) -> (catalog: Catalog?, findings: [String]) {
    var bag = DiagnosticBag()
    let document = Document(
      reading: SourceFile(name: "catalog.json", text: text), file: FileID(0), syntax: .json, bag: &bag)
    let catalog = Catalog(decoding: document, bag: &bag)
    return (
      catalog,
      bag.findings.map { finding in
        guard case .node(let reference) = finding.place else { return "\(finding.code)" }
        let node = document[reference.node]
        let end = node.kind == .map || node.kind == .list ? node.start + 1 : node.end
        return "\(finding.code) \(String(decoding: document.source.bytes[Int(node.start)..<Int(end)], as: UTF8.self))"
      }
    )
  }

  /// Returns the findings in a catalog of one type that has the given arguments.
  private func findings(arguments: String) -> [String] {
    read(
      """
      {"configdi-catalog": 1, "types": [{"name": "A", "provides": [], "kind": "class", "sendable": true,
        "arguments": [\(arguments)]}]}
      """
    ).findings
  }

  @Test func `a duplicate provided name counts once`() {
    let (catalog, findings) = read(
      """
      {"configdi-catalog": 1, "types": [{"name": "A", "provides": ["P", "Q", "P"], "kind": "class", "sendable": true,
        "arguments": []}]}
      """)
    #expect(findings == [])
    #expect(catalog?.types.first?.provides == ["P", "Q"])
  }

  @Test func `an encoded catalog decodes to the same catalog`() {
    let (catalog, findings) = read(SampleCatalog.text)
    #expect(findings == [])
    #expect(catalog == SampleCatalog.catalog)
  }

  @Test func `keys with their default values may be omitted, and unknown keys are ignored`() {
    let (catalog, findings) = read(
      """
      {"$schema": "s", "configdi-catalog": 1, "doc": "d", "x-a": 1, "types": [
        {"name": "A<B, C>", "provides": ["P"], "kind": "any", "sendable": false, "doc": "d", "x-b": {}, "arguments": [
          {"key": "any words", "kind": "service", "type": "S", "doc": "d"}]}]}
      """)
    #expect(findings == [])
    #expect(
      catalog?.types == [
        TypeDescriptor(
          name: "A<B, C>", provides: ["P"], kind: .any, isSendable: false,
          arguments: [ArgumentDescriptor(key: "any words", kind: .service(type: "S", wrapper: .direct))])
      ])
  }

  @Test(arguments: [
    ("[]", ["CDI0202 ["]), ("{}", ["CDI0203 {", "CDI0203 {"]), (#"{"configdi-catalog": 1}"#, ["CDI0203 {"]),
    (#"{"configdi-catalog": 2, "types": 1, "what": 2}"#, ["CDI0205 2"]),
    (#"{"configdi-catalog": "1", "types": 1}"#, ["CDI0202 \"1\""]),
    (#"{"configdi-catalog": 1.0, "types": 1}"#, ["CDI0202 1.0"]),
    (#"{"configdi-catalog": 1, "types": {}}"#, ["CDI0202 {"]),
    (#"{"configdi-catalog": 1, "typs": []}"#, ["CDI0201 \"typs\""]),
    (#"{"configdi-catalog": 1, "types": [], "doc": 1}"#, ["CDI0202 1"]),
    (#"{"configdi-catalog": 1, "types": [null, 3]}"#, ["CDI0103 null", "CDI0202 3"]),
    (#"{"configdi-catalog": 1, "types": ["#, ["CDI0101"]), ("", ["CDI0101"]),
  ])
  func `a malformed root is reported`(text: String, wanted: [String]) {
    let (catalog, findings) = read(text)
    #expect(findings == wanted)
    #expect(catalog == nil)
  }

  @Test(arguments: [
    ("{}", ["CDI0203 {", "CDI0203 {", "CDI0203 {", "CDI0203 {", "CDI0203 {"]),
    (
      #"{"name": "1", "provides": [""], "kind": "klass", "sendable": 1, "async": 0, "deprecated": true, "source": [], "arguments": {}}"#,
      [
        "CDI0204 \"1\"", "CDI0204 \"\"", "CDI0202 \"klass\"", "CDI0202 1", "CDI0202 0", "CDI0202 true", "CDI0202 [",
        "CDI0202 {",
      ]
    ),
    (
      #"{"name": "A", "provides": [], "kind": "class", "sendable": true, "arguments": []}, {"name": "A", "provides": [], "kind": "class", "sendable": true, "arguments": []}"#,
      ["CDI0202 \"A\""]
    ),
    (#"{"nam": "A", "provides": [], "kind": "class", "sendable": true, "arguments": []}"#, ["CDI0201 \"nam\""]),
  ])
  func `a malformed type is reported`(text: String, wanted: [String]) {
    #expect(read(#"{"configdi-catalog": 1, "types": [\#(text)]}"#).findings == wanted)
  }

  @Test(arguments: [
    ("{}", ["CDI0203 {", "CDI0203 {", "CDI0203 {"]),
    (#"{"key": "", "kind": "value", "type": "Int"}"#, ["CDI0204 \"\""]),
    (#"{"key": "a", "kind": "valu", "type": "Int"}"#, ["CDI0202 \"valu\""]),
    (#"{"key": "a", "kind": "service", "type": "S", "wrapper": "box"}"#, ["CDI0202 \"box\""]),
    (#"{"key": "a", "kind": "service", "type": ""}"#, ["CDI0204 \"\""]),
    (#"{"key": "a", "kind": "service", "type": "S", "default": 1}"#, ["CDI0201 \"default\""]),
    (#"{"key": "a", "kind": "value", "type": "S", "wrapper": "list"}"#, ["CDI0201 \"wrapper\""]),
    (#"{"key": "a", "kind": "value", "type": ""}"#, ["CDI0204 \"\""]),
    (#"{"key": "a", "kind": "value", "type": 1}"#, ["CDI0202 1"]),
    (#"{"key": "a", "kind": "value", "type": {}}"#, ["CDI0203 \"type\""]),
    (#"{"key": "a", "kind": "value", "type": {"oneOf": ["a", 2.5]}}"#, ["CDI0202 2.5"]),
    (#"{"key": "a", "kind": "value", "type": {"list": "Int", "oneOf": []}}"#, ["CDI0207 \"oneOf\""]),
    (#"{"key": "a", "kind": "value", "type": "Int", "default": "x"}"#, ["CDI0202 \"x\""]),
    (#"{"key": "a", "kind": "value", "type": "[String: [Int]]", "default": {"k": [1, "y"]}}"#, ["CDI0202 \"y\""]),
    (#"{"key": "a", "kind": "value", "type": "Int"}, {"key": "a", "kind": "value", "type": "Int"}"#, ["CDI0202 \"a\""]),
  ])
  func `a malformed argument is reported`(text: String, wanted: [String]) {
    #expect(findings(arguments: text) == wanted)
  }

  @Test func `provided and requested types can be any Swift types`() throws {
    let argument = #"{"key": "a", "kind": "service", "type": "@Sendable (Int) -> ()"}"#
    let provides = #"["Health & Logger", "Repository<Self.Repository.Item == Int>", "Größe"]"#
    let (catalog, findings) = read(
      #"{"configdi-catalog": 1, "types": [{"name": "A", "provides": \#(provides), "kind": "class", "sendable": true, "arguments": [\#(argument)]}]}"#
    )
    #expect(findings == [])
    let type = try #require(catalog?.types.first)
    #expect(type.provides == ["Health & Logger", "Repository<Self.Repository.Item == Int>", "Größe"])
    #expect(type.arguments.map(\.kind) == [.service(type: "@Sendable (Int) -> ()", wrapper: .direct)])
  }

  @Test func `an unknown key has a suggestion and a fix`() {
    var bag = DiagnosticBag()
    let document = Document(
      reading: SourceFile(name: "c", text: #"{"configdi-catalog": 1, "typs": []}"#), file: FileID(0), syntax: .json,
      bag: &bag)
    _ = Catalog(decoding: document, bag: &bag)
    #expect(bag.findings.map(\.message) == ["unknown key \"typs\""])
    #expect(bag.findings.first?.help == "did you mean \"types\"?")
    #expect(bag.findings.first?.replacement == .string("types"))
  }
}
