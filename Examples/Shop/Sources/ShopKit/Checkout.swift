// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The checkout of one customer.
package struct Checkout: Sendable {
  /// The customer who buys.
  package let customer: Customer
  /// The cart with the products to buy.
  package let cart: Cart
  /// Accepts the order.
  package let orders: any Orders
  /// The trace of the checkout's steps; `nil` if tracing is off.
  package let trace: Trace?

  /// Adds pieces of a product to the cart.
  package func add(_ sku: String, pieces: Int = 1) throws(OrderError) {
    try cart.add(sku, pieces: pieces)
    trace?.note("\(pieces) \(sku)")
  }

  /// Orders the contents of the cart. Does not empty the cart.
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

/// The cart of one customer.
package final class Cart: Sendable {
  /// The products that can be bought.
  private let products: any Assortment
  /// The greatest number of lines in the cart.
  private let capacity: Int
  /// The lines of the cart; see `lines`.
  private let content = Mutex<[OrderLine]>([])

  /// Creates an empty cart.
  package init(products: any Assortment, capacity: Int) {
    self.products = products
    self.capacity = capacity
  }

  /// The lines of the cart, in the order in which the products were first added.
  package var lines: [OrderLine] { content.withLock { $0 } }

  /// Adds pieces of a product to the cart.
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

/// The recorded steps of one checkout.
package final class Trace: Sendable {
  /// The recorded steps; see `steps`.
  private let noted = Mutex<[String]>([])

  /// Creates an empty trace.
  package init() {}

  /// The recorded steps, in order.
  package var steps: [String] { noted.withLock { $0 } }

  /// Records a step.
  package func note(_ step: String) { noted.withLock { $0.append(step) } }
}
