// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// Where a look-up finds a service as one of its types: a word of memory that says how far the service is.
///
/// The word is 0 while a kept instance is not built, then the address of an `Instance`'s value. For a service whose instance
/// the container does not keep it is, from the start, the address of an `Instance` of a `Maker` with the lowest bit set;
/// where that maker keeps its instances elsewhere, and so finds cycles itself, the next bit is set, too. What lies at the
/// address has the type of the cell, which was settled when the container was linked, and lives as long as the container.
@usableFromInline struct Cell: @unchecked Sendable, Equatable {
  // Unchecked, as pointers are never `Sendable`: all access to the word is atomic, and the memory is the container's.

  /// The word.
  @usableFromInline let word: UnsafeMutablePointer<Atomic<UInt>>

  /// A cell at an address.
  init(word: UnsafeMutablePointer<Atomic<UInt>>) { self.word = word }

  /// The bit of a word that points to a maker.
  @inlinable static var makerBit: UInt { 1 }
  /// The bit of a word that points to a maker which keeps its instances.
  @inlinable static var keeperBit: UInt { 2 }

  /// Whether there is an instance or a maker.
  var isReady: Bool { word.pointee.load(ordering: .acquiring) != 0 }

  /// Shows an instance to all threads. The caller keeps it alive.
  func publish(instance: AnyInstance) { word.pointee.store(instance.address, ordering: .releasing) }

  /// Shows a maker to all threads. The caller keeps it alive.
  ///
  /// - Parameter isKeeper: whether it keeps its instances.
  func publish(maker: AnyInstance, isKeeper: Bool) {
    let bits = isKeeper ? Cell.makerBit | Cell.keeperBit : Cell.makerBit
    word.pointee.store(maker.address | bits, ordering: .releasing)
  }
}

/// The cells of a container, in one block of memory.
final class CellArray: @unchecked Sendable {
  // Unchecked for the pointer; see `Cell`.

  /// The words.
  private let words: UnsafeMutablePointer<Atomic<UInt>>
  /// How many there are.
  private let count: Int

  /// Cells without instances.
  init(count: Int) {
    words = .allocate(capacity: count)
    self.count = count
    for index in 0..<count { (words + index).initialize(to: Atomic(0)) }
  }

  deinit {
    words.deinitialize(count: count)
    words.deallocate()
  }

  /// The cell at a place.
  subscript(index: Int) -> Cell { Cell(word: words + index) }

  /// The place of a cell.
  func index(of cell: Cell) -> Int { cell.word - words }
}
