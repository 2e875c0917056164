// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// How grave a message is.
package enum LogLevel: String, CaseIterable, Comparable, Sendable {
  case debug, info, warning, error

  /// The place among the levels, the least grave being 0.
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

/// Takes messages for those who run the shop.
package protocol Logger: Sendable {
  /// Takes a message.
  func log(_ level: LogLevel, _ message: String)
}

/// A logger that prints.
package struct ConsoleLogger: Logger {
  /// Stands in front of each message.
  package let label: String
  /// Messages below it are dropped.
  package let level: LogLevel
  /// Gives the time of a message.
  package let clock: any ShopClock

  package func log(_ level: LogLevel, _ message: String) {
    guard level >= self.level else { return }
    print(logLine(level, label, message, at: clock.now()))
  }
}

/// A logger that adds its messages to a file.
package struct FileLogger: Logger {
  /// Where the messages go.
  package let file: TextFile
  /// Stands in front of each message.
  package let label: String
  /// Messages below it are dropped.
  package let level: LogLevel
  /// Gives the time of a message.
  package let clock: any ShopClock

  package func log(_ level: LogLevel, _ message: String) {
    guard level >= self.level else { return }
    // A full disk must not stop the sale.
    try? file.append(logLine(level, label, message, at: clock.now()))
  }
}

/// A logger that remembers what it was told.
package final class RecordingLogger: Logger {
  /// Messages below it are dropped.
  private let level: LogLevel
  /// The messages so far.
  private let recorded = Mutex<[String]>([])

  /// A logger without messages.
  package init(level: LogLevel) { self.level = level }

  /// The messages so far, each behind its level: `info: a message`.
  package var messages: [String] { recorded.withLock { $0 } }

  package func log(_ level: LogLevel, _ message: String) {
    guard level >= self.level else { return }
    recorded.withLock { $0.append("\(level): \(message)") }
  }
}

/// One message as one line.
private func logLine(_ level: LogLevel, _ label: String, _ message: String, at time: Date) -> String {
  "\(time.formatted(.iso8601)) [\(label)] \(level): \(message)"
}
