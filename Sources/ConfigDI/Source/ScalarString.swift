// SPDX-License-Identifier: Apache-2.0

/// A string that is compared by Unicode scalars, not by canonical equivalence like Swift's strings.
package struct ScalarString: Hashable, Comparable, Sendable {
  /// The text.
  package let text: String

  /// Creates a string from a text.
  package init(_ text: String) { self.text = text }

  package static func == (left: ScalarString, right: ScalarString) -> Bool {
    left.text.utf8.withContiguousStorageIfAvailable { right == $0 } ?? left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Orders strings by their Unicode scalars, which is the order of their bytes in UTF-8.
  package static func < (left: ScalarString, right: ScalarString) -> Bool {
    var (left, right) = (left.text, right.text)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        // A loop, as `lexicographicallyPrecedes` uses two iterators.
        for index in 0..<min(left.count, right.count) where left[index] != right[index] {
          return left[index] < right[index]
        }
        return left.count < right.count
      }
    }
  }

  /// Whether a string has the given bytes in UTF-8.
  static func == (left: ScalarString, right: UnsafeBufferPointer<UInt8>) -> Bool {
    guard left.text.utf8.count == right.count else { return false }
    return left.text.utf8.withContiguousStorageIfAvailable { left in
      // A loop, as `elementsEqual` uses two iterators.
      for index in left.indices where left[index] != right[index] { return false }
      return true
    } ?? left.text.utf8.elementsEqual(right)
  }
}
