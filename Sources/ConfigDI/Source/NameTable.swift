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
  /// Open addressing, the count being a power of two: in the lower half the number of a name plus one, or 0 where the place
  /// is free; in the upper half its hash, to compare and to grow without looking at the texts.
  private var places: [UInt64] = Array(repeating: 0, count: 64)
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
    let hash = self.hash(bytes) >> 32
    let place = place(of: bytes, hash: hash)
    if places[place] != 0 { return NameTable.name(in: places[place]) }
    texts.append(String(decoding: bytes, as: UTF8.self))
    places[place] = hash << 32 | UInt64(texts.count)
    if texts.count * 2 > places.count { grow() }
    return Name(index: UInt32(texts.count - 1))
  }

  /// The name of a text, or nil where no file of the load holds it.
  package func existingName(_ text: String) -> Name? {
    var text = text
    return text.withUTF8(existingName(_:))
  }

  /// The name of a text in UTF-8, or nil where no file of the load holds it.
  package func existingName(_ bytes: UnsafeBufferPointer<UInt8>) -> Name? {
    let found = places[place(of: bytes, hash: hash(bytes) >> 32)]
    return found == 0 ? nil : NameTable.name(in: found)
  }

  /// The name that an entry of `places` holds.
  private static func name(in entry: UInt64) -> Name { Name(index: UInt32(truncatingIfNeeded: entry) - 1) }

  /// Where a text stands in `places`, or the free place where it belongs; `hash` is the half of its hash that is kept.
  private func place(of bytes: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int {
    let mask = places.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while places[place] != 0 {
      let entry = places[place]
      if entry >> 32 == hash, isEqual(self[NameTable.name(in: entry)], bytes) { return place }
      place = (place + 1) & mask
    }
    return place
  }

  /// Doubles the table.
  private mutating func grow() {
    let mask = places.count * 2 - 1
    var grown: [UInt64] = Array(repeating: 0, count: mask + 1)
    for entry in places where entry != 0 {
      var place = Int(truncatingIfNeeded: entry >> 32) & mask
      while grown[place] != 0 { place = (place + 1) & mask }
      grown[place] = entry
    }
    places = grown
  }

  /// Whether a kept text has exactly these bytes.
  private func isEqual(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.utf8.count == bytes.count else { return false }
    return text.utf8.withContiguousStorageIfAvailable { $0.elementsEqual(bytes) } ?? text.utf8.elementsEqual(bytes)
  }
}
