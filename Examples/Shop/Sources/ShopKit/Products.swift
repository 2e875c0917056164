// SPDX-License-Identifier: Apache-2.0

/// Something that the shop sells.
package struct Product: Decodable, Hashable, Sendable {
  /// The short name by which the shop knows it.
  package var sku: String
  /// The name by which customers know it.
  package var title: String
  /// The net price in cents.
  package var cents: Int
}

/// What the shop sells.
package protocol Assortment: Sendable {
  /// All products, as they are shown.
  var products: [Product] { get }
}

extension Assortment {
  /// The product of a short name, or nil.
  package func product(_ sku: String) -> Product? { products.first { $0.sku == sku } }
}

/// An assortment that stands in the module file.
package struct ProductList: Assortment {
  package let products: [Product]
}

/// An amount of money.
package struct Money: Hashable, Sendable, CustomStringConvertible {
  /// The amount in cents.
  package var cents: Int
  /// The currency's three letters.
  package var currency: String

  package var description: String {
    let rest = cents % 100
    return "\(cents / 100).\(rest < 10 ? "0" : "")\(rest) \(currency)"
  }

  /// The amount less some percent, rounded to the nearest cent.
  package func less(percent: Int) -> Money {
    Money(cents: cents - (cents * percent + 50) / 100, currency: currency)
  }
}

/// Tells what a customer pays.
package protocol Prices: Sendable {
  /// The price of some pieces of a product, with tax, or nil where there is no such product.
  func price(of sku: String, pieces: Int) -> Money?
}

/// Prices that add tax to the net price of each piece.
package struct TaxedPrices: Prices {
  /// What is sold, at net prices.
  package let products: any Assortment
  /// The part of the net price that is added: 0.19 is 19 %.
  package let taxRate: Double
  /// The currency's three letters.
  package let currency: String

  package func price(of sku: String, pieces: Int) -> Money? {
    guard let product = products.product(sku) else { return nil }
    let gross = (Double(product.cents) * (1 + taxRate)).rounded()
    return Money(cents: Int(gross) * pieces, currency: currency)
  }
}
