// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct ContainerWeakTests {
  #if compiler(>=6.2)
    private protocol Screen { func show() -> String }

    /// A class that conforms on the main actor only.
    @MainActor private final class Home: @MainActor Screen {
      func show() -> String { "home" }
    }

    @Test func `a weak service whose conformance belongs to the main actor is found there`() async throws {
      let container = Container()
      container.register((any Screen & Sendable).self, on: MainActor.shared, scope: .weak) { (_) in Home() }
      let screen = try await container.resolveAsync((any Screen & Sendable).self)
      let again = try await container.resolveAsync((any Screen & Sendable).self)
      #expect(screen as AnyObject === again as AnyObject)
      let error = #expect(throws: ResolutionError.self) { try container.resolve((any Screen & Sendable).self) }
      #expect(error?.code == .needsMainActor)
      let shown = try await MainActor.run { try container.resolve((any Screen & Sendable).self).show() }
      #expect(shown == "home")
    }
  #endif

  @Test func `a weak service has one instance while it is retained`() throws {
    let journal = Journal()
    var plan = PlanFixture()
    plan.add("weak", "Leaf", .value("W"), lifetime: .weak)
    let container = try plan.container(.nodes(journal))
    var first: Node? = try container.resolve(Node.self)
    var second: (any Greeter)? = try container.resolve((any Greeter).self)
    #expect(second as? Node === first)
    first = nil
    #expect(journal.entries == ["+W"])
    second = nil
    #expect(journal.entries == ["+W", "-W"])
    #expect(try container.resolve(Node.self).name == "W")
    #expect(journal.entries == ["+W", "-W", "+W", "-W"])
  }

  @Test func `the users in one look-up share a new weak instance`() throws {
    let journal = Journal()
    var plan = PlanFixture()
    plan.add("weak", "Leaf", .value("W"), lifetime: .weak)
    plan.add("a", "Link", .value("A"), plan.service("weak"), lifetime: .transient)
    plan.add("b", "Link", .value("B"), plan.service("weak"), lifetime: .weak)
    plan.add("top", "Pair", .value("top"), plan.service("a"), plan.service("b"))
    let container = try plan.container(.nodes(journal))
    let top = try container.resolve(Node.self, named: "top")
    #expect(top.dependency(0)?.dependency() === top.dependency(1)?.dependency())
    #expect(try container.resolve(Node.self, named: "weak") === top.dependency(0)?.dependency())
    #expect(journal.entries.filter { $0 == "+W" }.count == 1)
  }

  @Test func `dependencies of a living weak instance are not built again`() throws {
    let journal = Journal()
    var plan = PlanFixture(scopes: "request")
    plan.add("request", "Leaf", .value("R"), lifetime: .scope(0))
    plan.add("weak", "Link", .value("W"), plan.service("request"), lifetime: .weak)
    plan.add("user", "Link", .value("U"), plan.service("weak"), lifetime: .transient)
    let container = try plan.container(.nodes(journal))
    let weak = try container.scope("request") { try $0.resolve(Node.self, named: "weak") }
    #expect(try container.resolve(Node.self, named: "user").dependency() === weak)
    #expect(journal.entries == ["+R", "+W", "+U", "-U"])
  }

  @Test func `a weak service of a value type is an error`() throws {
    var registry = Registry()
    registry.add("Person", as: (any Greeter).self) { Person(name: "Ann") }
    var plan = PlanFixture()
    plan.add("ann", "Person", lifetime: .weak)
    let container = try plan.container(registry)
    let error = try #require(throws: ResolutionError.self) { try container.resolve((any Greeter).self) }
    #expect(error.code == .builderFailed)
    #expect(error.chain == ["ann"])
    #expect(error.description.contains("but its builder does not return an instance of a class"))
  }

  @Test func `an object behind a protocol and an actor can be weak`() throws {
    actor Worker {}
    var registry = Registry()
    registry.add("Node", as: (any Greeter).self) { Node("N") }
    registry.add("Worker") { Worker() }
    var plan = PlanFixture()
    plan.add("node", "Node", lifetime: .weak)
    plan.add("worker", "Worker", lifetime: .weak)
    let container = try plan.container(registry)
    let greeter = try container.resolve((any Greeter).self)
    #expect(try container.resolve((any Greeter).self) as? Node === greeter as? Node)
    let worker = try container.resolve(Worker.self)
    #expect(try container.resolve(Worker.self) === worker)
  }
}
