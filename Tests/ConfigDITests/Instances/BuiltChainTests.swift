// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct BuiltChainTests {
  /// A chain of services that tell when they are built and when they go.
  private func chain(_ count: Int, _ journal: Journal) -> BuiltChain {
    var chain = BuiltChain()
    for number in 0..<count { chain.add(.passRetained(Instance(Node("\(number)", journal: journal)))) }
    return chain
  }

  @Test func `instances come out in the reverse of their order, each released before the next one`() {
    let journal = Journal()
    var chain = chain(3, journal)
    while let built = chain.removeLast() {
      journal.note("take \((built.first.anyValue as? Node)?.name ?? "")")
    }
    #expect(journal.entries == ["+0", "+1", "+2", "take 2", "-2", "take 1", "-1", "take 0", "-0"])
  }

  @Test func `all come out in their order`() {
    let journal = Journal()
    var chain = chain(3, journal)
    let names = chain.removeAll().compactMap { ($0.first.anyValue as? Node)?.name }
    #expect(names == ["0", "1", "2"])
    #expect(chain.removeLast() == nil)
  }

  @Test func `what is taken whole leaves nothing behind, and is released with the chain`() {
    let journal = Journal()
    do {
      var first = chain(2, journal)
      var second = first.take()
      #expect(first.removeLast() == nil)
      second.add(.passRetained(Instance(Node("2", journal: journal))))
    }
    #expect(journal.entries == ["+0", "+1", "+2", "-2", "-1", "-0"])
  }

  @Test func `a chain of a million is released without recursion`() {
    var chain = BuiltChain()
    for number in 0..<1_000_000 { chain.add(.passRetained(Instance(number))) }
    #expect(chain.removeLast()?.first.anyValue as? Int == 999_999)
  }
}
