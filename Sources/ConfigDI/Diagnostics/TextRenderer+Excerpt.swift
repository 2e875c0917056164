// SPDX-License-Identifier: Apache-2.0

/// One line of a file as it is shown, with a marked range.
struct Excerpt: Equatable {
  /// The line's number, from 1.
  let line: Int
  /// The shown part of the line. Tabs, control characters and secrets are replaced.
  let text: String
  /// The marked columns of `text`, counted from 0. Never empty.
  let marks: Range<Int>
}

/// The lines of a file, from which excerpts are made.
struct SourceLines {
  /// How many spaces are shown for a tab.
  private static let tab = "    "
  /// The sign shown where a long line is cut.
  private static let cut = "…"

  private let file: SourceFile
  /// The table of the file's lines.
  private let table: LineTable
  /// The ranges of bytes that are not shown, in ascending order.
  private let masks: [TextRenderer.Mask]
  /// For each line, the offsets of the columns 1, 1,025, 2,049 and so on, as far as they were needed. Without them, in
  /// a file of one long line each excerpt would search from the beginning of the line.
  private var landmarks: [Int: [Int]] = [:]
  /// The number of columns between two landmarks.
  private static let landmarkDistance = 1_024

  /// Creates the lines of a file. `masks` must be in ascending order.
  init(_ file: SourceFile, _ masks: [TextRenderer.Mask]) {
    self.file = file
    self.table = LineTable(file.bytes)
    self.masks = masks
  }

  /// Returns at most `width` characters of a line, with the range up to `end`, or to the end of the line, marked.
  ///
  /// - Returns: `nil` if the file has no such line.
  mutating func excerpt(from start: SourcePosition, to end: SourcePosition, width: Int) -> Excerpt? {
    guard (1...table.count).contains(start.line) else { return nil }
    let line = table.content(ofLine: start.line, in: file.bytes)
    // A line that fits is shown whole. A longer one is shown from a little before the marked range.
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

    // The cells of one mask share its text. A marked range that begins or ends inside a mask covers the whole mask.
    var from = min(start.column - first, cells.count)
    while from > 0, from < cells.count, cells[from].text.isEmpty { from -= 1 }
    let behind = end.line > start.line ? cells.count : min(end.column - first, cells.count)
    let lower = columns[from]
    return Excerpt(
      line: start.line, text: text, marks: lower..<max(lower + 1, behind > from ? columns[behind] : lower))
  }

  /// One character of a line.
  private struct Cell {
    /// The text shown for the character.
    var text: String
    /// The byte offset after the character.
    var end: Int
  }

  /// Returns the characters of a line from an offset on, at most `count`.
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

  /// Returns the byte offset of a column.
  ///
  /// - Complexity: linear in the columns between two landmarks; all calls for one line also scan that line once.
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

  /// Returns the number of characters in a line. Stops counting at a limit.
  private func count(of line: ArraySlice<UInt8>, upTo limit: Int) -> Int {
    var count = 0
    var offset = line.startIndex
    while offset < line.endIndex, count < limit {
      offset = endOfScalar(at: offset, in: line)
      count += 1
    }
    return count
  }

  /// Returns the offset after the character at an offset. Malformed UTF-8 is divided as `LineTable` counts it.
  private func endOfScalar(at offset: Int, in line: ArraySlice<UInt8>) -> Int {
    var end = offset + 1
    while end < line.endIndex, line[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}
