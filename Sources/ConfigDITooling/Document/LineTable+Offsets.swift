// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

extension LineTable {
  /// Returns the byte offset of a position. Positions after the end of a line or of the text count as that end.
  package func offset(of position: SourcePosition, in bytes: [UInt8]) -> Int {
    guard position.line <= count else { return bytes.count }
    let line = content(ofLine: position.line, in: bytes)
    var offset = line.startIndex
    for _ in 1..<max(position.column, 1) where offset < line.endIndex {
      offset += 1
      while offset < line.endIndex, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
    }
    return offset
  }
}
