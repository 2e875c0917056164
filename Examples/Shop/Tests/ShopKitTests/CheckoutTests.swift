// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Testing

@testable import ShopKit

@Suite struct CheckoutTests {
  @Test func `each checkout has exactly one cart`() throws {
    let container = try ShopModule.container("test")
    let first = try container.openScope("checkout")
    let second = try container.openScope("checkout")
    let checkout = try first.resolve(Checkout.self, arguments: Customer("ada@example.net"))
    try checkout.add("cup", pieces: 6)

    #expect(try first.resolve(Cart.self) === checkout.cart)
    #expect(try second.resolve(Cart.self).lines.isEmpty)
  }

  @Test func `the customer of the look-up pays`() throws {
    let scope = try ShopModule.container("test").openScope("checkout")
    let checkout = try scope.resolve(Checkout.self, arguments: Customer("bob@example.net", code: "WELCOME"))
    try checkout.add("tea")
    let order = try checkout.pay()
    #expect(order.customer == "bob@example.net")
    #expect(order.total == Money(cents: 739, currency: "EUR"))
  }

  @Test func `no cart exists outside of a checkout`() throws {
    let container = try ShopModule.container("test")
    let outside = #expect(throws: ResolutionError.self) { try container.resolve(Cart.self) }
    #expect(outside?.code == .notOpen)

    let scope = try container.openScope("checkout")
    scope.close()
    let afterwards = #expect(throws: ResolutionError.self) { try scope.resolve(Cart.self) }
    #expect(afterwards?.code == .closed)
  }

  @Test(arguments: [("dev", "false", true), ("test", "false", false), ("test", "true", true)])
  func `checkouts are traced in dev, and elsewhere if the variable is set`(
    environment: String, tracing: String, isTraced: Bool
  ) throws {
    let container = try ShopModule.container(environment, variables: ["SHOP_TRACING": tracing])
    let scope = try container.openScope("checkout")
    #expect((try scope.resolveOptional(Trace.self) != nil) == isTraced)
  }

  @Test func `a trace has only the steps of its checkout`() throws {
    let container = try ShopModule.container("test", variables: ["SHOP_TRACING": "true"])
    let traces = try [("ada@example.net", "tea"), ("bob@example.net", "samovar")].map { address, sku in
      try container.scope("checkout") { scope in
        let checkout = try scope.resolve(Checkout.self, arguments: Customer(address))
        try checkout.add(sku)
        _ = try? checkout.pay()
        return try scope.resolve(Trace.self).steps
      }
    }
    #expect(traces == [["1 tea", "paid"], ["1 samovar", "refused"]])
  }
}
