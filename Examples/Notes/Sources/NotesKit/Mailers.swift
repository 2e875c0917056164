// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import Synchronization

/// A letter.
package struct Letter: Equatable, Sendable {
  /// The address.
  package let to: String
  /// What it says.
  package let text: String
}

/// Sends letters.
package protocol Mailer: Sendable {
  /// Sends a letter.
  func send(_ letter: Letter) async throws
}

/// Writes letters into the log: for the machine of a developer.
package struct LogMailer: Mailer {
  /// The log.
  package let logger: Logger

  package func send(_ letter: Letter) { logger.info("letter to \(letter.to): \(letter.text)") }
}

/// Puts letters into a folder from which a mail server takes them.
package struct SpoolMailer: Mailer, HealthCheck {
  /// The folder.
  private let folder: URL
  /// The sender.
  private let from: String

  /// A mailer with a folder, which is made where there is none.
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

/// Remembers letters: for tests.
package final class RecordingMailer: Mailer {
  /// See `sent`.
  private let letters = Mutex<[Letter]>([])

  package init() {}

  /// The letters, in the order in which they were sent.
  package var sent: [Letter] { letters.withLock { $0 } }

  package func send(_ letter: Letter) { letters.withLock { $0.append(letter) } }
}
