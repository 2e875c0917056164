// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// The look-ups that are under way, so that what they may be about to read is released only once they are done.
///
/// A look-up reads addresses without a lock and without holding what lies there. What is taken away from it, an instance or a
/// registration, is first made unreachable, then *retired* here: it is released as soon as every look-up that might have
/// seen it has ended, at once where none is under way, else by the last of them. Nobody waits.
///
/// Look-ups are counted in several words, by the region of the stack on which they run, so that threads seldom meet in one.
/// To announce itself and to be counted off are a look-up's only writes to shared memory. Both sides change one and the
/// same word, which puts them in order: either the count shows the look-up, or the look-up sees that the thing is gone. A
/// word that was seen to count none after the retirement has no reader of it any more.
@usableFromInline final class Readers: @unchecked Sendable {
  // Unchecked for the pointer; all access to the words is atomic.

  /// A look-up that is under way.
  @usableFromInline struct Visit {
    /// Where it is counted.
    @usableFromInline let word: UnsafeMutablePointer<Atomic<UInt>>
    /// Whether so many are counted there that builders may be calling one another without end.
    @usableFromInline let isDeep: Bool

    /// A look-up that was counted.
    @inlinable init(word: UnsafeMutablePointer<Atomic<UInt>>, isDeep: Bool) {
      self.word = word
      self.isDeep = isDeep
    }
  }

  /// What waits for look-ups to end.
  private struct Retired {
    /// What is to be released, the last first.
    var items: [Any]
    /// The words that have not yet been seen to count none, a bit each.
    var pending: UInt
  }

  /// The counts, each in a line of memory of its own. The lowest bit asks for a call of `collect` when a count ends, the
  /// others count look-ups.
  @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt>>
  /// What waits.
  private let retired = Guarded<[Retired]>([])

  /// How many bits of a hash choose a word.
  @inlinable static var wordBits: Int { 4 }
  /// How many words lie between two counts.
  @inlinable static var stride: Int { 16 }
  /// How many bits of an address are within a region of the stack: 256 kB.
  @inlinable static var regionBits: Int { 18 }
  /// A look-up in a count.
  @inlinable static var one: UInt { 2 }
  /// How many look-ups one count may show before they are looked at more closely. So few that builders which call one another
  /// without end are noticed on a stack of 512 kB, though each takes 10 kB of it.
  @inlinable static var deepCount: UInt { 12 }

  /// How many counts there are.
  private static let count = 1 << wordBits

  /// Counts without look-ups.
  init() {
    words = .allocate(capacity: Readers.count * Readers.stride)
    for index in 0..<Readers.count * Readers.stride { (words + index).initialize(to: Atomic(0)) }
  }

  deinit {
    for retired in retired.withLock({ Hold($0) }).value { Readers.release(retired.items) }
    words.deinitialize(count: Readers.count * Readers.stride)
    words.deallocate()
  }

  /// Counts a look-up, until `leave`.
  ///
  /// - Parameter address: where on the stack the caller stands.
  @inlinable @inline(__always) func enter(at address: UInt) -> Visit {
    let spread = UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64)
    let hash = (address >> UInt(Readers.regionBits)) &* spread
    let word = words + Int(truncatingIfNeeded: hash >> UInt(UInt.bitWidth - Readers.wordBits)) &* Readers.stride
    let count = word.pointee.wrappingAdd(Readers.one, ordering: .acquiringAndReleasing).oldValue
    return Visit(word: word, isDeep: count > Readers.one &* Readers.deepCount)
  }

  /// Counts a look-up off.
  @inlinable @inline(__always) func leave(_ visit: Visit) {
    let count = visit.word.pointee.wrappingSubtract(Readers.one, ordering: .acquiringAndReleasing).oldValue
    if count == Readers.one | 1 { collect() }
  }

  /// Releases things, the last first, once no look-up can see them. They have been made unreachable for new ones.
  func retire(_ items: [Any]) {
    guard !items.isEmpty else { return }
    let pending = retired.withLock { retired -> UInt in
      let pending = pendingWords(watchedBy: retired)
      if pending != 0 { retired.append(Retired(items: items, pending: pending)) }
      return pending
    }
    if pending == 0 { Readers.release(items) }
  }

  /// Whether no look-up is under way that began before the call.
  func areQuiet() -> Bool { retired.withLock { pendingWords(watchedBy: $0) } == 0 }

  /// The words that count look-ups, which are watched from here on.
  private func pendingWords(watchedBy retired: [Retired]) -> UInt {
    var pending: UInt = 0
    let watched = retired.reduce(0) { $0 | $1.pending }
    for index in 0..<Readers.count {
      let word = words + index * Readers.stride
      if word.pointee.bitwiseOr(1, ordering: .acquiringAndReleasing).oldValue > 1 {
        pending |= 1 << UInt(index)
      } else if watched & 1 << UInt(index) == 0 {
        word.pointee.bitwiseAnd(~1, ordering: .relaxed)
      }
    }
    return pending
  }

  /// Releases what no look-up can see any more. Called by one that was the last in its count.
  @usableFromInline func collect() {
    let old = retired.withLock { retired -> Hold<[Retired]> in
      for index in 0..<Readers.count {
        let word = words + index * Readers.stride
        guard word.pointee.load(ordering: .acquiring) <= 1 else { continue }
        for place in retired.indices { retired[place].pending &= ~(1 << UInt(index)) }
        word.pointee.bitwiseAnd(~1, ordering: .relaxed)
      }
      let old = retired.filter { $0.pending == 0 }
      retired.removeAll { $0.pending == 0 }
      return Hold(old)
    }
    for retired in old.value { Readers.release(retired.items) }
  }

  /// Releases things, the last first.
  private static func release(_ items: [Any]) {
    var items = items
    while !items.isEmpty { items.removeLast() }
  }
}
