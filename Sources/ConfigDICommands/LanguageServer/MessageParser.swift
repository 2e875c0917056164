// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  /// A parser that divides a stream of bytes into messages. Each is a header with `Content-Length`, an empty line and
  /// the content (LSP 3.17, base protocol).
  struct MessageParser {
    /// The next item of the stream.
    enum Frame: Equatable {
      /// The content of a message.
      case message([UInt8])
      /// A header that is too long or has no valid length, or a message that is too long, whose content is skipped.
      case malformed(String)
    }

    /// The maximum length of a message in bytes. The largest file fits in, even if all its bytes are escaped.
    private static let maximumLength = 128 << 20
    /// The maximum length of a header in bytes.
    private static let maximumHeader = 16 << 10

    /// The received bytes. Those before `start` are consumed.
    private var buffer: [UInt8] = []
    /// The offset in `buffer` of the first byte that is not consumed.
    private var start = 0
    /// The number of bytes that remain to be skipped, of the content of a message that is too long.
    private var bytesToSkip = 0

    /// Appends received bytes. Drops the consumed ones if they are the whole buffer or more than 1 MiB.
    mutating func append(_ bytes: some Collection<UInt8>) {
      if start > 0, start == buffer.count || start > 1 << 20 {
        buffer.removeSubrange(..<start)
        start = 0
      }
      buffer += bytes
    }

    /// Consumes and returns the next frame, or returns `nil` if it has not arrived completely.
    mutating func next() -> Frame? {
      if bytesToSkip > 0 {
        let passed = min(bytesToSkip, buffer.count - start)
        start += passed
        bytesToSkip -= passed
        guard bytesToSkip == 0 else { return nil }
      }
      guard let (header, content) = header() else {
        guard buffer.count - start > MessageParser.maximumHeader else { return nil }
        start = buffer.count
        return .malformed("a header of more than \(MessageParser.maximumHeader) bytes")
      }
      guard let length = MessageParser.length(in: header) else {
        start = content
        return .malformed("a header without a valid Content-Length")
      }
      guard length <= MessageParser.maximumLength else {
        start = content
        bytesToSkip = length
        return .malformed("a message of \(length) bytes; the maximum is \(MessageParser.maximumLength)")
      }
      guard buffer.count - content >= length else { return nil }
      defer { start = content + length }
      return .message(Array(buffer[content..<content + length]))
    }

    /// Returns the bytes of a message: a header, then the content.
    static func framed(_ content: [UInt8]) -> [UInt8] {
      Array("Content-Length: \(content.count)\r\n\r\n".utf8) + content
    }

    /// Returns the header and the offset after the empty line that ends it, or `nil` if that line has not arrived.
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

    /// Returns the length in a header, or `nil` if the header is malformed or does not have exactly one length.
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
