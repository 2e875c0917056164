// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// Reads one value inside the root element of an XML property list.
private func read(_ value: String) -> ReadDocument { ReadDocument("<plist>\(value)</plist>", as: .plist) }

@Suite struct XMLPropertyListReaderTests {
  @Test(arguments: [
    ("<dict/>", "{}"), ("<dict></dict>", "{}"), ("<array> </array>", "[]"),
    ("<array><array/><dict/></array>", "[[], {}]"),
    ("<true/>", "true"), ("<false></false>", "false"), ("<false />", "false"), ("<string/>", #""""#),
    ("<string> a </string>", #"" a ""#), ("<dict><key/><true/></dict>", #"{"": true}"#),
    ("<dict><key>b</key><integer>1</integer><key>a</key><real>2</real></dict>", #"{"b": 1, "a": 2.0}"#),
    ("<dict ><key >k</key ><string\n>v</string\t></dict\r\n>", #"{"k": "v"}"#),
    // Text.
    ("<string>&lt;&gt;&amp;&quot;&apos;</string>", #""<>&"'""#),
    ("<string>&#65;&#x42;&#x1F600;&#13;&amp;amp;</string>", "\"AB😀\r&amp;\""),
    ("<string><![CDATA[<a>&b;]]]]><![CDATA[>]]></string>", #""<a>&b;]]>""#),
    ("<string>a<!-- b -->c<?d e?>f</string>", #""acf""#), ("<string>a\r\nb\rc\nd</string>", "\"a\nb\nc\nd\""),
    ("<string><![CDATA[a\r\nb]]></string>", "\"a\nb\""), ("<string>é 日本 ]] ></string>", #""é 日本 ]] >""#),
    ("<dict><key>a&#98;</key><true/></dict>", #"{"ab": true}"#),
    // Between elements.
    ("<!-- a --> <?b?> <array><!----><?c d?><true/> <!-- e --></array> <!-- f -->", "[true]"),
    // Numbers, dates, data.
    ("<integer> -42\n</integer>", "-42"), ("<integer>+7</integer>", "7"), ("<integer>007</integer>", "7"),
    ("<integer>9223372036854775807</integer>", "9223372036854775807"), ("<integer>&#52;<!-- -->2</integer>", "42"),
    ("<integer>-9223372036854775808</integer>", "-9223372036854775808"), ("<real>1</real>", "1.0"),
    ("<real>-1.5e-3</real>", "-0.0015"), ("<real>+2.</real>", "2.0"), ("<real> 1E+2 </real>", "100.0"),
    ("<date>2001-01-01T00:00:00Z</date>", "date"), ("<data/>", ""), ("<data>\n\tAA EC\r\n\tAw==\n</data>", "AAECAw=="),
  ])
  func `a value is read`(value: String, outline: String) {
    let read = read(value)
    #expect(read.findings.isEmpty)
    #expect(read.outline == outline)
    #expect(read.problems == [])
  }

  @Test(arguments: [
    "<plist><true/></plist>", "\u{FEFF}<plist><true/></plist>", "\n <plist version=\"1.0\"><true/></plist>\n",
    "<?xml version='1.0' encoding=\"ISO-8859-1\"?><plist a='<' b = \"'\"><true/></plist><!-- a --><?b?>",
    "<?xml version='1.0'?><!DOCTYPE plist PUBLIC \"a>b\" '[<!ENTITY'><plist><true/></plist>",
    "<!-- a --><?b?><!DOCTYPE plist [ <!ELEMENT a ANY> <!ATTLIST a b CDATA '>'> <!-- ]> --> <?c ]>?> ]><plist><true/></plist>",
  ])
  func `surrounding comments and declarations are ignored`(text: String) {
    let read = ReadDocument(text, as: .plist)
    #expect(read.findings.isEmpty)
    #expect(read.outline == "true")
  }

  @Test func `a token is its element, that of a key is its key element`() throws {
    let text = "<plist><dict>\n <key>a</key> <array>\n<integer>1</integer><true/> </array></dict></plist>"
    let document = ReadDocument(text, as: .plist).document
    let tokens = document.nodes.indices.map { node in
      let range = document.range(of: UInt32(node))
      return String(decoding: document.source.bytes[range.start..<range.end], as: UTF8.self)
    }
    #expect(tokens[0].hasPrefix("<dict>") && tokens[0].hasSuffix("</dict>"))
    #expect(
      tokens[1...] == [
        "<key>a</key>", "<array>\n<integer>1</integer><true/> </array>", "<integer>1</integer>", "<true/>",
      ])
  }

  @Test(arguments: [
    ("<array>‸<integer>9223372036854775808</integer></array>", 108), ("‸<integer>-9223372036854775809</integer>", 108),
    ("‸<real>1e400</real>", 108), ("‸<real>nan</real>", 108), ("‸<real>-Infinity</real>", 108),
    ("‸<real>+inf</real>", 108),
    ("<array>‸<integer>123456789012345678901234567890</integer><true/></array>", 108),
    ("<dict><key>a</key><true/>‸<key>&#97;</key><true/></dict>", 102),
  ])
  func `reading continues after a number out of range and a duplicate key`(marked: String, code: Int) {
    let text = MarkedText("<plist>\(marked)</plist>")
    let read = ReadDocument(text.bytes, as: .plist)
    #expect(read.places == ["\(code)@\(text.offset)"])
    #expect(read.document.isComplete)
    #expect(read.problems == [])
  }

  @Test func `nesting counts dictionaries and arrays`() {
    let limits = Limits(nesting: 3)
    let fine = "<plist><array><dict><key>a</key><array/></dict></array></plist>"
    #expect(ReadDocument(fine, as: .plist, limits: limits).findings.isEmpty)
    for inner in ["<array/>", "<dict></dict>"] {
      let text = MarkedText("<plist><array><dict><key>a</key><array>‸\(inner)</array></dict></array></plist>")
      let read = ReadDocument(text.bytes, as: .plist, limits: limits)
      #expect(read.places == ["105@\(text.offset)"])
      #expect(read.problems == [])
    }
  }
}

@Suite struct XMLPropertyListErrorTests {
  @Test(arguments: [
    // Text that ends too early; the position is the end of the text.
    "‸", "  ‸", "<‸", "<!-‸", "<!--‸", "<!-- a ‸", "<!-- a --‸", "<?xml ‸", "<!DOCTYPE plist ‸", "<!DOCTYPE plist [ ‸",
    "<!DOCTYPE plist \"‸", "<!DOCTYPE plist [<!ELEMENT ‸", "<plist‸", "<plist ‸", "<plist v=\"1‸", "<plist>‸",
    "<plist><dict>‸", "<plist><dict><key>a</key>‸", "<plist><dict><key>a‸", "<plist><string>a‸", "<plist><string>&‸",
    "<plist><string>&am‸", "<plist><string>&#‸", "<plist><string>&#x‸", "<plist><string><![CDATA[ ]]‸",
    "<plist><true/>‸", "<plist><true/></plist‸", "<plist><true‸", "<plist><true/‸", "<plist><array><true/>‸",
    // Unexpected characters.
    "‸{ \"configdi\": 1 }", "‸(a)", "‸a", "<‸ plist>", "<‸1>", "<plist‸=>", "<plist a‸>",
    "<plist a=‸b>", "<plist/‸ >", "<plist>‸a<true/></plist>", "<plist><true/>‸a</plist>", "<plist><true/></plist>‸a",
    "<plist><array>‸a</array></plist>", "<plist><dict>‸&amp;</dict></plist>", "<plist><array ‸a></array></plist>",
    "<plist><‸/plist>", "<plist><array></‸dict></plist>",
    "<plist><string>x</‸integer></plist>", "<plist><true></‸false></plist>", "<plist><true/></‸dict></plist>",
    "<plist><string>x</string‸s></plist>", "<plist><!‸ELEMENT></plist>", "<plist><!-‸ a --></plist>",
    "<plist><!-- a --‸ b --><true/></plist>", "<!DOCTYPE plist ‸<a>><plist/>", "<!DOCTYPE a><!‸DOCTYPE b><plist/>",
    "<!DOCTYPE plist [ ‸%a; ]>", "<plist><true/></plist><!‸DOCTYPE plist>",
    // Text.
    "<plist><string>a &‸ b</string></plist>", "<plist><string>&amp‸ ;</string></plist>",
    "<plist><string>&#‸;</string></plist>",
    "<plist><string>&#1‸a;</string></plist>", "<plist><string>&#x‸g;</string></plist>",
    "<plist><string>]]‸></string></plist>",
    "<plist><string><!‸a></string></plist>", "<plist><string><![C‸data[]]></string></plist>",
    "<plist><string>‸&nbsp;</string></plist>", "<plist><string>‸&LT;</string></plist>",
    // Elements.
    "‸<dict></dict>", "‸<plist/>", "<plist>‸<null/></plist>", "<plist>‸<foo></foo></plist>",
    "<plist>‸<key>a</key></plist>",
    "<plist><true/><‸true/></plist>",
    "<plist><dict>‸<string>a</string></dict></plist>", "<plist><dict>‸<key>a</key></dict></plist>",
    "<plist><dict>‸<key>a</key><key>b</key><true/></dict></plist>", "<plist><array>‸<key>a</key></array></plist>",
    "<plist><string>a‸<b/></string></plist>", "<plist><dict><key>a‸<b>c</b></key></dict></plist>",
    "<plist>‸<True/></plist>",
    "<plist><array>‸<plist><true/></plist></array></plist>", "<plist><?a?>‸<?xml a?><true/></plist>",
    // Scalars.
    "<plist>‸<integer></integer></plist>", "<plist>‸<integer/></plist>", "<plist>‸<integer>0x10</integer></plist>",
    "<plist>‸<integer>1 2</integer></plist>", "<plist>‸<integer>1.0</integer></plist>",
    "<plist>‸<integer>--1</integer></plist>",
    "<plist>‸<integer>-</integer></plist>", "<plist>‸<real></real></plist>", "<plist>‸<real>.5</real></plist>",
    "<plist>‸<real>1e</real></plist>", "<plist>‸<real>0x1p3</real></plist>", "<plist>‸<real>1,5</real></plist>",
    "<plist>‸<real>infinite</real></plist>", "<plist>‸<date>2001-01-01</date></plist>", "<plist>‸<date/></plist>",
    "<plist>‸<date>2001-01-01T00:00:00+00:00</date></plist>", "<plist>‸<date>2001-13-01T00:00:00Z</date></plist>",
    "<plist>‸<data>AAE</data></plist>", "<plist>‸<data>A*==</data></plist>", "<plist>‸<data>====</data></plist>",
  ])
  func `an error is reported at the first invalid character or at the element`(marked: String) {
    let text = MarkedText(marked)
    let read = ReadDocument(text.bytes, as: .plist)
    #expect(read.places == ["101@\(text.offset)"])
    #expect(!read.document.isComplete)
    #expect(read.problems == [])
  }

  @Test(arguments: [
    "<!DOCTYPE plist [ ‸<!ENTITY a \"b\"> ]><plist><string>&a;</string></plist>",
    "<!DOCTYPE plist [<!ELEMENT a ANY>‸<!ENTITY % a SYSTEM 'http://localhost/'>]><plist><true/></plist>",
    "‸<!ENTITY a \"b\"><plist><true/></plist>", "<plist>‸<!ENTITY a \"b\"><true/></plist>",
    "<plist><string>a‸<!ENTITY a \"b\"></string></plist>",
    "<plist><string>‸&#0;</string></plist>", "<plist><string>‸&#xD800;</string></plist>",
    "<plist><string>‸&#xFFFF;</string></plist>", "<plist><string>‸&#x110000;</string></plist>",
    "<plist><string>‸&#99999999999999999999;</string></plist>", "<plist><string>a‸\u{1}</string></plist>",
    "<plist><!-- ‸\u{0} --></plist>", "<plist><string>a‸\u{FFFF}</string></plist>",
    "<plist><string><![CDATA[‸\u{B}]]></string></plist>",
    "<plist a='‸\u{FFFE}'/>", "<?xml ‸\u{1F}?>",
  ])
  func `forbidden XML and entity definitions are reported at their positions`(marked: String) {
    let text = MarkedText(marked)
    let read = ReadDocument(text.bytes, as: .plist)
    #expect(read.places == ["104@\(text.offset)"])
    #expect(read.problems == [])
  }

  @Test func `invalid UTF-8 is reported at its byte`() {
    #expect(ReadDocument([0xFF, 0xFE, 0x3C, 0x00], as: .plist).places == ["104@0"])
    #expect(
      ReadDocument(Array("<plist><string>caf".utf8) + [0xE9] + Array("</string></plist>".utf8), as: .plist).places == [
        "104@18"
      ])
    #expect(ReadDocument(Array("<plist><!--".utf8) + [0xC0, 0x80], as: .plist).places == ["104@11"])
  }

  @Test func `the path of a fatal error is that of the enclosing value`() {
    let read = ReadDocument(
      "<plist><dict><key>a</key><array><true/><integer>x</integer></array></dict></plist>", as: .plist)
    guard case .bytes(_, _, _, let path)? = read.findings.first?.place else { return #expect(Bool(false)) }
    #expect(path == "a")
  }

  @Test func `a list truncated anywhere is reported once and stays a tree`() {
    let text = """
      <?xml version="1.0"?><!DOCTYPE plist [<!-- a -->]><plist version="1.0"><dict><key>a&amp;</key><array>\
      <integer>1</integer><real>1.5</real><data>AA==</data><date>2001-01-01T00:00:00Z</date></array>\
      <key>b</key><string>x<![CDATA[y]]>&#65;</string></dict></plist>
      """
    let bytes = Array(text.utf8)
    for count in 0..<bytes.count {
      let read = ReadDocument(Array(bytes[..<count]), as: .plist)
      #expect(read.findings.count == 1)
      #expect(read.problems == [], "\(count)")
    }
    #expect(ReadDocument(bytes, as: .plist).findings.isEmpty)
  }

  @Test(arguments: [
    String(repeating: "<array>", count: 1 << 16), "<plist>" + String(repeating: "<array>", count: 1 << 16),
    "<plist><string>" + String(repeating: "&amp;", count: 1 << 16), "<!--" + String(repeating: "-a", count: 1 << 16),
    "<plist><string>" + String(repeating: "<![CDATA[", count: 1 << 16),
    "<!DOCTYPE a" + String(repeating: "[", count: 1 << 16),
    "<plist a='" + String(repeating: "<", count: 1 << 16), "<plist>" + String(repeating: "<!---->", count: 1 << 16),
    "<plist><dict>" + String(repeating: "<key>a</key><true/>", count: 1 << 13) + "</dict></plist>",
  ])
  func `hostile texts take linear time`(text: String) {
    let read = ReadDocument(text, as: .plist)
    #expect(!read.findings.isEmpty)
  }
}
