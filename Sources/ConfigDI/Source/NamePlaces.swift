// SPDX-License-Identifier: Apache-2.0

/// A map from names of a load to indices: an array of four bytes for each name, allocated with the first entry.
struct NamePlaces: Sendable {
  /// The number of names.
  private let nameCount: Int
  /// The index of each name, or -1. Empty while no name has one.
  private var places: [Int32] = []

  /// Creates an empty map for the names that a table has at this time.
  init(of names: NameTable) { nameCount = names.count }

  /// The index of a name, or `nil`. Only names that were in the table at initialization can be set.
  subscript(name: Name) -> Int? {
    get {
      guard Int(name.index) < places.count, places[Int(name.index)] >= 0 else { return nil }
      return Int(places[Int(name.index)])
    }
    set {
      if places.isEmpty, newValue != nil { places = Array(repeating: -1, count: nameCount) }
      guard !places.isEmpty else { return }
      places[Int(name.index)] = newValue.map { Int32(truncatingIfNeeded: $0) } ?? -1
    }
  }
}
