// SPDX-License-Identifier: Apache-2.0

/// One line of a file as it is shown, and what is marked in it.
struct Excerpt: Hashable {
  /// The line's number, from 1.
  let line: Int
  /// The part of the line that is shown, without tabs, control characters and secrets.
  let text: String
  /// The columns of `text` that are marked, from 0; never empty.
  let marks: Range<Int>
}

/// A file from which lines are shown, one after the other.
struct SourceLines {
  /// How many spaces are shown for a tab.
  private static let tab = "    "
  /// What is shown where a long line is cut.
  private static let cut = "…"

  /// The file.
  private let file: SourceFile
  /// Where its lines begin.
  private let table: LineTable
  /// The ranges of bytes that are not shown, ascending.
  private let masks: [TextRenderer.Mask]
  /// The offsets of the columns 1, 1,025, 2,049 and so on of each line, as far as they were needed: in a file of one long
  /// line each finding stands far from its beginning.
  private var landmarks: [Int: [Int]] = [:]
  /// How many columns lie between two landmarks.
  private static let landmarkDistance = 1_024

  /// The lines of a file; `masks` ascend.
  init(_ file: SourceFile, _ masks: [TextRenderer.Mask]) {
    self.file = file
    self.table = LineTable(file.bytes)
    self.masks = masks
  }

  /// The line of a place, at most `width` characters of it, with the range up to `end` or the line's end marked.
  ///
  /// - Returns: nil where the file has no such line.
  mutating func excerpt(from start: SourcePosition, to end: SourcePosition, width: Int) -> Excerpt? {
    guard (1...table.count).contains(start.line) else { return nil }
    let line = table.content(ofLine: start.line, in: file.bytes)
    // A line that fits is shown whole, one that does not from a little before what is marked.
    let fits = line.count <= width || count(of: line, upTo: width + 1) <= width
    let lastWanted = end.line > start.line ? start.column : max(end.column - 1, start.column)
    let first = fits || lastWanted <= width * 2 / 3 ? 1 : max(1, start.column - width / 3)
    let cells = cells(of: line, from: offset(ofColumn: first, line: start.line, in: line), count: width)

    var text = first > 1 ? SourceLines.cut : ""
    var column = text.unicodeScalars.count
    var columns: [Int] = []
    for cell in cells {
      columns.append(column)
      text += cell.text
      column += cell.text.unicodeScalars.count
    }
    columns.append(column)
    if let end = cells.last?.end, end < line.endIndex { text += SourceLines.cut }

    // Cells below one mask share its text, so a mark that begins or ends inside marks all of it.
    var from = min(start.column - first, cells.count)
    while from > 0, from < cells.count, cells[from].text.isEmpty { from -= 1 }
    let behind = end.line > start.line ? cells.count : min(end.column - first, cells.count)
    let lower = columns[from]
    return Excerpt(
      line: start.line, text: text, marks: lower..<max(lower + 1, behind > from ? columns[behind] : lower))
  }

  /// One character of a line.
  private struct Cell {
    /// What is shown for it.
    var text: String
    /// The offset behind its bytes.
    var end: Int
  }

  /// The characters of a line from an offset on, at most `count`.
  private func cells(of line: ArraySlice<UInt8>, from start: Int, count: Int) -> [Cell] {
    var cells: [Cell] = []
    var offset = start
    var next = masks.firstIndex { $0.range.upperBound > start } ?? masks.endIndex
    var shown = -1
    while offset < line.endIndex, cells.count < count {
      let end = endOfScalar(at: offset, in: line)
      while next < masks.endIndex, masks[next].range.upperBound <= offset { next += 1 }
      if next < masks.endIndex, masks[next].range.contains(offset) {
        cells.append(Cell(text: shown == next ? "" : masks[next].text, end: end))
        shown = next
      } else if line[offset] == UInt8(ascii: "\t") {
        cells.append(Cell(text: SourceLines.tab, end: end))
      } else {
        let text = String(decoding: line[offset..<end], as: UTF8.self)
        cells.append(Cell(text: text.unicodeScalars.count == 1 ? text.visible : "\u{FFFD}", end: end))
      }
      offset = end
    }
    return cells
  }

  /// The offset of a column.
  ///
  /// - Complexity: linear in the columns between two landmarks; all look-ups in a line together once in its length.
  private mutating func offset(ofColumn column: Int, line: Int, in content: ArraySlice<UInt8>) -> Int {
    var offsets = landmarks.removeValue(forKey: line) ?? [content.startIndex]
    let distance = SourceLines.landmarkDistance
    let nearest = min((column - 1) / distance, offsets.count - 1)
    var (offset, reached) = (offsets[nearest], nearest * distance + 1)
    while reached < column, offset < content.endIndex {
      offset = endOfScalar(at: offset, in: content)
      reached += 1
      if reached == offsets.count * distance + 1 { offsets.append(offset) }
    }
    landmarks[line] = offsets
    return offset
  }

  /// How many characters a line has, counted no further than a limit.
  private func count(of line: ArraySlice<UInt8>, upTo limit: Int) -> Int {
    var count = 0
    var offset = line.startIndex
    while offset < line.endIndex, count < limit {
      offset = endOfScalar(at: offset, in: line)
      count += 1
    }
    return count
  }

  /// The offset behind the character at an offset; broken UTF-8 is divided as `LineTable` counts it.
  private func endOfScalar(at offset: Int, in line: ArraySlice<UInt8>) -> Int {
    var end = offset + 1
    while end < line.endIndex, line[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
