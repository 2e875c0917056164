// SPDX-License-Identifier: Apache-2.0

/// A discount on the price of an order.
package protocol Discount: Sendable {
  /// Returns the discounted price for a number of pieces and the customer's discount code.
  func apply(to price: Money, pieces: Int, code: String?) -> Money
}

/// A discount of some percent.
package struct PercentDiscount: Discount {
  /// The percentage to subtract.
  package let percent: Int

  package func apply(to price: Money, pieces: Int, code: String?) -> Money { price.less(percent: percent) }
}

/// A discount of some percent from a minimum number of pieces on.
package struct QuantityDiscount: Discount {
  /// The least number of pieces that gets the discount.
  package let pieces: Int
  /// The percentage to subtract.
  package let percent: Int

  package func apply(to price: Money, pieces: Int, code: String?) -> Money {
    pieces >= self.pieces ? price.less(percent: percent) : price
  }
}

/// The discount that belongs to the customer's code.
package struct CodeDiscount: Discount {
  /// The discounts by code.
  package let offers: [String: any Discount]

  package func apply(to price: Money, pieces: Int, code: String?) -> Money {
    guard let code, let offer = offers[code] else { return price }
    return offer.apply(to: price, pieces: pieces, code: code)
  }
}
