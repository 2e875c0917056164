// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Foundation
import Testing

@testable import ShopKit

@Suite struct ShopTests {
  @Test func `an order is priced, paid, written down and confirmed`() throws {
    let container = try ShopModule.container("test")
    let order = try container.scope("checkout") { scope in
      let checkout = try scope.resolve(Checkout.self, arguments: Customer("ada@example.net"))
      try checkout.add("tea", pieces: 2)
      return try checkout.pay()
    }

    // 6.90 EUR plus 19 % tax is 8.21 EUR for each piece.
    #expect(order.id == "order-1")
    #expect(order.total == Money(cents: 1_642, currency: "EUR"))
    #expect(try container.resolve((any RecordStore).self).records().map(\.kind) == ["placed", "paid"])
    let mailer = try #require(try container.resolve((any Mailer).self) as? RecordingMailer)
    let message = try #require(mailer.messages.first)
    #expect(message.from == "Corner Shop <orders@shop.example>")
    #expect(message.to == ["ada@example.net", "accounts@shop.example"])
    #expect(message.body.contains("ada@example.net paid 16.42 EUR for order-1."))
  }

  @Test func `the test environment has the clock of its layer and recording loggers`() throws {
    let container = try ShopModule.container("test")
    let clock = try container.resolve((any ShopClock).self)
    #expect(clock.now().formatted(.iso8601) == "2026-01-15T09:00:00Z")
    #expect(clock.now().formatted(.iso8601) == "2026-01-15T09:00:01Z")

    let payment = try container.resolve((any Payment).self)
    #expect(!payment.charge(Money(cents: 100_001, currency: "EUR"), to: "dee@example.net"))
    let audit = try #require(try container.resolve(named: "logger.audit") as any Logger as? RecordingLogger)
    #expect(audit.messages == ["info: declined 1000.01 EUR to dee@example.net"])
  }

  @Test func `a declined payment returns the items to the stock`() throws {
    let container = try ShopModule.container("test")
    try container.scope("checkout") { scope in
      let checkout = try scope.resolve(Checkout.self, arguments: Customer("dee@example.net"))
      try checkout.add("samovar")
      #expect(throws: OrderError.declined(Money(cents: 224_910, currency: "EUR"))) { try checkout.pay() }
    }
    #expect(try container.resolve((any Stock).self).pieces(of: "samovar") == 1)
    #expect(try container.resolve((any RecordStore).self).records().map(\.kind) == ["placed", "declined"])
  }

  @Test(arguments: [("WELCOME", 10), ("TEAPARTY", 15), ("NONE", 0)])
  func `each code applies its discount`(code: String, percent: Int) throws {
    let discount = try ShopModule.container("test").resolve((any Discount).self)
    let price = Money(cents: 10_000, currency: "EUR")
    #expect(discount.apply(to: price, pieces: 12, code: code).cents == 10_000 - percent * 100)
  }

  @Test func `dev keeps everything in memory`() throws {
    let day = try ShopDay(try ShopModule.container("dev"))
    #expect(
      day.lines == [
        "ada@example.net: order-1, 74.73 EUR (2 tea, 1 pot, paid)",
        "bob@example.net: order-2, 124.16 EUR (12 cup, 3 tea, paid)",
        "cyd@example.net: not enough of \"pot\" (5 pot, refused)",
        "dee@example.net: 2249.10 EUR declined (1 samovar, refused)",
        "6 records of orders in MemoryStore",
        "look after: Samovar, silver: 1 left",
        "2 letters kept in memory",
      ])
  }

  @Test func `prod writes its files and signs its receipts`() throws {
    try ShopModule.withTemporaryFolder { folder in
      let data = folder.appendingPathComponent("data")
      let variables = ["SHOP_DATA": data.path, "SHOP_SIGNING_KEY": "a key of this test"]
      let container = try ShopModule.container("prod", variables: variables)
      let day = try ShopDay(container)

      #expect(day.lines.contains("counted: orders.placed 2, orders.refused 2, payments.charged 2, payments.declined 1"))
      #expect(day.lines.last == "letters are in \(data.path)/outbox, each tried up to 3 times")
      let files = try FileManager.default.contentsOfDirectory(atPath: data.path).sorted()
      #expect(files == ["audit.log", "events.jsonl", "orders.jsonl", "outbox", "shop.log"])
      let outbox = data.appendingPathComponent("outbox")
      let letters = try FileManager.default.contentsOfDirectory(at: outbox, includingPropertiesForKeys: nil)
      #expect(letters.count == 2)

      let receipts = try #require(try container.resolve((any Receipts).self) as? SignedReceipts)
      for letter in letters {
        let text = try String(contentsOf: letter, encoding: .utf8)
        let start = try #require(text.range(of: "Receipt of")?.lowerBound)
        let receipt = text[start...].trimmingCharacters(in: .newlines)
        #expect(receipts.isGenuine(receipt))
        #expect(!receipts.isGenuine(receipt.replacingOccurrences(of: "paid", with: "owes")))
      }
    }
  }

  @Test func `files of prod are read by the next run`() throws {
    try ShopModule.withTemporaryFolder { folder in
      let variables = ["SHOP_DATA": folder.path]
      for run in 1...2 {
        let container = try ShopModule.container("prod", variables: variables)
        _ = try ShopDay(container)
        #expect(try container.resolve((any RecordStore).self).records().count == 6 * run)
      }
    }
  }
}
