// SPDX-License-Identifier: Apache-2.0
package import ConfigDI
import Foundation

/// A short day at the shop: some customers come, and what happens is told in words.
package struct ShopDay {
  /// What happened, line by line.
  package private(set) var lines: [String] = []

  /// Serves the customers with the services of a container.
  ///
  /// - Throws: `ResolutionError` where the module lacks a service that the day needs.
  package init(_ container: Container) throws {
    let orders = try container.resolve((any Orders).self)
    for customer in ShopDay.customers {
      // Transient: each customer gets a cart of their own.
      let cart = try container.resolve(Cart.self)
      lines.append("\(customer.address): \(ShopDay.serve(customer, with: cart, at: orders))")
    }

    let records = try container.resolve(named: "store.orders") as any RecordStore
    lines.append("\(try records.records().count) records of orders in \(type(of: records))")
    let problems = try container.resolve((any HealthCheck).self).problems()
    lines.append(problems.isEmpty ? "all is well" : "look after: \(problems.joined(separator: "; "))")
    if let metrics = try container.resolveOptional((any Metrics).self) {
      let counts = metrics.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      lines.append("counted: \(counts.joined(separator: ", "))")
    }
    lines.append(ShopDay.post(of: try container.resolve((any Mailer).self)))
  }

  /// Somebody who comes to buy.
  private struct Customer {
    /// The mail address.
    let address: String
    /// The discount's code, if there is one.
    let code: String?
    /// What is wanted: short names and pieces.
    let wishes: [(sku: String, pieces: Int)]
  }

  /// Those who come: one buys, one has a code, one wants more than there is, and one more than can be paid.
  private static let customers = [
    Customer(address: "ada@example.net", code: nil, wishes: [("tea", 2), ("pot", 1)]),
    Customer(address: "bob@example.net", code: "TEAPARTY", wishes: [("cup", 12), ("tea", 3)]),
    Customer(address: "cyd@example.net", code: "WELCOME", wishes: [("pot", 5)]),
    Customer(address: "dee@example.net", code: nil, wishes: [("samovar", 1)]),
  ]

  /// Serves one customer and tells how it went.
  private static func serve(_ customer: Customer, with cart: Cart, at orders: any Orders) -> String {
    var cart = cart
    do throws(OrderError) {
      for wish in customer.wishes { try cart.add(wish.sku, pieces: wish.pieces) }
      let order = try orders.place(cart, for: customer.address, code: customer.code)
      return "\(order.id), \(order.total)"
    } catch {
      return error.description
    }
  }

  /// Where the letters went.
  private static func post(of mailer: any Mailer) -> String {
    switch mailer {
    case let mailer as RecordingMailer: "\(mailer.messages.count) letters kept in memory"
    case let mailer as OutboxMailer: "files are in \(mailer.folder.deletingLastPathComponent().path)"
    default: "letters went through \(type(of: mailer))"
    }
  }
}
