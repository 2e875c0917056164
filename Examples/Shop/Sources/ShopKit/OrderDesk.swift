// SPDX-License-Identifier: Apache-2.0

/// Takes orders: prices them, takes the pieces, charges, remembers, and writes to the customer.
package struct OrderDesk: Orders {
  /// Tells what a product costs.
  package let prices: any Prices
  /// Has the pieces.
  package let stock: any Stock
  /// Takes something off.
  package let discount: any Discount
  /// Takes the money.
  package let payment: any Payment
  /// Writes the receipt.
  package let receipts: any Receipts
  /// Writes to the customer.
  package let letters: any Letters
  /// Remembers the orders.
  package let store: any RecordStore
  /// Notes what happens.
  package let events: any EventLog
  /// Names the orders.
  package let ids: any IDs
  /// Is told what happens.
  package let logger: any Logger
  /// Counts what happens, where somebody wants to know.
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

  /// What the customer pays.
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

  /// Takes the pieces, writes the order down, takes the money, and tells the customer.
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

  /// Writes down how an order ended.
  private func conclude(_ order: Order, as kind: String) {
    events.note(kind, about: order.id, ["total": "\(order.total)"])
    do {
      try store.append(record(of: order, kind: kind))
    } catch {
      // What happened cannot be undone; those who run the shop have to mend the record.
      logger.log(.error, "\(order.id) is \(kind), which could not be written down: \(error)")
    }
  }

  /// An order as the store keeps it.
  private func record(of order: Order, kind: String) -> Record {
    let lines = order.lines.map { "\($0.pieces) \($0.sku)" }.joined(separator: ", ")
    return Record(
      id: order.id, kind: kind, fields: ["customer": order.customer, "lines": lines, "total": "\(order.total)"])
  }
}
