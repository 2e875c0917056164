// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One customer at the till.
package struct Checkout: Sendable {
  /// Who buys.
  package let customer: Customer
  /// What the customer is about to buy.
  package let cart: Cart
  /// Takes the order.
  package let orders: any Orders
  /// Remembers the steps, where somebody wants to know.
  package let trace: Trace?

  /// Puts some pieces of a product into the cart.
  package func add(_ sku: String, pieces: Int = 1) throws(OrderError) {
    try cart.add(sku, pieces: pieces)
    trace?.note("\(pieces) \(sku)")
  }

  /// Buys what is in the cart.
  package func pay() throws(OrderError) -> Order {
    do {
      let order = try orders.place(cart.lines, for: customer)
      trace?.note("paid")
      return order
    } catch {
      trace?.note("refused")
      throw error
    }
  }
}

/// What one customer is about to buy.
package final class Cart: Sendable {
  /// Knows what can be bought.
  private let products: any Assortment
  /// How many lines the cart can hold.
  private let capacity: Int
  /// What the cart holds.
  private let content = Mutex<[OrderLine]>([])

  /// An empty cart.
  package init(products: any Assortment, capacity: Int) {
    self.products = products
    self.capacity = capacity
  }

  /// What the cart holds, in the order in which it was put there.
  package var lines: [OrderLine] { content.withLock { $0 } }

  /// Puts some pieces of a product into the cart.
  package func add(_ sku: String, pieces: Int = 1) throws(OrderError) {
    guard let product = products.product(sku) else { throw .unknownProduct(sku) }
    let fits = content.withLock { lines in
      if let index = lines.firstIndex(where: { $0.sku == sku }) {
        lines[index].pieces += pieces
        return true
      }
      guard lines.count < capacity else { return false }
      lines.append(OrderLine(sku: sku, title: product.title, pieces: pieces))
      return true
    }
    guard fits else { throw .fullCart(lines: capacity) }
  }
}

/// The steps of one checkout.
package final class Trace: Sendable {
  /// The steps so far.
  private let noted = Mutex<[String]>([])

  /// A trace without steps.
  package init() {}

  /// The steps so far, from the first to the last.
  package var steps: [String] { noted.withLock { $0 } }

  /// Remembers one more step.
  package func note(_ step: String) { noted.withLock { $0.append(step) } }
}
