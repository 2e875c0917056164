// SPDX-License-Identifier: Apache-2.0
#if CommandLine
  #if canImport(Darwin)
    internal import Darwin
  #elseif canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #elseif canImport(Android)
    internal import Android
  #endif

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
        guard !isAtEnd, waiting || hasInput else { return nil }
        fill()
      }
    }

    /// Writes a message.
    func write(_ content: JSONValue) {
      StandardStream.output.write(MessageParser.framed(content.bytes))
    }

    /// Whether a read would return without waiting.
    private var hasInput: Bool {
      var descriptor = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      return poll(&descriptor, 1, 0) > 0
    }

    /// Reads the bytes that have arrived. Waits if there are none.
    private mutating func fill() {
      var chunk: [UInt8] = Array(repeating: 0, count: 1 << 16)
      while true {
        let count = read(0, &chunk, chunk.count)
        if count > 0 { return framing.append(chunk[..<count]) }
        if count < 0, errno == EINTR { continue }
        isAtEnd = true
        return
      }
    }
  }
#endif
