// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct ContainerScopeTests {
  /// Creates a container with a shared service, a service in each of two scopes, and a transient service that depends
  /// on both scoped ones.
  private func container(_ journal: Journal = Journal()) throws -> Container {
    var plan = PlanFixture(scopes: "session", "request")
    plan.add("shared", "Leaf", .value("shared"))
    plan.add("session", "Link", .value("session"), plan.service("shared"), lifetime: .scope(0))
    plan.add("request", "Link", .value("request"), plan.service("session"), lifetime: .scope(1))
    plan.add(
      "passing", "Pair", .value("passing"), plan.service("request"), plan.service("session"), lifetime: .transient)
    return try plan.container(.nodes(journal))
  }

  /// Returns the error that the body throws. Fails the test if it throws none.
  private func error(_ body: () throws -> Void) throws -> ResolutionError {
    try #require(throws: ResolutionError.self, performing: body)
  }

  @Test func `each open scope has its own instances, and shares those with longer lifetimes`() throws {
    let container = try container()
    try container.scope("session") { session in
      let first = try session.openScope("request")
      let second = try session.openScope("request")
      let node = try first.resolve(Node.self, named: "request")
      #expect(try first.resolve((any Greeter).self, named: "request") as? Node === node)
      #expect(try second.resolve(Node.self, named: "request") !== node)
      #expect(try second.resolve(Node.self, named: "request").dependency() === node.dependency())
      #expect(try session.resolve(Node.self, named: "session") === node.dependency())
      #expect(try container.resolve(Node.self, named: "shared") === node.dependency()?.dependency())
      let passing = try first.resolve(Node.self, named: "passing")
      #expect(passing.dependency(0) === node)
      #expect(passing.dependency(1) === node.dependency())
    }
    try container.scope("session") { session in
      let shared = try container.resolve(Node.self, named: "shared")
      #expect(try session.resolve(Node.self, named: "session").dependency() === shared)
    }
  }

  /// A wrapper by which a service is provided.
  private final class Badge: Sendable {
    /// The wrapped service.
    let node: Node

    /// Creates a wrapper.
    init(_ node: Node) { self.node = node }
  }

  /// A service with two dependencies.
  private final class Desk: Sendable {
    /// A dependency that is provided by a wrapper.
    let badge: Badge
    /// A dependency that is provided as itself.
    let node: Node

    /// Creates a desk with its dependencies.
    init(_ badge: Badge, _ node: Node) {
      self.badge = badge
      self.node = node
    }
  }

  @Test(arguments: [false, true])
  func `dependencies are built first, also if they are looked up as another object`(isLast: Bool) throws {
    var registry = Registry()
    registry.add("Badged", as: { Badge($0) }) { Node("badged") }
    registry.add("Plain") { Node("plain") }
    registry.add("Desk", .service("badge", Badge.self), .service("node", Node.self)) { Desk($0, $1) }
    let container = try Container(
      text: """
        { "configdi": 1, "module": "desks", "scopes": ["request"], "services": {
          "badged": { "type": "Badged", "scope": "request" },
          "plain": { "type": "Plain", "scope": "request" },
          "desk": { "type": "Desk", "scope": "request", "inject": { "badge": "badged", "node": "plain" } } } }
        """, registry: registry)
    try container.scope("request") { scope in
      if isLast { _ = (try scope.resolve(Badge.self), try scope.resolve(Node.self)) }
      let desk = try scope.resolve(Desk.self)
      #expect(try scope.resolve(Desk.self, named: "desk") === desk)
      #expect(try scope.resolve(Badge.self) === desk.badge)
      #expect(desk.badge.node.name == "badged")
      #expect(try scope.resolve(Node.self) === desk.node)
      #expect(desk.node.name == "plain")
    }
  }

  @Test func `closing disposes of the instances, last built first, and later look-ups throw`() throws {
    let journal = Journal()
    let container = try container(journal)
    let session = try container.openScope("session")
    let request = try session.openScope("request")
    _ = try request.resolve(Node.self, named: "request")
    #expect(journal.entries == ["+shared", "+session", "+request"])
    request.close()
    #expect(journal.entries.last == "-request")
    #expect(!request.isOpen && session.isOpen)
    for id in ["shared", "request"] {
      let error = try error { _ = try request.resolve(Node.self, named: id) }
      #expect(error.code == .closed)
      #expect(error.description == "scope \"request\" is closed")
    }
    #expect(try error { _ = try request.resolveOptional(Node.self, named: "nobody") }.code == .closed)
    #expect(try error { _ = try request.openScope("request") }.code == .closed)
    #expect(try session.resolve(Node.self, named: "session").name == "session")
    request.close()
    session.close()
    #expect(journal.entries.suffix(2) == ["-request", "-session"])
  }

  @Test func `closing a scope closes its inner scopes`() throws {
    let container = try container()
    let session = try container.openScope("session")
    let request = try session.openScope("request")
    session.close()
    #expect(!request.isOpen)
    #expect(try error { _ = try request.resolve(Node.self, named: "shared") }.code == .closed)
  }

  @Test func `a released scope disposes of its instances`() throws {
    let journal = Journal()
    let container = try container(journal)
    var session: Scope? = try container.openScope("session")
    _ = try session?.resolve(Node.self, named: "session")
    session = nil
    #expect(journal.entries == ["+shared", "+session", "-session"])
  }

  @Test func `a scope is closed when its body ends or throws`() async throws {
    let container = try container()
    var kept: Scope?
    func nameInScope() throws -> String {
      try container.scope("session") { session in
        kept = session
        return try session.resolve(Node.self, named: "session").name
      }
    }
    #expect(try nameInScope() == "session")
    #expect(kept?.isOpen == false)
    #expect(throws: TestError.self) {
      try container.scope("session") { session in
        kept = session
        throw TestError()
      }
    }
    #expect(kept?.isOpen == false)
    let name = try await container.scope("session") { session in
      await Task.yield()
      return try await session.scope("request") { request in
        await Task.yield()
        return try await request.resolveAsync(Node.self, named: "passing").name
      }
    }
    #expect(name == "passing")
  }

  @Test func `a service of a scope that is not open is an error that names both`() throws {
    let container = try container()
    let alone = try container.openScope("request")
    for (id, path) in [("session", ["session"]), ("request", ["request"]), ("passing", ["passing", "request"])] {
      let error = try error { _ = try container.resolve(Node.self, named: id) }
      #expect(error.code == .notOpen)
      #expect(error.chain.first ?? id == path.first)
    }
    let error = try error { _ = try alone.resolve(Node.self, named: "request") }
    #expect(error.code == .notOpen)
    #expect(
      error.description == """
        service "session" belongs to scope "session", which is not open here
          needed by: request
          defined at: app.json:2
        """)
    #expect(try alone.resolve(Node.self, named: "shared").name == "shared")
  }

  @Test func `a scope opens only from its enclosing scope, and only by a declared name`() throws {
    let container = try container()
    let request = try container.openScope("request")
    #expect(try error { _ = try request.openScope("session") }.code == .noScope)
    #expect(try error { _ = try request.openScope("request") }.code == .noScope)
    let unknown = try error { _ = try container.openScope("sesion") }
    #expect(unknown.code == .noScope)
    #expect(unknown.description == "unknown scope \"sesion\"\n  did you mean \"session\"?")
  }

  @Test func `a provider of a shared service finds a scoped service if it is given the scope`() throws {
    var plan = PlanFixture(scopes: "request")
    plan.add("request", "Leaf", .value("request"), lifetime: .scope(0))
    plan.add("shared", "ProviderLink", .value("shared"), plan.service("request"))
    let container = try plan.container(.nodes())
    let other = try plan.container(.nodes())
    let scope = try container.openScope("request")
    // The service is resolved in the scope. It is shared, so it does not belong to the scope.
    let provider = try #require(try scope.resolve(Node.self, named: "shared").providerDependency)
    #expect(try error { _ = try provider.get() }.code == .notOpen)
    let request = try scope.resolve(Node.self, named: "request")
    #expect(try provider.get(in: scope) === request)
    #expect(try error { _ = try provider.get(in: other.openScope("request")) }.code == .noScope)
    scope.close()
    #expect(try error { _ = try provider.get(in: scope) }.code == .closed)
  }

  @Test func `providers and lazy values of a scope look up in it until it is closed`() throws {
    var plan = PlanFixture(scopes: "request")
    plan.add("request", "Leaf", .value("request"), lifetime: .scope(0))
    plan.add("provider", "ProviderLink", .value("provider"), plan.service("request"), lifetime: .scope(0))
    plan.add("lazy", "LazyLink", .value("lazy"), plan.service("request"), lifetime: .transient)
    let container = try plan.container(.nodes())
    let scope = try container.openScope("request")
    let provider = try #require(try scope.resolve(Node.self, named: "provider").providerDependency)
    let lazy = try #require(try scope.resolve(Node.self, named: "lazy").lazyDependency)
    let late = try #require(try scope.resolve(Node.self, named: "lazy").lazyDependency)
    let node = try scope.resolve(Node.self, named: "request")
    #expect(try provider.get() === node)
    #expect(try lazy.get() === node)
    scope.close()
    #expect(try error { _ = try provider.get() }.code == .closed)
    #expect(try error { _ = try late.get() }.code == .closed)
    #expect(try lazy.get() === node)
  }

  @Test func `a builder that closes its scope fails the look-up`() throws {
    let box = Guarded<Scope?>(nil)
    var registry = Registry.nodes()
    registry.add("Closing", .value("name", String.self)) { name in
      box.withLock { $0 }?.close()
      return Node(name)
    }
    var plan = PlanFixture(scopes: "request")
    plan.add("closing", "Closing", .value("c"), lifetime: .scope(0))
    plan.add("user", "Link", .value("user"), plan.service("closing"), lifetime: .scope(0))
    let scope = try plan.container(registry).openScope("request")
    box.withLock { $0 = scope }
    defer { box.withLock { $0 = nil } }
    let error = try error { _ = try scope.resolve(Node.self, named: "user") }
    #expect(error.code == .closed)
    #expect(error.chain == ["user"])
  }

  @Test func `a scope supports look-ups by type, by form and by subscript, like its container`() throws {
    let journal = Journal()
    var plan = PlanFixture(scopes: "request")
    plan.add("b", "Leaf", .value("B"), lifetime: .scope(0))
    plan.add("a", "Leaf", .value("A"))
    plan.bind("Node", "b")
    let scope = try plan.container(.nodes(journal)).openScope("request")
    let node: Node = try scope.resolve()
    #expect(node === scope[Node.self])
    #expect(node === scope[Node.self, named: "b"])
    #expect(try scope.resolve([any Greeter].self).map(\.name) == ["A", "B"])
    #expect(try scope.resolve(Node?.self) === node)
    #expect(try scope.resolve(Lazy<Node>.self).get() === node)
    #expect(try scope.resolveOptional(Provider<Node>.self)?.get() === node)
    #expect(try scope.resolveOptional((any Counter).self) == nil)
  }

  @Test func `instances of closed scopes are released, however many scopes are opened`() throws {
    let container = try container()
    var alive = 0
    for _ in 0..<10_000 {
      weak var node: Node?
      try container.scope("request") { request in _ = request }
      try container.scope("session") { session in node = try session.resolve(Node.self, named: "session") }
      if node != nil { alive += 1 }
    }
    #expect(alive == 0)
  }
}
