// SPDX-License-Identifier: Apache-2.0

extension Document {
  /// Reports each key that repeats an earlier key of its map (CDI0102), and marks it as ignored.
  ///
  /// Keys are equal if their Unicode scalars are equal after escapes are decoded.
  ///
  /// - Parameter certain: The offset of the first syntax error. Keys after it are marked but not reported, because they
  ///   may belong to another map.
  /// - Complexity: linear in the size of the document, whatever the keys are.
  mutating func markRepeatedKeys(before certain: Int = .max, bag: inout DiagnosticBag) {
    var search = RepeatedKeySearch()
    for map in nodes.indices where nodes[map].kind == .map && nodes[map].payload > 1 {
      for pair in search.pairs(in: UInt32(map), of: self) {
        content.nodes[Int(pair.later)].isIgnored = true
        content.nodes[map].payload -= 1
        // A copy made for a YAML alias has the position of the alias, and was reported in the original.
        if hasPositions, nodes[Int(pair.later)].start == nodes[map].start { continue }
        if hasPositions, nodes[Int(pair.later)].start >= certain { continue }
        bag.report(Document.duplicateKey(text(of: pair.later), at: reference(pair.later), first: reference(pair.first)))
      }
    }
  }
}

/// Finds equal keys of a map. One search is used for many maps, so that its tables are allocated once.
private struct RepeatedKeySearch {
  /// A key and an earlier one with the same text.
  struct Pair {
    /// The first key with the text.
    let first: UInt32
    /// The key that repeats it.
    let later: UInt32
  }

  /// The hash function of this search.
  private let hash = SeededHash()
  /// The keys of the map.
  private var keys: [UInt32] = []
  /// The hashes of the keys.
  private var hashes: [UInt64] = []
  /// The open-addressing hash table: the index of a key in `keys` plus one, or 0 for a free entry.
  private var places: [UInt32] = []

  /// Returns the keys of a map that repeat an earlier one, in document order.
  mutating func pairs(in map: UInt32, of document: Document) -> [Pair] {
    keys.removeAll(keepingCapacity: true)
    hashes.removeAll(keepingCapacity: true)
    for key in document.keys(of: map) {
      keys.append(key)
      hashes.append(document.withText(of: key) { hash($0) })
    }
    // A hash table of at least twice as many entries as keys.
    var pairs: [Pair] = []
    let count = 1 << (Int.bitWidth - (keys.count * 2 - 1).leadingZeroBitCount)
    places.removeAll(keepingCapacity: true)
    places.append(contentsOf: repeatElement(0, count: count))
    for later in keys.indices {
      var place = Int(truncatingIfNeeded: hashes[later]) & (count - 1)
      while places[place] != 0, !isEqual(Int(places[place]) - 1, later, document) { place = (place + 1) & (count - 1) }
      if places[place] == 0 {
        places[place] = UInt32(later + 1)
      } else {
        pairs.append(Pair(first: keys[Int(places[place]) - 1], later: keys[later]))
      }
    }
    return pairs
  }

  /// Whether two keys, given by their indices in `keys`, have the same text.
  private func isEqual(_ left: Int, _ right: Int, _ document: Document) -> Bool {
    guard hashes[left] == hashes[right] else { return false }
    return document.withText(of: keys[left]) { left in
      document.withText(of: keys[right]) { right in left.elementsEqual(right) }
    }
  }
}

// MARK: - Messages

extension Document {
  /// Returns CDI0102 at the second of two equal keys.
  fileprivate static func duplicateKey(_ key: String, at later: NodeRef, first: NodeRef) -> Finding {
    Finding(
      .duplicateKey, "duplicate key \"\(key)\"", at: later,
      related: [Finding.Related(.node(first), "first defined here")], help: "remove or rename one of the two")
  }
}
