// SPDX-License-Identifier: Apache-2.0

import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct OpenScopesTests {
  @Test(arguments: [UInt64(1), 2, 3])
  func `open scopes end with the container, last opened first, whichever were closed before`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let journal = Journal()
    let container = Container(scopes: ["request"])
    container.register(scope: .scope("request"), onDispose: { (node: Node) in journal.note(node.name) }) {
      (_, name: String) in Node(name)
    }
    var open: [(number: Int, scope: Scope)] = []
    for number in 0..<500 {
      if open.isEmpty || Bool.random(using: &random) {
        let scope = try container.openScope("request")
        _ = try scope.resolve(Node.self, arguments: "\(number)")
        open.append((number, scope))
      } else {
        let (number, scope) = open.remove(at: Int.random(in: open.indices, using: &random))
        // Closing a scope again has no effect.
        for _ in 0..<2 { scope.close() }
        #expect(journal.entries.last == "\(number)")
      }
    }
    let closed = journal.entries.count
    container.dispose()
    #expect(journal.entries.dropFirst(closed).map { Int($0) } == open.reversed().map(\.number))
  }
}
