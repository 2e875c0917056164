// SPDX-License-Identifier: Apache-2.0

extension NameTable {
  /// Whether a name precedes another in ascending order of Unicode scalars.
  func isAscending(_ name: Name, _ other: Name) -> Bool {
    ScalarString(self[name]) < ScalarString(self[other])
  }
}

/// What is known of the entries of a section, whatever their bodies are.
protocol SectionTable {
  /// The ids of the entries, in the order of their definition.
  var names: [Name] { get }

  /// Returns the key that defines the entry with an id, or `nil` if there is none.
  func key(of name: Name) -> NodeRef?
}

/// The entries of one section, by id.
struct EntryTable<Body: Sendable>: Sendable {
  /// The entries in the order of their definition; `nil` for an entry that was removed.
  private var entries: [Declaration<Body>?] = []
  /// The index in `entries` of each name's entry.
  private var places: NamePlaces

  /// Creates an empty table for the names of a load.
  init(for names: NameTable) { places = NamePlaces(of: names) }

  /// Reserves capacity for a file's entries if the table is empty. In nearly all modules one file has most entries.
  mutating func expect(_ count: Int) {
    if entries.isEmpty { entries.reserveCapacity(count) }
  }

  /// The number of entries, including removed ones.
  var slotCount: Int { entries.count }

  /// The entry with an id, or `nil` if there is none.
  subscript(name: Name) -> Declaration<Body>? {
    get { places[name].flatMap { entries[$0] } }
    set {
      if let place = places[name] {
        entries[place] = newValue
        if newValue == nil { places[name] = nil }
      } else if let newValue {
        places[name] = entries.count
        entries.append(newValue)
      }
    }
  }

  /// Moves the entry with an id out of the table, so that a change to it copies nothing, or returns `nil` if there is
  /// none. The caller puts it back.
  mutating func lend(_ name: Name) -> Declaration<Body>? {
    guard let place = places[name] else { return nil }
    let entry = entries[place]
    entries[place] = nil
    return entry
  }

  /// Whether there is an entry with an id.
  func contains(_ name: Name) -> Bool { places[name] != nil }

  /// Changes the entry with an id in place. Does nothing if there is none.
  mutating func change(_ name: Name, _ change: (inout Declaration<Body>) -> Void) {
    guard var entry = lend(name) else { return }
    change(&entry)
    self[name] = entry
  }

  /// The entries, in the order of their definition.
  var all: some Sequence<Declaration<Body>> { entries.lazy.compactMap { $0 } }

  /// Returns the entries, ascending by id.
  ///
  /// Sorts indices, not entries: entries are large, and in a large module their shared parts are scattered in memory.
  ///
  /// - Complexity: O(n log n) in the number of entries.
  func ascending(by names: NameTable) -> some Sequence<Declaration<Body>> {
    var order: [(name: Name, place: Int32)] = []
    order.reserveCapacity(entries.count)
    for place in entries.indices {
      if let name = entries[place]?.name { order.append((name, Int32(truncatingIfNeeded: place))) }
    }
    order.sort { names.isAscending($0.name, $1.name) }
    return order.lazy.compactMap { entries[Int($0.place)] }
  }
}

extension EntryTable: SectionTable {
  var names: [Name] { all.map(\.name) }

  func key(of name: Name) -> NodeRef? { self[name]?.key }
}
