// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigDI

@Suite struct UnitTextTests {
  @Test(
    arguments: [
      ("0s", .zero), ("1ns", .nanoseconds(1)), ("7us", .microseconds(7)), ("250ms", .milliseconds(250)),
      ("1.5s", .milliseconds(1_500)), ("2m", .seconds(120)), ("0.5h", .seconds(1_800)), ("1d", .seconds(86_400)),
      ("007s", .seconds(7)),
      ("99999999999999999999ns", .nanoseconds(999) + .seconds(99_999_999_999) + .nanoseconds(999_999_000)),
      ("9223372036854775807s", .seconds(Int64.max)),
    ] as [(String, Duration)])
  func `a duration is a number with a unit`(text: String, duration: Duration) {
    #expect(DurationText.duration(of: text) == duration)
  }

  @Test func `a fraction is exact to the attosecond and truncated below it`() {
    #expect(
      DurationText.duration(of: "0.000000000000000001s") == Duration(secondsComponent: 0, attosecondsComponent: 1))
    #expect(
      DurationText.duration(of: "0.0000000000000000019s") == Duration(secondsComponent: 0, attosecondsComponent: 1))
    #expect(DurationText.duration(of: "0.\(String(repeating: "9", count: 500))d") == .seconds(86_400) - .attosecond)
    #expect(DurationText.duration(of: "0.1ns") == Duration(secondsComponent: 0, attosecondsComponent: 100_000_000))
  }

  @Test(arguments: [
    "", "s", "90", "10 minutes", "sms", "-5s", "+5s", "5 s", " 5s", "5s ", "1e3s", ".5s", "5.s", "1.5.5s", "1,5s", "5S",
    "5sec", "5µs", "٣s", "1_000s", "9223372036854775808s", "106751991167301d",
    "170141183460469231731687303715884105728ns",
  ])
  func `invalid and overflowing durations are rejected`(text: String) {
    #expect(DurationText.duration(of: text) == nil)
  }

  @Test(
    arguments: [
      ("0B", 0), ("512B", 512), ("3kB", 3_000), ("2MB", 2_000_000), ("1GB", 1_000_000_000), ("512KiB", 524_288),
      ("16MiB", 16_777_216), ("1GiB", 1_073_741_824), ("9223372036854775807B", Int64.max),
      ("8589934591GiB", 8_589_934_591 << 30),
    ] as [(String, Int64)])
  func `a size is a whole number with a unit`(text: String, byteCount: Int64) {
    #expect(SizeText.byteCount(of: text) == byteCount)
  }

  @Test(arguments: [
    "", "B", "10", "1.5MB", "10mb", "GiB", "-1B", "+1B", "1 B", "1e3B", "1KB", "1TB", "8589934592GiB",
    "9223372036854775808B", "16\u{212A}iB",
  ])
  func `invalid and overflowing sizes are rejected`(text: String) {
    #expect(SizeText.byteCount(of: text) == nil)
  }
}

extension Duration {
  /// The shortest duration that is not zero.
  fileprivate static let attosecond = Duration(secondsComponent: 0, attosecondsComponent: 1)
}
