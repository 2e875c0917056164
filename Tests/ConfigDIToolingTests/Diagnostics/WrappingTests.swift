// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigDITooling

@Suite struct WrappingTests {
  /// A finding with an excerpt.
  private static let finding = """
    \u{1B}[1;31merror[CDI0501]\u{1B}[0m: service "clock" injects unknown service "loger" again
      --> broken.json:5:52
       |
     5 |     "clock": { "type": "Clock", "inject": { "log": "loger" } }
       |
       = help: did you mean "logger", or another of those that are defined?

    """

  @Test func `messages and notes are wrapped, excerpts are not`() {
    #expect(
      Self.finding.wrapped(to: 40) == """
        \u{1B}[1;31merror[CDI0501]\u{1B}[0m: service "clock" injects
          unknown service "loger" again
          --> broken.json:5:52
           |
         5 |     "clock": { "type": "Clock", "inject": { "log": "loger" } }
           |
           = help: did you mean "logger", or
                   another of those that are
                   defined?

        """)
  }

  @Test func `nothing is wrapped without a width or in a very narrow terminal`() {
    for width in [nil, 10, 200] { #expect(Self.finding.wrapped(to: width) == Self.finding) }
  }

  @Test func `a word longer than the width has its own line, and the indent is configurable`() {
    let word = String(repeating: "x", count: 50)
    #expect("a hint \(word) end".wrapped(to: 40, indent: "  ") == "a hint\n  \(word)\n  end")
  }
}
