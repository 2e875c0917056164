// SPDX-License-Identifier: Apache-2.0

/// A product of the shop.
package struct Product: Decodable, Hashable, Sendable {
  /// The stock-keeping unit, which identifies the product.
  package var sku: String
  /// The product's name for customers.
  package var title: String
  /// The net price in cents.
  package var cents: Int
}

/// The assortment of the shop.
package protocol Assortment: Sendable {
  /// All products, in display order.
  var products: [Product] { get }
}

extension Assortment {
  /// Returns the product with a SKU; `nil` if there is none.
  package func product(_ sku: String) -> Product? { products.first { $0.sku == sku } }
}

/// An assortment listed in the module file.
package struct ProductList: Assortment {
  package let products: [Product]
}

/// An amount of money.
package struct Money: Hashable, Sendable, CustomStringConvertible {
  /// The amount in cents.
  package var cents: Int
  /// The three-letter currency code.
  package var currency: String

  package var description: String {
    let rest = cents % 100
    return "\(cents / 100).\(rest < 10 ? "0" : "")\(rest) \(currency)"
  }

  /// Returns the amount reduced by a percentage, rounded to the nearest cent.
  package func less(percent: Int) -> Money {
    Money(cents: cents - (cents * percent + 50) / 100, currency: currency)
  }
}

/// The prices that customers pay.
package protocol Prices: Sendable {
  /// Returns the price of some pieces of a product, with tax; `nil` if no product has the SKU.
  func price(of sku: String, pieces: Int) -> Money?
}

/// Prices that add tax to the net price of each piece.
package struct TaxedPrices: Prices {
  /// The products, with net prices.
  package let products: any Assortment
  /// The tax rate as a fraction of the net price: 0.19 is 19 %.
  package let taxRate: Double
  /// The three-letter currency code.
  package let currency: String

  package func price(of sku: String, pieces: Int) -> Money? {
    guard let product = products.product(sku) else { return nil }
    let gross = (Double(product.cents) * (1 + taxRate)).rounded()
    return Money(cents: Int(gross) * pieces, currency: currency)
  }
}
