// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// The severity of a log message.
package enum LogLevel: String, CaseIterable, Comparable, Sendable {
  case debug, info, warning, error

  /// The position in the order of severity; 0 for the lowest level.
  private var rank: Int {
    switch self {
    case .debug: 0
    case .info: 1
    case .warning: 2
    case .error: 3
    }
  }

  package static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}

/// A log for the operators of the shop.
package protocol Logger: Sendable {
  /// Logs a message.
  func log(_ level: LogLevel, _ message: String)
}

/// A logger that prints to standard output.
package struct ConsoleLogger: Logger {
  /// The label in each line.
  package let label: String
  /// The lowest level that is logged.
  package let level: LogLevel
  /// The source of the timestamps.
  package let clock: any ShopClock

  package func log(_ level: LogLevel, _ message: String) {
    guard level >= self.level else { return }
    print(logLine(level, label, message, at: clock.now()))
  }
}

/// A logger that appends to a file.
package struct FileLogger: Logger {
  /// The file to append to.
  package let file: TextFile
  /// The label in each line.
  package let label: String
  /// The lowest level that is logged.
  package let level: LogLevel
  /// The source of the timestamps.
  package let clock: any ShopClock

  package func log(_ level: LogLevel, _ message: String) {
    guard level >= self.level else { return }
    // Errors are ignored, so that a full disk does not stop a sale.
    try? file.append(logLine(level, label, message, at: clock.now()))
  }
}

/// A logger that records messages in memory.
package final class RecordingLogger: Logger {
  /// The lowest level that is recorded.
  private let level: LogLevel
  /// The recorded messages; see `messages`.
  private let recorded = Mutex<[String]>([])

  /// Creates a logger without messages.
  package init(level: LogLevel) { self.level = level }

  /// The recorded messages, each with its level, such as `info: a message`.
  package var messages: [String] { recorded.withLock { $0 } }

  package func log(_ level: LogLevel, _ message: String) {
    guard level >= self.level else { return }
    recorded.withLock { $0.append("\(level): \(message)") }
  }
}

/// Formats a message as one line.
private func logLine(_ level: LogLevel, _ label: String, _ message: String, at time: Date) -> String {
  "\(time.formatted(.iso8601)) [\(label)] \(level): \(message)"
}
