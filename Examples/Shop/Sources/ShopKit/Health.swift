// SPDX-License-Identifier: Apache-2.0

/// Looks whether something in the shop works as it should.
package protocol HealthCheck: Sendable {
  /// What is wrong, in words; empty where all is well.
  func problems() -> [String]
}

/// Several checks as one.
package struct AllChecks: HealthCheck {
  /// The checks, in the order in which they are made.
  package let checks: [any HealthCheck]
  /// Is told of each problem.
  package let logger: any Logger

  package func problems() -> [String] {
    let problems = checks.flatMap { $0.problems() }
    for problem in problems { logger.log(.warning, problem) }
    return problems
  }
}

/// Looks for products that are nearly sold out.
package struct StockCheck: HealthCheck {
  /// What is there.
  package let stock: any Stock
  /// What should be there.
  package let products: any Assortment
  /// Fewer pieces than this are a problem.
  package let low: Int

  package func problems() -> [String] {
    products.products.filter { stock.pieces(of: $0.sku) < low }.map { "\($0.title): \(stock.pieces(of: $0.sku)) left" }
  }
}

/// Looks whether the stores can be read.
package struct StoreCheck: HealthCheck {
  /// The stores, in the order in which they are looked at.
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
