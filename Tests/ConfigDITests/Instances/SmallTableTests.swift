// SPDX-License-Identifier: Apache-2.0

import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct SmallTableTests {
  @Test(arguments: [UInt64(1), 2, 3])
  func `it does what a dictionary does, with few keys and with many`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var table = SmallTable<Int, Int>()
    var model: [Int: Int] = [:]
    for step in 0..<20_000 {
      // Times of growing and of shrinking, beyond the number that is searched one by one.
      let key = Int.random(in: 0..<40, using: &random)
      let isRemoved = Int.random(in: 0..<10, using: &random) < (step / 500 % 2 == 0 ? 2 : 8)
      table[key] = isRemoved ? nil : step
      model[key] = isRemoved ? nil : step
      let probe = Int.random(in: 0..<40, using: &random)
      #expect(table[probe] == model[probe])
      if step % 100 == 0 {
        #expect(Dictionary(uniqueKeysWithValues: table.all.map { ($0.key, $0.value) }) == model)
      }
    }
  }
}
