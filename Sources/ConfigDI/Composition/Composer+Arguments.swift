// SPDX-License-Identifier: Apache-2.0

extension Composer {
  /// Merges what arguments receive into what they received: references are replaced whole, data merge where both are maps.
  mutating func merge(_ new: ArgumentDeclarations, into old: inout ArgumentDeclarations) {
    merge(new.inject, into: &old.inject, instead: &old.values) { composer, reference, old in
      composer.noteChange(
        at: reference.place, from: old.place, isSame: composer.documents.isEqual(reference, old))
      return reference
    }
    merge(new.values, into: &old.values, instead: &old.inject) { $0.merged($1, into: $2) }
  }

  /// Merges arguments into old ones of the same map, and takes them out of the other map.
  private mutating func merge(
    _ new: [ArgumentDeclaration], into old: inout [ArgumentDeclaration], instead other: inout [ArgumentDeclaration],
    _ merge: (inout Composer, _ new: Datum, _ old: Datum) -> Datum
  ) {
    guard !new.isEmpty else { return }
    if !other.isEmpty {
      let places = Dictionary(new.map { ($0.name, $0.datum.place) }) { first, _ in first }
      other.removeAll { argument in
        guard let place = places[argument.name] else { return false }
        history.note(place, displaces: argument.datum.place)
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
      old[place].datum = merge(&self, argument.datum, old[place].datum)
      old[place].key = argument.key
    }
  }

  /// A datum merged into an old one: maps key by key, everything else whole.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func merged(_ new: Datum, into old: Datum) -> Datum {
    guard let newEntries = documents.entries(of: new), var entries = documents.entries(of: old) else {
      noteChange(at: new.place, from: old.place, isSame: documents.isEqual(new, old))
      return new
    }
    if newEntries.isEmpty { bag.report(.unchanged(at: new.place)) }
    // The keys of a map differ, so that the number of a key is its place.
    var keys = NameTable()
    for entry in entries { _ = keys.name(entry.text) }
    for entry in newEntries {
      let place = Int(keys.name(entry.text).index)
      if place < entries.count {
        entries[place].datum = merged(entry.datum, into: entries[place].datum)
        entries[place].key = entry.key
      } else {
        entries.append(entry)
      }
    }
    return .map(entries, new.place)
  }
}
