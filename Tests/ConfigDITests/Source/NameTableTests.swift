// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigDI

@Suite struct NameTableTests {
  @Test func `every text has one number, of any length`() {
    var table = NameTable()
    // All prefixes of two texts that differ in every position, so that the hash function meets every length of a last
    // word.
    let texts = ["abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"].flatMap { text in
      (1...text.count).map { String(text.prefix($0)) }
    }
    let names = texts.map { table.name($0) }
    #expect(Set(names).count == texts.count)
    #expect(texts.map { table.name($0) } == names)
    #expect(names.map { table[$0] } == texts)
    #expect(table.count == texts.count)
  }

  @Test func `names keep their numbers when the table grows`() {
    var table = NameTable()
    let texts = (0..<5_000).map { "service\($0)" }
    let names = texts.map { table.name($0) }
    #expect(names.map(\.index) == Array(0..<5_000))
    #expect(texts.map { table.existingName($0) } == names)
    #expect((5_000..<10_000).allSatisfy { table.existingName("service\($0)") == nil })
    #expect(table.count == texts.count)
  }

  @Test func `an unknown text has no number`() {
    var table = NameTable()
    #expect(table.existingName("") == nil)
    let empty = table.name("")
    #expect(table.existingName("") == empty)
    #expect(table.existingName("a") == nil)
  }

  @Test func `names are equal if their scalars are equal`() {
    var table = NameTable()
    #expect(table.name("é") != table.name("e\u{301}"))
  }

  @Test func `one changed byte or another seed changes the hash`() {
    let hash = SeededHash()
    let other = SeededHash()
    for length in 0...24 {
      let bytes = [UInt8](repeating: 7, count: length)
      let hashes = bytes.indices.map { index in
        var changed = bytes
        changed[index] = 8
        return changed.withUnsafeBufferPointer { hash($0) }
      }
      let plain = bytes.withUnsafeBufferPointer { hash($0) }
      #expect(Set(hashes + [plain]).count == length + 1)
      #expect(bytes.withUnsafeBufferPointer { other($0) } != plain)
    }
  }
}
