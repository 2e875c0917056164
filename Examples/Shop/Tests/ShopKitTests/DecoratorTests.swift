// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation
import Synchronization
import Testing

@testable import ShopKit

@Suite struct DecoratorTests {
  @Test func `the audit decorator wraps the limit, and in prod the metering wraps both`() throws {
    let tested = try ShopModule.container("test").resolve((any Payment).self)
    #expect(((tested as? AuditedPayment)?.inner as? LimitedPayment)?.inner is AcceptingPayment)

    try ShopModule.withTemporaryFolder { folder in
      let container = try ShopModule.container("prod", variables: ["SHOP_DATA": folder.path])
      let payment = try #require(try container.resolve((any Payment).self) as? MeteredPayment)
      #expect(((payment.inner as? AuditedPayment)?.inner as? LimitedPayment)?.limit == 100_000)
      #expect(!payment.charge(Money(cents: 100_001, currency: "EUR"), to: "dee@example.net"))
      #expect(try container.resolve((any Metrics).self).counts == ["payments.declined": 1])
      let audit = try String(contentsOf: folder.appendingPathComponent("audit.log"), encoding: .utf8)
      #expect(audit.contains("declined 1000.01 EUR to dee@example.net"))
    }
  }

  @Test func `a layer that replaces the decorators removes the limit`() throws {
    let layer = ShopModule.layer(
      "override",
      #"{ "services": { "payment": { "decorate": [{ "type": "AuditedPayment", "inject": { "audit": "audit" } }] } } }"#)
    let payment = try ShopModule.container("test", layers: [layer]).resolve((any Payment).self)
    #expect(payment.charge(Money(cents: 100_001, currency: "EUR"), to: "dee@example.net"))
  }

  @Test func `prod retries a letter with any mailer`() throws {
    let mailer = FlakyMailer()
    var registry = Registry.shop()
    registry.add("FlakyMailer", as: (any Mailer).self) { mailer }
    let layer = ShopModule.layer(
      "override",
      #"{ "services": { "mailer": { "type": "FlakyMailer", "unset": ["inject.ids", "values.folder"] } } }"#)
    try ShopModule.withTemporaryFolder { folder in
      let container = try ShopModule.container(
        "prod", layers: [layer], variables: ["SHOP_DATA": folder.path], registry: registry)
      let message = Message(from: "a", to: ["b"], subject: "c", body: "d")

      try container.resolve((any Mailer).self).send(message)
      #expect(mailer.attempts == 3)
      // Only the first two attempts fail.
      try container.resolve((any Mailer).self).send(message)
      #expect(mailer.attempts == 4)
    }
  }

  @Test(arguments: [(-1, 1), (0, 1), (1, 1), (2, 2)])
  func `a letter is tried at least once, and at most as often as configured`(allowed: Int, tried: Int) {
    let mailer = FlakyMailer()
    #expect(throws: FlakyMailer.Refusal.self) {
      try RetryMailer(inner: mailer, attempts: allowed).send(Message(from: "a", to: [], subject: "", body: ""))
    }
    #expect(mailer.attempts == tried)
  }

  @Test func `the outbox is created for the first letter`() throws {
    try ShopModule.withTemporaryFolder { folder in
      let outbox = folder.appendingPathComponent("outbox").path
      let container = try ShopModule.container("prod", variables: ["SHOP_DATA": folder.path])
      #expect(!FileManager.default.fileExists(atPath: outbox))
      _ = try ShopDay(container)
      #expect(FileManager.default.fileExists(atPath: outbox))
    }
  }
}

/// A mailer whose first two attempts fail.
private final class FlakyMailer: Mailer {
  /// The error of a failed attempt.
  struct Refusal: Error {}

  /// The number of attempts; see `attempts`.
  private let counted = Mutex(0)

  /// The number of attempts.
  var attempts: Int { counted.withLock { $0 } }

  func send(_ message: Message) throws {
    let attempt = counted.withLock { count in
      count += 1
      return count
    }
    if attempt < 3 { throw Refusal() }
  }

  var summary: String { "\(attempts) attempts" }
}
