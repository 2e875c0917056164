// SPDX-License-Identifier: Apache-2.0

/// A customer of the shop.
package struct Customer: Hashable, Sendable {
  /// The mail address.
  package var address: String
  /// The discount code; `nil` if the customer has none.
  package var code: String?

  /// Creates a customer with a mail address.
  package init(_ address: String, code: String? = nil) {
    self.address = address
    self.code = code
  }
}

/// A number of pieces of one product.
package struct OrderLine: Hashable, Sendable {
  /// The SKU of the product.
  package var sku: String
  /// The product's name for customers.
  package var title: String
  /// The number of pieces.
  package var pieces: Int
}

/// An order of a customer.
package struct Order: Hashable, Sendable {
  /// The order's id.
  package var id: String
  /// The customer's mail address.
  package var customer: String
  /// The ordered products.
  package var lines: [OrderLine]
  /// The total price, with tax and discount.
  package var total: Money
}

/// The reason why an order was refused.
package enum OrderError: Error, Hashable, CustomStringConvertible {
  /// The shop does not sell a product with this SKU.
  case unknownProduct(String)
  /// The cart is empty.
  case emptyCart
  /// The cart already has the greatest number of lines.
  case fullCart(lines: Int)
  /// There are too few pieces of the product with this SKU.
  case outOfStock(String)
  /// The amount could not be charged.
  case declined(Money)
  /// The order could not be recorded; the customer was not charged.
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

/// A service that accepts orders.
package protocol Orders: Sendable {
  /// Sells the products of the lines to a customer.
  func place(_ lines: [OrderLine], for customer: Customer) throws(OrderError) -> Order
}
