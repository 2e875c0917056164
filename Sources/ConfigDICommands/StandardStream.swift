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

  /// A stream to which the tool writes. All output uses this type, so that a closed pipe is handled in one place.
  enum StandardStream: Int32 {
    /// The standard output: results, including the findings of `validate`.
    case output = 1
    /// The standard error: findings in addition to results, hints, and messages about wrong usage and other failures.
    case error = 2

    /// Writes a text completely.
    ///
    /// If the reader has closed the pipe (`configdi ... | head`), the rest is discarded and the exit status stays the
    /// same. Any other error ends the tool.
    func write(_ text: String) {
      var text = text
      text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    /// Writes bytes completely. Handles errors as for a text.
    func write(_ bytes: [UInt8]) { bytes.withUnsafeBytes { write($0) } }

    /// Writes bytes completely.
    private func write(_ bytes: UnsafeRawBufferPointer) {
      // Otherwise SIGPIPE would end the tool, and `write` could not return `EPIPE`.
      signal(SIGPIPE, SIG_IGN)
      guard !writeAll(bytes, to: rawValue), errno != EPIPE else { return }
      if self == .output { StandardStream.error.write("error: cannot write the output: \(systemMessage)\n") }
      ExitStatus.failedOutput.exit()
    }

    /// Whether the stream is a terminal.
    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Whether output can still be read: `false` if the other end of a pipe or terminal was closed.
    var hasReader: Bool {
      // macOS reports a closed pipe only if an event is awaited, and devices as invalid.
      var descriptor = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
      return poll(&descriptor, 1, 0) <= 0 || descriptor.revents & Int16(POLLERR | POLLHUP) == 0
    }

    /// Whether the user wants colours on a terminal (https://no-color.org).
    var allowsColor: Bool {
      func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
      return variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
    }

    /// The number of columns of the terminal, or `nil` if the stream is not a terminal or its size is not known.
    var width: Int? {
      var size = winsize()
      guard isTerminal, ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
      return Int(size.ws_col)
    }

    /// Whether a read of the standard input would return without waiting.
    static var hasInput: Bool {
      var descriptor = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      return poll(&descriptor, 1, 0) > 0
    }

    /// Reads the standard input to its end, or up to one byte more than the limit.
    ///
    /// - Returns: The bytes, or `nil` if the input cannot be read.
    static func input(limit: Int) -> [UInt8]? { contents(of: 0, limit: limit) }

    /// Reads a pipe or a device to its end, or up to one byte more than the limit.
    ///
    /// - Returns: The bytes, or `nil` if it cannot be read.
    static func contents(ofPipe path: String, limit: Int) -> [UInt8]? {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      return contents(of: descriptor, limit: limit)
    }

    /// Reads an open file to its end, or up to one byte more than the limit; `nil` if it cannot be read.
    private static func contents(of descriptor: CInt, limit: Int) -> [UInt8]? {
      var bytes: [UInt8] = []
      var chunk: [UInt8] = Array(repeating: 0, count: 1 << 16)
      while bytes.count <= limit {
        let count = readOnce(descriptor, into: &chunk)
        if count <= 0 { return count == 0 ? bytes : nil }
        bytes += chunk[..<count]
      }
      return Array(bytes.prefix(limit + 1))
    }
  }

  /// The exit statuses of the tool other than success.
  enum ExitStatus: Int32 {
    /// There are findings that count as errors.
    case findings = 1
    /// Wrong usage: `EX_USAGE` of sysexits.h.
    case usage = 64
    /// The output could not be written: `EX_IOERR` of sysexits.h.
    case failedOutput = 74

    /// Ends the tool with this status.
    func exit() -> Never { systemExit(rawValue) }
  }

  /// The system's message for `errno`.
  private var systemMessage: String { String(cString: strerror(errno)) }

  /// Writes all bytes to an open file. Returns `false` if the system reports an error, which is then in `errno`.
  func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count <= 0, errno != EINTR { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  /// Reads once from an open file, again if a signal interrupts it. Returns the number of bytes read; 0 at the end of the
  /// file, and less if the system reports an error.
  func readOnce(_ descriptor: CInt, into bytes: inout [UInt8]) -> Int {
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// Calls the system's `exit`, which the method of the same name hides inside of `ExitStatus`.
  private func systemExit(_ status: Int32) -> Never { exit(status) }
#endif
