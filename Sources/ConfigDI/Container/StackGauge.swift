// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Notices cheaply that builders which look further services up may be calling one another without end.
///
/// The stack of the thread is looked at in regions. The first builder that a thread calls in a region notes where on the
/// stack it stands, and those that are called much deeper are suspicious. Regions share a few words of memory, which are
/// read and written without waiting for other threads: where two threads meet in one word a suspicion may be missed in that
/// region, or raised in vain. A builder that calls itself without end comes through more regions than can be missed.
final class StackGauge: @unchecked Sendable {
  // Unchecked for the pointer; all access to the words is atomic.

  /// For each group of regions, where on the stack the first builder in one of them stands; 0 where none is at work.
  private let words: UnsafeMutablePointer<Atomic<UInt>>
  /// How many bits of a hash choose a word.
  private static let wordBits = 8
  /// How many bits of an address are within a region: 64 kB.
  private static let regionBits = 16
  /// How many bytes deeper than the first one a builder is suspicious: some tens of calls.
  private static let suspiciousDistance: UInt = 16 << 10

  /// What is known of a builder that is about to be called.
  enum Finding {
    /// It is the first in its region.
    case first
    /// It is called by another one.
    case nested
    /// It is called by so many others that they may be the same again and again.
    case suspicious
  }

  /// A gauge at rest.
  init() {
    words = .allocate(capacity: 1 << StackGauge.wordBits)
    for index in 0..<1 << StackGauge.wordBits { (words + index).initialize(to: Atomic(0)) }
  }

  deinit {
    words.deinitialize(count: 1 << StackGauge.wordBits)
    words.deallocate()
  }

  /// Looks at a builder that is about to be called.
  ///
  /// - Parameter address: where on the stack the caller stands.
  @inline(__always) func enter(at address: UInt) -> Finding {
    let word = word(for: address)
    let first = word.pointee.load(ordering: .relaxed)
    if first >= address, first >> UInt(StackGauge.regionBits) == address >> UInt(StackGauge.regionBits) {
      return first - address > StackGauge.suspiciousDistance ? .suspicious : .nested
    }
    word.pointee.store(address, ordering: .relaxed)
    return .first
  }

  /// Forgets the first builder of a region, which has returned.
  ///
  /// - Parameter address: where on the stack its caller stood.
  @inline(__always) func leave(at address: UInt) { word(for: address).pointee.store(0, ordering: .relaxed) }

  /// The word of an address.
  private func word(for address: UInt) -> UnsafeMutablePointer<Atomic<UInt>> {
    let hash = (address >> UInt(StackGauge.regionBits)) &* TypeTable.multiplier
    return words + Int(truncatingIfNeeded: hash >> UInt(UInt.bitWidth - StackGauge.wordBits))
  }
}
