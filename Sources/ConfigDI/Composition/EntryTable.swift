// SPDX-License-Identifier: Apache-2.0

/// One entry of a section, as the files so far made it.
struct ComposedEntry<Body: Sendable>: Sendable {
  /// The id.
  var name: Name
  /// The key that defined or last replaced the entry.
  var key: NodeRef
  /// Whether some file's part of the entry has an error of shape.
  var isMalformed: Bool
  /// What the entry says, shared with the file that says it as long as no other changes it.
  private(set) var shared: Shared<Body>
  /// Whether an override was merged into the entry, so that no file alone tells all of it.
  var isMerged = false
  /// The key of the override that left the entry without a part that it must have, or nil.
  var incomplete: NodeRef?

  /// An entry as one file declares it.
  init(_ declaration: Declaration<Body>) {
    name = declaration.name
    key = declaration.key
    isMalformed = declaration.isMalformed
    shared = declaration.shared
  }

  /// What the entry says.
  var body: Body {
    _read { yield shared.content }
    _modify { yield &shared.content }
  }
}

extension NameTable {
  /// Whether a name comes before another in ascending order of Unicode scalars.
  func isAscending(_ name: Name, _ other: Name) -> Bool {
    self[name].utf8.lexicographicallyPrecedes(self[other].utf8)
  }
}

/// The entries of one section, by id.
struct EntryTable<Body: Sendable>: Sendable {
  /// The entries in the order of their definition; nil where one was removed.
  private var entries: [ComposedEntry<Body>?] = []
  /// The place of each name's entry in `entries`.
  private var places: NamePlaces

  /// A table without entries, for the names of a load.
  init(for names: NameTable) { places = NamePlaces(of: names) }

  /// Makes room for the entries of a file where there are none yet, as nearly all modules have most in one file.
  mutating func expect(_ count: Int) {
    if entries.isEmpty { entries.reserveCapacity(count) }
  }

  /// How many entries there are, counting those that were removed.
  var placeCount: Int { entries.count }

  /// The entry of an id, or nil.
  subscript(name: Name) -> ComposedEntry<Body>? {
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

  /// The entry of an id, or nil. Its place is empty until it is put back, so that a change to it copies nothing.
  mutating func lend(_ name: Name) -> ComposedEntry<Body>? {
    guard let place = places[name] else { return nil }
    let entry = entries[place]
    entries[place] = nil
    return entry
  }

  /// Whether an id is there.
  func contains(_ name: Name) -> Bool { places[name] != nil }

  /// Changes the entry of an id in place. Nothing happens where there is none.
  mutating func change(_ name: Name, _ change: (inout ComposedEntry<Body>) -> Void) {
    guard var entry = lend(name) else { return }
    change(&entry)
    self[name] = entry
  }

  /// The entries that are there, in the order of their definition.
  var all: some Sequence<ComposedEntry<Body>> { entries.lazy.compactMap { $0 } }

  /// The entries that are there, ascending by id.
  ///
  /// Their places alone are sorted: entries are large, and what they share is spread over memory in a large module.
  ///
  /// - Complexity: n log n in the entries.
  func ascending(by names: NameTable) -> some Sequence<ComposedEntry<Body>> {
    var order: [(name: Name, place: Int32)] = []
    order.reserveCapacity(entries.count)
    for place in entries.indices {
      if let name = entries[place]?.name { order.append((name, Int32(truncatingIfNeeded: place))) }
    }
    order.sort { names.isAscending($0.name, $1.name) }
    return order.lazy.compactMap { entries[Int($0.place)] }
  }
}
