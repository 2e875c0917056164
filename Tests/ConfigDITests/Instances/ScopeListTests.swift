// SPDX-License-Identifier: Apache-2.0

import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct ScopeListTests {
  @Test(arguments: [UInt64(1), 2, 3])
  func `it does what an array does`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let stores = (0..<12).map { InstanceStore(level: $0, in: nil) }
    var list = ScopeList()
    var model: [Int] = []
    for _ in 0..<2_000 {
      let level = Int.random(in: stores.indices, using: &random)
      if model.contains(level) || Bool.random(using: &random) {
        // Also of one that is out already.
        list.remove(stores[level])
        model.removeAll { $0 == level }
      } else {
        list.add(stores[level])
        model.append(level)
      }
      #expect(list.all.map(\.level) == model.reversed())
    }
  }
}
