// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The stock of the shop.
package protocol Stock: Sendable {
  /// Returns the number of pieces of a product in stock.
  func pieces(of sku: String) -> Int
  /// Takes all of the given pieces, or none. Returns the SKU of a product with too few pieces; `nil` if all were taken.
  func take(_ wanted: [String: Int]) -> String?
  /// Puts pieces back into stock.
  func putBack(_ pieces: [String: Int])
}

/// A stock in memory.
package final class ShelfStock: Stock {
  /// The number of pieces by SKU.
  private let shelf: Mutex<[String: Int]>
  /// The log for products that are sold out.
  private let events: any EventLog

  /// Creates a stock with a number of pieces of each product.
  package init(pieces: [String: Int], events: any EventLog) {
    shelf = Mutex(pieces)
    self.events = events
  }

  package func pieces(of sku: String) -> Int { shelf.withLock { $0[sku, default: 0] } }

  package func take(_ wanted: [String: Int]) -> String? {
    let (short, soldOut): (String?, [String]) = shelf.withLock { shelf in
      let short = wanted.keys.sorted().first { shelf[$0, default: 0] < wanted[$0, default: 0] }
      if let short { return (short, []) }
      for (sku, pieces) in wanted { shelf[sku, default: 0] -= pieces }
      return (nil, wanted.keys.sorted().filter { shelf[$0] == 0 })
    }
    for sku in soldOut { events.note("sold out", about: sku, [:]) }
    return short
  }

  package func putBack(_ pieces: [String: Int]) {
    shelf.withLock { shelf in
      for (sku, pieces) in pieces { shelf[sku, default: 0] += pieces }
    }
  }
}
