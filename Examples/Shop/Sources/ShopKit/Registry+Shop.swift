// SPDX-License-Identifier: Apache-2.0
package import ConfigDI

extension Registry {
  /// All types of the shop: the one place that says how a name in a module file becomes an instance.
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

  /// Clocks, loggers and metrics.
  private mutating func addBasics() {
    add("SystemClock", as: (any ShopClock).self) { SystemClock() }
    add(
      "FixedClock", as: (any ShopClock).self,
      .value("start", String.self), .value("step", Duration.self, default: .zero)
    ) { start, step in try FixedClock(start: start, step: step) }

    add(
      "ConsoleLogger", as: (any Logger).self,
      .value("label", String.self), .value("level", LogLevel.self, default: .info),
      .service("clock", (any ShopClock).self)
    ) { label, level, clock in ConsoleLogger(label: label, level: level, clock: clock) }
    add(
      "FileLogger", as: (any Logger).self,
      .value("path", String.self), .value("label", String.self), .value("level", LogLevel.self, default: .info),
      .service("clock", (any ShopClock).self)
    ) { path, label, level, clock in
      FileLogger(file: try TextFile(path: path), label: label, level: level, clock: clock)
    }
    add("RecordingLogger", as: (any Logger).self, .value("level", LogLevel.self, default: .debug)) { level in
      RecordingLogger(level: level)
    }

    add("CountingMetrics", as: (any Metrics).self) { CountingMetrics() }
  }

  /// What the shop remembers.
  private mutating func addStores() {
    add("MemoryStore", as: (any RecordStore).self, .value("name", String.self)) { name in MemoryStore(name: name) }
    add("FileStore", as: (any RecordStore).self, .value("folder", String.self), .value("name", String.self)) {
      folder, name in FileStore(name: name, file: try TextFile(path: "\(folder)/\(name)"))
    }
    add(
      "StoredEventLog", as: (any EventLog).self,
      .service("store", (any RecordStore).self), .service("clock", (any ShopClock).self)
    ) { store, clock in StoredEventLog(store: store, clock: clock) }

    add("CountingIDs", as: (any IDs).self, .value("prefix", String.self), .value("first", Int.self, default: 1)) {
      prefix, first in CountingIDs(prefix: prefix, first: first)
    }
    add("ClockIDs", as: (any IDs).self, .value("prefix", String.self), .service("clock", (any ShopClock).self)) {
      prefix, clock in ClockIDs(prefix: prefix, clock: clock)
    }
  }

  /// Products, prices, stock and discounts.
  private mutating func addSales() {
    add("ProductList", as: (any Assortment).self, .value("products", [Product].self)) { products in
      ProductList(products: products)
    }
    add(
      "TaxedPrices", as: (any Prices).self,
      .service("products", (any Assortment).self), .value("taxRate", Double.self), .value("currency", String.self)
    ) { products, taxRate, currency in TaxedPrices(products: products, taxRate: taxRate, currency: currency) }
    add(
      "ShelfStock", as: (any Stock).self,
      .value("pieces", [String: Int].self), .service("events", (any EventLog).self)
    ) { pieces, events in ShelfStock(pieces: pieces, events: events) }

    add("PercentDiscount", as: (any Discount).self, .value("percent", Int.self)) { percent in
      PercentDiscount(percent: percent)
    }
    add("QuantityDiscount", as: (any Discount).self, .value("pieces", Int.self), .value("percent", Int.self)) {
      pieces, percent in QuantityDiscount(pieces: pieces, percent: percent)
    }
    add("CodeDiscount", as: (any Discount).self, .service("offers", [String: any Discount].self)) { offers in
      CodeDiscount(offers: offers)
    }
  }

  /// Mailers and letters.
  private mutating func addMail() {
    add("RecordingMailer", as: (any Mailer).self) { RecordingMailer() }
    add("OutboxMailer", as: (any Mailer).self, .value("folder", String.self), .service("ids", (any IDs).self)) {
      folder, ids in try OutboxMailer(folder: folder, ids: ids)
    }
    add(
      "RetryMailer", as: (any Mailer).self, .decorated("inner", (any Mailer).self), .value("attempts", Int.self)
    ) { inner, attempts in RetryMailer(inner: inner, attempts: attempts) }
    add(
      "OrderLetters", as: (any Letters).self,
      .value("from", String.self), .value("greeting", String.self), .value("copies", [String].self),
      .service("mailer", Lazy<any Mailer>.self), .service("logger", (any Logger).self)
    ) { from, greeting, copies, mailer, logger in
      OrderLetters(from: from, greeting: greeting, copies: copies, mailer: mailer, logger: logger)
    }
  }

  /// Payment, what can be put around it, and receipts.
  private mutating func addPayment() {
    add("AcceptingPayment", as: (any Payment).self) { AcceptingPayment() }
    add(
      "LimitedPayment", as: (any Payment).self, .decorated("inner", (any Payment).self), .value("limit", Int.self)
    ) { inner, limit in LimitedPayment(inner: inner, limit: limit) }
    add(
      "AuditedPayment", as: (any Payment).self,
      .decorated("inner", (any Payment).self), .service("audit", (any Logger).self)
    ) { inner, audit in AuditedPayment(inner: inner, audit: audit) }
    add(
      "MeteredPayment", as: (any Payment).self,
      .decorated("inner", (any Payment).self), .service("metrics", (any Metrics).self)
    ) { inner, metrics in MeteredPayment(inner: inner, metrics: metrics) }

    add(
      "PlainReceipts", as: (any Receipts).self,
      .value("issuer", String.self), .service("clock", (any ShopClock).self)
    ) { issuer, clock in PlainReceipts(issuer: issuer, clock: clock) }
    add(
      "SignedReceipts", as: (any Receipts).self,
      .value("issuer", String.self), .value("key", String.self, secret: true),
      .service("clock", (any ShopClock).self)
    ) { issuer, key, clock in SignedReceipts(issuer: issuer, key: key, clock: clock) }
  }

  /// The order desk and the till.
  private mutating func addOrders() {
    // Nothing stands in for a checkout and what belongs to it, so they are looked up as what they are.
    add("Trace") { Trace() }
    add("Cart", .service("products", (any Assortment).self), .value("lines", Int.self, default: 20)) {
      products, lines in Cart(products: products, capacity: lines)
    }
    add(
      "Checkout",
      .runtime("customer", Customer.self), .service("cart", Cart.self), .service("orders", (any Orders).self),
      .service("trace", Trace?.self)
    ) { customer, cart, orders, trace in Checkout(customer: customer, cart: cart, orders: orders, trace: trace) }
    add(
      "OrderDesk", as: (any Orders).self,
      .service("prices", (any Prices).self), .service("stock", (any Stock).self),
      .service("discount", (any Discount).self), .service("payment", (any Payment).self),
      .service("receipts", (any Receipts).self), .service("letters", (any Letters).self),
      .service("store", (any RecordStore).self), .service("events", (any EventLog).self),
      .service("ids", (any IDs).self), .service("logger", (any Logger).self),
      .service("metrics", (any Metrics)?.self)
    ) { prices, stock, discount, payment, receipts, letters, store, events, ids, logger, metrics in
      OrderDesk(
        prices: prices, stock: stock, discount: discount, payment: payment, receipts: receipts, letters: letters,
        store: store, events: events, ids: ids, logger: logger, metrics: metrics)
    }
  }

  /// What looks after the rest.
  private mutating func addHealth() {
    add(
      "StockCheck", as: (any HealthCheck).self,
      .service("stock", (any Stock).self), .service("products", (any Assortment).self), .value("low", Int.self)
    ) { stock, products, low in StockCheck(stock: stock, products: products, low: low) }
    add("StoreCheck", as: (any HealthCheck).self, .service("stores", [any RecordStore].self)) { stores in
      StoreCheck(stores: stores)
    }
    add(
      "AllChecks", as: (any HealthCheck).self,
      .service("checks", [any HealthCheck].self), .service("logger", (any Logger).self)
    ) { checks, logger in AllChecks(checks: checks, logger: logger) }
  }
}
