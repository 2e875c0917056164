// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// A number as an object, which a container can keep weakly.
private final class Number: Sendable {
  let value: Int
  init(_ value: Int) { self.value = value }
}

@Suite struct ContainerDecoratorTests {
  /// Returns a plan with a service that has two decorators.
  private func plan(_ lifetime: Lifetime, provides: [String]? = nil) -> PlanFixture {
    var plan = PlanFixture(scopes: "request")
    plan.add(
      "leaf", "Leaf", .value("leaf"), lifetime: lifetime, provides: provides,
      decorators: [
        plan.decorator("Wrap", .value("inner"), .decorated), plan.decorator("Wrap", .value("outer"), .decorated),
      ])
    return plan
  }

  @Test(arguments: [Lifetime.shared, .weak, .graph, .transient, .scope(0)])
  func `look-ups and references receive the outermost decorator, with the same lifetime`(lifetime: Lifetime) throws {
    let journal = Journal()
    var plan = plan(lifetime)
    plan.add("user", "Pair", .value("user"), plan.service("leaf"), plan.service("leaf"), lifetime: .transient)
    let scope = try plan.container(.nodes(journal)).openScope("request")
    let user = try scope.resolve(Node.self, named: "user")
    #expect(user.dependency(0)?.name == "outer(inner(leaf))")
    #expect((user.dependency(0) === user.dependency(1)) == (lifetime != .transient))
    let again = try scope.resolve((any Greeter).self, named: "leaf") as? Node
    #expect((again === user.dependency(0)) == (lifetime == .shared || lifetime == .weak || lifetime == .scope(0)))
    #expect(again?.name == "outer(inner(leaf))")
    #expect(journal.entries.prefix(3) == ["+leaf", "+inner(leaf)", "+outer(inner(leaf))"])
  }

  @Test func `additional types of the decorator are not looked up`() throws {
    let container = try plan(.shared, provides: ["Greeter"]).container(.nodes())
    #expect(try container.resolve((any Greeter).self).name == "outer(inner(leaf))")
    #expect(throws: ResolutionError.self) { try container.resolve(Node.self) }
    #expect(try container.resolve([any Greeter].self).count == 1)
  }

  @Test func `a decorator has its own arguments`() throws {
    var plan = PlanFixture()
    plan.add("other", "Leaf", .value("other"))
    plan.add("leaf", "Leaf", .value("leaf"), decorators: [plan.decorator("Beside", plan.service("other"), .decorated)])
    var registry = Registry.nodes()
    registry.add("Beside", .service("other", Node.self), .decorated("inner", (any Greeter).self)) {
      (other: Node, inner: any Greeter) in Node("\(other.name)+\(inner.name)")
    }
    #expect(try plan.container(registry).resolve(Node.self, named: "leaf").name == "other+leaf")
  }

  @Test func `the error of a throwing decorator names it, and the chain lists its service once`() throws {
    var registry = Registry.nodes()
    registry.add("Failing", as: Node.self, .decorated("inner", Node.self)) { _ in throw TestError() }
    var plan = PlanFixture()
    plan.add(
      "leaf", "Leaf", .value("leaf"),
      decorators: [plan.decorator("Failing", .decorated), plan.decorator("Wrap", .value("outer"), .decorated)])
    plan.add("user", "Link", .value("user"), plan.service("leaf"))
    let container = try plan.container(registry)
    let error = try #require(throws: ResolutionError.self) { try container.resolve(Node.self, named: "user") }
    #expect(
      error.description == """
        decorator "Failing" of service "leaf" cannot be built: TestError(reason: "no")
          needed by: user -> leaf
          defined at: app.json:1
        """)
  }

  @Test(arguments: [Lifetime.shared, .transient])
  func `ten thousand decorators use no more stack than one`(lifetime: Lifetime) throws {
    var registry = Registry()
    registry.add("Number", as: Int.self) { 0 }
    registry.add("Next", as: Int.self, .decorated("inner", Int.self)) { $0 + 1 }
    var plan = PlanFixture()
    plan.add(
      "number", "Number", lifetime: lifetime,
      decorators: Array(repeating: plan.decorator("Next", .decorated), count: 10_000))
    #expect(try plan.container(registry).resolve(Int.self) == 10_000)
    // The instances are also released without recursion, so a small stack is enough.
    let box = ContainerBox()
    box.container = try plan.container(registry)
    let done = Gate()
    let thread = Thread {
      _ = try? box.container.resolve(Int.self)
      box.clear()
      done.open()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
  }

  @Test(arguments: [Lifetime.shared, .transient, .weak, .graph])
  func `an async service with a decorator of the main actor has to be awaited`(lifetime: Lifetime) async throws {
    var registry = Registry()
    registry.add("Slow", as: Number.self) { () async -> Number in Number(1) }
    registry.add("Next", as: Number.self, on: MainActor.shared, .decorated("inner", Number.self)) {
      Number($0.value + 1)
    }
    var plan = PlanFixture()
    plan.add("number", "Slow", lifetime: lifetime, decorators: [plan.decorator("Next", .decorated)])
    let container = try plan.container(registry)
    let error = try #require(throws: ResolutionError.self) { try container.resolve(Number.self) }
    #expect(error.code == .needsAwait)
    #expect(try await container.resolveAsync(Number.self).value == 2)
  }

  @Test func `a decorated argument without a wrapped service is an error of the plan`() throws {
    var plan = PlanFixture()
    plan.add("alone", "Wrap", .value("alone"), .decorated)
    let error = try #require(throws: ResolutionError.self) { try plan.container(.nodes()) }
    #expect(error.code == .wiringBroken)
  }
}
