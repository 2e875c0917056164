// SPDX-License-Identifier: Apache-2.0

/// The cell of each type that one service answers for: a hash table that never changes.
///
/// Types are found by the address of their metadata, which is unique in a process.
@usableFromInline struct TypeTable: @unchecked Sendable {
  // Unchecked for the pointer: the memory is written by `init` and read only afterwards.

  /// One place of the table.
  @usableFromInline struct Entry {
    /// The identity of the type, or 0 where the place is free.
    @usableFromInline let type: UInt
    /// The cell; nil where the place is free.
    @usableFromInline let cell: Cell?
  }

  /// The places, a power of two of them, at least half of them free.
  @usableFromInline let entries: UnsafePointer<Entry>
  /// The number of places less one.
  @usableFromInline let mask: Int
  /// How far a hash is shifted to give a place.
  @usableFromInline let shift: Int
  /// What frees the memory.
  private let memory: Memory

  /// A table of the given types.
  init(_ cells: [ObjectIdentifier: Cell]) {
    var bits = 2
    while 1 << bits < cells.count * 2 { bits += 1 }
    memory = Memory(count: 1 << bits)
    entries = UnsafePointer(memory.entries)
    mask = 1 << bits - 1
    shift = UInt.bitWidth - bits
    for (type, cell) in cells {
      let key = UInt(bitPattern: type)
      var place = Int(truncatingIfNeeded: (key &* TypeTable.multiplier) >> UInt(shift))
      while memory.entries[place].cell != nil { place = (place + 1) & mask }
      memory.entries[place] = Entry(type: key, cell: cell)
    }
  }

  /// Spreads addresses over the upper bits: the golden ratio of the greatest word.
  @inlinable static var multiplier: UInt { UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64) }

  /// The places of a table, freed with this object.
  private final class Memory {
    /// The places.
    let entries: UnsafeMutablePointer<Entry>
    /// How many there are.
    private let count: Int

    /// Free places.
    init(count: Int) {
      entries = .allocate(capacity: count)
      entries.initialize(repeating: Entry(type: 0, cell: nil), count: count)
      self.count = count
    }

    deinit {
      entries.deinitialize(count: count)
      entries.deallocate()
    }
  }
}
