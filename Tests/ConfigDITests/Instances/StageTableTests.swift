// SPDX-License-Identifier: Apache-2.0

import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct StageTableTests {
  /// The stages of a test, by number; those of built instances are addresses that nothing follows.
  private func stage(_ number: Int) -> Stage {
    switch number {
    case 0: .none
    case 1: .noted
    default: .built(KeptInstance(word: UInt(number) * 16 | (number.isMultiple(of: 2) ? KeptInstance.plainBit : 0)))
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `it does what a dictionary does, with few slots and with many`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var table = StageTable()
    var model: [UInt: Stage] = [:]
    for step in 0..<20_000 {
      // Few slots at first, then so many that the table grows.
      let slots = UInt(step < 2_000 ? 8 : 500)
      let address = UInt.random(in: 1...slots, using: &random) * 16
      let stage = stage(Int.random(in: 0...5, using: &random))
      table.place(of: SlotKey(address: address)).pointee = stage
      model[address] = stage
      let probe = UInt.random(in: 1...slots, using: &random) * 16
      #expect(table[SlotKey(address: probe)] == model[probe] ?? .none)
      if step % 1_000 == 999 {
        table.removeBuilt()
        model = model.filter { !$0.value.isBuilt }
      }
    }
    for address in stride(from: UInt(16), through: 8_000, by: 16) {
      #expect(table[SlotKey(address: address)] == model[address] ?? .none)
    }
  }

  @Test func `slots without a stage make way for others`() {
    var table = StageTable()
    // Each time another slot, as where a service is registered again and again: what is over takes no room.
    for address in 1...100_000 {
      let slot = SlotKey(address: UInt(address) * 16)
      table.place(of: slot).pointee = .noted
      #expect(table[slot] == .noted)
      table.place(of: slot).pointee = .none
    }
    #expect(table.capacity <= 32)
  }

  @Test func `a stage tells a claim from an instance`() {
    for kept in [KeptInstance(holding: Instance(1)), KeptInstance(sole: Node("node"))] {
      let built = Stage.built(kept)
      #expect(built.isBuilt)
      #expect(built.claim == nil)
      #expect(built.kept == kept)
      kept.release()
    }
    for other in [Stage.none, .noted] {
      #expect(!other.isBuilt)
      #expect(other.claim == nil)
      #expect(other.kept == nil)
    }
    let claim = UnsafePointer<BriefClaim>(bitPattern: 4_096)
    let claimed = claim.map { Stage.claimed($0) }
    #expect(claimed?.claim == claim)
    #expect(claimed?.isBuilt == false)
    #expect(claimed?.kept == nil)
  }
}
