// SPDX-License-Identifier: Apache-2.0

extension Collection where Element == String {
  /// The strings sorted by Unicode scalars, ascending.
  package var ascending: [String] { ascending { $0 } }
}

extension Collection {
  /// Returns the elements sorted by a string of each, by Unicode scalars, ascending. Equal ones keep their order.
  package func ascending(by text: (Element) -> String) -> [Element] {
    let all = Array(self)
    return ascendingPlaces(of: all.map(text)).map { all[$0] }
  }

  /// Returns the elements sorted by a number of each, ascending. Equal ones keep their order.
  package func ascending(by number: (Element) -> some BinaryInteger) -> [Element] {
    let all = Array(self)
    return ascendingPlaces(of: all.map { Int64(number($0)) }).map { all[$0] }
  }
}

// The compiler would make a copy of the sort for each type of element and each closure.

/// Returns the indices of strings in the order of the strings by Unicode scalars.
@inline(never)
private func ascendingPlaces(of texts: [String]) -> [Int] {
  texts.indices.sorted { ScalarString(texts[$0]) < ScalarString(texts[$1]) }
}

/// Returns the indices of numbers in the order of the numbers.
@inline(never)
private func ascendingPlaces(of numbers: [Int64]) -> [Int] {
  numbers.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
}
