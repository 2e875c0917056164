// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigDI

@Suite struct ValueTypeMismatchTests {
  @Test(
    arguments: [
      (.string, ""), (.string, .duration("30s")), (.string, .size("1GiB")), (.integer(.Int), .integer(.max)),
      (.integer(.Int64), .integer(.min)), (.integer(.UInt16), 65_535), (.integer(.UInt16), 0), (.integer(.Int8), -128),
      (.integer(.UInt64), .integer(.max)), (.real(isSingle: false), 3), (.real(isSingle: false), -0.125),
      (.real(isSingle: true), 3), (.real(isSingle: true), 0.1), (.boolean, false), (.duration, "1.5s"),
      (.duration, .duration("90d")), (.size, "0B"), (.size, .size("16MiB")), (.bytes, "Zm8="), (.bytes, ""),
      (.bytes, .data([1])), (.url, "https://example.net/a?b=c"), (.url, "mailto:a@b"), (.url, "x:"),
      (.url, "x+y-z.1:a"),
      (.list(.integer(.Int)), []), (.list(.list(.integer(.Int))), [[1, 2], []]), (.map(.boolean), ["x": true]),
      (.optional(.integer(.Int)), 5), (.oneOf(["debug", 3]), 3), (.oneOf(["5s"]), .duration("5s")),
      (.named("Money"), ["any": [1, "thing"]]),
    ] as [(ValueType, Value)])
  func `a matching value has no mismatch`(type: ValueType, value: Value) {
    #expect(type.mismatches(of: value) == [])
  }

  @Test(
    arguments: [
      (.integer(.Int), "8080", "expected an integer, found \"8080\""),
      (.integer(.Int), 2.5, "expected an integer, found 2.5"),
      (.integer(.Int), true, "expected an integer, found true"),
      (.integer(.UInt16), 70_000, "expected an integer from 0 to 65535, found 70000"),
      (.integer(.UInt16), -1, "expected an integer from 0 to 65535, found -1"),
      (.integer(.Int8), 128, "expected an integer from -128 to 127, found 128"),
      (.integer(.UInt64), -1, "expected an integer from 0 to 18446744073709551615, found -1"),
      (.boolean, "true", "expected true or false, found \"true\""),
      (.boolean, 1, "expected true or false, found 1"),
      (.real(isSingle: false), "0.5", "expected a number, found \"0.5\""),
      (.real(isSingle: true), 1e300, "expected a number within the range of Float, found 1e+300"),
      (.string, 55, "expected a string, found 55"),
      (.string, ["x"], "expected a string, found a list"),
      (.duration, 30, "expected a duration such as \"1.5s\", found 30"),
      (.duration, "10 minutes", "expected a duration such as \"1.5s\", found \"10 minutes\""),
      (.duration, .size("1B"), "expected a duration such as \"1.5s\", found the size 1B"),
      (.size, 1024, "expected a size such as \"16MiB\", found 1024"),
      (.size, "1.5MB", "expected a size such as \"16MiB\", found \"1.5MB\""),
      (.bytes, "Zg", "expected base64 data, found \"Zg\""),
      (.url, "no scheme", "expected a URL with a scheme, such as \"https://example.com\", found \"no scheme\""),
      (.list(.string), "solo", "expected a list, found \"solo\""),
      (.map(.string), ["w"], "expected a map, found a list"),
      (.optional(.integer(.Int)), "none", "expected an integer, found \"none\""),
      (.oneOf(["slow", "fast"]), 3, "expected \"slow\" or \"fast\", found 3"),
      (.oneOf(["a", "b", 7]), "c", "expected \"a\", \"b\" or 7, found \"c\""),
    ] as [(ValueType, Value, String)])
  func `a mismatch describes the expected and the actual value`(type: ValueType, value: Value, message: String) {
    #expect(type.mismatches(of: value) == [ValueType.Mismatch(path: [], message: message)])
  }

  @Test(arguments: [
    "", ":", "example.com", "1a:b", "a b:c", "http://a b", "http://a\u{7}", "http://a\u{A0}b", "é:x",
  ])
  func `a URL needs a scheme and no space or control character`(text: String) {
    #expect(ValueType.url.mismatches(of: .string(text)).count == 1)
  }

  @Test func `each innermost mismatch has its path`() {
    let type = ValueType.map(.list(.integer(.UInt8)))
    let value: Value = ["a": [1, "two", 300], "b": 4, "c": []]
    let mismatches = type.mismatches(of: value)
    #expect(mismatches.map(\.path) == [[.key("a"), .index(1)], [.key("a"), .index(2)], [.key("b")]])
  }

  @Test func `a secret is not shown`() {
    #expect(
      ValueType.integer(.UInt16).mismatches(of: 70_000, isSecret: true).map(\.message)
        == ["expected an integer from 0 to 65535, found an integer that does not fit"])
    #expect(
      ValueType.integer(.UInt16).mismatches(of: "hunter2", isSecret: true).map(\.message)
        == ["expected an integer from 0 to 65535, found a string"])
    #expect(
      ValueType.oneOf(["a"]).mismatches(of: "hunter2", isSecret: true).map(\.message)
        == ["expected \"a\", found a string that does not fit"])
  }

  @Test func `enumeration strings compare by Unicode scalars`() {
    #expect(ValueType.oneOf(["\u{E9}"]).mismatches(of: "e\u{301}").count == 1)
  }

  @Test func `a long string is truncated`() {
    let message = ValueType.boolean.mismatches(of: .string(String(repeating: "x", count: 1_000)))[0].message
    #expect(message == "expected true or false, found \"\(String(repeating: "x", count: 80))…\"")
  }
}
