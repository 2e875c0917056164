// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct ContainerTests {
  /// Returns a registry of nodes that record their creation.
  private func registry(_ journal: Journal = Journal()) -> Registry {
    var registry = Registry()
    registry.add(
      "Node", as: { ($0, $0 as any Greeter) }, { (name: String) in Node(name, journal: journal) }, .value("name"))
    registry.add(
      "Pair", as: Node.self, .value("name", String.self), .service("left", (any Greeter).self),
      .service("right", Node.self)
    ) { (name: String, left: any Greeter, right: Node) in Node(name, dependencies: [left, right], journal: journal) }
    registry.add("Person", as: (any Greeter).self, .value("name", String.self, default: "Ann")) { Person(name: $0) }
    return registry
  }

  @Test func `a shared service is built once, at its first look-up`() throws {
    let journal = Journal()
    var plan = PlanFixture()
    plan.add("a", "Node", .value("A"))
    let container = try plan.container(registry(journal))
    #expect(journal.entries == [])
    let first = try container.resolve((any Greeter).self)
    let second: Node = try container.resolve()
    #expect(first as? Node === second)
    #expect(container[Node.self] === second)
    #expect(journal.entries == ["+A"])
  }

  @Test func `a transient service is built at each look-up`() throws {
    var plan = PlanFixture()
    plan.add("a", "Node", .value("A"), lifetime: .transient)
    let container = try plan.container(registry())
    let first = try container.resolve(Node.self)
    #expect(try container.resolve(Node.self) !== first)
    #expect(try container.resolve((any Greeter).self) as? Node !== first)
  }

  @Test func `dependencies are built first, once, in the order of the arguments`() throws {
    let journal = Journal()
    var plan = PlanFixture()
    plan.add("d", "Node", .value("D"))
    plan.add("b", "Pair", .value("B"), plan.service("d"), plan.service("d"))
    plan.add("c", "Pair", .value("C"), plan.service("d"), plan.service("d"))
    plan.add("a", "Pair", .value("A"), plan.service("d"), plan.service("c"))
    plan.add("top", "Pair", .value("top"), plan.service("d"), plan.service("b"))
    let container = try plan.container(registry(journal))
    _ = try container.resolve(Node.self, named: "top")
    _ = try container.resolve(Node.self, named: "a")
    #expect(journal.entries == ["+D", "+B", "+top", "+C", "+A"])
  }

  @Test func `a transient service receives shared instances, and a shared one its own transient instances`() throws {
    let journal = Journal()
    var plan = PlanFixture()
    plan.add("s", "Node", .value("S"))
    plan.add("t", "Pair", .value("T"), plan.service("s"), plan.service("s"), lifetime: .transient)
    plan.add("u", "Pair", .value("U"), plan.service("s"), plan.service("t"))
    plan.add("v", "Pair", .value("V"), plan.service("s"), plan.service("t"))
    let container = try plan.container(registry(journal))
    let u = try container.resolve(Node.self, named: "u")
    let v = try container.resolve(Node.self, named: "v")
    #expect(journal.entries == ["+S", "+T", "+U", "+T", "+V"])
    #expect(u.dependencies[1] as? Node !== v.dependencies[1] as? Node)
    #expect(u.dependencies[0] as? Node === v.dependencies[0] as? Node)
  }

  @Test func `the start builds the eager services in the plan's order`() throws {
    let journal = Journal()
    var plan = PlanFixture()
    plan.add("b", "Node", .value("B"))
    plan.add("a", "Node", .value("A"))
    plan.add("idle", "Node", .value("idle"))
    plan.start("a", "b")
    let container = try plan.container(registry(journal))
    try container.start()
    try container.start()
    #expect(journal.entries == ["+A", "+B"])
  }

  @Test func `instances are released with the container, last built first`() throws {
    let journal = Journal()
    var plan = PlanFixture()
    plan.add("b", "Node", .value("B"))
    plan.add("a", "Node", .value("A"))
    plan.add("c", "Node", .value("C"))
    var container: Container? = try plan.container(registry(journal))
    for id in ["a", "c", "b"] { _ = try container?.resolve(Node.self, named: id) }
    container = nil
    #expect(journal.entries == ["+A", "+C", "+B", "-B", "-C", "-A"])
  }

  @Test func `arguments may be values, defaults, optional services, lists and maps`() throws {
    var registry = registry()
    registry.add(
      "All", as: [String].self, .value("port", UInt16.self, default: 25), .value("zone", String?.self),
      .service("perhaps", (any Greeter)?.self), .service("many", [any Greeter].self),
      .service("keyed", [String: any Greeter].self)
    ) { port, zone, perhaps, many, keyed in
      let pairs = keyed.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.name)" }
      return ["\(port)", zone ?? "-", perhaps?.name ?? "-"] + many.map(\.name) + pairs
    }
    var plan = PlanFixture()
    plan.add("a", "Node", .value("A"))
    plan.add("p", "Person", .absent)
    plan.add("bare", "All", .absent, .absent, .absent, .services([]), .keyedServices([]))
    plan.add(
      "full", "All", .value(80), .value("z"), plan.service("p"), .services([1, 0]),
      .keyedServices([.init(key: "y", slot: 0), .init(key: "x", slot: 1)]))
    let container = try plan.container(registry)
    #expect(try container.resolve([String].self, named: "bare") == ["25", "-", "-"])
    #expect(try container.resolve([String].self, named: "full") == ["80", "z", "Ann", "Ann", "A", "x=Ann", "y=A"])
  }

  @Test func `each of two hundred types is found by its own service only`() throws {
    // Nested optionals give as many different types as the test needs.
    func add<T: Sendable>(_ type: T.Type, _ depth: Int, _ registry: inout Registry, _ plan: inout PlanFixture) {
      guard depth > 0 else { return }
      registry.add("T\(depth)", as: [T].self) { [] }
      plan.add("t\(depth)", "T\(depth)")
      add(T?.self, depth - 1, &registry, &plan)
    }
    func check<T: Sendable>(_ type: T.Type, _ depth: Int, _ container: Container) throws {
      guard depth > 0 else { return }
      #expect(!container.state.directory.providers(of: ObjectIdentifier([T].self)).isEmpty)
      #expect(container.state.directory.providers(of: ObjectIdentifier(T.self)).isEmpty)
      _ = try container.resolve([T].self)
      try check(T?.self, depth - 1, container)
    }
    var registry = Registry()
    var plan = PlanFixture()
    add(Int.self, 200, &registry, &plan)
    try check(Int.self, 200, plan.container(registry))
  }
}
