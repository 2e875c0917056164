// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import ConfigDITooling
import Testing
import _ConfigDITestSupport

@Suite struct OutlineTests {
  /// Returns the position of the cursor in a text: the path of its map or list, its role, and the token that it
  /// touches.
  private func cursor(_ text: String, _ syntax: Syntax) -> String {
    let marked = MarkedText(text)
    let outline = Outline(marked.bytes, syntax, cursor: marked.offset)
    guard let cursor = outline.cursor else { return "nowhere" }
    var path = ""
    for node in cursor.container.map(outline.chain) ?? [] {
      guard let parent = outline.nodes[node].parent else { continue }
      path +=
        outline.nodes[parent].kind == .map
        ? "/\(outline.nodes[node].key?.text ?? "?")" : "/\(outline.nodes[parent].children.firstIndex(of: node) ?? -1)"
    }
    let place: String
    switch cursor.role {
    case .key: place = "key"
    case .value:
      let isList = cursor.container.map { outline.nodes[$0].kind == .list } ?? false
      place = isList ? "element \(cursor.index)" : "value of \(cursor.key?.text ?? "the file")"
    }
    return "\(path.isEmpty ? "/" : path) \(place)" + (cursor.token.map { " in <\($0.text)>" } ?? "")
  }

  @Test(arguments: [
    ("‸", "/ value of the file"),
    ("{‸", "/ key"), ("{ ‸ }", "/ key"), ("{}‸", "nowhere"),
    (#"{"a‸"#, "/ key in <a>"), (#"{"a‸b": 1}"#, "/ key in <ab>"), (#"{"a"‸: 1}"#, "nowhere"),
    (#"{"a": ‸"#, "/ value of a"), (#"{"a":‸}"#, "/ value of a"), (#"{"a": "x‸"}"#, "/ value of a in <x>"),
    (#"{"a": "x‸"#, "/ value of a in <x>"), (#"{"a": tr‸ }"#, "/ value of a in <tr>"),
    (#"{"a": "x", ‸}"#, "/ key"), (#"{"a": "x"‸}"#, "nowhere"), (#"{"a": 1 ‸ "b": 2}"#, "/ key"),
    (#"{"a": {"b": [1, ‸]}}"#, "/a/b element 1"), (#"{"a": {"b": [‸"#, "/a/b element 0"),
    (#"{"a": [{"x": 1}, {"y‸"}]}"#, "/a/1 key in <y>"),
    ("{\"a\": \"x\n\"b‸\": 2}", "/ key in <b>"), ("{\"a\": \n \"b‸\": 2}", "/ key in <b>"),
    ("{\"a\" {\"b\": \"‸\"}}", "/a value of b in <>"), ("{\"a\": {\"b\": 1\n, \"c\": {‸", "/a/c key"),
    (#"{"a": ]} "‸""#, "nowhere"), (#"{"a": {"b": [1}, "c": ‸"#, "/ value of c"),
    ("{ // \"‸\n}", "nowhere"), ("{ /* ‸ */ }", "nowhere"), ("{ // x\n ‸}", "/ key"), ("{ /* x */‸ }", "/ key"),
    (#"{"é😀": {"\u0061b": "x\"‸"}}"#, "/é😀 value of ab in <x\">"),
    ("{ /*/ \"‸ */ }", "nowhere"), ("{ /**/‸ }", "/ key"),
    (#"{"\ud83d\ude00\ud83d": "\b\f‸"}"#, "/ value of 😀\u{FFFD} in <\u{8}\u{C}>"),
  ])
  func `a cursor in JSON`(text: String, expected: String) {
    #expect(cursor(text, .jsonc) == expected)
  }

  @Test(arguments: [
    ("<plist>‸", "/ value of the file"), ("<plist><dict>‸</dict>", "/ key"),
    ("<dict><key>a‸</key>", "/ key in <a>"), ("<dict><key>a‸\n</dict>", "/ key in <a>"),
    ("<dict><key>a</key>‸</dict>", "/ value of a"), ("<dict><key>a</key><string>x‸</string>", "/ value of a in <x>"),
    ("<dict><key>a</key><string>x‸\n<key>b</key>", "/ value of a in <x>"),
    ("<dict><key>a</key><dict><key>b</key><array><string>x</string>‸", "/a/b element 1"),
    ("<dict><key>a</key><true/>‸<key>b</key>", "/ key"), ("<dict><!-- ‸ --></dict>", "nowhere"),
    ("<dict><ke‸y>", "nowhere"), ("<dict><key>a&amp;b</key><string>‸</string>", "/ value of a&b in <>"),
    ("<dict><key>a</key><array/><key>c</key><integer>‸", "/ value of c in <>"),
    ("<dict><key><!-- c -->a‸b</key>", "/ key in <ab>"), ("<dict><key>a<!-- ‸ --></key>", "nowhere"),
    ("<dict><key>a</key><string>x<!-- c -->y‸<![CDATA[<z>]]></string>", "/ value of a in <xy<z>>"),
  ])
  func `a cursor in a property list`(text: String, expected: String) {
    #expect(cursor(text, .plist) == expected)
  }

  @Test(arguments: [
    ("‸", "/ key"), ("a: 1\n‸", "/ key"), ("a‸", "/ key in <a>"), ("a: ‸", "/ value of a"),
    ("a: x‸", "/ value of a in <x>"),
    ("a:\n  ‸", "/a key"), ("a:\n  b: 1\n  ‸", "/a key"), ("a:\n  b: 1\n‸", "/ key"),
    ("a:\n  b: 1\n  c‸\nd: 2", "/a key in <c>"),
    ("a:\n  b:\n    c: 1\n  ‸\n", "/a key"), ("a:\n  b:\n    c: 1\n    ‸\n  d: 2", "/a/b key"),
    ("a:\n  - x\n  - ‸", "/a element 1"), ("a:\n- x\n- y‸\nb: 1", "/a element 1 in <y>"),
    ("a:\n- b: 1\n  c‸", "/a/0 key in <c>"),
    ("a:\n  - b: ‸", "/a/0 value of b"), ("a: [x, ‸]", "/a element 1"), ("a: {b: x‸}", "/a value of b in <x>"),
    ("a: {‸", "/a key"), ("a: { b: [1, 2], c‸ }", "/a key in <c>"), ("a: {b: ‸\nc: 1", "/a value of b"),
    ("a: {b: 1\nc: ‸", "/ value of c"), ("a: # ‸", "nowhere"), ("# ‸\na: 1", "nowhere"), ("a: x # y‸", "nowhere"),
    ("a: \"x‸\"", "/ value of a in <x>"), ("a: 'x‸'", "/ value of a in <x>"), ("a: \"x‸\nb: 1", "/ value of a in <x>"),
    ("a: |\n  text ‸\n  more\nb: 1", "nowhere"), ("a: |\n  text\nb: ‸", "/ value of b"), ("a: &x ‸", "/ value of a"),
    ("a: &x\n  b: 1\nc: *x‸", "/ value of c in <*x>"), ("\"a b\":\n  c: ‸", "/a b value of c"),
    ("---\na:\n  b: ‸", "/a value of b"), ("a:\r\n  b: x‸\r\n", "/a value of b in <x>"),
    ("a: \"x\"‸", "nowhere"), ("a: [x]‸", "nowhere"), ("a: 1 ‸", "nowhere"), ("a:\n  b:‸", "/a value of b"),
    ("a: \"😀\"\né:\n  ‸", "/é key"), ("a: 'it''s‸'", "/ value of a in <it's>"), ("'it''s': ‸", "/ value of it's"),
    ("a: 'x\\n‸", "/ value of a in <x\\n>"), ("a: ''‸", "nowhere"),
  ])
  func `a cursor in YAML`(text: String, expected: String) {
    #expect(cursor(text, .yaml) == expected)
  }

  @Test(arguments: [Syntax.json, .jsonc, .plist, .yaml])
  func `any text has an outline`(syntax: Syntax) {
    let signs = [
      "{", "}", "[", "]", ":", ": ", ",", "\"", "'", "\n", "\n  ", "- ", "a", "<dict>", "</dict>", "<key>", "</key>",
      "#", "//", "/*", "*/", "\\", "|", "&", "😀", "<string>", "<!--", "-->",
    ]
    for seed in 0..<UInt64(LongTests.size(150, full: 20_000)) {
      var random = SeededRandom(seed: seed)
      let text = (0..<random.next() % 30).map { _ in signs[Int(random.next() % UInt64(signs.count))] }.joined()
      let bytes = Array(text.utf8)
      let outline = Outline(bytes, syntax, cursor: Int(random.next() % UInt64(bytes.count + 1)))
      for (place, node) in outline.nodes.enumerated() {
        #expect(node.parent.map { $0 < place && outline.nodes[$0].children.contains(place) } ?? (place == 0))
        #expect(node.token.map { $0.range.upperBound <= bytes.count } ?? true)
      }
    }
  }
}
