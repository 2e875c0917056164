// SPDX-License-Identifier: Apache-2.0

/// An error thrown to end reading. The builder's `stop` holds the finding.
package struct ReadingStop: Error {
  /// Creates an error.
  package init() {}
}

/// A reader of a text syntax. It has a pointer into the text and must not outlive the closure that it is created in.
package protocol TextReader {
  /// The whole text.
  var text: UnsafeBufferPointer<UInt8> { get }
  /// The document so far.
  var builder: DocumentBuilder { get set }
  /// The offset at which reading ended.
  var end: Int { get }

  /// Reads the text to its end, or to a finding after which the meaning of the rest is uncertain.
  mutating func read() throws(ReadingStop)
}

extension TextReader {
  /// Reads the text and returns the document.
  package mutating func document(bag: inout DiagnosticBag) -> Document {
    try? read()
    return builder.finish(at: end, bag: &bag)
  }

  /// Stores the finding that ends reading. Its path is filled in when the tree is finished.
  package mutating func end(
    _ code: DiagnosticCode, _ message: String, from start: Int, to end: Int, help: String? = nil
  ) -> ReadingStop {
    builder.end(code, message, from: start, to: end, help: help)
  }

  /// Stores CDI0104 at a byte that does not begin a well-formed Unicode scalar.
  package mutating func invalidUTF8(at offset: Int) -> ReadingStop {
    end(
      .invalidCharacter, "byte 0x\(UInt32(text[offset]).hexadecimal(width: 2)) is not valid UTF-8", from: offset,
      to: offset + 1, help: "save the file as UTF-8")
  }

  /// Stores CDI0104 at the escape of a surrogate, such as `\uD800`, without its other half.
  package mutating func loneSurrogate(from start: Int, help: String) -> ReadingStop {
    let escape = String(decoding: text[start..<start + 6], as: UTF8.self)
    return end(
      .invalidCharacter, "unpaired surrogate \"\(escape)\"", from: start, to: start + 6,
      help: "write the character itself" + help)
  }

  /// Returns the length of the well-formed Unicode scalar at an offset.
  package mutating func scalarLength(at offset: Int) throws(ReadingStop) -> Int {
    let length = text.scalarLength(at: offset)
    guard length > 0 else { throw invalidUTF8(at: offset) }
    return length
  }
}

// MARK: - Text of messages

extension UInt32 {
  /// Returns the number in hexadecimal digits, padded with leading zeros to a width.
  package func hexadecimal(width: Int) -> String {
    let digits = String(self, radix: 16, uppercase: true)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
