// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct ValueSchemaTests {
  /// An enumeration that lists its cases.
  private enum Level: String, CaseIterable { case low, high }

  /// An enumeration that does not list its cases.
  private enum Rank: Int { case first = 1 }

  /// A type that decodes itself, with members of all kinds.
  private struct Options: Decodable, Sendable, Equatable {
    /// A member that decodes itself.
    struct Retry: Decodable, Sendable, Equatable {
      var count: UInt8
      var wait: Duration
    }

    var name: String
    var retries: [Retry]
    var ratio: Double?
    var big: Int128?
    var kind: Kind?
    var tags: Set<String>?

    /// A member with raw values.
    enum Kind: String, Decodable { case fast, slow }
  }

  /// A recursive type, which can be nested as deeply as its value.
  private final class Tree: Decodable, Sendable {
    let child: Tree?
  }

  /// Returns the error of converting a value to `Options`.
  private func mismatch(_ value: Value) throws -> ValueMismatch {
    try #require(throws: ValueMismatch.self) { try ValueSchema<Options>.decoded.convert(value) }
  }

  @Test func `raw values convert, and an invalid one lists the allowed ones`() throws {
    let schema = ValueSchema<Level>.rawValue
    #expect(schema.type == .oneOf(["low", "high"]))
    #expect(try schema.convert("low") == .low)
    #expect(schema.express(.high) == "high")
    let mismatch = try #require(throws: ValueMismatch.self) { try schema.convert("medium") }
    #expect(mismatch.description == "expected \"low\" or \"high\", found \"medium\"")
  }

  @Test func `an enumeration without listed cases uses its name`() throws {
    let schema = ValueSchema<Rank>.rawValue
    #expect(schema.type == .named("Rank"))
    #expect(try schema.convert(1) == .first)
    let mismatch = try #require(throws: ValueMismatch.self) { try schema.convert(2) }
    #expect(mismatch.description == "expected a raw value of Rank, found 2")
  }

  @Test func `a Decodable type receives its members`() throws {
    let options = try ValueSchema<Options>.decoded.convert([
      "name": "x", "retries": [["count": 3, "wait": "2s"]], "ratio": 1, "big": 7, "kind": "slow", "tags": ["a"],
    ])
    #expect(
      options
        == Options(
          name: "x", retries: [Options.Retry(count: 3, wait: .seconds(2))], ratio: 1, big: 7, kind: .slow, tags: ["a"]))
  }

  @Test func `members are checked like arguments, and reported with their paths`() throws {
    let tooGreat = try mismatch(["name": "x", "retries": [["count": 300, "wait": "2s"]]])
    #expect(tooGreat.path == [.key("retries"), .index(0), .key("count")])
    #expect(tooGreat.description == "expected an integer from 0 to 255, found 300")
    let noUnit = try mismatch(["name": "x", "retries": [["count": 1, "wait": 2]]])
    #expect(noUnit.path == [.key("retries"), .index(0), .key("wait")])
    let noText = try mismatch(["name": 1, "retries": []])
    #expect(noText.path == [.key("name")])
  }

  @Test func `a missing member is reported at its map`() throws {
    let missing = try mismatch(["name": "x", "retries": [["count": 1]]])
    #expect(missing.path == [.key("retries"), .index(0)])
    #expect(missing.description == "expected a map with the key \"wait\", found a map")
    let noMap = try mismatch("x")
    #expect(noMap.path == [])
    #expect(noMap.description == "expected a map, found \"x\"")
  }

  @Test func `an error of a type's own decoding is reported at the value`() throws {
    let wrongKind = try mismatch(["name": "x", "retries": [], "kind": "medium"])
    #expect(wrongKind.path == [.key("kind")])
    #expect(wrongKind.found == "medium")
  }

  @Test func `an invalid case in a list, a map or a member lists the allowed ones`() throws {
    enum Grade: String, CaseIterable, Decodable { case low, high }
    struct Exam: Decodable { let grade: Grade }
    let inList = try #require(throws: ValueMismatch.self) { try ValueSchema<[Grade]>.decoded.convert(["low", "top"]) }
    #expect(inList.description == "expected \"low\" or \"high\", found \"top\"")
    #expect(inList.path == [.index(1)])
    let inMap = try #require(throws: ValueMismatch.self) {
      try ValueSchema<[String: Grade]>.decoded.convert(["a": "top"])
    }
    #expect(inMap.description == inList.description)
    #expect(inMap.path == [.key("a")])
    let inMember = try #require(throws: ValueMismatch.self) {
      try ValueSchema<Exam>.decoded.convert(["grade": "top"])
    }
    #expect(inMember.description == inList.description)
    #expect(inMember.path == [.key("grade")])
  }

  @Test func `a value of the maximum depth decodes`() throws {
    var value: Value = [:]
    for _ in 1..<Limits.maximumNesting { value = ["child": value] }
    var depth = 0
    var tree: Tree? = try ValueSchema<Tree>.decoded.convert(value)
    while let next = tree {
      depth += 1
      tree = next.child
    }
    #expect(depth == Limits.maximumNesting)
  }

  @Test func `lists and maps of Decodable types have element schemas`() {
    #expect(ValueSchema<[String: [Options]]>.decoded.type == .map(.list(.named("Options"))))
    #expect(ValueSchema<Options?>.decoded.type == .optional(.named("Options")))
  }
}
