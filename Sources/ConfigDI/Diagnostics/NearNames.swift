// SPDX-License-Identifier: Apache-2.0

/// A sorted index of names for fuzzy search. Names with a common prefix share the work for that prefix.
///
/// Names are compared by Unicode scalars in lower case. The distance of two names is the number of edits between them:
/// inserting, deleting or replacing a scalar, or exchanging two adjacent ones. This is the Damerau-Levenshtein distance
/// in its optimal string alignment form: exchanged scalars are not edited again, so "ca" and "abc" have distance 3.
struct NearNames: Sendable {
  /// The names as they are written.
  private let names: [String]
  /// The scalars of all names, concatenated.
  private var scalars: [UInt32] = []
  /// The start of each name in `scalars`, and the end of the last name.
  private var starts: [Int] = [0]
  /// The length of the prefix that each name shares with the previous name.
  private var shared: [Int] = []
  /// A bit set of the scalars that occur in each name.
  private var occurring: [UInt64] = []

  /// Creates an index of names.
  init(_ names: [String]) {
    let folded = names.map { (name: $0, text: $0.lowercased()) }.ascending(by: \.text)
    self.names = folded.map(\.name)
    var last: [UInt32] = []
    for (_, text) in folded {
      let scalars = text.unicodeScalars.map(\.value)
      shared.append(zip(last, scalars).prefix { $0 == $1 }.count)
      self.scalars.append(contentsOf: scalars)
      starts.append(self.scalars.count)
      occurring.append(NearNames.occurring(in: scalars))
      last = scalars
    }
  }

  /// Returns the scalars by which a name is compared.
  static func scalars(of name: String) -> [UInt32] { name.lowercased().unicodeScalars.map(\.value) }

  /// Returns a bit set of the scalars in a name. Several scalars share a bit.
  private static func occurring(in scalars: [UInt32]) -> UInt64 { scalars.reduce(0) { $0 | 1 << UInt64($1 & 63) } }

  /// Calls a closure with each name within a distance of the wanted text, and with its distance.
  ///
  /// - Returns: The work done: the computed distances, the names examined, and the size of the table.
  /// - Complexity: at worst the total length of the names times the distance; far less if prefixes are shared or differ
  ///   early.
  @discardableResult
  func forEachName(within limit: Int, of wanted: [UInt32], _ body: (String, Int) -> Void) -> Int {
    var rowCount = 0
    var table = DistanceTable(wanted, limit: limit)
    let wantedOccurring = NearNames.occurring(in: wanted)
    // `known` is the length of the prefix for which the table has rows. `hopeless` is the length of a prefix with which
    // no name within the limit begins.
    var known = 0
    var hopeless = Int.max
    for index in names.indices {
      known = min(known, shared[index])
      if known >= hopeless { continue }
      hopeless = .max
      let name = starts[index]..<starts[index + 1]
      // An edit removes at most one of the occurring scalars, and adds at most one.
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

/// The table of distances between the prefixes of one name and the prefixes of the wanted text.
private struct DistanceTable {
  /// Represents a distance beyond the limit. Small enough that an addition does not overflow.
  private static let far = Int.max / 2

  /// The wanted text.
  private let wanted: [UInt32]
  /// The greatest distance of interest. Only prefixes whose lengths differ by at most this are compared.
  private let limit: Int
  /// The number of columns in a row: one for each prefix of the wanted text, and a last one that is always `far`.
  private let width: Int
  /// The rows, one for each prefix of the name.
  private var rows: [Int]
  /// The smallest distance in each row.
  private var smallest: [Int]

  /// The number of distances in the table.
  var size: Int { rows.count }

  /// Creates a table for names of any length that can be within the limit. The first row is that of the empty prefix.
  init(_ wanted: [UInt32], limit: Int) {
    self.wanted = wanted
    self.limit = limit
    width = wanted.count + 2
    let count = wanted.count + limit + 1
    rows = Array(repeating: DistanceTable.far, count: count * width)
    smallest = Array(repeating: 0, count: count)
    for column in 0...wanted.count { rows[column] = column }
  }

  /// Computes the row of a prefix of a name. The rows of its shorter prefixes must have been computed.
  ///
  /// - Parameters:
  ///   - length: The length of the prefix, at least 1.
  ///   - name: An array of scalars that contains the name.
  ///   - start: The index of the name's first scalar in this array.
  /// - Returns: Whether a name with this prefix can be within the limit.
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
    // The next row is computed from this row, or from the one before it in case of an exchange.
    return min(least, smallest[length - 1] + 1) <= limit
  }

  /// Returns the distance of a whole name; `nil` if it exceeds the limit.
  func distance(ofLength length: Int) -> Int? {
    let distance = rows[length * width + wanted.count]
    return distance <= limit ? distance : nil
  }
}
