// SPDX-License-Identifier: Apache-2.0

extension ModuleMerger {
  /// Merges what arguments receive into what they received: references are replaced whole, data merge where both are maps.
  mutating func merge(_ new: ArgumentDeclarations, into old: inout ArgumentDeclarations) {
    merge(new.inject, into: &old.inject, instead: &old.values) { merger, reference, old in
      merger.noteChange(
        at: reference.node, from: old.node, isSame: merger.saysSame(reference, old))
      return reference
    }
    merge(new.values, into: &old.values, instead: &old.inject) { $0.merged($1, into: $2) }
  }

  /// Merges arguments into old ones of the same map, and removes them from the other map.
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

  /// A datum merged into an old one: maps key by key, everything else whole.
  ///
  /// Recursive: the depth is bounded by `Limits.nesting`.
  private mutating func merged(_ new: Datum, into old: Datum) -> Datum {
    guard case .map(let newEntries) = new.content, case .map(var entries) = old.content else {
      noteChange(at: new.node, from: old.node, isSame: new.isWritten(like: old))
      return new
    }
    if newEntries.isEmpty { bag.report(.unchanged(at: new.node)) }
    // The keys of a map differ, so that the number of a key is its place.
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

extension ModuleMerger {
  /// Whether two references say the same.
  func saysSame(_ left: Reference, _ right: Reference) -> Bool {
    left.written(module.names).isWritten(like: right.written(module.names))
  }
}

/// Something that a file says at a token.
protocol Placed: Sendable {
  /// The token.
  var node: NodeRef { get }
}

extension Datum: Placed {}
extension Reference: Placed {}
