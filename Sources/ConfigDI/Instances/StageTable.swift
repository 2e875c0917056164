// SPDX-License-Identifier: Apache-2.0

/// How far the instance of a slot is in a store, as one word.
struct Stage: Equatable {
  /// 0, 2, or an address, which is that of a claim where the lowest bit is set.
  private let word: UInt

  /// It is not there, and nobody is about to build it.
  static let none = Stage(word: 0)
  /// Whoever builds it does so with a `Work`.
  static let noted = Stage(word: 2)

  /// A thread builds it, and nobody else has asked for it. The claim stands on that thread's stack while this does.
  static func claimed(_ claim: UnsafePointer<BriefClaim>) -> Stage { Stage(word: UInt(bitPattern: claim) | 1) }

  /// It is there. The store keeps it alive.
  static func built(_ kept: KeptInstance) -> Stage { Stage(word: kept.word) }

  /// The claim of the thread that builds it; nil where none does, or with a `Work`.
  var claim: UnsafePointer<BriefClaim>? { word & 1 == 0 ? nil : UnsafePointer(bitPattern: word & ~1) }

  /// Whether it is there.
  var isBuilt: Bool { word & 1 == 0 && word > Stage.noted.word }

  /// The instance; nil where it is not there.
  var kept: KeptInstance? { isBuilt ? KeptInstance(word: word) : nil }
}

/// The stages of a store's slots, by their keys: a table of two words for each, which is searched from where a key belongs on.
struct StageTable: ~Copyable {
  /// A slot with its stage.
  private struct Entry {
    /// The key of the slot; 0 in an entry that is free.
    var address: UInt = 0
    /// The stage.
    var stage = Stage.none
  }

  /// The entries; empty as long as nothing was asked for.
  private var entries = UnsafeMutableBufferPointer<Entry>(start: nil, count: 0)
  /// How many more slots fit in.
  private var room = 0

  /// How many slots fit in, whether there or not.
  var capacity: Int { entries.count }

  /// How many entries there are at first.
  private static var leastCount: Int { 16 }

  deinit { entries.deallocate() }

  /// The stage of a slot.
  ///
  /// - Complexity: constant.
  subscript(slot: SlotKey) -> Stage { entries.isEmpty ? .none : entries[index(of: slot.address)].stage }

  /// Where the stage of a slot stands, until the next call.
  ///
  /// - Complexity: constant.
  mutating func place(of slot: SlotKey) -> UnsafeMutablePointer<Stage> {
    if room == 0 { grow() }
    let entry = entries.baseAddress.unsafelyUnwrapped + index(of: slot.address)
    if entry.pointee.address == 0 {
      entry.pointee.address = slot.address
      room -= 1
    }
    return entry.pointer(to: \.stage).unsafelyUnwrapped
  }

  /// Forgets which instances are there.
  ///
  /// - Complexity: linear in the number of slots.
  mutating func removeBuilt() {
    for index in entries.indices where entries[index].stage.isBuilt { entries[index].stage = .none }
  }

  /// Where the entry of a slot is, or a free one for it.
  private func index(of address: UInt) -> Int {
    // The top bits of the product depend on all bits of the address.
    let hash = UInt64(address) &* 0x9E37_79B9_7F4A_7C15
    var index = Int(truncatingIfNeeded: hash >> 32) & (entries.count - 1)
    while entries[index].address != address, entries[index].address != 0 { index = (index + 1) & (entries.count - 1) }
    return index
  }

  /// Makes room for as many slots as have a stage, and a quarter of the entries to remain free.
  private mutating func grow() {
    let old = entries
    let used = old.filter { $0.stage != .none }
    var count = StageTable.leastCount
    while count * 3 / 8 < used.count { count *= 2 }
    entries = .allocate(capacity: count)
    entries.initialize(repeating: Entry())
    room = count * 3 / 4 - used.count
    for entry in used { entries[index(of: entry.address)] = entry }
    old.deallocate()
  }
}
