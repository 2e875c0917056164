// SPDX-License-Identifier: Apache-2.0

/// A name from a file as a number. Two names are equal if their Unicode scalars are equal.
package struct Name: Hashable, Sendable {
  /// The index in the table that created the name.
  package let index: UInt32
}

/// The interned names of a load, so that all stages after reading compare and index names by number.
///
/// Each table has its own hash seed, so that no file can be written to cause collisions.
package struct NameTable: Sendable {
  /// The text of each name.
  private var texts: [String] = []
  /// The hash of each name, so that growing the table does not hash the texts again.
  private var hashes: [UInt32] = []
  /// The open-addressing hash table, with a power of two entries. An entry has as many low bits as an index of the
  /// table: they hold the number of a name plus one, or 0 if the entry is free. The high bits are those of the name's
  /// hash, so that few texts are compared. Entries are small, as a large module looks its ids up in random order.
  private var places: [UInt32] = Array(repeating: 0, count: 64)
  /// The hash function of this table.
  private let hash = SeededHash()

  /// The number of names.
  package var count: Int { texts.count }

  /// The text of a name.
  package subscript(name: Name) -> String { texts[Int(name.index)] }

  /// Returns the name of a text, which is added if it is new.
  package mutating func name(_ text: String) -> Name {
    var text = text
    return text.withUTF8 { name($0) }
  }

  /// Returns the name of a UTF-8 text, which is added if it is new.
  ///
  /// - Complexity: linear in the length of the text.
  package mutating func name(_ bytes: UnsafeBufferPointer<UInt8>) -> Name {
    let hash = shortHash(bytes)
    let place = place(of: bytes, hash: hash)
    if places[place] != 0 { return name(in: places[place]) }
    let name = Name(index: UInt32(texts.count))
    texts.append(String(decoding: bytes, as: UTF8.self))
    hashes.append(hash)
    places[place] = entry(of: name, hash: hash)
    if texts.count * 5 > places.count * 4 { grow() }
    return name
  }

  /// Returns the name of a text, or `nil` if no file of the load contains it.
  package func existingName(_ text: String) -> Name? {
    var text = text
    return text.withUTF8(existingName(_:))
  }

  /// Returns the name of a UTF-8 text, or `nil` if no file of the load contains it.
  package func existingName(_ bytes: UnsafeBufferPointer<UInt8>) -> Name? {
    let found = places[place(of: bytes, hash: shortHash(bytes))]
    return found == 0 ? nil : name(in: found)
  }

  /// The mask of the bits of an entry that hold a number. They are also the bits of a hash that select the first entry.
  private var mask: UInt32 { UInt32(truncatingIfNeeded: places.count - 1) }

  /// Returns the half of the hash of a text that is stored.
  private func shortHash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    UInt32(truncatingIfNeeded: hash(bytes) >> 32)
  }

  /// Returns the name in an entry of `places`.
  private func name(in entry: UInt32) -> Name { Name(index: entry & mask - 1) }

  /// Returns the entry of `places` for a name.
  private func entry(of name: Name, hash: UInt32) -> UInt32 { hash & ~mask | name.index + 1 }

  /// Returns the index in `places` of a text, or of the free entry for it.
  private func place(of bytes: UnsafeBufferPointer<UInt8>, hash: UInt32) -> Int {
    let mask = mask
    var place = hash & mask
    while places[Int(place)] != 0 {
      let entry = places[Int(place)]
      if (entry ^ hash) & ~mask == 0, ScalarString(self[name(in: entry)]) == bytes { break }
      place = (place + 1) & mask
    }
    return Int(place)
  }

  /// Doubles the size of the table.
  private mutating func grow() {
    places = Array(repeating: 0, count: places.count * 2)
    for (index, hash) in hashes.enumerated() {
      var place = hash & mask
      while places[Int(place)] != 0 { place = (place + 1) & mask }
      places[Int(place)] = entry(of: Name(index: UInt32(index)), hash: hash)
    }
  }
}
