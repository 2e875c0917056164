// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct ContainerGraphTests {
  @Test(arguments: [Lifetime.transient, .graph, .shared])
  func `a look-up shares a graph service in its whole tree`(lifetime: Lifetime) throws {
    let journal = Journal()
    var plan = PlanFixture()
    plan.add("graph", "Leaf", .value("G"), lifetime: .graph)
    plan.add("a", "Link", .value("A"), plan.service("graph"), lifetime: .transient)
    plan.add("b", "Link", .value("B"), plan.service("graph"))
    plan.add("top", "Pair", .value("top"), plan.service("a"), plan.service("b"), lifetime: lifetime)
    let container = try plan.container(.nodes(journal))
    let top = try container.resolve(Node.self, named: "top")
    #expect(top.dependency(0)?.dependency() === top.dependency(1)?.dependency())
    #expect(try container.resolve(Node.self, named: "graph") !== top.dependency(0)?.dependency())
    #expect(journal.entries.filter { $0 == "+G" }.count == 2)
  }

  @Test func `a graph service is released with its holders`() throws {
    let journal = Journal()
    var plan = PlanFixture()
    plan.add("graph", "Leaf", .value("G"), lifetime: .graph)
    plan.add("top", "Link", .value("top"), plan.service("graph"), lifetime: .graph)
    let container = try plan.container(.nodes(journal))
    _ = try container.resolve(Node.self, named: "top")
    #expect(journal.entries == ["+G", "+top", "-top", "-G"])
  }

  @Test func `deferred look-ups belong to their look-up and retain nothing`() throws {
    let journal = Journal()
    var plan = PlanFixture()
    plan.add("graph", "Leaf", .value("G"), lifetime: .graph)
    plan.add("late", "Link", .value("late"), plan.service("graph"), lifetime: .graph)
    plan.add("lazy", "LazyLink", .value("lazy"), plan.service("late"), lifetime: .transient)
    plan.add("top", "Pair", .value("top"), plan.service("graph"), plan.service("lazy"), lifetime: .transient)
    let container = try plan.container(.nodes(journal))
    var top: Node? = try container.resolve(Node.self, named: "top")
    let lazy = try #require(top?.dependency(1)?.lazyDependency)
    #expect(try lazy.get().dependency() === top?.dependency(0))
    lazy.dispose()
    top = nil
    #expect(journal.entries.contains("-G"))
    #expect(try lazy.get().dependency()?.name == "G")
  }

  @Test func `services that need each other through a lazy value find each other`() throws {
    var plan = PlanFixture()
    plan.add("parent", "LazyLink", .value("parent"), .service(1), lifetime: .graph)
    plan.add("child", "Link", .value("child"), plan.service("parent"), lifetime: .graph)
    let container = try plan.container(.nodes())
    let parent = try container.resolve(Node.self, named: "parent")
    let child = try #require(try parent.lazyDependency?.get())
    #expect(child.dependency() === parent)
    #expect(try container.resolve(Node.self, named: "parent") !== parent)
  }

  @Test func `a provider starts a new look-up at each call`() throws {
    var plan = PlanFixture()
    plan.add("graph", "Leaf", .value("G"), lifetime: .graph)
    plan.add("user", "ProviderLink", .value("user"), plan.service("graph"), lifetime: .transient)
    let container = try plan.container(.nodes())
    let provider = try #require(try container.resolve(Node.self, named: "user").providerDependency)
    let first = try provider.get()
    #expect(try provider.get() !== first)
  }

  @Test func `a value type may have the graph lifetime`() throws {
    var registry = Registry()
    let count = Guarded(0)
    registry.add("Number") {
      count.withLock { count -> Int in
        count += 1
        return count
      }
    }
    registry.add("Sum", .service("left", Int.self), .service("right", Int.self)) { (left: Int, right: Int) in
      [left, right]
    }
    var plan = PlanFixture()
    plan.add("number", "Number", lifetime: .graph)
    plan.add("sum", "Sum", plan.service("number"), plan.service("number"), lifetime: .transient)
    let container = try plan.container(registry)
    #expect(try container.resolve([Int].self) == [1, 1])
    #expect(try container.resolve([Int].self) == [2, 2])
  }
}
