// SPDX-License-Identifier: Apache-2.0

/// An alignment of two lists by their common elements.
struct ElementAlignment {
  /// The elements between two common elements.
  struct Gap: Equatable {
    /// The indices in the first list.
    var from: Range<Int>
    /// The indices in the second list.
    var to: Range<Int>
  }

  /// The gaps, in order. In each, at least one of the two ranges is not empty.
  private(set) var gaps: [Gap] = []

  /// The maximum number of comparisons. If it is exceeded, everything between the common prefix and suffix is one gap.
  private static let maximumWork = 1 << 20

  /// Aligns two lists by a longest common subsequence.
  ///
  /// - Complexity: quadratic in the lengths between the common prefix and suffix, up to a limit.
  init<Element>(_ from: [Element], _ to: [Element], isAlike: (Element, Element) -> Bool) {
    let shorter = min(from.count, to.count)
    let prefix = zip(from, to).prefix { isAlike($0, $1) }.count
    let suffix = min(zip(from.reversed(), to.reversed()).prefix { isAlike($0, $1) }.count, shorter - prefix)
    let (left, right) = (prefix..<from.count - suffix, prefix..<to.count - suffix)
    guard left.count * right.count <= ElementAlignment.maximumWork else {
      gaps = [Gap(from: left, to: right)]
      return
    }
    let common = ElementAlignment.common(left, right) { isAlike(from[$0], to[$1]) }
    var (at, beside) = (left.lowerBound, right.lowerBound)
    for (place, other) in common + [(left.upperBound, right.upperBound)] {
      if at < place || beside < other { gaps.append(Gap(from: at..<place, to: beside..<other)) }
      (at, beside) = (place + 1, other + 1)
    }
  }

  /// Returns the indices of a longest common subsequence of two ranges.
  private static func common(
    _ left: Range<Int>, _ right: Range<Int>, _ isAlike: (Int, Int) -> Bool
  ) -> [(Int, Int)] {
    guard !left.isEmpty, !right.isEmpty else { return [] }
    // The length of the longest common subsequence from each pair of indices to the ends, row by row.
    let width = right.count + 1
    var lengths = [Int32](repeating: 0, count: (left.count + 1) * width)
    for row in left.indices.reversed().map({ $0 - left.lowerBound }) {
      for column in stride(from: right.count - 1, through: 0, by: -1) {
        lengths[row * width + column] =
          isAlike(left.lowerBound + row, right.lowerBound + column)
          ? lengths[(row + 1) * width + column + 1] + 1
          : max(lengths[(row + 1) * width + column], lengths[row * width + column + 1])
      }
    }
    var found: [(Int, Int)] = []
    var (row, column) = (0, 0)
    while row < left.count, column < right.count {
      if isAlike(left.lowerBound + row, right.lowerBound + column) {
        found.append((left.lowerBound + row, right.lowerBound + column))
        (row, column) = (row + 1, column + 1)
      } else if lengths[(row + 1) * width + column] >= lengths[row * width + column + 1] {
        row += 1
      } else {
        column += 1
      }
    }
    return found
  }
}
