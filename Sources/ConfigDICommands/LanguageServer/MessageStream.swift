// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  /// The messages of a client on the standard input, and those of the server on the standard output.
  struct MessageStream {
    /// The parser of the bytes that were read.
    private var framing = MessageParser()
    /// Whether the standard input has ended or cannot be read.
    private(set) var isAtEnd = false

    /// Returns the next frame, or `nil` at the end of the input.
    ///
    /// - Parameter waiting: Whether to wait for a frame. If not, `nil` also means that no complete frame has arrived.
    mutating func next(waiting: Bool) -> MessageParser.Frame? {
      while true {
        if let frame = framing.next() { return frame }
        guard !isAtEnd, waiting || StandardStream.hasInput else { return nil }
        fill()
      }
    }

    /// Writes a message.
    func write(_ content: JSONValue) {
      StandardStream.output.write(MessageParser.framed(content.bytes))
    }

    /// Reads the bytes that have arrived. Waits if there are none.
    private mutating func fill() {
      var chunk: [UInt8] = Array(repeating: 0, count: 1 << 16)
      let count = readOnce(0, into: &chunk)
      isAtEnd = count <= 0
      framing.append(chunk[..<max(0, count)])
    }
  }
#endif
