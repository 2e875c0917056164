// SPDX-License-Identifier: Apache-2.0

/// How far down the stack of a thread builders may look one another up.
struct StackExtent: Sendable {
  /// The lowest address at which a builder should still be called.
  private let floor: UInt
  /// The stand-in whose thread this is; nil for a thread of others.
  let standIn: StandIn?

  /// How many bytes makings may take on a thread of others, whose stack may be as small as 512 kB.
  private static let share: UInt = 192 << 10

  /// The stack of a thread on which a making begins at an address.
  init(base: UInt) {
    floor = base > StackExtent.share ? base - StackExtent.share : 0
    standIn = nil
  }

  /// The stack of a stand-in's thread, which begins at an address.
  init(base: UInt, standIn: StandIn) {
    floor = base - UInt(StandIn.stackSize) + StackExtent.share
    self.standIn = standIn
  }

  /// About where on the stack the caller stands.
  @inline(__always) static var here: UInt {
    var local: UInt8 = 0
    return withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
  }

  /// Whether builders have taken so much of the stack that the next one should be called elsewhere.
  func isCramped(at address: UInt) -> Bool { address < floor }
}
