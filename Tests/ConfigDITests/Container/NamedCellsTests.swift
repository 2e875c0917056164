// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct NamedCellsTests {
  @Test func `a name is found again by its bytes and its type`() {
    let block = CellBlock(count: 200)
    let cells = NamedCells()
    let texts = (0..<100).map { String(repeating: "n", count: $0 % 20) + "\($0)" }
    var retired: [Any] = []
    for (index, text) in texts.enumerated() {
      retired += cells.add(text, ObjectIdentifier(Int.self), block[index])
      retired += cells.add(text, ObjectIdentifier(String.self), block[100 + index])
      // Twice is once.
      retired += cells.add(text, ObjectIdentifier(Int.self), block[index])
    }
    for (index, text) in texts.enumerated() {
      #expect(cells.cell(named: text, ObjectIdentifier(Int.self)) == block[index])
      #expect(cells.cell(named: text, ObjectIdentifier(String.self)) == block[100 + index])
      #expect(cells.cell(named: text, ObjectIdentifier(Bool.self)) == nil)
      #expect(cells.cell(named: text + "!", ObjectIdentifier(Int.self)) == nil)
    }
    #expect(!retired.isEmpty)
    #expect(cells.clear().count == 1)
    #expect(cells.cell(named: texts[0], ObjectIdentifier(Int.self)) == nil)
  }

  @Test func `names that Swift holds to be equal are told apart`() throws {
    let container = Container()
    container.register(named: "caf\u{E9}") { 1 }
    container.register(named: "cafe\u{301}") { 2 }
    for _ in 0..<2 {
      #expect(try container.resolve(Int.self, named: "caf\u{E9}") == 1)
      #expect(try container.resolve(Int.self, named: "cafe\u{301}") == 2)
    }
  }

  @Test func `what was found by name is not found once something else stands for it`() throws {
    let container = Container()
    container.register(named: "a") { 1 }
    #expect(try container.resolve(Int.self, named: "a") == 1)
    #expect(try container.resolve(Int.self, named: "a") == 1)
    container.register(named: "a") { 2 }
    #expect(try container.resolve(Int.self, named: "a") == 2)
    let child = Container(parent: container)
    #expect(try child.resolve(Int.self, named: "a") == 2)
    container.register(named: "a") { 3 }
    #expect(try child.resolve(Int.self, named: "a") == 3)
    child.register(named: "a") { 4 }
    #expect(try child.resolve(Int.self, named: "a") == 4)
    #expect(try container.resolve(Int.self, named: "a") == 3)
    container.dispose()
    let error = #expect(throws: ResolutionError.self) { try container.resolve(Int.self, named: "a") }
    #expect(error?.code == .closed)
  }
}
