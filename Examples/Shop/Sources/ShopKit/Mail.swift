// SPDX-License-Identifier: Apache-2.0
package import ConfigDI
package import Foundation
import Synchronization

/// A mail message to a customer.
package struct Message: Hashable, Sendable {
  /// The sender's address.
  package var from: String
  /// The recipients' addresses.
  package var to: [String]
  /// The subject line.
  package var subject: String
  /// The text of the message.
  package var body: String
}

/// A service that sends mail.
package protocol Mailer: Sendable {
  /// Sends a message.
  func send(_ message: Message) throws
  /// A description of where the messages went.
  var summary: String { get }
}

/// A mailer that records messages in memory.
package final class RecordingMailer: Mailer {
  /// The recorded messages; see `messages`.
  private let recorded = Mutex<[Message]>([])

  /// Creates a mailer without messages.
  package init() {}

  /// The recorded messages, in order.
  package var messages: [Message] { recorded.withLock { $0 } }

  package func send(_ message: Message) { recorded.withLock { $0.append(message) } }
  package var summary: String { "\(messages.count) letters kept in memory" }
}

/// A mailer that writes each message to a file of its own, for a mail system to pick up.
package struct OutboxMailer: Mailer {
  /// The folder to write to.
  package let folder: URL
  /// Generates the file names.
  package let ids: any IDs

  /// Creates a mailer for a folder. Creates the folder if it does not exist.
  ///
  /// - Throws: An error of Foundation if the folder cannot be created.
  package init(folder: String, ids: any IDs) throws {
    self.folder = URL(fileURLWithPath: folder)
    self.ids = ids
    try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
  }

  package func send(_ message: Message) throws {
    let text = """
      From: \(message.from)
      To: \(message.to.joined(separator: ", "))
      Subject: \(message.subject)

      \(message.body)

      """
    try Data(text.utf8).write(to: folder.appendingPathComponent("\(ids.next()).txt"))
  }

  package var summary: String { "letters are in \(folder.path)" }
}

/// A decorator that tries again if sending fails.
package struct RetryMailer: Mailer {
  /// The decorated mailer.
  package let inner: any Mailer
  /// The greatest number of attempts. A value below 1 counts as 1.
  package let attempts: Int

  package func send(_ message: Message) throws {
    for _ in stride(from: 1, to: attempts, by: 1) where (try? inner.send(message)) != nil { return }
    try inner.send(message)
  }

  package var summary: String { "\(inner.summary), each tried up to \(attempts) times" }
}

/// Messages to customers about their orders.
package protocol Letters: Sendable {
  /// Confirms an order to its customer.
  func confirm(_ order: Order, receipt: String)
}

/// The messages to customers, sent by a mailer.
package struct OrderLetters: Letters {
  /// The sender's address.
  package let from: String
  /// The first line of each message.
  package let greeting: String
  /// The addresses that get a copy of each message.
  package let copies: [String]
  /// Sends the messages. The mailer is built for the first message.
  package let mailer: Lazy<any Mailer>
  /// The logger for messages that could not be sent.
  package let logger: any Logger

  package func confirm(_ order: Order, receipt: String) {
    let lines = order.lines.map { "  \($0.pieces) x \($0.title)" }
    let body = ([greeting, ""] + lines + ["", "Total: \(order.total)", "", receipt]).joined(separator: "\n")
    let message = Message(from: from, to: [order.customer] + copies, subject: "Your order \(order.id)", body: body)
    do {
      try mailer.get().send(message)
    } catch {
      // A failure does not cancel the order; the message can be sent again.
      logger.log(.error, "no letter for \(order.id): \(error)")
    }
  }
}
