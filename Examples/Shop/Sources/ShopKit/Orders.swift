// SPDX-License-Identifier: Apache-2.0

/// Somebody who comes to buy.
package struct Customer: Hashable, Sendable {
  /// The mail address.
  package var address: String
  /// The discount's code, if there is one.
  package var code: String?

  /// Somebody with a mail address.
  package init(_ address: String, code: String? = nil) {
    self.address = address
    self.code = code
  }
}

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

/// Takes orders.
package protocol Orders: Sendable {
  /// Sells some pieces of some products.
  func place(_ lines: [OrderLine], for customer: Customer) throws(OrderError) -> Order
}
