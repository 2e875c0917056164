// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import _ConfigDITestSupport

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct DocumentWritingTests {
  /// A text with values of all kinds that a module can contain.
  private static let sample = #"""
    {"b": {"list": [1, -2, 0.5, 1e300, true, false, "", " x\r\n\t ", [], {}, [[{"k": []}]]]},
     "a": "<&>\"' é 😀 ]]> ${x}", "": {"a & b": 9223372036854775807, "c": -0.0, "d": "\u007f\u0085\u2028\ufeff"}}
    """#

  @Test(arguments: [Syntax.json, .jsonc, .plist])
  func `a written document reads back equal, in the same order`(syntax: Syntax) throws {
    let read = ReadDocument(DocumentWritingTests.sample)
    let text = try #require(read.document.text(in: syntax))
    let again = ReadDocument(text, as: syntax)
    #expect(again.findings.isEmpty)
    #expect(again.outline == read.outline)
    #expect(again.document.text(in: syntax) == text)
  }

  @Test func `random documents round-trip through a property list`() throws {
    var random = SeededRandom(seed: 5)
    for _ in 0..<LongTests.size(50, full: 300) {
      let read = ReadDocument(RandomJSON(using: &random).bytes)
      let list = try #require(read.document.text(in: .plist))
      let back = try #require(ReadDocument(list, as: .plist).document.text(in: .json))
      #expect(ReadDocument(back).outline == read.outline)
    }
  }

  @Test func `Foundation reads the property list to the same value`() throws {
    let read = ReadDocument(DocumentWritingTests.sample)
    let text = try #require(read.document.text(in: .plist))
    let object = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) as? NSDictionary
    let wanted = try JSONSerialization.jsonObject(with: Data(DocumentWritingTests.sample.utf8)) as? NSDictionary
    #expect(object?["a"] as? String == wanted?["a"] as? String)
    #expect(
      (object?["b"] as? NSDictionary)?["list"] as? NSArray == (wanted?["b"] as? NSDictionary)?["list"] as? NSArray)
  }

  @Test func `a property list has the usual format`() {
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

  @Test func `bytes are data in a property list and base64 in other syntaxes`() {
    let document = ReadDocument("<plist><array><data>AAEC</data></array></plist>", as: .plist).document
    #expect(document.text(in: .json) == "[\"AAEC\"]\n")
    #expect(document.text(in: .plist)?.contains("<data>AAEC</data>") == true)
  }

  @Test func `strings that XML cannot represent are detected`() {
    let read = ReadDocument(#"{"a\u0001": "b", "c": "\u0000", "d": "\uffff", "e": "\t\r\n"}"#)
    #expect(read.document.unwritableNodes(in: .plist) == [1, 4, 6])
    #expect(read.document.unwritableNodes(in: .json) == [])
  }

  @Test func `a document without a node is empty`() {
    for syntax in Syntax.allCases { #expect(ReadDocument("").document.text(in: syntax) == nil) }
  }
}
