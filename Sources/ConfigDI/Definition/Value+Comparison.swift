// SPDX-License-Identifier: Apache-2.0

extension Value {
  /// The value with the keys of each map sorted by Unicode scalars, ascending.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  package var sorted: Value {
    switch self {
    case .list(let elements): .list(elements.map(\.sorted))
    case .map(let entries):
      .map(entries.map { Entry(key: $0.key, value: $0.value.sorted) }.ascending(by: \.key))
    default: self
    }
  }

  /// Returns whether two values are written alike. Strings are compared by Unicode scalars, an integer never equals a
  /// real number, and the order of a map's keys does not matter.
  ///
  /// - Complexity: O(n log n) in the size of the smaller value, as lists and maps of different counts are not compared
  ///   further.
  package func isWritten(like other: Value) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)), (.duration(let left), .duration(let right)),
      (.size(let left), .size(let right)):
      left.utf8.elementsEqual(right.utf8)
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isWritten(like: $1) }
    case (.map(let left), .map(let right)):
      left.count == right.count
        && zip(left.ascending(by: \.key), right.ascending(by: \.key)).allSatisfy {
          $0.key.utf8.elementsEqual($1.key.utf8) && $0.value.isWritten(like: $1.value)
        }
    default: self == other
    }
  }

  /// Returns whether two values are equal. Compares as `isWritten(like:)`, but two durations or two sizes by their
  /// amount: `1000ms` equals `1s`.
  func means(_ other: Value) -> Bool {
    switch (self, other) {
    case (.duration(let left), .duration(let right)):
      DurationText.duration(of: left) == DurationText.duration(of: right)
    case (.size(let left), .size(let right)): SizeText.byteCount(of: left) == SizeText.byteCount(of: right)
    default: isWritten(like: other)
    }
  }
}
