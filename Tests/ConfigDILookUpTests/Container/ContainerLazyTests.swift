// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct ContainerLazyTests {
  /// Returns the error that the body throws. Fails the test if it throws none.
  private func error(_ body: () throws -> Void) throws -> ResolutionError {
    try #require(throws: ResolutionError.self, performing: body)
  }

  @Test func `a lazy value is built at its first use and kept`() throws {
    let journal = Journal()
    let lazy = Lazy { Node("A", journal: journal) }
    #expect(journal.entries == [])
    #expect(!lazy.isBuilt)
    let node = try lazy.get()
    #expect(lazy.value === node)
    #expect(lazy.isBuilt)
    #expect(journal.entries == ["+A"])
    lazy.dispose()
    #expect(try lazy.get() !== node)
  }

  @Test func `a lazy value whose closure throws is retried`() throws {
    let fails = Guarded(true)
    let lazy = Lazy {
      if fails.withLock({ $0 }) { throw TestError(reason: "no disk") }
      return 1
    }
    let error = try error { _ = try lazy.get() }
    #expect(error.code == .builderFailed)
    #expect(error.underlyingError as? TestError == TestError(reason: "no disk"))
    fails.withLock { $0 = false }
    #expect(try lazy.get() == 1)
  }

  @Test func `a lazy value that needs itself is an error`() throws {
    let box = Guarded<Lazy<Int>?>(nil)
    let lazy = Lazy<Int> { try box.withLock { $0 }?.get() ?? 0 }
    box.withLock { $0 = lazy }
    defer { box.withLock { $0 = nil } }
    #expect(try error { _ = try lazy.get() }.code == .cycle)
  }

  @Test(arguments: [("Link", "direct"), ("LazyLink", "lazy"), ("ProviderLink", "provider")])
  func `direct, lazy and provider arguments differ in when and how often they build`(type: String, manner: String)
    throws
  {
    let journal = Journal()
    var plan = PlanFixture()
    plan.add("number", "Leaf", .value("number"), lifetime: .transient)
    plan.add("user", type, .value("user"), plan.service("number"))
    let container = try plan.container(.nodes(journal))
    let user = try container.resolve(Node.self, named: "user")
    journal.note("use")
    for _ in 0..<2 {
      let needed = try user.dependency() ?? user.lazyDependency?.get() ?? user.providerDependency?.get()
      #expect(needed?.name == "number")
    }
    let expected = [
      "direct": ["+number", "+user", "use"], "lazy": ["+user", "use", "+number"],
      "provider": ["+user", "use", "+number", "-number", "+number", "-number"],
    ]
    #expect(journal.entries == expected[manner])
    withExtendedLifetime(container) {}
  }

  @Test func `any service can be looked up as lazy or as a provider`() throws {
    let journal = Journal()
    var plan = PlanFixture()
    plan.add("a", "Leaf", .value("A"), lifetime: .transient)
    plan.add("b", "Leaf", .value("B"), provides: [])
    let container = try plan.container(.nodes(journal))
    let lazy = try container.resolve(Lazy<any Greeter>.self)
    let provider: Provider<Node> = try container.resolve(named: "a")
    #expect(journal.entries == [])
    #expect(try lazy.get() as? Node === lazy.value as? Node)
    #expect(try provider.get() !== provider.value)
    #expect(try container.resolveOptional(Lazy<any Counter>.self) == nil)
    #expect(try container.resolveOptional(Provider<Node>.self, named: "nobody") == nil)
    #expect(try container.resolve(Lazy<Node>?.self)?.get().name == "A")
    #expect(try error { _ = try container.resolve(Lazy<any Counter>.self) }.typeName == "Counter")
    #expect(try error { _ = try container.resolve(Provider<Node>.self, named: "b") }.code == .notProvided)
    #expect(try error { _ = try container.resolve(Provider<Node>.self, named: "c") }.code == .notRegistered)
  }

  @Test func `a lazy argument may be optional`() throws {
    var registry = Registry.nodes()
    registry.add("Perhaps", as: Bool.self, .service("a", Lazy<Node>?.self), .service("b", Provider<Node>?.self)) {
      (a: Lazy<Node>?, b: Provider<Node>?) in a == nil && b != nil
    }
    var plan = PlanFixture()
    plan.add("leaf", "Leaf", .value("leaf"))
    plan.add("perhaps", "Perhaps", .absent, plan.service("leaf"))
    #expect(try plan.container(registry).resolve(Bool.self))
    #expect(
      registry.catalog.types.first { $0.name == "Perhaps" }?.arguments == [
        ArgumentDescriptor(key: "a", kind: .service(type: "Node", wrapper: .lazy), isOptional: true),
        ArgumentDescriptor(key: "b", kind: .service(type: "Node", wrapper: .provider), isOptional: true),
      ])
  }

  @Test(arguments: [Lifetime.shared, .weak, .graph])
  func `services that need each other lazily are both built`(lifetime: Lifetime) throws {
    var plan = PlanFixture()
    plan.add("a", "LazyLink", .value("a"), .service(1), lifetime: lifetime)
    plan.add("b", "LazyLink", .value("b"), .service(0), lifetime: lifetime)
    let container = try plan.container(.nodes())
    let a = try container.resolve(Node.self, named: "a")
    let b = try #require(try a.lazyDependency?.get())
    #expect(b.name == "b")
    #expect(try b.lazyDependency?.get() === a)
    a.lazyDependency?.dispose()
  }

  @Test(arguments: [Lifetime.shared, .weak, .graph, .transient])
  func `services that need each other during building throw a cycle with its path`(lifetime: Lifetime) throws {
    var plan = PlanFixture()
    plan.add("a", "Opening", .value("a"), .service(1), lifetime: lifetime)
    plan.add("b", "Opening", .value("b"), .service(0), lifetime: lifetime)
    let container = try plan.container(.nodes())
    for _ in 0..<2 {
      let error = try error { _ = try container.resolve(Node.self, named: "a") }
      #expect(error.code == .cycle)
      #expect(error.path == ["a", "b", "a"] || error.path == ["b", "a", "b"])
      #expect(error.chain.prefix(2) == ["a", "b"])
    }
  }

  @Test func `a lazy service without its container is an error`() throws {
    var plan = PlanFixture()
    plan.add("leaf", "Leaf", .value("leaf"))
    plan.add("lazy", "LazyLink", .value("lazy"), plan.service("leaf"))
    plan.add("provider", "ProviderLink", .value("provider"), plan.service("leaf"))
    let journal = Journal()
    var container: Container? = try plan.container(.nodes(journal))
    let lazy = try #require(try container?.resolve(Node.self, named: "lazy").lazyDependency)
    let provider = try #require(try container?.resolve(Node.self, named: "provider").providerDependency)
    container = nil
    #expect(journal.entries == ["+lazy", "+provider", "-provider", "-lazy"])
    #expect(try error { _ = try lazy.get() }.code == .closed)
    let gone = try error { _ = try provider.get() }
    #expect(gone.description == "service \"leaf\" can no longer be looked up: its container or scope is closed")
  }

  @Test func `a failing lazy value and provider stop with the complete message`() async {
    await #expect(processExitsWith: .failure) { _ = Lazy<Int> { throw TestError() }.value }
    await #expect(processExitsWith: .failure) {
      var plan = PlanFixture()
      var registry = Registry()
      registry.add("A", as: Int.self) { throw TestError() }
      plan.add("a", "A")
      _ = try plan.container(registry).resolve(Provider<Int>.self).value
    }
  }

  @Test func `a lazy injected property that stops the program reports its own place`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      @LazyInjected(from: Container()) var node: Node
      _ = node
    }
    let reported = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(reported.hasPrefix("ConfigDILookUpTests/ContainerLazyTests.swift:"), "\(reported.prefix(200))")
    #expect(reported.contains(#": Fatal error: no service provides "Node""#), "\(reported.prefix(200))")
  }

  @Test(arguments: [false, true])
  func `the transient services in a lazy or isolated form are disposed of with it`(awaits: Bool) async throws {
    let journal = Journal()
    let container = Container()
    let note: @Sendable (Node) -> Void = { journal.note("~\($0.name)") }
    container.register(named: "a", scope: .transient, onDispose: note) { Node("a") }
    container.register(named: "b", scope: .shared, onDispose: note) { Node("b") }
    container.register(named: "c", scope: .transient, onDispose: note) { Node("c") }
    let lazy = try container.resolve(Lazy<[Node]>.self)
    #expect((awaits ? try await lazy.getAsync() : try lazy.get()).map(\.name) == ["a", "b", "c"])
    #expect(journal.entries == [])
    lazy.dispose()
    #expect(journal.entries == ["~c", "~a"])
    let isolated = try container.resolve(Isolated<[String: Node]?>.self)
    if awaits {
      try await isolated.use { nodes async in #expect(nodes?.count == 3) }
    } else {
      try { try isolated.use { nodes in #expect(nodes?.count == 3) } }()
    }
    #expect(journal.entries == ["~c", "~a", "~c", "~a"])
    // If one element cannot be built, the others are disposed of.
    container.register(named: "d", scope: .transient) { () throws -> Node in throw TestError() }
    if awaits {
      await #expect(throws: ResolutionError.self) { try await lazy.getAsync() }
    } else {
      #expect(throws: ResolutionError.self) { try lazy.get() }
    }
    #expect(journal.entries == ["~c", "~a", "~c", "~a", "~c", "~a"])
  }
}
