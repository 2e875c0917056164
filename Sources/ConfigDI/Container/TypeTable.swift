// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// The cell of each type that one service answers for: a hash table that is read without a lock while it grows.
///
/// Types are found by the address of their metadata, which is unique in a process. One thread at a time writes. A table that
/// has become too small stays until the end, as look-ups may still read it: all of them together are at most twice as large
/// as the last.
@usableFromInline final class TypeTable: @unchecked Sendable {
  // Unchecked for the pointers: all access to what lies there is atomic, or written before it is shown to others.

  /// One place of the table.
  @usableFromInline struct Entry: ~Copyable {
    /// The identity of the type, or 0 where the place is free. It is never taken back.
    @usableFromInline let type: Atomic<UInt>
    /// The address of the cell, or 0 where no single service answers for the type.
    @usableFromInline let cell: Atomic<UInt>

    /// A free place.
    init() {
      type = Atomic(0)
      cell = Atomic(0)
    }
  }

  /// A table of some size.
  @usableFromInline struct Header {
    /// The places, a power of two of them, at least half of them free.
    @usableFromInline let entries: UnsafeMutablePointer<Entry>
    /// The number of places less one.
    @usableFromInline let mask: Int
    /// How far a hash is shifted to give a place.
    @usableFromInline let shift: UInt
  }

  /// The address of the present table's header.
  @usableFromInline let current: Atomic<UInt>
  /// The headers of all tables, the present one last.
  private var headers: [UnsafeMutablePointer<Header>] = []
  /// How many places of the present table are taken.
  private var count = 0

  /// A table without types.
  init() {
    current = Atomic(0)
    grow(to: 2)
  }

  deinit {
    for header in headers {
      header.pointee.entries.deinitialize(count: header.pointee.mask + 1)
      header.pointee.entries.deallocate()
      header.deallocate()
    }
  }

  /// Spreads addresses over the upper bits: the golden ratio of the greatest word.
  @inlinable static var multiplier: UInt { UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64) }

  /// What a look-up of a type finds.
  @usableFromInline struct Finding {
    /// The cell; nil where no single service answers.
    @usableFromInline let cell: Cell?
    /// Whether the table knows the type.
    @usableFromInline let isKnown: Bool

    /// What a look-up finds.
    @inlinable init(cell: Cell?, isKnown: Bool) {
      self.cell = cell
      self.isKnown = isKnown
    }
  }

  /// Says who answers for a type: a cell, or no single service.
  ///
  /// - Complexity: constant but for growing, which is linear and doubles the table.
  func set(_ type: ObjectIdentifier, _ cell: Cell?) {
    let key = UInt(bitPattern: type)
    if 2 * (count + 1) > headers[headers.count - 1].pointee.mask + 1 {
      grow(to: UInt.bitWidth - Int(headers[headers.count - 1].pointee.shift) + 1)
    }
    if TypeTable.set(key, cell.map { UInt(bitPattern: $0.word) } ?? 0, in: headers[headers.count - 1]) { count += 1 }
  }

  /// Forgets all types.
  func clear() {
    count = 0
    headers.append(TypeTable.table(bits: 2))
    current.store(UInt(bitPattern: headers[headers.count - 1]), ordering: .releasing)
  }

  /// Makes room for the given number of types.
  func reserve(_ types: Int) {
    var bits = UInt.bitWidth - Int(headers[headers.count - 1].pointee.shift)
    let old = bits
    while 1 << bits < 2 * (count + types + 1) { bits += 1 }
    if bits > old { grow(to: bits) }
  }

  /// Goes over to a table with two to the given power of places.
  private func grow(to bits: Int) {
    let header = TypeTable.table(bits: bits)
    if let old = headers.last?.pointee {
      for place in 0...old.mask {
        let type = old.entries[place].type.load(ordering: .relaxed)
        if type != 0 { _ = TypeTable.set(type, old.entries[place].cell.load(ordering: .relaxed), in: header) }
      }
    }
    headers.append(header)
    current.store(UInt(bitPattern: header), ordering: .releasing)
  }

  /// A table without types.
  private static func table(bits: Int) -> UnsafeMutablePointer<Header> {
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: 1 << bits)
    for place in 0..<1 << bits { (entries + place).initialize(to: Entry()) }
    let header = UnsafeMutablePointer<Header>.allocate(capacity: 1)
    header.initialize(to: Header(entries: entries, mask: 1 << bits - 1, shift: UInt(UInt.bitWidth - bits)))
    return header
  }

  /// Writes an entry.
  ///
  /// - Returns: whether the type is new in the table.
  private static func set(_ type: UInt, _ cell: UInt, in header: UnsafeMutablePointer<Header>) -> Bool {
    var place = Int(truncatingIfNeeded: (type &* TypeTable.multiplier) >> header.pointee.shift)
    while true {
      let entry = header.pointee.entries + place
      let found = entry.pointee.type.load(ordering: .relaxed)
      if found == type || found == 0 {
        // The cell first: whoever sees the type finds it.
        entry.pointee.cell.store(cell, ordering: .releasing)
        if found == 0 { entry.pointee.type.store(type, ordering: .releasing) }
        return found == 0
      }
      place = (place + 1) & header.pointee.mask
    }
  }
}
