// SPDX-License-Identifier: Apache-2.0

extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element that fulfils a condition, or `endIndex` if none does. All elements after
  /// one that fulfils the condition must fulfil it, too.
  ///
  /// - Complexity: logarithmic in the number of elements.
  package func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
