// SPDX-License-Identifier: Apache-2.0

/// A place for some of the names of a load: a dictionary without hashing, of four bytes a name once it has an entry.
struct NamePlaces: Sendable {
  /// How many names there are.
  private let nameCount: Int
  /// For each name its place, or -1. Empty as long as no name has one.
  private var places: [Int32] = []

  /// No places, for the names that a table has by now.
  init(of names: NameTable) { nameCount = names.count }

  /// The place of a name, or nil. Only a name that the table had can be given one.
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
