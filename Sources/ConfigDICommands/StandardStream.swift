// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Where the tool writes. All output goes through here, so that a reader that has gone is met in one place.
enum StandardStream: Int32 {
  /// The standard output: results, and the findings that `validate` is asked for.
  case output = 1
  /// The standard error: findings beside results, wrong usage and internal failures.
  case error = 2

  /// Writes a text whole.
  ///
  /// A reader that has gone (`configdi ... | head`) ends the output quietly and leaves the exit status as it is; any other
  /// failure ends the tool.
  func write(_ text: String) {
    var text = text
    text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes bytes whole, as a text.
  func write(_ bytes: [UInt8]) { bytes.withUnsafeBytes { write($0) } }

  /// Writes bytes whole.
  private func write(_ bytes: UnsafeRawBufferPointer) {
    // Otherwise the signal would end the tool before `write` can say why.
    signal(SIGPIPE, SIG_IGN)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = systemWrite(rawValue, UnsafeRawBufferPointer(rebasing: rest))
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        return
      } else if errno != EINTR {
        if self == .output { StandardStream.error.write("error: cannot write the output: \(systemMessage)\n") }
        ExitStatus.failedOutput.exit()
      }
    }
  }

  /// Whether the stream is a terminal.
  var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Whether somebody still reads what is written: the other end of a pipe may have gone.
  var hasReader: Bool {
    var descriptor = pollfd(fd: rawValue, events: 0, revents: 0)
    return poll(&descriptor, 1, 0) <= 0 || descriptor.revents & Int16(POLLERR | POLLHUP | POLLNVAL) == 0
  }

  /// Whether the user wants colours on a terminal (https://no-color.org).
  var wantsColor: Bool {
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
  }

  /// How many columns the terminal has; nil where the stream is none.
  var width: Int? {
    var size = winsize()
    guard isTerminal, ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// The standard input to its end, or to one byte more than a limit.
  ///
  /// - Returns: nil where the system refuses.
  static func input(limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk: [UInt8] = Array(repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = read(0, &chunk, chunk.count)
      if count > 0 {
        bytes += chunk[..<count]
      } else if count == 0 {
        return bytes
      } else if errno != EINTR {
        return nil
      }
    }
    return Array(bytes.prefix(limit + 1))
  }
}

/// How the tool ends where the argument parser does not end it.
enum ExitStatus: Int32 {
  /// There are findings that count as errors.
  case findings = 1
  /// Wrong usage; the number of sysexits.h.
  case usage = 64
  /// The output could not be written; the number of sysexits.h.
  case failedOutput = 74

  /// Ends the tool.
  func exit() -> Never { systemExit(rawValue) }
}

/// The system's words for the last failure.
private var systemMessage: String { String(cString: strerror(errno)) }

/// The system's `write`, under a name that the method of the same name does not hide.
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// The system's `exit`, likewise.
private func systemExit(_ status: Int32) -> Never { exit(status) }
