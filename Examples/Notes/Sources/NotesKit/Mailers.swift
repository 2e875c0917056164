// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import Synchronization

/// A mail message.
package struct Letter: Equatable, Sendable {
  /// The recipient's address.
  package let to: String
  /// The body.
  package let text: String
}

/// A service that sends mail.
package protocol Mailer: Sendable {
  /// Sends a message.
  func send(_ letter: Letter) async throws
}

/// A mailer that writes messages to the log, for development.
package struct LogMailer: Mailer {
  /// The log to write to.
  package let logger: Logger

  package func send(_ letter: Letter) { logger.info("letter to \(letter.to): \(letter.text)") }
}

/// A mailer that writes messages to a spool folder, from which a mail server takes them.
package struct SpoolMailer: Mailer, HealthCheck {
  /// The spool folder.
  private let folder: URL
  /// The sender's address.
  private let from: String

  /// Creates a mailer for a spool folder. Creates the folder if it does not exist.
  package init(folder: String, from: String) throws {
    self.folder = URL(fileURLWithPath: folder)
    self.from = from
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
  }

  package func send(_ letter: Letter) throws {
    let text = "From: \(from)\nTo: \(letter.to)\nSubject: A note\n\n\(letter.text)\n"
    try Data(text.utf8).write(to: folder.appendingPathComponent("\(UUID().uuidString).eml"), options: .atomic)
  }

  package func check() throws { _ = try FileManager.default.contentsOfDirectory(atPath: folder.path) }
}

/// A mailer that records messages, for tests.
package final class RecordingMailer: Mailer {
  /// The recorded messages; see `sent`.
  private let letters = Mutex<[Letter]>([])

  package init() {}

  /// The messages in the order in which they were sent.
  package var sent: [Letter] { letters.withLock { $0 } }

  package func send(_ letter: Letter) { letters.withLock { $0.append(letter) } }
}
