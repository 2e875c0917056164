// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Knows how many pieces are there.
package protocol Stock: Sendable {
  /// How many pieces of a product are there.
  func pieces(of sku: String) -> Int
  /// Takes all of the given pieces, or none of them; gives the product that is short, or nil.
  func take(_ wanted: [String: Int]) -> String?
  /// Puts pieces back.
  func putBack(_ pieces: [String: Int])
}

/// A stock on a shelf of the given size.
package final class ShelfStock: Stock {
  /// The pieces of each product.
  private let shelf: Mutex<[String: Int]>
  /// Is told of a product that is sold out.
  private let events: any EventLog

  /// A shelf with some pieces of each product.
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
