// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigDI

@Suite struct LineTableTests {
  @Test func `columns count Unicode scalars and a byte-order mark takes none`() {
    let bytes = Array("\u{FEFF}a\r\né😀x".utf8)
    let table = LineTable(bytes)
    #expect(table.position(of: 3, in: bytes) == SourcePosition(line: 1, column: 1))
    #expect(table.position(of: 6, in: bytes) == SourcePosition(line: 2, column: 1))
    #expect(table.position(of: 12, in: bytes) == SourcePosition(line: 2, column: 3))
    #expect(String(decoding: table.content(ofLine: 1, in: bytes), as: UTF8.self) == "a")
  }

  @Test func `the positions of many offsets equal those of each`() {
    for text in ["\u{FEFF}a\r\né😀x\n\nlast", "", "one line é", "\n"] {
      let bytes = Array(text.utf8)
      let table = LineTable(bytes)
      let offsets = Array(0...bytes.count + 2)
      #expect(table.positions(of: offsets, in: bytes) == offsets.map { table.position(of: $0, in: bytes) })
    }
  }
}
