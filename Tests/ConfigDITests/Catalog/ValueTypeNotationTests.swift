// SPDX-License-Identifier: Apache-2.0
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct ValueTypeNotationTests {
  @Test(
    arguments: [
      ("String", .string), ("Int", .integer(.Int)), ("UInt16", .integer(.UInt16)), ("Double", .real(isSingle: false)),
      ("Float", .real(isSingle: true)), ("Bool", .boolean), ("Duration", .duration), ("Size", .size), ("Bytes", .bytes),
      ("URL", .url), ("[Int]", .list(.integer(.Int))), ("[String: Bool]", .map(.boolean)),
      ("Int?", .optional(.integer(.Int))), ("[String?]?", .optional(.list(.optional(.string)))),
      ("[String: [[Int]?]]", .map(.list(.optional(.list(.integer(.Int)))))), ("Money", .named("Money")),
      ("Cache<String, Data>", .named("Cache<String, Data>")), ("[Cache<[Int]>]", .list(.named("Cache<[Int]>"))),
      ("[[Int: String]]", .list(.named("[Int: String]"))), ("[String: Money]", .map(.named("Money"))),
    ] as [(String, ValueType)])
  func `a notation round-trips`(notation: String, type: ValueType) {
    #expect(ValueType(notation: notation) == type)
    #expect(type.notation == notation)
  }

  @Test func `spaces inside brackets do not matter`() {
    #expect(ValueType(notation: "[ String :Int ]") == .map(.integer(.Int)))
    #expect(ValueType(notation: "[ Int ]") == .list(.integer(.Int)))
  }

  @Test(arguments: ["", "?", "[]", "[String:]", "[Int", "Int]", "[Int]]", "[a][b]", "[Int: String]", "string"])
  func `any other text is a type name`(notation: String) {
    #expect(ValueType(notation: notation) == .named(notation))
  }

  @Test func `deeper nesting than the limit is a type name`() {
    let deepest = String(repeating: "[", count: 64) + "Int" + String(repeating: "]", count: 64)
    #expect(ValueType(notation: deepest) != .named(deepest))
    #expect(ValueType(notation: deepest).notation == deepest)
    let depth = LongTests.size(20_000, full: 100_000)
    let deeper = String(repeating: "[", count: depth) + "Int" + String(repeating: "]", count: depth)
    #expect(ValueType(notation: deeper) == .named(deeper))
  }

  @Test func `an enumeration lists its values`() {
    #expect(ValueType.oneOf(["slow", 3]).notation == "\"slow\" | 3")
    #expect(ValueType.list(.optional(.oneOf(["a"]))).holdsEnumeration)
    #expect(!ValueType.list(.optional(.string)).holdsEnumeration)
  }
}
