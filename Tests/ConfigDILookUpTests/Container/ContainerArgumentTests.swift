// SPDX-License-Identifier: Apache-2.0

import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct ContainerArgumentTests {
  /// A type that is not `Hashable`, so that it cannot be part of a key.
  private struct Opaque: Sendable {}

  /// Returns a registry of nodes that take their names as run-time arguments.
  private func registry(_ journal: Journal = Journal()) -> Registry {
    var registry = Registry.nodes(journal)
    registry.add(
      "Named", as: { ($0, $0 as any Greeter) },
      { (name: String, suffix: String, number: Int) in Node(name + suffix + String(number), journal: journal) },
      .runtime("name"), .value("suffix"), .runtime("number"))
    registry.add("Plain", as: Node.self, .runtime("name", String.self)) { Node($0, journal: journal) }
    registry.add("Opaque", as: Node.self, .runtime("opaque", Opaque.self)) { _ in Node("opaque") }
    registry.add(
      "Numbered", as: { ($0, $0 as any Greeter) },
      { (inner: Node, count: UInt8) in Node("\(inner.name)#\(count)", journal: journal) },
      .decorated("inner"), .runtime("count"))
    return registry
  }

  /// Returns a plan with one service that takes a text and a number as run-time arguments.
  private func plan(_ lifetime: Lifetime) -> PlanFixture {
    var plan = PlanFixture(scopes: "request")
    plan.add("named", "Named", .runtime, .value("-"), .runtime, lifetime: lifetime)
    return plan
  }

  /// Returns the error that the body throws. Fails the test if it throws none.
  private func error(_ body: () throws -> Void) throws -> ResolutionError {
    try #require(throws: ResolutionError.self, performing: body)
  }

  @Test func `a look-up passes arguments, by type and by name`() throws {
    let container = try plan(.transient).container(registry())
    #expect(try container.resolve(Node.self, arguments: "a", 1).name == "a-1")
    let greeter: any Greeter = try container.resolve(arguments: "b", 2)
    #expect(greeter.name == "b-2")
    #expect(try container.resolve(Node.self, named: "named", arguments: "c", 3).name == "c-3")
    #expect(try container.resolveOptional(Node.self, arguments: "d", 4)?.name == "d-4")
    #expect(try container.resolveOptional((any Counter).self, arguments: 1) == nil)
    let node = try container.resolve(Node.self, arguments: "a", 1)
    #expect(try container.resolve(Node.self, arguments: "a", 1) !== node)
  }

  @Test func `an argument of any static type reaches the builder unchanged`() throws {
    let container = Container()
    container.register { (_: Resolver, greeter: any Greeter, node: Node?, none: Node?) in
      "\(greeter.name) \(node?.name ?? "-") \(none?.name ?? "-")"
    }
    container.register {
      (_: Resolver, make: @escaping @Sendable (Int) -> Int, pair: (Int, String), type: any Sendable.Type) in
      "\(make(2)) \(pair) \(type)"
    }
    container.register { (_: Resolver, value: any Sendable) in "\(value)" }
    let node = Node("a")
    #expect(
      try container.resolve(String.self, arguments: node as any Greeter, Optional(node), Node?.none) == "a a -")
    let double: @Sendable (Int) -> Int = { 2 * $0 }
    #expect(
      try container.resolve(String.self, arguments: double, (1, "b"), Int.self as any Sendable.Type)
        == #"4 (1, "b") Int"#)
    #expect(try container.resolve(String.self, arguments: 7 as any Sendable) == "7")
    // The static type of the argument counts, not the dynamic one.
    let error = try error { _ = try container.resolve(String.self, arguments: 7) }
    #expect(error.description.contains("Int"))
  }

  @Test(arguments: [Lifetime.shared, .weak, .scope(0)])
  func `cached lifetimes keep one instance for each tuple of arguments`(lifetime: Lifetime) throws {
    let scope = try plan(lifetime).container(registry()).openScope("request")
    let first = try scope.resolve(Node.self, arguments: "a", 1)
    let second = try scope.resolve(Node.self, arguments: "a", 2)
    #expect(first !== second)
    #expect(try scope.resolve((any Greeter).self, arguments: "a", 1) as? Node === first)
    #expect(try scope.resolve(Node.self, named: "named", arguments: "a", 2) === second)
    #expect([first, second].map(\.name) == ["a-1", "a-2"])
  }

  @Test func `equal numbers of different types are different arguments`() throws {
    let container = Container()
    container.register(scope: .shared) { (_: Resolver, key: any Hashable & Sendable) in
      Node("\(type(of: key)) \(key)")
    }
    let keys: [any Hashable & Sendable] = [1, 1.0, UInt8(1), Int?(1)]
    let nodes = try keys.map { try container.resolve(Node.self, arguments: $0) }
    #expect(nodes.map(\.name) == ["Int 1", "Double 1.0", "UInt8 1", "Optional<Int> Optional(1)"])
    #expect(try container.resolve(Node.self, arguments: 1.0 as any Hashable & Sendable) === nodes[1])
  }

  @Test func `a weak service with arguments is released with its last user`() throws {
    let journal = Journal()
    let container = try plan(.weak).container(registry(journal))
    let kept = try container.resolve(Node.self, arguments: "kept", 0)
    for number in 0..<1_000 { _ = try container.resolve(Node.self, arguments: "a", number) }
    #expect(journal.entries.count == 2_001)
    #expect(try container.resolve(Node.self, arguments: "kept", 0) === kept)
    // Entries are swept when there are more than twice as many as after the last sweep, and more than 64.
    #expect(container.state.store.entryCounts.instances < 150)
    #expect(container.state.store.entryCounts.arguments < 150)
  }

  @Test func `instances with arguments are released with their container, last built first`() throws {
    let journal = Journal()
    var container: Container? = try plan(.shared).container(registry(journal))
    for number in 0..<3 { _ = try container?.resolve(Node.self, arguments: "a", number) }
    container = nil
    #expect(journal.entries.suffix(3) == ["-a-2", "-a-1", "-a-0"])
  }

  @Test func `arguments of the wrong types are an error that shows both lists`() throws {
    let container = try plan(.transient).container(registry())
    let wrong = try error { _ = try container.resolve(Node.self, arguments: "a", UInt8(1)) }
    #expect(wrong.code == .wrongArguments)
    #expect(
      wrong.description == """
        service "named" takes the run-time arguments (String, Int), but the look-up passes the run-time arguments (String, UInt8)
          defined at: app.json:1
        """)
    let none = try error { _ = try container.resolve(Node.self) }
    #expect(
      none.description.hasPrefix(
        "service \"named\" takes the run-time arguments (String, Int), but the look-up passes no"))
    #expect(try error { _ = try container.resolve(Node.self, named: "named") }.code == .wrongArguments)
    #expect(try error { _ = try container.resolve(Node.self, named: "named", arguments: 1) }.code == .wrongArguments)
    #expect(try error { _ = try container.resolve(Lazy<Node>.self) }.code == .wrongArguments)
  }

  @Test func `services of one type coexist, each with its own arguments`() throws {
    var plan = plan(.transient)
    plan.add("plain", "Plain", .runtime, lifetime: .transient)
    plan.add("leaf", "Leaf", .value("leaf"))
    let container = try plan.container(registry())
    #expect(try container.resolve(Node.self).name == "leaf")
    #expect(try container.resolve(Node.self, arguments: "a").name == "a")
    #expect(try container.resolve(Node.self, arguments: "a", 1).name == "a-1")
    #expect(try container.resolve([Node].self).map(\.name) == ["leaf"])
    #expect(try error { _ = try container.resolve(Node.self, arguments: 1) }.candidates == ["leaf", "named", "plain"])
  }

  @Test func `unhashable arguments are an error for cached instances`() throws {
    var plan = PlanFixture()
    plan.add("kept", "Opaque", .runtime)
    plan.add("made", "Opaque", .runtime, lifetime: .graph)
    let container = try plan.container(registry())
    #expect(
      try error { _ = try container.resolve(Node.self, named: "kept", arguments: Opaque()) }.code == .wrongArguments)
    #expect(try container.resolve(Node.self, named: "made", arguments: Opaque()).name == "opaque")
  }

  @Test func `the arguments of a decorator follow those of the wrapped service`() throws {
    var plan = PlanFixture()
    plan.add("plain", "Plain", .runtime, decorators: [plan.decorator("Numbered", .decorated, .runtime)])
    let container = try plan.container(registry())
    let node = try container.resolve(Node.self, arguments: "a", UInt8(7))
    #expect(node.name == "a#7")
    #expect(try container.resolve(Node.self, arguments: "a", UInt8(7)) === node)
  }

  @Test func `a provider passes arguments at each call, or binds them`() throws {
    var plan = plan(.transient)
    plan.add("user", "ProviderLink", .value("user"), plan.service("named"))
    let container = try plan.container(registry())
    let provider = try #require(try container.resolve(Node.self, named: "user").providerDependency)
    #expect(try provider.get(arguments: "a", 1).name == "a-1")
    #expect(try error { _ = try provider.get() }.code == .wrongArguments)
    #expect(try error { _ = try provider.get(arguments: 1) }.code == .wrongArguments)
    let bound = provider.binding(arguments: "b", 2)
    #expect(try bound.get().name == "b-2")
    let lazy = provider.lazy(arguments: "c", 3)
    #expect(try lazy.get() === lazy.value)
    #expect(lazy.value.name == "c-3")
    #expect(try container.resolve(Lazy<Node>.self, arguments: "d", 4).get().name == "d-4")
    #expect(try container.resolve(Provider<Node>.self, named: "named").get(arguments: "e", 5).name == "e-5")
  }

  @Test func `a service with run-time arguments can be injected only as a provider`() throws {
    var plan = plan(.transient)
    plan.add("user", "Link", .value("user"), plan.service("named"))
    let error = try error { _ = try plan.container(registry()) }
    #expect(error.code == .wiringBroken)
    #expect(error.description.contains("requires run-time arguments"))
  }

  @Test func `a builder that throws leaves no entry for its arguments`() throws {
    let fails = Guarded(true)
    var registry = Registry()
    registry.add("FailingOnce", .runtime("name", String.self)) { name in
      if fails.withLock({ $0 }) { throw TestError() }
      return Node(name)
    }
    var plan = PlanFixture()
    plan.add("failing", "FailingOnce", .runtime)
    let container = try plan.container(registry)
    for number in 0..<LongTests.size(200, full: 1_000) {
      #expect(throws: ResolutionError.self) { try container.resolve(Node.self, arguments: "\(number)") }
    }
    #expect(container.state.store.entryCounts.instances == 0)
    #expect(container.state.store.entryCounts.arguments < 150)
    fails.withLock { $0 = false }
    let node = try container.resolve(Node.self, arguments: "1")
    #expect(try container.resolve(Node.self, arguments: "1") === node)
  }

  @Test(arguments: [false, true], [nil, "name"])
  func `a provider prefers the service without arguments`(isFirst: Bool, name: String?) throws {
    let container = Container()
    if isFirst { container.register(named: name) { Node("plain") } }
    container.register(named: name) { (_, name: String) in Node(name) }
    if !isFirst { container.register(named: name) { Node("plain") } }
    container.register(named: name) { (_, number: Int) in Node("\(number)") }
    #expect(try container.resolve(Provider<Node>.self, named: name).get().name == "plain")
    #expect(try container.resolve(Provider<Node>.self, named: name, arguments: "bound").get().name == "bound")
  }

  @Test(arguments: [nil, "name"])
  func `a provider without arguments finds the only service with arguments, but none of several`(name: String?) throws {
    let container = Container()
    container.register(named: name) { (_, name: String) in Node(name) }
    let provider = try container.resolve(Provider<Node>.self, named: name)
    #expect(try provider.get(arguments: "later").name == "later")
    container.register(named: name) { (_, number: Int) in Node("\(number)") }
    let error = #expect(throws: ResolutionError.self) { try container.resolve(Provider<Node>.self, named: name) }
    #expect(error?.code == .wrongArguments)
  }

  @Test func `an error about several services lists the arguments of each`() throws {
    let container = Container()
    container.register { (_, name: String) in Node(name) }
    container.register { (_, number: Int, name: String) in Node("\(number)\(name)") }
    let error = try error { _ = try container.resolve(Node.self) }
    #expect(
      error.description == """
        no service that provides "Node" takes no run-time arguments:
          service "Node" takes the run-time arguments (Int, String)
          service "Node" takes the run-time argument (String)
        """)
  }
}
