// SPDX-License-Identifier: Apache-2.0

/// A name that stands in a file, as a number: two names are equal where their Unicode scalars are.
package struct Name: Hashable, Sendable {
  /// The place in the table that gave the name.
  package let index: UInt32
}

/// The names of one load, each kept once, so that everything after reading compares and indexes by number.
///
/// The hash is seeded anew for each table, so that no file can be written to make it slow.
package struct NameTable: Sendable {
  /// The text of each name.
  private var texts: [String] = []
  /// The hash of each name, to grow without looking at the texts.
  private var hashes: [UInt32] = []
  /// Open addressing, the count being a power of two: in as many bits as number a place the number of a name plus one, or 0
  /// where the place is free; in the others those of its hash, so that few other texts are compared. Small, as a large
  /// module asks for its ids in no order.
  private var places: [UInt32] = Array(repeating: 0, count: 64)
  /// The hash of this table.
  private let hash = SeededHash()

  /// An empty table.
  package init() {}

  /// How many names there are.
  package var count: Int { texts.count }

  /// The text of a name.
  package subscript(name: Name) -> String { texts[Int(name.index)] }

  /// The name of a text, which is added where it is new.
  package mutating func name(_ text: String) -> Name {
    var text = text
    return text.withUTF8 { name($0) }
  }

  /// The name of a text in UTF-8, which is added where it is new.
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

  /// The name of a text, or nil where no file of the load holds it.
  package func existingName(_ text: String) -> Name? {
    var text = text
    return text.withUTF8(existingName(_:))
  }

  /// The name of a text in UTF-8, or nil where no file of the load holds it.
  package func existingName(_ bytes: UnsafeBufferPointer<UInt8>) -> Name? {
    let found = places[place(of: bytes, hash: shortHash(bytes))]
    return found == 0 ? nil : name(in: found)
  }

  /// The bits that hold a number in an entry of `places`, and that hash a text to its place there.
  private var mask: UInt32 { UInt32(truncatingIfNeeded: places.count - 1) }

  /// The half of a text's hash that is kept.
  private func shortHash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    UInt32(truncatingIfNeeded: hash(bytes) >> 32)
  }

  /// The name that an entry of `places` holds.
  private func name(in entry: UInt32) -> Name { Name(index: entry & mask - 1) }

  /// The entry of `places` for a name.
  private func entry(of name: Name, hash: UInt32) -> UInt32 { hash & ~mask | name.index + 1 }

  /// Where a text stands in `places`, or the free place where it belongs.
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

  /// Doubles the table.
  private mutating func grow() {
    places = Array(repeating: 0, count: places.count * 2)
    for (index, hash) in hashes.enumerated() {
      var place = hash & mask
      while places[Int(place)] != 0 { place = (place + 1) & mask }
      places[Int(place)] = entry(of: Name(index: UInt32(index)), hash: hash)
    }
  }
}
