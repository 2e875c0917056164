// SPDX-License-Identifier: Apache-2.0

/// Takes something off a price.
package protocol Discount: Sendable {
  /// What is left of a price for some pieces, for a customer who gives a code.
  func apply(to price: Money, pieces: Int, code: String?) -> Money
}

/// Some percent off.
package struct PercentDiscount: Discount {
  /// How many percent.
  package let percent: Int

  package func apply(to price: Money, pieces: Int, code: String?) -> Money { price.less(percent: percent) }
}

/// Some percent off for whoever buys much.
package struct QuantityDiscount: Discount {
  /// From how many pieces on.
  package let pieces: Int
  /// How many percent.
  package let percent: Int

  package func apply(to price: Money, pieces: Int, code: String?) -> Money {
    pieces >= self.pieces ? price.less(percent: percent) : price
  }
}

/// The offer that belongs to the customer's code.
package struct CodeDiscount: Discount {
  /// The offers by their codes.
  package let offers: [String: any Discount]

  package func apply(to price: Money, pieces: Int, code: String?) -> Money {
    guard let code, let offer = offers[code] else { return price }
    return offer.apply(to: price, pieces: pieces, code: code)
  }
}
