// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

extension Registry {
  /// Returns the registry of all types of the shop. No other code maps type names in module files to Swift types.
  package static func shop() -> Registry {
    var registry = Registry()
    registry.addBasics()
    registry.addStores()
    registry.addSales()
    registry.addMail()
    registry.addPayment()
    registry.addOrders()
    registry.addHealth()
    return registry
  }

  /// Registers clocks, loggers and counters.
  private mutating func addBasics() {
    add("SystemClock", as: (any ShopClock).self, SystemClock.init)
    add("FixedClock", as: (any ShopClock).self, FixedClock.init, .value("start"), .value("step", default: .zero))

    add(
      "ConsoleLogger", as: (any Logger).self, ConsoleLogger.init,
      .value("label"), .value("level", default: .info), .service("clock"))
    add(
      "FileLogger", as: (any Logger).self,
      { (path: String, label: String, level: LogLevel, clock: any ShopClock) in
        FileLogger(file: try TextFile(path: path), label: label, level: level, clock: clock)
      }, .value("path"), .value("label"), .value("level", default: .info), .service("clock"))
    add("RecordingLogger", as: (any Logger).self, RecordingLogger.init, .value("level", default: .debug))

    add("CountingMetrics", as: (any Metrics).self, CountingMetrics.init)
  }

  /// Registers stores, the event log and id generators.
  private mutating func addStores() {
    add("MemoryStore", as: (any RecordStore).self, MemoryStore.init, .value("name"))
    add(
      "FileStore", as: (any RecordStore).self,
      { (folder: String, name: String) in FileStore(name: name, file: try TextFile(path: "\(folder)/\(name)")) },
      .value("folder"), .value("name"))
    add("StoredEventLog", as: (any EventLog).self, StoredEventLog.init, .service("store"), .service("clock"))

    add("CountingIDs", as: (any IDs).self, CountingIDs.init, .value("prefix"), .value("first", default: 1))
    add("ClockIDs", as: (any IDs).self, ClockIDs.init, .value("prefix"), .service("clock"))
  }

  /// Registers products, prices, stock and discounts.
  private mutating func addSales() {
    add("ProductList", as: (any Assortment).self, ProductList.init, .value("products"))
    add(
      "TaxedPrices", as: (any Prices).self, TaxedPrices.init,
      .service("products"), .value("taxRate"), .value("currency"))
    add("ShelfStock", as: (any Stock).self, ShelfStock.init, .value("pieces"), .service("events"))

    add("PercentDiscount", as: (any Discount).self, PercentDiscount.init, .value("percent"))
    add("QuantityDiscount", as: (any Discount).self, QuantityDiscount.init, .value("pieces"), .value("percent"))
    add("CodeDiscount", as: (any Discount).self, CodeDiscount.init, .service("offers"))
  }

  /// Registers mailers and the messages to customers.
  private mutating func addMail() {
    add("RecordingMailer", as: (any Mailer).self, RecordingMailer.init)
    add("OutboxMailer", as: (any Mailer).self, OutboxMailer.init, .value("folder"), .service("ids"))
    add("RetryMailer", as: (any Mailer).self, RetryMailer.init, .decorated("inner"), .value("attempts"))
    add(
      "OrderLetters", as: (any Letters).self, OrderLetters.init,
      .value("from"), .value("greeting"), .value("copies"), .service("mailer"), .service("logger"))
  }

  /// Registers payment, its decorators, and receipts.
  private mutating func addPayment() {
    add("AcceptingPayment", as: (any Payment).self, AcceptingPayment.init)
    add("LimitedPayment", as: (any Payment).self, LimitedPayment.init, .decorated("inner"), .value("limit"))
    add("AuditedPayment", as: (any Payment).self, AuditedPayment.init, .decorated("inner"), .service("audit"))
    add("MeteredPayment", as: (any Payment).self, MeteredPayment.init, .decorated("inner"), .service("metrics"))

    add("PlainReceipts", as: (any Receipts).self, PlainReceipts.init, .value("issuer"), .service("clock"))
    add(
      "SignedReceipts", as: (any Receipts).self, SignedReceipts.init,
      .value("issuer"), .value("key", secret: true), .service("clock"))
  }

  /// Registers the order desk and what a checkout needs.
  private mutating func addOrders() {
    // A checkout, its cart and its trace have only one implementation each, so they are registered as their own types.
    add("Trace", Trace.init)
    add("Cart", Cart.init, .service("products"), .value("lines", default: 20))
    add("Checkout", Checkout.init, .runtime("customer"), .service("cart"), .service("orders"), .service("trace"))
    add(
      "OrderDesk", as: (any Orders).self, OrderDesk.init,
      .service("prices"), .service("stock"), .service("discount"), .service("payment"), .service("receipts"),
      .service("letters"), .service("store"), .service("events"), .service("ids"), .service("logger"),
      .service("metrics"))
  }

  /// Registers health checks.
  private mutating func addHealth() {
    add(
      "StockCheck", as: (any HealthCheck).self, StockCheck.init,
      .service("stock"), .service("products"), .value("low"))
    add("StoreCheck", as: (any HealthCheck).self, StoreCheck.init, .service("stores"))
    add("AllChecks", as: (any HealthCheck).self, AllChecks.init, .service("checks"), .service("logger"))
  }
}
