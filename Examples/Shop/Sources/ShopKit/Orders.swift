// SPDX-License-Identifier: Apache-2.0

/// Some pieces of one product.
package struct OrderLine: Hashable, Sendable {
  /// The product's short name.
  package var sku: String
  /// The product's name for customers.
  package var title: String
  /// How many.
  package var pieces: Int
}

/// What a customer bought.
package struct Order: Hashable, Sendable {
  /// The order's id.
  package var id: String
  /// The customer's mail address.
  package var customer: String
  /// What was bought.
  package var lines: [OrderLine]
  /// What it cost, with tax and less the discount.
  package var total: Money
}

/// Why nothing was bought.
package enum OrderError: Error, Hashable, CustomStringConvertible {
  /// The shop does not sell this.
  case unknownProduct(String)
  /// The cart holds nothing.
  case emptyCart
  /// The cart holds as many lines as it can.
  case fullCart(lines: Int)
  /// There are not enough pieces.
  case outOfStock(String)
  /// The amount could not be charged.
  case declined(Money)
  /// The order could not be written down; the customer was not charged.
  case notRecorded(String)

  package var description: String {
    switch self {
    case .declined(let amount): "\(amount) declined"
    case .emptyCart: "nothing wanted"
    case .fullCart(let lines): "no cart for more than \(lines) lines"
    case .notRecorded(let cause): "not written down: \(cause)"
    case .outOfStock(let sku): "not enough of \"\(sku)\""
    case .unknownProduct(let sku): "no \"\(sku)\" is sold here"
    }
  }
}

/// What one customer is about to buy. Each customer has one of their own.
package struct Cart: Sendable {
  /// Knows what can be bought.
  package let products: any Assortment
  /// How many lines the cart can hold.
  package let capacity: Int
  /// What the cart holds.
  package private(set) var lines: [OrderLine] = []

  /// An empty cart.
  package init(products: any Assortment, capacity: Int) {
    self.products = products
    self.capacity = capacity
  }

  /// Puts some pieces of a product into the cart.
  package mutating func add(_ sku: String, pieces: Int = 1) throws(OrderError) {
    guard let product = products.product(sku) else { throw .unknownProduct(sku) }
    if let index = lines.firstIndex(where: { $0.sku == sku }) {
      lines[index].pieces += pieces
    } else if lines.count < capacity {
      lines.append(OrderLine(sku: sku, title: product.title, pieces: pieces))
    } else {
      throw .fullCart(lines: capacity)
    }
  }
}

/// Takes orders.
package protocol Orders: Sendable {
  /// Sells what is in a cart.
  func place(_ cart: Cart, for customer: String, code: String?) throws(OrderError) -> Order
}
