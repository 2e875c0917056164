// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// Where a look-up finds a service as one of its types: a word of memory that says how far the service is, and one for the
/// slot.
///
/// The first word is 0 while a kept instance is not built, then the address of an `Instance`'s value. For a service whose
/// instance the container does not keep it is, from the start, the address of an `Instance` of a `Maker` with the lowest bit
/// set; where that maker keeps its instances elsewhere, and so finds cycles itself, the next bit is set, too. What lies at the
/// address has the type of the cell. It is read within a look-up that `Readers` knows of, and retired there before it is
/// released. The cell itself lives as long as the container; a service that replaces another one under the same name and types
/// takes over its cells.
@usableFromInline struct Cell: @unchecked Sendable, Equatable {
  // Unchecked, as pointers are never `Sendable`: all access to the words is atomic, and the memory is the container's.

  /// The first word.
  @usableFromInline let word: UnsafeMutablePointer<Atomic<UInt>>

  /// A cell at an address.
  @inlinable init(word: UnsafeMutablePointer<Atomic<UInt>>) { self.word = word }

  /// The bit of a word that points to a maker.
  @inlinable static var makerBit: UInt { 1 }
  /// The bit of a word that points to a maker which keeps its instances.
  @inlinable static var keeperBit: UInt { 2 }
  /// How many words a cell has.
  static let size = 2

  /// The slot. Read within a look-up that `Readers` knows of, or under the lock of the container.
  var slot: Slot { unretainedSlot.takeUnretainedValue() }

  /// The same, for use within the look-up without the cost of holding it.
  var unretainedSlot: Unmanaged<Slot> {
    let bits = (word + 1).pointee.load(ordering: .acquiring)
    // A cell is handed out only after its slot was set, and the address is never 0.
    return .fromOpaque(UnsafeRawPointer(bitPattern: bits).unsafelyUnwrapped)
  }

  /// Whether this is a cell of a slot.
  func belongs(to slot: Slot) -> Bool {
    (word + 1).pointee.load(ordering: .acquiring) == UInt(bitPattern: Unmanaged.passUnretained(slot).toOpaque())
  }

  /// The place of the cell among those of its slot.
  var index: Int { (word - slot.firstCell.word) / Cell.size }

  /// The cell some places further on.
  func advanced(by count: Int) -> Cell { Cell(word: word + count * Cell.size) }

  /// Whether there is an instance or a maker.
  var isReady: Bool { word.pointee.load(ordering: .acquiring) != 0 }

  /// Says whose cell this is.
  func belong(to slot: Slot) {
    (word + 1).pointee.store(UInt(bitPattern: Unmanaged.passUnretained(slot).toOpaque()), ordering: .releasing)
  }

  /// Shows an instance to all threads. The caller keeps it alive.
  func publish(instance: AnyInstance) { word.pointee.store(instance.address, ordering: .releasing) }

  /// Shows a maker to all threads. The caller keeps it alive.
  ///
  /// - Parameter isKeeper: whether it keeps its instances.
  func publish(maker: Held, isKeeper: Bool) {
    let bits = isKeeper ? Cell.makerBit | Cell.keeperBit : Cell.makerBit
    word.pointee.store(maker.address | bits, ordering: .releasing)
  }

  /// Shows no instance any more. A maker stays.
  func clearInstance() { if word.pointee.load(ordering: .relaxed) & Cell.makerBit == 0 { clear() } }

  /// Shows nothing any more.
  func clear() { word.pointee.store(0, ordering: .releasing) }
}

/// Some cells in one block of memory.
final class CellBlock: @unchecked Sendable {
  // Unchecked for the pointer; see `Cell`.

  /// The words.
  private let words: UnsafeMutablePointer<Atomic<UInt>>
  /// How many cells there are.
  private let count: Int

  /// Cells without instances.
  init(count: Int) {
    words = .allocate(capacity: max(count, 1) * Cell.size)
    self.count = count
    for index in 0..<count * Cell.size { (words + index).initialize(to: Atomic(0)) }
  }

  deinit {
    words.deinitialize(count: count * Cell.size)
    words.deallocate()
  }

  /// The cell at a place.
  subscript(index: Int) -> Cell { Cell(word: words + index * Cell.size) }
}

/// Some cells in a list that many share.
struct CellRange: RandomAccessCollection, Sendable {
  /// The list; nil where there are none.
  private let list: CellList?
  /// The place of the first one in the list.
  private let start: UInt32
  /// How many there are.
  private let length: UInt32

  /// No cells.
  init() {
    list = nil
    start = 0
    length = 0
  }

  /// The cells of a list from a place up to its end.
  init(_ list: CellList, from start: Int) {
    self.list = list.count > start ? list : nil
    self.start = UInt32(start)
    length = UInt32(list.count - start)
  }

  var startIndex: Int { 0 }
  var endIndex: Int { Int(length) }

  subscript(index: Int) -> Cell {
    // There is a list wherever there is an index.
    list.unsafelyUnwrapped[Int(start) + index]
  }
}

/// A list of cells that grows while a plan is linked.
final class CellList: @unchecked Sendable {
  // Unchecked, as what a `CellRange` covers does not change.

  /// The cells. Nobody reads them while they grow.
  @exclusivity(unchecked) private var cells: [Cell] = []

  /// How many there are.
  var count: Int { cells.count }

  /// Adds a cell.
  func append(_ cell: Cell) { cells.append(cell) }

  /// The cell at a place.
  subscript(index: Int) -> Cell { cells[index] }
}
