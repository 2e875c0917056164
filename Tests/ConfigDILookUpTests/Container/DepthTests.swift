// SPDX-License-Identifier: Apache-2.0

import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct DepthTests {
  /// The length of the chains.
  private static let length = LongTests.size(1_000, full: 10_000)

  /// The length of a chain. It is a value, so that a long chain is retained and released without recursion.
  struct Length: Sendable {
    /// The number of services, including this one.
    let count: Int
  }

  /// The length of a chain, as an object. The objects do not reference one another.
  final class Count: Sendable {
    /// The number of services, including this one.
    let count: Int

    /// Creates a length.
    init(_ count: Int) { self.count = count }
  }

  /// A registry of chain links, each of which has the length of its chain.
  private let registry = {
    var registry = Registry()
    registry.add("Object", as: Count.self) { Count(1) }
    registry.add("ObjectLink", as: Count.self, .service("next", Count.self)) { Count($0.count + 1) }
    registry.add("End", as: Length.self) { Length(count: 1) }
    registry.add("Link", as: Length.self, .service("next", Length.self)) { Length(count: $0.count + 1) }
    registry.add("Fork", as: [Int].self, .service("left", Length.self), .service("rest", [Length].self)) {
      (left: Length, rest: [Length]) in [left.count] + rest.map(\.count)
    }
    registry.add("Failing", as: Length.self) { throw TestError() }
    return registry
  }()

  /// Returns a plan with a chain of services, each with a lifetime of its own.
  private func chain(end: String = "End", lifetime: (Int) -> Lifetime) -> PlanFixture {
    var plan = PlanFixture(scopes: "session", "request")
    let link = end == "Object" ? "ObjectLink" : "Link"
    plan.add("s0", end, lifetime: lifetime(0))
    for number in 1..<DepthTests.length {
      plan.add("s\(number)", link, .service(number - 1), lifetime: lifetime(number))
    }
    return plan
  }

  @Test(
    arguments: [
      ("shared", { @Sendable _ in .shared }), ("transient", { _ in .transient }),
      ("in turns", { $0.isMultiple(of: 2) ? .shared : .transient }),
      ("in turns of a hundred", { $0 / 100 % 2 == 0 ? .transient : .shared }), ("graph", { _ in .graph }),
      ("graph and transient in turns of a hundred", { $0 / 100 % 2 == 0 ? .transient : .graph }),
      ("scopes", { $0 < DepthTests.length / 2 ? .scope(0) : .scope(1) }),
      ("scope and transient in turns", { $0.isMultiple(of: 2) ? .scope(1) : .transient }),
    ] as [(String, @Sendable (Int) -> Lifetime)])
  func `a very long chain of services resolves`(name: String, lifetime: @Sendable (Int) -> Lifetime) throws {
    let scope = try chain(lifetime: lifetime).container(registry).openScope("session").openScope("request")
    for number in [DepthTests.length - 1, 70, 64, 63] {
      #expect(try scope.resolve(Length.self, named: "s\(number)").count == number + 1)
    }
  }

  @Test(
    arguments: [
      ("weak", { @Sendable _ in .weak }), ("in turns of a hundred", { $0 / 100 % 2 == 0 ? .transient : .weak }),
    ] as [(String, @Sendable (Int) -> Lifetime)])
  func `a very long chain of weak services resolves`(
    name: String, lifetime: @Sendable (Int) -> Lifetime
  ) throws {
    let container = try chain(end: "Object", lifetime: lifetime).container(registry)
    for number in [DepthTests.length - 1, 70, 64, 63] {
      #expect(try container.resolve(Count.self, named: "s\(number)").count == number + 1)
    }
  }

  @Test(arguments: [Lifetime.shared, .transient])
  func `an error at the end of a long chain has the complete chain`(lifetime: Lifetime) throws {
    let container = try chain(end: "Failing") { _ in lifetime }.container(registry)
    let error = try #require(throws: ResolutionError.self) {
      try container.resolve(Length.self, named: "s\(DepthTests.length - 1)")
    }
    #expect(error.chain.count == DepthTests.length)
    #expect(error.chain.first == "s\(DepthTests.length - 1)")
    #expect(error.chain.last == "s0")
  }

  @Test func `nested services build each argument in order`() throws {
    var plan = chain { _ in .transient }
    let (high, middle, low) = (DepthTests.length * 9 / 10, DepthTests.length * 8 / 10, DepthTests.length * 7 / 10)
    for (id, lifetime) in [("shared", Lifetime.shared), ("transient", .transient)] {
      plan.add(id, "Fork", .service(high), .services([10, middle, 20, low]), lifetime: lifetime)
    }
    let container = try plan.container(registry)
    for id in ["shared", "transient"] {
      #expect(try container.resolve([Int].self, named: id) == [high + 1, 11, middle + 1, 21, low + 1])
    }
  }

  @Test func `a shared service on many paths is visited once`() throws {
    // Each level depends on the one below twice. A walk along all paths would not end.
    var registry = registry
    registry.add("Both", as: Length.self, .service("left", Length.self), .service("right", Length.self)) {
      (left: Length, right: Length) in Length(count: left.count)
    }
    var plan = PlanFixture()
    plan.add("s0", "End")
    for number in 1...100 { plan.add("s\(number)", "Both", .service(number - 1), .service(number - 1)) }
    #expect(try plan.container(registry).resolve(Length.self, named: "s100").count == 1)
  }
}
