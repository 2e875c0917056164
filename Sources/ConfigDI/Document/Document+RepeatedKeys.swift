// SPDX-License-Identifier: Apache-2.0

extension Document {
  /// Reports every key that its map holds before (CDI0102), and marks it, so that only the first of them counts.
  ///
  /// Keys are the same where their Unicode scalars are, whatever escapes they are written with.
  ///
  /// - Parameter certain: The offset of the first mistake of syntax. Keys behind it are marked, but not reported: they may
  ///   belong to another map.
  /// - Complexity: linear in the size of the document, for any keys.
  mutating func markRepeatedKeys(before certain: Int = .max, bag: inout DiagnosticBag) {
    var search = RepeatedKeySearch()
    for map in nodes.indices where nodes[map].kind == .map && nodes[map].payload > 1 {
      for pair in search.pairs(in: UInt32(map), of: self) {
        nodes[Int(pair.later)].isIgnored = true
        nodes[map].payload -= 1
        // What an alias of YAML stands for has the alias' place, and was reported where it is written.
        if hasPositions, nodes[Int(pair.later)].start == nodes[map].start { continue }
        if hasPositions, nodes[Int(pair.later)].start >= certain { continue }
        bag.report(Document.duplicateKey(text(of: pair.later), at: reference(pair.later), first: reference(pair.first)))
      }
    }
  }
}

/// Finds equal keys of one map; made once and used for many maps, so that its tables are allocated once.
private struct RepeatedKeySearch {
  /// A key and an earlier one of the same text.
  struct Pair {
    /// The first key with the text.
    let first: UInt32
    /// The key that repeats it.
    let later: UInt32
  }

  /// Up to this many keys are compared each with each, which is faster than a table.
  private static let fewKeys = 12

  /// The hash of this search.
  private let hash = SeededHash()
  /// The keys of the map.
  private var keys: [UInt32] = []
  /// The hashes of the keys.
  private var hashes: [UInt64] = []
  /// Open addressing: the place of a key in `keys` plus one, or 0 where the place is free.
  private var places: [UInt32] = []

  /// A search that has looked at nothing.
  init() {}

  /// The keys of a map that repeat an earlier one, in the order of the text.
  mutating func pairs(in map: UInt32, of document: Document) -> [Pair] {
    keys.removeAll(keepingCapacity: true)
    hashes.removeAll(keepingCapacity: true)
    for key in document.keys(of: map) {
      keys.append(key)
      hashes.append(document.withText(of: key) { hash($0) })
    }
    return keys.count <= RepeatedKeySearch.fewKeys ? pairsOfFew(document) : pairsOfMany(document)
  }

  /// Compares each key with all before it.
  private func pairsOfFew(_ document: Document) -> [Pair] {
    var pairs: [Pair] = []
    for later in keys.indices {
      for first in 0..<later where isEqual(first, later, document) {
        pairs.append(Pair(first: keys[first], later: keys[later]))
        break
      }
    }
    return pairs
  }

  /// Enters the keys into a table of at least twice as many places.
  private mutating func pairsOfMany(_ document: Document) -> [Pair] {
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

  /// Whether two keys, named by their places in `keys`, have the same text.
  private func isEqual(_ left: Int, _ right: Int, _ document: Document) -> Bool {
    guard hashes[left] == hashes[right] else { return false }
    return document.withText(of: keys[left]) { left in
      document.withText(of: keys[right]) { right in left.elementsEqual(right) }
    }
  }
}

// MARK: - Messages

extension Document {
  /// CDI0102 at the later of two keys.
  fileprivate static func duplicateKey(_ key: String, at later: NodeRef, first: NodeRef) -> Finding {
    Finding(
      .duplicateKey, "duplicate key \"\(key)\"", at: later,
      related: [Finding.Related(.node(first), "first defined here")], help: "remove or rename one of the two")
  }
}
