// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

/// The texts and byte ranges of fixes, in each syntax.
@Suite struct DocumentFixTests {
  // MARK: - Tokens

  @Test(arguments: [
    ("{\"a\": 1}", Syntax.json, "\"near\""),
    ("<plist><dict><key>a</key><string>b</string></dict></plist>", .plist, "<key>near</key>"),
  ])
  func `a fix is written in the syntax of the file`(text: String, syntax: Syntax, replacement: String) {
    let document = ReadDocument(text, as: syntax).document
    #expect(document.text(of: .string("near"), for: 1) == replacement)
    if syntax == .plist { #expect(document.text(of: .string("a<b"), for: 2) == "<string>a&lt;b</string>") }
  }

  @Test func `a token is written in the syntax of its file`() {
    let json = Self.document("app.json", #"{"a": "b"}"#)
    #expect(json.text(of: .string("x\"\u{1}é"), for: 2) == #""x\"\u0001é""#)
    #expect(json.text(of: .optionalReference("a.b"), for: 2) == #"{ "service": "a.b", "optional": true }"#)
    let commented = Self.document(
      "app.plist", "<plist><dict><key>a<!-- why --></key><string><![CDATA[b]]></string></dict></plist>")
    #expect(commented.text(of: .string("x"), for: 1) == nil)
    #expect(commented.text(of: .string("x"), for: 2) == "<string>x</string>")
    let xml = Self.document("app.plist", "<plist><dict><key>a</key><string>b</string></dict></plist>")
    #expect(xml.text(of: .string("x<&>"), for: 1) == "<key>x&lt;&amp;&gt;</key>")
    #expect(xml.text(of: .string("x"), for: 2) == "<string>x</string>")
    #expect(
      xml.text(of: .optionalReference("a.b"), for: 2)
        == "<dict><key>service</key><string>a.b</string><key>optional</key><true/></dict>")
  }

  @Test func `a file without positions has no fix`() {
    var document = Self.document("app.json", #"{"a": "b"}"#)
    document.content.hasPositions = false
    #expect(document.text(of: .string("x"), for: 2) == nil)
    #expect(document.removals(of: [2]).isEmpty)
  }

  // MARK: - Removals

  /// Deletes the entries and elements whose values are marked by a preceding `@`, and compares the text.
  private func expectRemoval(
    _ marked: String, _ expected: String, name: String = "app.jsonc", location: SourceLocation = #_sourceLocation
  ) {
    let text = marked.replacing("@", with: "")
    let document = Self.document(name, text)
    var tokens: Set<UInt32> = []
    var offset = 0
    for part in marked.split(separator: "@", omittingEmptySubsequences: false).dropLast() {
      offset += part.utf8.count
      let node = document.nodes.indices.first { document.nodes[$0].start == offset && document.nodes[$0].kind != .key }
      if let node { tokens.insert(UInt32(node)) }
    }
    #expect(Self.text(document, without: document.removals(of: tokens)) == expected, sourceLocation: location)
  }

  @Test func `an entry is removed with one comma, before or after it`() {
    expectRemoval(#"{"a": @1, "b": 2, "c": 3}"#, #"{"b": 2, "c": 3}"#)
    expectRemoval(#"{"a": 1, "b": @2, "c": 3}"#, #"{"a": 1, "c": 3}"#)
    expectRemoval(#"{"a": 1, "b": 2, "c": @3}"#, #"{"a": 1, "b": 2}"#)
    expectRemoval(#"{ "a": @1 }"#, "{}")
    expectRemoval(#"{"a": 1, "b": @{"c": [1, 2]} }"#, #"{"a": 1 }"#)
  }

  @Test func `adjacent entries are removed together`() {
    expectRemoval(#"{"a": @1, "b": @2, "c": 3}"#, #"{"c": 3}"#)
    expectRemoval(#"{"a": 1, "b": @2, "c": @3}"#, #"{"a": 1}"#)
    expectRemoval(#"{"a": @1, "b": @2, "c": @3}"#, "{}")
    expectRemoval(#"{"a": @1, "b": 2, "c": @3}"#, #"{"b": 2}"#)
    expectRemoval(#"["a", @"b", @"c", "d"]"#, #"["a", "d"]"#)
  }

  @Test func `an entry inside a removed entry is removed with it`() {
    expectRemoval(#"{"a": @{"b": @1, "c": 2}, "d": {"e": @3, "f": 4}}"#, #"{"d": {"f": 4}}"#)
  }

  @Test func `a container is removed if all of its entries are, except for the root`() {
    expectRemoval(#"{"a": 1, "d": {"e": @3}}"#, #"{"a": 1}"#)
    expectRemoval(#"{"d": {"e": @3, "f": [[@4]]}, "a": {}}"#, #"{"a": {}}"#)
    expectRemoval(#"{"d": {"e": @3}}"#, "{}")
    let document = Self.document("app.json", #"{"a": 1, "b": {"x": {"y": 2}}}"#)
    #expect(Self.text(document, without: document.removals(of: [8], sparing: [5])) == #"{"a": 1, "b": {"x": {}}}"#)
  }

  @Test func `comments and a trailing comma stay valid`() {
    expectRemoval("{\"a\": 1, // of a\n \"b\": @2, }", "{\"a\": 1, // of a\n }")
    expectRemoval("{\"a\": @2, /* x */ }", "{}")
    expectRemoval("{\"a\": 1 /* , */, \"b\": @2 // tail\n}", "{\"a\": 1 // tail\n}")
  }

  @Test func `comments of entries that stay are kept`() {
    expectRemoval("{\"a\": @1,\n // of b\n \"b\": 2}", "{// of b\n \"b\": 2}")
    expectRemoval("{\n \"a\": @1, // of a\n // of b\n \"b\": 2}", "{\n // of b\n \"b\": 2}")
    expectRemoval("[@\"a\", /* of c */ \"c\"]", "[/* of c */ \"c\"]")
    expectRemoval("{\"a\": 1, // of a\n // of b\n \"b\": @2\n}", "{\"a\": 1, // of a\n\n}")
    expectRemoval("{\"a\": 1, /* of a\n */ \"b\": @2\n}", "{\"a\": 1\n}")
    expectRemoval("{\"a\": @1, /* of a\n */ \"b\": 2\n}", "{\"b\": 2\n}")
    expectRemoval("{\"a\": @1 // of a\n , \"b\": 2}", "{\"b\": 2}")
    expectRemoval(
      "<plist><array>@<true/> <!-- a -->\n<!-- b --><false/></array></plist>",
      "<plist><array><!-- b --><false/></array></plist>", name: "app.plist")
  }

  @Test func `an entry of a property list is removed with its key`() {
    func plist(_ body: String) -> String { "<plist><dict> \(body) </dict></plist>" }
    let (a, b) = ("<key>a</key> <string>x</string>", "<key>b</key> <array><true/></array>")
    expectRemoval(
      plist("<key>a</key> @<string>x</string>\n\(b)"), plist(b), name: "app.plist")
    expectRemoval(
      plist("\(a)\n<key>b</key> @<array><true/></array>"), plist(a), name: "app.plist")
    expectRemoval(plist("<key>a</key> @<string>x</string>"), plist(""), name: "app.plist")
    expectRemoval(
      "<plist><array>@<true/> <false/></array></plist>", "<plist><array><false/></array></plist>", name: "app.plist")
  }

  @Test func `a token excluded from removal keeps its containers, its neighbours are removed`() {
    let document = Self.document("app.json", #"{"a": 1, "b": {"x": 2}, "c": 3}"#)
    #expect(Self.text(document, without: document.removals(of: [2, 4, 8], sparing: [6])) == #"{"b": {"x": 2}}"#)
  }

  @Test func `neither the root nor a block without brackets is removed`() {
    #expect(Self.document("app.json", #"{"a": 1}"#).removals(of: [0]).isEmpty)
    var block = Self.document("app.json", #"{"a": 1}"#)
    block.content.nodes[0].start = 1
    #expect(block.removals(of: [2]).isEmpty)
  }

  @Test(arguments: ["app.json", "app.jsonc", "app.plist"])
  func `any removals leave the rest of a random text unchanged`(name: String) {
    for seed in UInt64(0)..<300 {
      var random = SeededRandom(seed: seed)
      let value = Self.value(depth: 0, using: &random)
      var text = JSONWriter.text(of: value)
      if name == "app.plist" { text = PropertyListWriter.text(of: Self.document("app.json", text)) }
      let document = Self.document(name, text)
      let tokens = Set(
        document.nodes.indices.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }.map(UInt32.init))
      let all = document.removals(of: tokens)
      let chosen = all.filter { _ in Bool.random(using: &random) }
      for removals in [all, chosen] {
        let rest = Self.document(name, Self.text(document, without: removals))
        #expect(rest.isComplete && Value(0, of: rest) != nil, "seed \(seed)")
        if removals == all {
          #expect(Value(0, of: rest) == Self.rest(0, of: document, without: tokens), "seed \(seed)")
        }
      }
    }
  }
}

// MARK: - Documents

extension DocumentFixTests {
  /// Returns the document of a text, which must be free of syntax errors.
  private static func document(_ name: String, _ text: String) -> Document {
    var bag = DiagnosticBag()
    let document = Document(
      reading: SourceFile(name: name, text: text), file: FileID(0), syntax: Syntax(path: name) ?? .json, bag: &bag)
    #expect(bag.findings.isEmpty, "\(text)")
    return document
  }

  /// Returns the text of a document without some ranges, which must not overlap.
  private static func text(_ document: Document, without removals: [Document.Removal]) -> String {
    var bytes = document.source.bytes
    var begin = Int.max
    for removal in removals.sorted(by: { $0.start > $1.start }) {
      #expect(removal.end <= begin)
      bytes.removeSubrange(removal.start..<removal.end)
      begin = removal.start
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a random map or list.
  private static func value(depth: Int, using random: inout SeededRandom) -> Value {
    func inner() -> Value {
      if depth < 3, Int.random(in: 0..<3, using: &random) == 0 { return value(depth: depth + 1, using: &random) }
      return Bool.random(using: &random) ? .string("a,{b") : .integer(Int64.random(in: 0..<9, using: &random))
    }
    let count = Int.random(in: 0...4, using: &random)
    if depth > 0, Bool.random(using: &random) { return .list((0..<count).map { _ in inner() }) }
    return .map((0..<count).map { Value.Entry(key: "k\($0)", value: inner()) })
  }

  /// Returns a node without the entries and elements of some tokens, by an independent traversal of the document; `nil`
  /// if a map or list becomes empty and is not the root.
  private static func rest(_ node: UInt32, of document: Document, without tokens: Set<UInt32>) -> Value? {
    let rest = parts(node, of: document, without: tokens)
    let isEmptied = (rest == .map([]) || rest == .list([])) && document[node].next > node + 1
    return isEmptied && node > 0 ? nil : rest
  }

  /// Returns a value without the entries and elements of some tokens. It may be an empty map or list.
  private static func parts(_ node: UInt32, of document: Document, without tokens: Set<UInt32>) -> Value? {
    switch document[node].kind {
    case .map:
      .map(
        document.keys(of: node).filter { !tokens.contains($0) && !tokens.contains($0 + 1) }.compactMap { key in
          rest(key + 1, of: document, without: tokens).map { Value.Entry(key: document.text(of: key), value: $0) }
        })
    case .list:
      .list(
        document.elements(of: node).filter { !tokens.contains($0) }.compactMap {
          rest($0, of: document, without: tokens)
        })
    default: Value(node, of: document)
    }
  }
}
