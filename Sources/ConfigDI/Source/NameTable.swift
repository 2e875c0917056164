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
  /// The hash of each name, to grow the table without reading the texts again.
  private var hashes: [UInt64] = []
  /// Open addressing: the number of a name plus one, or 0 where the place is free. The count is a power of two.
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
    let hash = self.hash(bytes)
    let place = place(of: bytes, hash: hash)
    if places[place] != 0 { return Name(index: places[place] - 1) }
    texts.append(String(decoding: bytes, as: UTF8.self))
    hashes.append(hash)
    let name = Name(index: UInt32(texts.count - 1))
    places[place] = UInt32(texts.count)
    if texts.count * 2 > places.count { grow() }
    return name
  }

  /// The name of a text, or nil where no file of the load holds it.
  package func existingName(_ text: String) -> Name? {
    var text = text
    return text.withUTF8(existingName(_:))
  }

  /// The name of a text in UTF-8, or nil where no file of the load holds it.
  package func existingName(_ bytes: UnsafeBufferPointer<UInt8>) -> Name? {
    let found = places[place(of: bytes, hash: hash(bytes))]
    return found == 0 ? nil : Name(index: found - 1)
  }

  /// Where a text stands in `places`, or the free place where it belongs.
  private func place(of bytes: UnsafeBufferPointer<UInt8>, hash: UInt64) -> Int {
    let mask = places.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while places[place] != 0 {
      let index = Int(places[place]) - 1
      if hashes[index] == hash, isEqual(texts[index], bytes) { return place }
      place = (place + 1) & mask
    }
    return place
  }

  /// Doubles the table.
  private mutating func grow() {
    let mask = places.count * 2 - 1
    places = Array(repeating: 0, count: mask + 1)
    for (index, hash) in hashes.enumerated() {
      var place = Int(truncatingIfNeeded: hash) & mask
      while places[place] != 0 { place = (place + 1) & mask }
      places[place] = UInt32(index + 1)
    }
  }

  /// Whether a kept text has exactly these bytes.
  private func isEqual(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    text.utf8.count == bytes.count && text.utf8.elementsEqual(bytes)
  }
}
