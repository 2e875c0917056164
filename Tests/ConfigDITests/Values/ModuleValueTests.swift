// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct ModuleValueTests {
  /// Returns the converted value, or the reason why it does not convert.
  private func convert<T: ModuleValue>(_ value: Value, to type: T.Type = T.self) -> Result<T, ValueMismatch> {
    Result { () throws(ValueMismatch) in try T(moduleValue: value) }
  }

  /// Returns the message of a conversion that must fail.
  private func failure<T: ModuleValue>(_ value: Value, to type: T.Type) throws -> String {
    try #require(throws: ValueMismatch.self) { try T(moduleValue: value) }.description
  }

  @Test func `integers are checked against the range of their type`() throws {
    #expect(try convert(127, to: Int8.self).get() == 127)
    #expect(try convert(-128, to: Int8.self).get() == -128)
    #expect(try failure(128, to: Int8.self) == "expected an integer from -128 to 127, found 128")
    #expect(try failure(-1, to: UInt64.self) == "expected an integer from 0 to 18446744073709551615, found -1")
    #expect(try convert(.integer(.max), to: UInt64.self).get() == 9_223_372_036_854_775_807)
    #expect(try failure(70_000, to: UInt16.self) == "expected an integer from 0 to 65535, found 70000")
    #expect(try convert(70_000, to: UInt128.self).get() == 70_000)
  }

  @Test func `a number is no string, a string no number, and a real number no integer`() throws {
    #expect(try failure("1", to: Int.self) == "expected an integer, found \"1\"")
    #expect(try failure(1.0, to: Int.self) == "expected an integer, found 1.0")
    #expect(try failure(1, to: String.self) == "expected a string, found 1")
    #expect(try failure("true", to: Bool.self) == "expected true or false, found \"true\"")
    #expect(try failure(1, to: Bool.self) == "expected true or false, found 1")
  }

  @Test func `an integer converts to a real number, and a unit text to a string`() throws {
    #expect(try convert(3, to: Double.self).get() == 3)
    #expect(try convert(3, to: Float.self).get() == 3)
    #expect(try convert(.duration("30s"), to: String.self).get() == "30s")
    #expect(try convert(.size("1MiB"), to: String.self).get() == "1MiB")
  }

  @Test func `a real number beyond the range of Float does not convert`() throws {
    #expect(try failure(1e39, to: Float.self) == "expected a number within the range of Float, found 1e+39")
    #expect(try convert(1e39, to: Double.self).get() == 1e39)
  }

  @Test func `durations and sizes require a unit`() throws {
    #expect(try convert("1.5s", to: Duration.self).get() == .milliseconds(1_500))
    #expect(try convert(.duration("2m"), to: Duration.self).get() == .seconds(120))
    #expect(try convert("16KiB", to: ByteCount.self).get() == ByteCount(bytes: 16_384))
    #expect(try failure(30, to: Duration.self) == "expected a duration such as \"1.5s\", found 30")
    #expect(try failure("30", to: ByteCount.self) == "expected a size such as \"16MiB\", found \"30\"")
    #expect(try failure(.size("1kB"), to: Duration.self).hasPrefix("expected a duration"))
  }

  @Test(arguments: [
    Duration.zero, .nanoseconds(1), .microseconds(250), .milliseconds(1_500), .seconds(86_400),
    .seconds(Int64.max / 2_000_000_000),
  ])
  func `the description of a duration round-trips`(duration: Duration) throws {
    let value = try #require(duration.moduleValue)
    #expect(try Duration(moduleValue: value) == duration)
  }

  @Test func `an empty list of strings is a list, and an empty list of bytes is data`() {
    #expect(([] as [String]).moduleValue == .list([]))
    #expect(([] as [UInt8]).moduleValue == .data([]))
  }

  @Test func `an inexpressible value has no module value`() {
    #expect(Duration.seconds(-1).moduleValue == nil)
    #expect(Duration(secondsComponent: 0, attosecondsComponent: 1).moduleValue == nil)
    #expect(Duration.seconds(Int64.max).moduleValue == nil)
    #expect(ByteCount(bytes: -1).moduleValue == nil)
    #expect(UInt64.max.moduleValue == nil)
    #expect(Double.infinity.moduleValue == nil)
    #expect([UInt64.max].moduleValue == nil)
    #expect(ByteCount(bytes: 0).moduleValue == .size("0B"))
    #expect(ByteCount(bytes: 3 << 10).moduleValue == .size("3KiB"))
  }

  @Test func `bytes are converted from data and from base64`() throws {
    #expect(try convert(.data([1, 2]), to: [UInt8].self).get() == [1, 2])
    #expect(try convert("AQI=", to: [UInt8].self).get() == [1, 2])
    #expect(try convert("AQI=", to: Data.self).get() == Data([1, 2]))
    #expect(try failure("AQI", to: [UInt8].self).hasPrefix("expected base64 data"))
    #expect(try failure([1, 2], to: [UInt8].self) == "expected base64 data, found a list")
    #expect([UInt8]([1, 2]).moduleValue == .data([1, 2]))
  }

  @Test func `URLs require a scheme and no space`() throws {
    #expect(try convert("https://example.com/a", to: URL.self).get().absoluteString == "https://example.com/a")
    #expect(throws: ValueMismatch.self) { try URL(moduleValue: "example.com") }
    #expect(throws: ValueMismatch.self) { try URL(moduleValue: "https://a b") }
  }

  @Test func `lists, maps and optionals convert recursively, and report the innermost value`() throws {
    #expect(try convert([1, 2], to: [Int].self).get() == [1, 2])
    #expect(try convert(["a": [1]], to: [String: [Int]].self).get() == ["a": [1]])
    #expect(try convert("x", to: String?.self).get() == "x")
    let mismatch = try #require(throws: ValueMismatch.self) {
      try [String: [Int?]](moduleValue: ["a": [1], "b": [1, "2"]])
    }
    #expect(mismatch.path == [.key("b"), .index(1)])
    #expect(mismatch.found == "2")
    #expect(try failure("a", to: [String].self) == "expected a list, found \"a\"")
    #expect(try failure([], to: [String: Int].self) == "expected a map, found a list")
  }

  @Test func `the description of a map is ascending`() {
    #expect(["b": 2, "a": 1].moduleValue == ["a": 1, "b": 2])
  }

  @Test func `types of the application can conform to the protocol`() throws {
    struct Share: ModuleValue, Equatable {
      var share: Double
      static var moduleValueType: ValueType { .real(isSingle: false) }
      init(moduleValue: Value) throws(ValueMismatch) {
        share = try Double(moduleValue: moduleValue) / 100
        guard (0...1).contains(share) else { throw ValueMismatch(expected: "a percentage", found: moduleValue) }
      }
    }
    #expect(try convert([50, 25], to: [Share].self).get().map(\.share) == [0.5, 0.25])
    #expect(try failure(101, to: Share.self) == "expected a percentage, found 101")
  }
}
