// SPDX-License-Identifier: Apache-2.0

/// A position in a text: a line and a column, both counted from 1. Columns are Unicode scalars.
public struct SourcePosition: Hashable, Sendable, Comparable {
  /// The line, from 1. LF and CRLF end a line; a lone CR does not.
  public var line: Int

  /// The column in Unicode scalars, from 1. A byte-order mark does not count.
  public var column: Int

  /// Creates a position from a line and a column, both from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// The start offsets of the lines of a text, to convert between byte offsets and positions.
///
/// Creating it is linear in the size of the text; a look-up is logarithmic in the number of lines, linear in that line.
package struct LineTable: Sendable {
  /// The byte offset of the start of each line.
  private let starts: [UInt32]

  /// Creates a table by finding the lines of a text.
  package init(_ bytes: [UInt8]) {
    var starts: [UInt32] = [LineTable.hasByteOrderMark(bytes) ? 3 : 0]
    bytes.withUnsafeBufferPointer { buffer in
      for index in buffer.indices where buffer[index] == UInt8(ascii: "\n") {
        starts.append(UInt32(index + 1))
      }
    }
    self.starts = starts
  }

  /// The number of lines. A text that ends with a line break has an empty last line.
  package var count: Int { starts.count }

  /// Returns the line and column of a byte offset. An offset after the end of the text counts as its end.
  package func position(of offset: Int, in bytes: [UInt8]) -> SourcePosition {
    positions(of: [offset], in: bytes)[0]
  }

  /// Returns the lines and columns of many byte offsets, in the same order.
  ///
  /// - Parameter offsets: The offsets, ascending. An offset after the end of the text counts as its end.
  /// - Complexity: linear in the size of the text and the number of offsets, even if all are in one line.
  package func positions(of offsets: [Int], in bytes: [UInt8]) -> [SourcePosition] {
    var positions: [SourcePosition] = []
    positions.reserveCapacity(offsets.count)
    var line = 0
    var column = 1
    var at = Int(starts[0])
    for offset in offsets {
      let target = lineIndex(of: offset)
      if target != line { (line, column, at) = (target, 1, Int(starts[target])) }
      while at < min(offset, bytes.count) {
        if bytes[at] & 0xC0 != 0x80 { column += 1 }
        at += 1
      }
      positions.append(SourcePosition(line: line + 1, column: column))
    }
    return positions
  }

  /// Returns the bytes of a line without its line break. `line` counts from 1.
  package func content(ofLine line: Int, in bytes: [UInt8]) -> ArraySlice<UInt8> {
    let start = Int(starts[line - 1])
    var end = line < starts.count ? Int(starts[line]) - 1 : bytes.count
    if end > start, line < starts.count, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return bytes[start..<end]
  }

  /// Returns the index in `starts` of the line that contains an offset.
  private func lineIndex(of offset: Int) -> Int {
    max(0, starts.partitioningIndex { Int($0) > offset } - 1)
  }

  /// Whether a text begins with a UTF-8 byte-order mark.
  package static func hasByteOrderMark(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xEF, 0xBB, 0xBF])
  }
}
