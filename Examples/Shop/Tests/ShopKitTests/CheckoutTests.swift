// SPDX-License-Identifier: Apache-2.0
import ConfigDI
import Testing

@testable import ShopKit

@Suite struct CheckoutTests {
  @Test func `each checkout has a cart of its own, and one only`() throws {
    let container = try ShopModule.container("test")
    let first = try container.openScope("checkout")
    let second = try container.openScope("checkout")
    let checkout = try first.resolve(Checkout.self, arguments: Customer("ada@example.net"))
    try checkout.add("cup", pieces: 6)

    #expect(try first.resolve(Cart.self) === checkout.cart)
    #expect(try second.resolve(Cart.self).lines.isEmpty)
  }

  @Test func `the customer of the look-up is the one who pays`() throws {
    let scope = try ShopModule.container("test").openScope("checkout")
    let checkout = try scope.resolve(Checkout.self, arguments: Customer("bob@example.net", code: "WELCOME"))
    try checkout.add("tea")
    let order = try checkout.pay()
    #expect(order.customer == "bob@example.net")
    #expect(order.total == Money(cents: 739, currency: "EUR"))
  }

  @Test func `there is no cart outside of a checkout, and none after it`() throws {
    let container = try ShopModule.container("test")
    let outside = #expect(throws: ResolutionError.self) { try container.resolve(Cart.self) }
    #expect(outside?.code == .notOpen)

    let scope = try container.openScope("checkout")
    scope.close()
    let afterwards = #expect(throws: ResolutionError.self) { try scope.resolve(Cart.self) }
    #expect(afterwards?.code == .closed)
  }

  @Test(arguments: [("dev", "false", true), ("test", "false", false), ("test", "true", true)])
  func `checkouts are traced in dev, and elsewhere where the variable says so`(
    environment: String, tracing: String, isTraced: Bool
  ) throws {
    let container = try ShopModule.container(environment, variables: ["SHOP_TRACING": tracing])
    let scope = try container.openScope("checkout")
    #expect((try scope.resolveOptional(Trace.self) != nil) == isTraced)
  }

  @Test func `a trace has the steps of its own checkout`() throws {
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
