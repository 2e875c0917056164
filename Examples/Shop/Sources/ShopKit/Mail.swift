// SPDX-License-Identifier: Apache-2.0
package import ConfigDI
package import Foundation
import Synchronization

/// A letter to a customer.
package struct Message: Hashable, Sendable {
  /// Who writes.
  package var from: String
  /// Who reads.
  package var to: [String]
  /// What it is about.
  package var subject: String
  /// What it says.
  package var body: String
}

/// Sends letters.
package protocol Mailer: Sendable {
  /// Sends a letter.
  func send(_ message: Message) throws
  /// Where the letters went, in words.
  var summary: String { get }
}

/// A mailer that keeps what it should send.
package final class RecordingMailer: Mailer {
  /// The letters so far.
  private let recorded = Mutex<[Message]>([])

  /// A mailer without letters.
  package init() {}

  /// The letters so far.
  package var messages: [Message] { recorded.withLock { $0 } }

  package func send(_ message: Message) { recorded.withLock { $0.append(message) } }
  package var summary: String { "\(messages.count) letters kept in memory" }
}

/// A mailer that writes each letter to a file of its own, where a mail system finds it.
package struct OutboxMailer: Mailer {
  /// The folder of the letters.
  package let folder: URL
  /// Names the files.
  package let ids: any IDs

  /// A mailer for a folder, which is made where it does not exist.
  ///
  /// - Throws: An error of `Foundation` where the folder cannot be made.
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

/// Sends a letter again where that failed.
package struct RetryMailer: Mailer {
  /// Sends the letters.
  package let inner: any Mailer
  /// How often a letter is tried; at least once.
  package let attempts: Int

  package func send(_ message: Message) throws {
    for _ in stride(from: 1, to: attempts, by: 1) where (try? inner.send(message)) != nil { return }
    try inner.send(message)
  }

  package var summary: String { "\(inner.summary), each tried up to \(attempts) times" }
}

/// Writes to customers about their orders.
package protocol Letters: Sendable {
  /// Tells a customer that an order is on its way.
  func confirm(_ order: Order, receipt: String)
}

/// Letters that a mailer sends.
package struct OrderLetters: Letters {
  /// Who writes.
  package let from: String
  /// The first line.
  package let greeting: String
  /// Who gets a copy of each letter.
  package let copies: [String]
  /// Sends the letters; built for the first of them.
  package let mailer: Lazy<any Mailer>
  /// Is told of a letter that could not be sent.
  package let logger: any Logger

  package func confirm(_ order: Order, receipt: String) {
    let lines = order.lines.map { "  \($0.pieces) x \($0.title)" }
    let body = ([greeting, ""] + lines + ["", "Total: \(order.total)", "", receipt]).joined(separator: "\n")
    let message = Message(from: from, to: [order.customer] + copies, subject: "Your order \(order.id)", body: body)
    do {
      try mailer.get().send(message)
    } catch {
      // The order stands; the letter can be sent again.
      logger.log(.error, "no letter for \(order.id): \(error)")
    }
  }
}
