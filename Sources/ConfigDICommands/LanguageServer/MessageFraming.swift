// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  /// Takes the messages out of a stream of bytes: a header with `Content-Length`, an empty line, the content (LSP 3.17, base
  /// protocol).
  struct MessageFraming {
    /// What stands next in the stream.
    enum Frame: Equatable {
      /// The content of a message.
      case message([UInt8])
      /// A header without a sound length, or with one that is too great; the content of the latter is passed over.
      case malformed(String)
    }

    /// The greatest length of a message in bytes: more than the greatest file with all its bytes escaped.
    private static let maximumLength = 128 << 20
    /// The greatest length of a header in bytes.
    private static let maximumHeader = 16 << 10

    /// The bytes that were not taken yet, from `start` on.
    private var buffer: [UInt8] = []
    /// Where they begin.
    private var start = 0
    /// How many bytes of the content of a refused message are still to come.
    private var refused = 0

    /// Adds bytes to the stream.
    mutating func append(_ bytes: some Collection<UInt8>) {
      if start > 0, start == buffer.count || start > 1 << 20 {
        buffer.removeSubrange(..<start)
        start = 0
      }
      buffer += bytes
    }

    /// Takes the next frame; nil where it is not there as a whole.
    mutating func next() -> Frame? {
      if refused > 0 {
        let passed = min(refused, buffer.count - start)
        start += passed
        refused -= passed
        guard refused == 0 else { return nil }
      }
      guard let (header, content) = header() else {
        guard buffer.count - start > MessageFraming.maximumHeader else { return nil }
        start = buffer.count
        return .malformed("a header of more than \(MessageFraming.maximumHeader) bytes")
      }
      guard let length = MessageFraming.length(in: header) else {
        start = content
        return .malformed("a header without a sound Content-Length")
      }
      guard length <= MessageFraming.maximumLength else {
        start = content
        refused = length
        return .malformed("a message of \(length) bytes; the greatest has \(MessageFraming.maximumLength)")
      }
      guard buffer.count - content >= length else { return nil }
      defer { start = content + length }
      return .message(Array(buffer[content..<content + length]))
    }

    /// A message with its header.
    static func framed(_ content: [UInt8]) -> [UInt8] {
      Array("Content-Length: \(content.count)\r\n\r\n".utf8) + content
    }

    /// The header and the offset behind the empty line that ends it; nil where that is not there.
    private func header() -> (text: String, end: Int)? {
      var at = start
      while at < buffer.count {
        if buffer[at] == UInt8(ascii: "\n") {
          let rest = buffer[(at + 1)...]
          let text = String(decoding: buffer[start..<at], as: UTF8.self)
          if rest.first == UInt8(ascii: "\n") { return (text, at + 2) }
          if rest.starts(with: "\r\n".utf8) { return (text, at + 3) }
        }
        at += 1
      }
      return nil
    }

    /// The length that a header names; nil where it names none, or several.
    private static func length(in header: String) -> Int? {
      var length: Int?
      for line in header.split(whereSeparator: \.isNewline) {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        guard line[..<colon].lowercased() == "content-length" else { continue }
        let digits = line[line.index(after: colon)...].filter { $0 != " " && $0 != "\t" }
        guard length == nil, !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        length = Int(digits)
      }
      return length
    }
  }
#endif
