// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The cells that look-ups by type and name have found, to be found again without a lock.
///
/// A hash table that forgets everything when code registers something. One thread at a time writes; who reads does so within a
/// look-up that `Readers` knows of, and what is taken away from him is retired there.
@usableFromInline final class NamedCells: @unchecked Sendable {
  // Unchecked for the addresses: they are read and written atomically, and what lies there never changes but for the places
  // of a table, which are atomic as well.

  /// Who answers for a name and a type.
  private final class Answer: Sendable {
    /// The hash of both.
    let hash: UInt64
    /// The name.
    let name: [UInt8]
    /// The type.
    let type: ObjectIdentifier
    /// The cell.
    let cell: Cell

    /// An answer.
    init(hash: UInt64, name: [UInt8], type: ObjectIdentifier, cell: Cell) {
      (self.hash, self.name, self.type, self.cell) = (hash, name, type, cell)
    }

    /// Whether this is the answer for a name and a type.
    func isFor(_ hash: UInt64, _ name: UnsafeBufferPointer<UInt8>, _ type: ObjectIdentifier) -> Bool {
      guard self.hash == hash, self.type == type else { return false }
      return self.name.withUnsafeBufferPointer { NamedCells.areEqual($0, name) }
    }
  }

  /// Answers by hash.
  private final class Table: @unchecked Sendable {
    /// The addresses of the answers, or 0; a power of two of them, at least half of them free.
    let places: UnsafeMutablePointer<Atomic<UInt>>
    /// The number of places less one.
    let mask: Int
    /// The answers.
    private(set) var answers: [Answer] = []

    /// A table of two to the given power of places.
    init(bits: Int) {
      places = .allocate(capacity: 1 << bits)
      for place in 0..<1 << bits { (places + place).initialize(to: Atomic(0)) }
      mask = 1 << bits - 1
    }

    deinit {
      places.deinitialize(count: mask + 1)
      places.deallocate()
    }

    /// Whether another answer would take more than half of the places.
    var isFull: Bool { 2 * (answers.count + 1) > mask + 1 }

    /// Adds an answer, which is not there.
    func add(_ answer: Answer) {
      answers.append(answer)
      var place = Int(truncatingIfNeeded: answer.hash) & mask
      while (places + place).pointee.load(ordering: .relaxed) != 0 { place = (place + 1) & mask }
      (places + place).pointee.store(
        UInt(bitPattern: Unmanaged.passUnretained(answer).toOpaque()), ordering: .releasing)
    }

    /// The cell for a name and a type, or nil where there is none.
    func cell(_ hash: UInt64, _ name: UnsafeBufferPointer<UInt8>, _ type: ObjectIdentifier) -> Cell? {
      var place = Int(truncatingIfNeeded: hash) & mask
      while let address = UnsafeRawPointer(bitPattern: (places + place).pointee.load(ordering: .acquiring)) {
        let answer = Unmanaged<Answer>.fromOpaque(address)
        if answer._withUnsafeGuaranteedRef({ $0.isFor(hash, name, type) }) {
          return answer._withUnsafeGuaranteedRef { $0.cell }
        }
        place = (place + 1) & mask
      }
      return nil
    }
  }

  /// The address of the table, which is held; 0 while there is none.
  private let current = Atomic<UInt>(0)

  /// No cells.
  init() {}

  deinit { clear() }

  /// The cell that was found for a name and a type since something was registered; nil where none was.
  ///
  /// - Complexity: linear in the length of the name.
  @usableFromInline func cell(named name: String, _ type: ObjectIdentifier) -> Cell? {
    guard let table = UnsafeRawPointer(bitPattern: current.load(ordering: .acquiring)) else { return nil }
    var name = name
    return name.withUTF8 { name in
      let hash = NamedCells.hash(name, type)
      return Unmanaged<Table>.fromOpaque(table)._withUnsafeGuaranteedRef { $0.cell(hash, name, type) }
    }
  }

  /// Remembers a cell. Called by one thread at a time.
  ///
  /// - Returns: what is to be retired.
  func add(_ name: String, _ type: ObjectIdentifier, _ cell: Cell) -> [Any] {
    if self.cell(named: name, type) != nil { return [] }
    var text = name
    let answer = text.withUTF8 {
      Answer(hash: NamedCells.hash($0, type), name: Array($0), type: type, cell: cell)
    }
    let address = UnsafeRawPointer(bitPattern: current.load(ordering: .relaxed))
    let table = address.map { Unmanaged<Table>.fromOpaque($0).takeUnretainedValue() }
    if let table, !table.isFull {
      table.add(answer)
      return []
    }
    let larger = Table(bits: table.map { ($0.mask + 1).trailingZeroBitCount + 1 } ?? 3)
    for answer in table?.answers ?? [] { larger.add(answer) }
    larger.add(answer)
    return replace(by: larger)
  }

  /// Forgets all cells. Called by one thread at a time.
  ///
  /// - Returns: what is to be retired.
  @discardableResult func clear() -> [Any] { replace(by: nil) }

  /// Shows another table.
  ///
  /// - Returns: the old one, to be released once nobody reads it.
  private func replace(by table: Table?) -> [Any] {
    let address = table.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
    let old = UnsafeRawPointer(bitPattern: current.exchange(address, ordering: .acquiringAndReleasing))
    return old.map { [Unmanaged<Table>.fromOpaque($0).takeRetainedValue()] } ?? []
  }
}

extension NamedCells {
  /// A hash of a name and a type.
  private static func hash(_ name: UnsafeBufferPointer<UInt8>, _ type: ObjectIdentifier) -> UInt64 {
    var hash = UInt64(UInt(bitPattern: type)) ^ UInt64(name.count)
    for index in 0..<(name.count + 7) / 8 {
      // The golden ratio of the greatest word.
      hash = (hash ^ word(index, of: name)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 32
    }
    return hash
  }

  /// Whether two names are the same bytes.
  private static func areEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return (0..<(left.count + 7) / 8).allSatisfy { word($0, of: left) == word($0, of: right) }
  }

  /// Eight bytes of a name, or as many as there are left.
  private static func word(_ index: Int, of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let start = 8 * index
    if start + 8 <= name.count {
      return UnsafeRawBufferPointer(name).loadUnaligned(fromByteOffset: start, as: UInt64.self)
    }
    return name[start...].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
