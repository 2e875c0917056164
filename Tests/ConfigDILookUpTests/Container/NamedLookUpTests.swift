// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct NamedLookUpTests {
  @Test func `each of many names is found only by its own bytes and type`() throws {
    let container = Container()
    let texts = (0..<100).map { String(repeating: "n", count: $0 % 20) + "\($0)" }
    for (number, text) in texts.enumerated() {
      container.register(named: text) { number }
      container.register(named: text) { text }
      // A second registration of the same service replaces the first.
      container.register(named: text) { number }
    }
    for _ in 0..<2 {
      for (number, text) in texts.enumerated() {
        #expect(try container.resolve(Int.self, named: text) == number)
        #expect(try container.resolve(String.self, named: text) == text)
        let error = #expect(throws: ResolutionError.self) { try container.resolve(Bool.self, named: text) }
        #expect(error?.code == .notProvided)
        #expect(try container.resolveOptional(Int.self, named: text + "!") == nil)
      }
    }
  }

  @Test func `names that Swift treats as equal are distinct`() throws {
    let container = Container()
    container.register(named: "caf\u{E9}") { 1 }
    container.register(named: "cafe\u{301}") { 2 }
    for _ in 0..<2 {
      #expect(try container.resolve(Int.self, named: "caf\u{E9}") == 1)
      #expect(try container.resolve(Int.self, named: "cafe\u{301}") == 2)
    }
  }

  @Test func `a name that is replaced no longer finds the old service`() throws {
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
