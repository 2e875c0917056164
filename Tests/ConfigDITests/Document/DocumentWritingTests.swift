// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import ConfigDI

@Suite struct DocumentWritingTests {
  /// A text with everything that a module can hold.
  private static let sample = #"""
    {"b": {"list": [1, -2, 0.5, 1e300, true, false, "", " x\r\n\t ", [], {}, [[{"k": []}]]]},
     "a": "<&>\"' é 😀 ]]> ${x}", "": {"a & b": 9223372036854775807, "c": -0.0, "d": "\u007f\u0085\u2028\ufeff"}}
    """#

  @Test(arguments: [Syntax.json, .jsonc, .plist])
  func `what is written reads back to the same, in the same order`(syntax: Syntax) throws {
    let read = ReadDocument(DocumentWritingTests.sample)
    let text = try #require(read.document.text(in: syntax))
    let again = ReadDocument(text, as: syntax)
    #expect(again.findings.isEmpty)
    #expect(again.outline == read.outline)
    #expect(again.document.text(in: syntax) == text)
  }

  @Test func `random documents survive the way through a property list`() throws {
    var random = SeededRandom(seed: 5)
    for _ in 0..<300 {
      let read = ReadDocument(RandomJSON(using: &random).bytes)
      let list = try #require(read.document.text(in: .plist))
      let back = try #require(ReadDocument(list, as: .plist).document.text(in: .json))
      #expect(ReadDocument(back).outline == read.outline)
    }
  }

  @Test func `Foundation reads the property list to the same`() throws {
    let read = ReadDocument(DocumentWritingTests.sample)
    let text = try #require(read.document.text(in: .plist))
    let object = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) as? NSDictionary
    let wanted = try JSONSerialization.jsonObject(with: Data(DocumentWritingTests.sample.utf8)) as? NSDictionary
    #expect(object?["a"] as? String == wanted?["a"] as? String)
    #expect(
      (object?["b"] as? NSDictionary)?["list"] as? NSArray == (wanted?["b"] as? NSDictionary)?["list"] as? NSArray)
  }

  @Test func `a property list looks as others write it`() {
    #expect(
      ReadDocument(#"{"a": [1, true], "b": {}}"#).document.text(in: .plist) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>a</key>
        \t<array>
        \t\t<integer>1</integer>
        \t\t<true/>
        \t</array>
        \t<key>b</key>
        \t<dict/>
        </dict>
        </plist>

        """)
  }

  @Test func `bytes are data in a property list and base64 elsewhere`() {
    let document = ReadDocument("<plist><array><data>AAEC</data></array></plist>", as: .plist).document
    #expect(document.text(in: .json) == "[\"AAEC\"]\n")
    #expect(document.text(in: .plist)?.contains("<data>AAEC</data>") == true)
  }

  @Test func `what XML cannot hold is known`() {
    let read = ReadDocument(#"{"a\u0001": "b", "c": "\u0000", "d": "\uffff", "e": "\t\r\n"}"#)
    #expect(read.document.unwritableNodes(in: .plist) == [1, 4, 6])
    #expect(read.document.unwritableNodes(in: .json) == [])
  }

  @Test func `a syntax that nobody writes gives nothing`() {
    #expect(ReadDocument("{}").document.text(in: .yaml) == nil)
    #expect(ReadDocument("").document.text(in: .json) == nil)
  }

  @Test(arguments: [
    ("{\"a\": 1}", Syntax.json, "\"near\""),
    ("<plist><dict><key>a</key><string>b</string></dict></plist>", .plist, "<key>near</key>"),
  ])
  func `a repair is written in the syntax of the file`(text: String, syntax: Syntax, replacement: String) {
    let document = ReadDocument(text, as: syntax).document
    #expect(document.text(of: .string("near"), for: 1) == replacement)
    if syntax == .plist { #expect(document.text(of: .string("a<b"), for: 2) == "<string>a&lt;b</string>") }
  }
}

@Suite struct SyntaxTests {
  @Test(arguments: [
    ("a.json", Syntax.json), ("a.JSON", .json), ("a.jsonc", .jsonc), ("b/a.plist", .plist), ("a.yaml", .yaml),
    ("a.b.yml", .yaml),
  ])
  func `the ending tells the syntax`(path: String, syntax: Syntax) { #expect(Syntax(path: path) == syntax) }

  @Test(arguments: ["a", ".json", "a.txt", "a.json/", "a.json/b", "json", ""])
  func `other endings tell none`(path: String) { #expect(Syntax(path: path) == nil) }

  @Test func `YAML without its reader is told, of an import at the path`() {
    let entry = ReadDocument("a: 1", as: .yaml)
    #expect(entry.places == ["109@0"])
    let module = LoadedModule([
      "app.json": #"{"configdi": 1, "module": "app", "imports": [«CDI0109»"part.yaml"]}"#, "part.yaml": "configdi: 1",
    ])
    #expect(module.told.sorted() == module.expectations.sorted())
  }
}
