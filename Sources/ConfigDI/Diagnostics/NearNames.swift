// SPDX-License-Identifier: Apache-2.0

/// Names in ascending order, so that what is computed for the beginning of one serves all that begin alike.
///
/// Names are compared by Unicode scalars in lower case. The distance of two is the number of edits that lead from one to the
/// other: one scalar more, less or another, or two neighbours exchanged. This is the Damerau-Levenshtein distance in the form
/// of optimal string alignment: what has been exchanged is not edited again, so that "ca" and "abc" are three edits apart.
struct NearNames: Sendable {
  /// The names as they are written.
  private let names: [String]
  /// The scalars of all names, one behind the other.
  private var scalars: [UInt32] = []
  /// Where each name begins in `scalars`, and the end of the last.
  private var starts: [Int] = [0]
  /// How many scalars each name shares with the beginning of the one before.
  private var shared: [Int] = []
  /// Which scalars occur in each name.
  private var occurring: [UInt64] = []

  /// The given names.
  init(_ names: [String]) {
    let folded = names.map { (name: $0, scalars: NearNames.scalars(of: $0)) }
      .sorted { $0.scalars.lexicographicallyPrecedes($1.scalars) }
    self.names = folded.map(\.name)
    var last: [UInt32] = []
    for (_, scalars) in folded {
      shared.append(zip(last, scalars).prefix { $0 == $1 }.count)
      self.scalars.append(contentsOf: scalars)
      starts.append(self.scalars.count)
      occurring.append(NearNames.occurring(in: scalars))
      last = scalars
    }
  }

  /// What a name is compared by.
  static func scalars(of name: String) -> [UInt32] { name.lowercased().unicodeScalars.map(\.value) }

  /// One bit for each scalar that occurs in a name; several scalars share a bit.
  private static func occurring(in scalars: [UInt32]) -> UInt64 { scalars.reduce(0) { $0 | 1 << UInt64($1 & 63) } }

  /// Calls a closure with all names within a distance, and how far each is.
  ///
  /// - Returns: The work: the distances that were computed, the names that were looked at, and the size of the table.
  /// - Complexity: at worst the length of all names times the distance; far less where beginnings are shared or differ early.
  @discardableResult
  func forEachName(within limit: Int, of wanted: [UInt32], _ body: (String, Int) -> Void) -> Int {
    var rowCount = 0
    var table = DistanceTable(wanted, limit: limit)
    let wantedOccurring = NearNames.occurring(in: wanted)
    // The length of the beginning that the table's rows stand for, and the one that nothing near begins with.
    var known = 0
    var hopeless = Int.max
    for index in names.indices {
      known = min(known, shared[index])
      if known >= hopeless { continue }
      hopeless = .max
      let name = starts[index]..<starts[index + 1]
      // An edit takes away at most one of the scalars that occur, and brings at most one.
      guard abs(name.count - wanted.count) <= limit,
        (occurring[index] & ~wantedOccurring).nonzeroBitCount <= limit,
        (wantedOccurring & ~occurring[index]).nonzeroBitCount <= limit
      else { continue }
      while known < name.count {
        known += 1
        rowCount += 1
        guard table.computeRow(known, of: scalars, from: name.lowerBound) else {
          hopeless = known
          break
        }
      }
      if hopeless == .max, let distance = table.distance(ofLength: name.count) { body(names[index], distance) }
    }
    return rowCount * (min(2 * limit, wanted.count) + 16) + names.count + table.size / 4
  }
}

/// The distances between the beginnings of one name and all beginnings of a wanted text.
private struct DistanceTable {
  /// Stands for a distance that does not matter, and leaves room to add.
  private static let far = Int.max / 2

  /// The wanted text.
  private let wanted: [UInt32]
  /// The distance that matters. A table looks only at beginnings whose lengths differ by no more.
  private let limit: Int
  /// How many columns a row has: one for each beginning, and one behind the last that is never near.
  private let width: Int
  /// The rows, one for each beginning of the name.
  private var rows: [Int]
  /// The smallest distance in each row.
  private var smallest: [Int]

  /// How many distances the table has room for.
  var size: Int { rows.count }

  /// A table for names of any length that can lie within the limit. Its first row is that of the empty beginning.
  init(_ wanted: [UInt32], limit: Int) {
    self.wanted = wanted
    self.limit = limit
    width = wanted.count + 2
    let count = wanted.count + limit + 1
    rows = Array(repeating: DistanceTable.far, count: count * width)
    smallest = Array(repeating: 0, count: count)
    for column in 0...wanted.count { rows[column] = column }
  }

  /// Computes the row of a beginning of a name, the rows before being those of its own beginnings.
  ///
  /// - Parameters:
  ///   - length: The length of the beginning, from 1.
  ///   - name: Scalars that hold the name.
  ///   - start: Where the name begins in them.
  /// - Returns: Whether a name that begins so can lie within the limit.
  mutating func computeRow(_ length: Int, of name: [UInt32], from start: Int) -> Bool {
    let first = max(1, length - limit)
    let end = min(wanted.count, length + limit)
    let scalar = name[start + length - 1]
    let before = length > 1 ? name[start + length - 2] : 0
    let least = rows.withUnsafeMutableBufferPointer { rows in
      wanted.withUnsafeBufferPointer { wanted in
        let row = length * width
        let last = row - width
        var left = first == 1 ? length : DistanceTable.far
        rows[row + first - 1] = left
        var least = left
        for column in stride(from: first, through: end, by: 1) {
          let other = wanted[column - 1]
          left = min(rows[last + column - 1] + (scalar == other ? 0 : 1), min(rows[last + column], left) + 1)
          if before == other, length > 1, column > 1, scalar == wanted[column - 2] {
            left = min(left, rows[last - width + column - 2] + 1)
          }
          rows[row + column] = left
          least = min(least, left)
        }
        return least
      }
    }
    smallest[length] = least
    // What follows is built on this row, or by an exchange on the one before.
    return min(least, smallest[length - 1] + 1) <= limit
  }

  /// The distance of a whole name, or nil where it exceeds the limit.
  func distance(ofLength length: Int) -> Int? {
    let distance = rows[length * width + wanted.count]
    return distance <= limit ? distance : nil
  }
}
