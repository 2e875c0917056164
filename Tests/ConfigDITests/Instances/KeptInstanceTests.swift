// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct KeptInstanceTests {
  /// Services that tell when they are built and when they go, by turns as they are and held as a protocol's type.
  private func instances(_ count: Int, _ journal: Journal) -> KeptInstances {
    var instances = KeptInstances()
    for number in 0..<count {
      let node = Node("\(number)", journal: journal)
      instances.add(
        number.isMultiple(of: 2) ? KeptInstance(sole: node) : KeptInstance(holding: Instance<any Greeter>(node)))
    }
    return instances
  }

  @Test func `an object of a class stands for itself`() {
    let node = Node("node")
    let kept = KeptInstance(sole: node)
    #expect(kept.isPlain)
    #expect(kept.built == nil)
    #expect(kept.object as? Node === node)
    #expect(kept.service(as: Node.self) === node)
    #expect(kept.asType(0) == kept)
    guard case .object(let object) = kept.found else {
      Issue.record("found as something else")
      return
    }
    #expect(object as? Node === node)
    kept.release()
  }

  @Test func `a value, and an object behind a protocol, are held`() {
    let number = KeptInstance(sole: 7)
    #expect(!number.isPlain)
    #expect(number.service(as: Int.self) == 7)
    number.release()
    let node = Node("node")
    let greeter = KeptInstance(sole: node as any Greeter)
    #expect(!greeter.isPlain)
    #expect(greeter.service(as: (any Greeter).self) as? Node === node)
    greeter.release()
    let optional = KeptInstance(sole: node as Node?)
    #expect(!optional.isPlain)
    #expect(optional.service(as: Node?.self) === node)
    optional.release()
  }

  @Test func `what is held can be had as each of its types, and gives back what it holds`() {
    let journal = Journal()
    let node = Node("node")
    let built = Built(
      Instance(node), others: [Instance<any Greeter>(node)], object: nil, dispose: { journal.note("dispose") })
    let kept = KeptInstance(holding: built.first)
    #expect(kept.service(as: Node.self) === node)
    #expect(kept.asType(1).service(as: (any Greeter).self) as? Node === node)
    kept.dispose()
    #expect(journal.entries == ["dispose"])
    kept.release()
  }

  @Test func `instances come out in the reverse of their order`() {
    let journal = Journal()
    var instances = instances(3, journal)
    while let kept = instances.removeLast() { kept.release() }
    #expect(journal.entries == ["+0", "+1", "+2", "-2", "-1", "-0"])
  }

  @Test func `all come out in their order`() {
    let journal = Journal()
    var instances = instances(3, journal)
    let all = instances.removeAll()
    #expect(all.map(\.isPlain) == [true, false, true])
    #expect(instances.removeLast() == nil)
    for kept in all { kept.release() }
    #expect(journal.entries == ["+0", "+1", "+2", "-0", "-1", "-2"])
  }

  @Test func `what is taken whole leaves nothing behind, and is released the last first`() {
    let journal = Journal()
    do {
      var first = instances(2, journal)
      var second = first.take()
      #expect(first.removeLast() == nil)
      second.add(KeptInstance(sole: Node("2", journal: journal)))
    }
    #expect(journal.entries == ["+0", "+1", "+2", "-2", "-1", "-0"])
  }
}
