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
    /// The bytes that were read.
    private var framing = MessageFraming()
    /// Whether the client has closed the stream.
    private(set) var isAtEnd = false

    /// The next frame; nil where the client has closed the stream.
    ///
    /// - Parameter waiting: Whether to wait for it. Where not, nil is also given where none is there.
    mutating func next(waiting: Bool) -> MessageFraming.Frame? {
      while true {
        if let frame = framing.next() { return frame }
        guard !isAtEnd, waiting || hasInput else { return nil }
        fill()
      }
    }

    /// Writes a message.
    func write(_ content: JSONValue) {
      StandardStream.output.write(MessageFraming.framed(content.bytes))
    }

    /// Whether a read would not wait.
    private var hasInput: Bool {
      var descriptor = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      return poll(&descriptor, 1, 0) > 0
    }

    /// Reads what is there, or waits for it.
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
