// SPDX-License-Identifier: Apache-2.0
package import ConfigDI
import Foundation

/// A demonstration: some customers visit the shop, and each visit is described in a line.
package struct ShopDay {
  /// The events of the day, one in a line.
  package private(set) var lines: [String] = []

  /// Serves the customers with the services of a container.
  ///
  /// - Throws: `ResolutionError` if the module lacks a service that is needed.
  package init(_ container: Container) throws {
    for visit in ShopDay.visits {
      // Each visit has a scope of its own: within it cart and trace are shared, and they are released with it.
      lines.append(try container.scope("checkout") { scope in try ShopDay.serve(visit, in: scope) })
    }

    let records = try container.resolve(named: "store.orders") as any RecordStore
    lines.append("\(try records.records().count) records of orders in \(type(of: records))")
    let problems = try container.resolve((any HealthCheck).self).problems()
    lines.append(problems.isEmpty ? "all is well" : "look after: \(problems.joined(separator: "; "))")
    if let metrics = try container.resolveOptional((any Metrics).self) {
      let counts = metrics.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      lines.append("counted: \(counts.joined(separator: ", "))")
    }
    lines.append(try container.resolve((any Mailer).self).summary)
  }

  /// A customer with the wanted products: SKUs and numbers of pieces.
  private typealias Visit = (customer: Customer, wishes: [(sku: String, pieces: Int)])

  /// The visits: a plain purchase, one with a discount code, one beyond the stock, and one beyond the payment limit.
  private static let visits: [Visit] = [
    (Customer("ada@example.net"), [("tea", 2), ("pot", 1)]),
    (Customer("bob@example.net", code: "TEAPARTY"), [("cup", 12), ("tea", 3)]),
    (Customer("cyd@example.net", code: "WELCOME"), [("pot", 5)]),
    (Customer("dee@example.net"), [("samovar", 1)]),
  ]

  /// Serves one customer and returns a line that describes the result.
  private static func serve(_ visit: Visit, in scope: Scope) throws -> String {
    let checkout = try scope.resolve(Checkout.self, arguments: visit.customer)
    let line = "\(visit.customer.address): \(outcome(of: visit, at: checkout))"
    guard let trace = try scope.resolveOptional(Trace.self) else { return line }
    return "\(line) (\(trace.steps.joined(separator: ", ")))"
  }

  /// Buys the wanted products and returns a description of the order or the error.
  private static func outcome(of visit: Visit, at checkout: Checkout) -> String {
    do throws(OrderError) {
      for wish in visit.wishes { try checkout.add(wish.sku, pieces: wish.pieces) }
      let order = try checkout.pay()
      return "\(order.id), \(order.total)"
    } catch {
      return error.description
    }
  }
}
