// SPDX-License-Identifier: Apache-2.0

extension ModuleMerger {
  /// Merges new arguments into old ones: a reference replaces the old one, and data are merged if both are maps.
  mutating func merge(_ new: ArgumentDeclarations, into old: inout ArgumentDeclarations) {
    merge(new.inject, into: &old.inject, instead: &old.values) { $0.replacing($2, by: $1) }
    merge(new.values, into: &old.values, instead: &old.inject) { $0.merged($1, into: $2) }
  }

  /// Merges new arguments into the old ones in the same map, and removes arguments with their keys from the other map.
  private mutating func merge<Content: Placed, Other: Placed>(
    _ new: [ArgumentDeclaration<Content>], into old: inout [ArgumentDeclaration<Content>],
    instead other: inout [ArgumentDeclaration<Other>],
    _ merge: (inout ModuleMerger, _ new: Content, _ old: Content) -> Content
  ) {
    guard !new.isEmpty else { return }
    if !other.isEmpty {
      let places = Dictionary(new.map { ($0.name, $0.content.node) }) { first, _ in first }
      other.removeAll { argument in
        guard let place = places[argument.name] else { return false }
        module.history.note(place, displaces: argument.content.node)
        return true
      }
    }
    var places = [Name: Int](minimumCapacity: old.count)
    for (place, argument) in old.enumerated() { places[argument.name] = place }
    for argument in new {
      guard let place = places[argument.name] else {
        old.append(argument)
        continue
      }
      old[place].content = merge(&self, argument.content, old[place].content)
      old[place].key = argument.key
    }
  }

  /// Returns a datum merged into an old one: maps are merged key by key, anything else is replaced as a whole.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func merged(_ new: Datum, into old: Datum) -> Datum {
    guard case .map(let newEntries) = new.content, case .map(var entries) = old.content else {
      return replacing(old, by: new)
    }
    if newEntries.isEmpty { bag.report(.unchanged(at: new.node)) }
    // The keys of a map are unique, so the number of a key in this table is its index in the map.
    var keys = NameTable()
    for entry in entries { _ = keys.name(entry.key) }
    for entry in newEntries {
      let place = Int(keys.name(entry.key).index)
      if place < entries.count {
        entries[place].value = merged(entry.value, into: entries[place].value)
      } else {
        entries.append(entry)
      }
    }
    return Datum(.map(entries), at: new.node)
  }
}
