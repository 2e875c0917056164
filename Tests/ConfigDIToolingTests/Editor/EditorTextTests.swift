// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import ConfigDITooling
import Testing
import _ConfigDITestSupport

@Suite struct EditorTextTests {
  @Test(arguments: [(PositionEncoding.utf8, 9), (.utf16, 6), (.utf32, 5)])
  func `characters outside the BMP count by the encoding`(encoding: PositionEncoding, end: Int) {
    let text = EditorText("a\n\"é😀x\"\n")
    #expect(text.position(of: 2, encoding) == TextPosition(line: 1, character: 0))
    #expect(text.position(of: 11, encoding).character == end)
    #expect(text.offset(of: TextPosition(line: 1, character: end), encoding) == 11)
  }

  @Test func `a position inside a character is its beginning`() {
    let text = EditorText("😀x")
    #expect(text.offset(of: TextPosition(line: 0, character: 1), .utf16) == 0)
    #expect(text.offset(of: TextPosition(line: 0, character: 2), .utf16) == 4)
    #expect(text.position(of: 2, .utf16) == TextPosition(line: 0, character: 0))
  }

  @Test func `positions behind a line and behind the text are their ends`() {
    let text = EditorText("ab\r\nc\rd")
    #expect(text.offset(of: TextPosition(line: 0, character: 99), .utf16) == 2)
    #expect(text.offset(of: TextPosition(line: 1, character: 99), .utf16) == 5)
    #expect(text.offset(of: TextPosition(line: 2, character: 0), .utf16) == 6)
    #expect(text.offset(of: TextPosition(line: 9, character: 0), .utf16) == 7)
    #expect(text.offset(of: TextPosition(line: -1, character: -5), .utf16) == 0)
    #expect(text.offset(of: TextPosition(line: 0, character: -5), .utf16) == 0)
    #expect(text.position(of: 99, .utf16) == TextPosition(line: 2, character: 1))
  }

  @Test func `a byte-order mark has no width`() {
    let text = EditorText([0xEF, 0xBB, 0xBF] + Array("{}".utf8))
    #expect(text.offset(of: TextPosition(line: 0, character: 0), .utf16) == 3)
    #expect(text.position(of: 4, .utf16) == TextPosition(line: 0, character: 1))
    var walk = PositionWalk(text, .utf16)
    #expect(walk.offset(of: SourcePosition(line: 1, column: 2)) == 4)
  }

  @Test func `bytes of invalid UTF-8 count one each`() {
    let text = EditorText([0x61, 0xFF, 0xF0, 0x9F, 0x62])
    #expect(text.position(of: 4, .utf16) == TextPosition(line: 0, character: 4))
    #expect(text.offset(of: TextPosition(line: 0, character: 4), .utf32) == 4)
  }

  @Test(arguments: PositionEncoding.allCases)
  func `positions and offsets are inverse, and changes match the text`(encoding: PositionEncoding) {
    let alphabet = ["a", "\"", "\n", "\r\n", "\r", "é", "€", "😀", "👩‍👩‍👧", "e\u{301}", " "]
    for seed in 0..<UInt64(LongTests.size(30, full: 2_000)) {
      var random = SeededRandom(seed: seed)
      func word(_ count: UInt64) -> String {
        (0..<random.next() % count).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }.joined()
      }
      var text = EditorText(word(40))
      for _ in 0..<8 {
        // The offsets of all scalars, except between the two scalars of the line break CR LF.
        let scalars = Array(String(decoding: text.bytes, as: UTF8.self).unicodeScalars)
        var offsets = [0]
        for scalar in scalars { offsets.append(offsets[offsets.count - 1] + UTF8.width(scalar)) }
        offsets.removeAll { $0 > 0 && $0 < text.bytes.count && text.bytes[$0] == 0x0A && text.bytes[$0 - 1] == 0x0D }
        for offset in offsets {
          #expect(text.offset(of: text.position(of: offset, encoding), encoding) == offset)
        }
        var ends = (0..<2).map { _ in offsets[Int(random.next() % UInt64(offsets.count))] }
        ends.sort()
        let new = word(6)
        var expected = text.bytes
        expected.replaceSubrange(ends[0]..<ends[1], with: new.utf8)
        let range = TextRange(
          start: text.position(of: ends[0], encoding), end: text.position(of: ends[1], encoding))
        text = text.replacing(range, by: new, encoding)
        #expect(text.bytes == expected)
      }
    }
  }
}
