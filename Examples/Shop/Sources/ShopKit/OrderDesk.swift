// SPDX-License-Identifier: Apache-2.0

/// Processes orders: calculates the price, reserves stock, records the order, charges the customer, and confirms by
/// mail.
package struct OrderDesk: Orders {
  /// The prices of products.
  package let prices: any Prices
  /// The stock from which pieces are taken.
  package let stock: any Stock
  /// The discount on the total.
  package let discount: any Discount
  /// Charges customers.
  package let payment: any Payment
  /// Writes the receipts.
  package let receipts: any Receipts
  /// Sends the confirmations.
  package let letters: any Letters
  /// The store of the order records.
  package let store: any RecordStore
  /// The log of paid and declined orders.
  package let events: any EventLog
  /// Generates the order ids.
  package let ids: any IDs
  /// The logger for accepted and refused orders.
  package let logger: any Logger
  /// The counters for orders; `nil` if metrics are off.
  package let metrics: (any Metrics)?

  package func place(_ lines: [OrderLine], for customer: Customer) throws(OrderError) -> Order {
    do {
      let total = try total(of: lines, code: customer.code)
      let order = Order(id: ids.next(), customer: customer.address, lines: lines, total: total)
      try deliver(order)
      metrics?.count("orders.placed")
      logger.log(.info, "\(order.id): \(order.total) from \(customer.address)")
      return order
    } catch {
      metrics?.count("orders.refused")
      logger.log(.warning, "no order for \(customer.address): \(error)")
      throw error
    }
  }

  /// Returns the total price of the lines, with tax and discount.
  private func total(of lines: [OrderLine], code: String?) throws(OrderError) -> Money {
    var total: Money?
    for line in lines {
      guard var price = prices.price(of: line.sku, pieces: line.pieces) else { throw .unknownProduct(line.sku) }
      price.cents += total?.cents ?? 0
      total = price
    }
    guard let total else { throw .emptyCart }
    let discounted = discount.apply(to: total, pieces: lines.reduce(0) { $0 + $1.pieces }, code: code)
    logger.log(.debug, "\(total) is \(discounted) with code \(code ?? "(none)")")
    return discounted
  }

  /// Takes the pieces from stock, records the order, charges the customer, and sends the confirmation. Puts the pieces
  /// back if the order cannot be recorded or charged.
  private func deliver(_ order: Order) throws(OrderError) {
    let pieces = Dictionary(order.lines.map { ($0.sku, $0.pieces) }, uniquingKeysWith: +)
    if let short = stock.take(pieces) { throw .outOfStock(short) }
    do {
      try store.append(record(of: order, kind: "placed"))
    } catch {
      stock.putBack(pieces)
      throw .notRecorded("\(error)")
    }
    guard payment.charge(order.total, to: order.customer) else {
      stock.putBack(pieces)
      conclude(order, as: "declined")
      throw .declined(order.total)
    }
    conclude(order, as: "paid")
    letters.confirm(order, receipt: receipts.receipt(for: order))
  }

  /// Records whether an order was paid or declined.
  private func conclude(_ order: Order, as kind: String) {
    events.note(kind, about: order.id, ["total": "\(order.total)"])
    do {
      try store.append(record(of: order, kind: kind))
    } catch {
      // The outcome cannot be undone, so the error is only logged; operators have to correct the record.
      logger.log(.error, "\(order.id) is \(kind), which could not be written down: \(error)")
    }
  }

  /// Returns the record of an order.
  private func record(of order: Order, kind: String) -> Record {
    let lines = order.lines.map { "\($0.pieces) \($0.sku)" }.joined(separator: ", ")
    return Record(
      id: order.id, kind: kind, fields: ["customer": order.customer, "lines": lines, "total": "\(order.total)"])
  }
}
