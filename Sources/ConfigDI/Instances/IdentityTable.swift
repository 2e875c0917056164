// SPDX-License-Identifier: Apache-2.0

/// A hash table with the identities of types or objects as keys. Such keys need no hash function that resists an
/// attacker, so the table is twice as fast as a `Dictionary`.
///
/// Open addressing with linear probing; a removal moves up the entries behind it.
@usableFromInline struct IdentityTable<Value> {
  /// An entry; its key is `nil` if it is unused.
  @usableFromInline struct Entry {
    @usableFromInline var key: ObjectIdentifier?
    @usableFromInline var value: Value?
  }

  /// The entries: none, or a power of two, of which at most three quarters are used.
  @usableFromInline private(set) var entries: ContiguousArray<Entry> = []
  private(set) var count = 0

  init() {}

  /// The value of a key; `nil` if the table does not have the key.
  ///
  /// - Complexity: constant.
  @usableFromInline subscript(key: ObjectIdentifier) -> Value? {
    @inlinable @inline(__always) get { index(of: key).flatMap { entries[$0].value } }
    _modify {
      // Changed in place, so that a list in the value is not copied.
      var value = index(of: key).flatMap { entries[$0].value.take() }
      yield &value
      if let value { set(key, value) } else { remove(key) }
    }
  }

  /// Returns the index of a key's entry; `nil` if the table does not have the key.
  @inlinable @inline(__always) func index(of key: ObjectIdentifier) -> Int? {
    if entries.isEmpty { return nil }
    let mask = entries.count &- 1
    var index = IdentityTable.firstIndex(of: key, mask)
    while true {
      let found = entries[index].key
      if found == key { return index }
      if found == nil { return nil }
      index = (index &+ 1) & mask
    }
  }

  @inlinable @inline(__always) static func firstIndex(of key: ObjectIdentifier, _ mask: Int) -> Int {
    Int(truncatingIfNeeded: (UInt64(UInt(bitPattern: key)) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
  }

  mutating func set(_ key: ObjectIdentifier, _ value: consuming Value) {
    if let index = index(of: key) {
      entries[index].value = value
      return
    }
    if 4 * (count + 1) > 3 * entries.count { grow(to: max(8, 2 * entries.count)) }
    entries[freeIndex(for: key)] = Entry(key: key, value: value)
    count += 1
  }

  /// Removes a key.
  ///
  /// - Returns: the value of the key; `nil` if the table does not have it.
  @discardableResult mutating func remove(_ key: ObjectIdentifier) -> Value? {
    guard var hole = index(of: key) else { return nil }
    let removed = entries[hole].value
    let mask = entries.count - 1
    var index = hole
    while true {
      index = (index + 1) & mask
      guard let key = entries[index].key else { break }
      // An entry may move to the hole unless the hole is before the first index of the entry's key.
      if (index - IdentityTable.firstIndex(of: key, mask)) & mask >= (index - hole) & mask {
        entries.swapAt(hole, index)
        hole = index
      }
    }
    entries[hole] = Entry(key: nil, value: nil)
    count -= 1
    return removed
  }

  /// The values, in no order.
  var values: some Sequence<Value> { entries.lazy.compactMap(\.value) }

  /// The keys and values, in no order.
  var pairs: some Sequence<(ObjectIdentifier, Value)> {
    entries.lazy.compactMap { entry in
      if let key = entry.key, let value = entry.value { (key, value) } else { nil }
    }
  }

  /// Removes all entries.
  ///
  /// - Returns: the results of the closure for the values, in no order.
  mutating func removeAll<Part>(_ part: (consuming Value) -> Part?) -> [Part] {
    var parts: [Part] = []
    if count > 0 { parts.reserveCapacity(count) }
    for index in entries.indices {
      if let value = entries[index].value.take(), let part = part(consume value) { parts.append(part) }
    }
    self = IdentityTable()
    return parts
  }

  mutating func reserve(_ capacity: Int) {
    var size = 8
    while 3 * size < 4 * (capacity + 1) { size *= 2 }
    if size > entries.count { grow(to: size) }
  }

  /// Returns the index of a key's entry, or of the unused entry for it.
  private func freeIndex(for key: ObjectIdentifier) -> Int {
    let mask = entries.count - 1
    var index = IdentityTable.firstIndex(of: key, mask)
    while let found = entries[index].key, found != key { index = (index + 1) & mask }
    return index
  }

  /// Moves the entries to a table of a new size, a power of two.
  private mutating func grow(to size: Int) {
    let old = entries
    entries = ContiguousArray(repeating: Entry(key: nil, value: nil), count: size)
    for entry in old {
      if let key = entry.key { entries[freeIndex(for: key)] = entry }
    }
  }
}
