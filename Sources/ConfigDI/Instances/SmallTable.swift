// SPDX-License-Identifier: Apache-2.0

/// Values by keys, of which there are usually few: as long as they are, they are compared one by one, without a hash.
struct SmallTable<Key: Hashable, Value> {
  /// A key and its value.
  private struct Entry {
    /// The key.
    let key: Key
    /// The value.
    var value: Value
  }

  /// The keys with their values, in no order.
  private var entries: [Entry] = []
  /// For each key its place; empty as long as the keys are few.
  private var places: [Key: Int] = [:]

  /// The keys with their values, in no order.
  var all: [(key: Key, value: Value)] { entries.map { ($0.key, $0.value) } }

  /// How many keys are compared one by one.
  private static var greatestScan: Int { 8 }

  /// The value of a key; nil takes the key out.
  ///
  /// - Complexity: constant.
  subscript(key: Key) -> Value? {
    get { place(of: key).map { entries[$0].value } }
    set { change(key) { $0 = newValue } }
  }

  /// Reads and changes the value of a key, which is searched once; nil takes the key out.
  ///
  /// - Complexity: constant.
  mutating func change<Result>(_ key: Key, _ body: (inout Value?) -> Result) -> Result {
    let place = place(of: key)
    var value = place.map { entries[$0].value }
    let result = body(&value)
    switch (place, value) {
    case (let place?, let value?): entries[place].value = value
    case (let place?, nil): remove(at: place)
    case (nil, let value?): add(Entry(key: key, value: value))
    case (nil, nil): break
    }
    return result
  }

  /// The place of a key.
  private func place(of key: Key) -> Int? {
    places.isEmpty ? entries.firstIndex { $0.key == key } : places[key]
  }

  /// Adds a key that is not there.
  private mutating func add(_ entry: Entry) {
    if entries.isEmpty { entries.reserveCapacity(SmallTable.greatestScan) }
    entries.append(entry)
    if !places.isEmpty {
      places[entry.key] = entries.count - 1
    } else if entries.count > SmallTable.greatestScan {
      indexPlaces()
    }
  }

  /// Notes the places of all keys.
  private mutating func indexPlaces() {
    for (place, entry) in entries.enumerated() { places[entry.key] = place }
  }

  /// Takes out what stands at a place, to which the last entry moves.
  private mutating func remove(at place: Int) {
    let last = entries.count - 1
    if !places.isEmpty {
      places[entries[place].key] = nil
      if place < last { places[entries[last].key] = place }
    }
    if place < last { entries.swapAt(place, last) }
    entries.removeLast()
  }
}
