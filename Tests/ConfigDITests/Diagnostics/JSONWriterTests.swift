// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigDI
@testable import ConfigDITooling

@Suite struct JSONWriterTests {
  /// Returns the text that the calls in a closure write.
  private func text(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return writer.text
  }

  @Test func `objects and arrays are written on several lines or on one`() {
    let text = text { writer in
      writer.object { writer in
        writer.member("name", "mailer")
        writer.member("ports", 2)
        writer.member("eager", true)
        writer.key("arguments")
        writer.array { writer in
          writer.object(.line) { $0.member("key", "host") }
          writer.object(.line) { writer in
            writer.member("key", "port")
            writer.key("default")
            writer.array { $0.integer(25) }
          }
        }
        writer.key("none")
        writer.object { _ in }
        writer.key("nothing")
        writer.array { _ in }
      }
    }
    #expect(
      text == """
        {
          "name": "mailer",
          "ports": 2,
          "eager": true,
          "arguments": [
            { "key": "host" },
            { "key": "port", "default": [25] }
          ],
          "none": {},
          "nothing": []
        }
        """)
  }

  @Test func `a short list of scalars is written on one line, a long one is not`() {
    let words = (1...30).map { "word\($0)" }
    let text = text { writer in
      writer.array { writer in
        writer.strings(["a", "b"])
        writer.strings(words)
        writer.object(.line) { $0.member("words", words) }
      }
    }
    let list = words.map { "\"\($0)\"" }
    #expect(
      text == """
        [
          ["a", "b"],
          [
            \(list.joined(separator: ",\n    "))
          ],
          { "words": [\(list.joined(separator: ", "))] }
        ]
        """)
  }

  @Test func `only characters that require it are escaped`() {
    #expect(
      text { $0.string("\"\\/\n\r\t\u{8}\u{C}\u{0}\u{1F}\u{7F}é\u{2028}😀") }
        == "\"\\\"\\\\/\\n\\r\\t\\b\\f\\u0000\\u001f\\u007fé\\u2028😀\"")
  }

  @Test(arguments: [
    0.1, 1, -0.0, 1e16, 1e300, .leastNonzeroMagnitude, 123_456_789.5, 100_000, .greatestFiniteMagnitude,
  ])
  func `a real number round-trips as a real number`(number: Double) {
    let text = text { $0.real(number) }
    #expect(Double(text)?.bitPattern == number.bitPattern)
    #expect(text.contains { ".e".contains($0) })
  }

  @Test func `integers keep every digit`() {
    #expect(text { $0.integer(Int64.min) } == "-9223372036854775808")
  }
}
