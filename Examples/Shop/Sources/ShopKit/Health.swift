// SPDX-License-Identifier: Apache-2.0

/// A check that a part of the shop works.
package protocol HealthCheck: Sendable {
  /// Returns a description of each problem; empty if there is none.
  func problems() -> [String]
}

/// A check that runs several checks and logs their problems.
package struct AllChecks: HealthCheck {
  /// The checks, in the order in which they run.
  package let checks: [any HealthCheck]
  /// The logger that each problem is written to.
  package let logger: any Logger

  package func problems() -> [String] {
    let problems = checks.flatMap { $0.problems() }
    for problem in problems { logger.log(.warning, problem) }
    return problems
  }
}

/// A check for products that are nearly sold out.
package struct StockCheck: HealthCheck {
  /// The pieces in stock.
  package let stock: any Stock
  /// The products to check.
  package let products: any Assortment
  /// The least number of pieces that is not a problem.
  package let low: Int

  package func problems() -> [String] {
    products.products.filter { stock.pieces(of: $0.sku) < low }.map { "\($0.title): \(stock.pieces(of: $0.sku)) left" }
  }
}

/// A check that the stores can be read.
package struct StoreCheck: HealthCheck {
  /// The stores, in the order in which they are checked.
  package let stores: [any RecordStore]

  package func problems() -> [String] {
    stores.compactMap { store in
      do {
        _ = try store.records()
        return nil
      } catch {
        return "\(store.name) cannot be read: \(error)"
      }
    }
  }
}
