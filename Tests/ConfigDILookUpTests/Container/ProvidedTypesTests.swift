// SPDX-License-Identifier: Apache-2.0

import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct ProvidedTypesTests {
  /// Another greeter.
  private struct Machine: Greeter, Counter {
    let name: String
  }

  /// The types that nodes provide.
  private var types: [ProvidedType<Node>] { [.type((any Greeter).self) { $0 }, .type((any Counter).self) { $0 }] }

  /// Returns the error that the body throws. Fails the test if it throws none.
  private func error(_ body: () throws -> Void) throws -> ResolutionError {
    try #require(throws: ResolutionError.self, performing: body)
  }

  @Test(arguments: [nil, "name"])
  func `one instance is found by all of its registered types only`(name: String?) throws {
    let journal = Journal()
    let container = Container()
    container.register(Node.self, as: types, named: name) { Node("node", journal: journal) }
    let greeter = try container.resolve((any Greeter).self, named: name)
    let counter = try container.resolve((any Counter).self, named: name)
    #expect(greeter as? Node === counter as? Node)
    #expect(try container.resolve([any Greeter].self).count == 1)
    #expect(try container.resolveOptional(Node.self) == nil)
    #expect(journal.entries == ["+node"])
    #expect(try container.registration(of: (any Counter).self)?.id == name ?? "Node")
  }

  @Test func `a conversion to the product's own type takes place, alone or beside others`() throws {
    let own = ProvidedType<any Greeter>.type((any Greeter).self) { Machine(name: "converted \($0.name)") }
    for types in [[own], [own, .type((any Counter).self) { Machine(name: $0.name) }]] {
      let container = Container()
      container.register((any Greeter).self, as: types) { Machine(name: "machine") }
      #expect(try container.resolve((any Greeter).self).name == "converted machine")
    }
  }

  @Test func `a type that is named twice counts once, in code and in a registry`() throws {
    var registry = Registry()
    registry.add("Node", as: { ($0 as any Greeter, $0 as any Greeter) }, { Node("module") })
    let module = try Container(
      text: #"{ "configdi": 1, "module": "m", "services": { "node": { "type": "Node" } } }"#, registry: registry)
    let code = Container()
    code.register(Node.self, as: types + types, named: "node") { Node("code") }
    for container in [module, code] {
      let named: any Greeter = try container.resolve(named: "node")
      #expect(try container.resolve((any Greeter).self) as? Node === named as? Node)
      #expect(try container.resolve([any Greeter].self).count == 1)
    }
  }

  @Test(arguments: [ServiceScope.shared, .weak, .transient, .graph, .scope("request")])
  func `a later registration of one of the types replaces that type`(lifetime: ServiceScope) throws {
    for name in [nil, "name"] as [String?] {
      let container = Container(scopes: ["request"])
      let scope = try container.openScope("request")
      container.register(Node.self, as: types + [.itself], named: name, scope: lifetime) { Node("old") }
      let old = try scope.resolve(Node.self, named: name)
      let lazy = try scope.resolve(Lazy<any Greeter>.self, named: name)
      #expect(lazy.isBuilt == false)
      container.register((any Greeter).self, named: name, scope: lifetime) { Node("new") }
      #expect(try scope.resolve((any Greeter).self, named: name).name == "new")
      #expect(try lazy.get().name == "new")
      let counter = try #require(try scope.resolve((any Counter).self, named: name) as? Node)
      #expect(counter.name == "old")
      let isKept = lifetime != .transient && lifetime != .graph
      #expect((counter === old) == isKept)
      #expect(try (scope.resolve(Node.self, named: name) === old) == isKept)
      #expect(try scope.resolve([any Greeter].self).map(\.name) == ["new"])
    }
  }

  @Test func `single types and all types can be replaced by another service`() throws {
    let container = Container()
    container.register(Node.self, as: types) { Node("all") }
    let provider = try container.resolve(Provider<any Greeter>.self)
    container.register((any Greeter).self) { Node("greeter") }
    container.register((any Counter).self) { Node("counter") }
    /// Returns the names of the instances that look-ups and the provider find.
    func names() throws -> [String?] {
      [
        try container.resolve((any Greeter).self).name, try (container.resolve((any Counter).self) as? Node)?.name,
        try provider.get().name,
      ]
    }
    #expect(try names() == ["greeter", "counter", "greeter"])
    #expect(container.registrations.map(\.typeNames) == [["Counter"], ["Greeter"]])
    container.register(Node.self, as: types) { Node("again") }
    #expect(try names() == ["again", "again", "again"])
    #expect(container.registrations.count == 1)
    container.register(Node.self, as: types) { Node("last") }
    #expect(try names() == ["last", "last", "last"])
    container.reset()
    #expect(try names() == ["last", "last", "last"])
  }

  /// Returns for each cell of a container whether an instance is published in it.
  private func published(in container: Container) -> [Bool] {
    container.state.directory.read { tables in tables.cells.map { $0.instance != nil } }
  }

  @Test func `the first look-up publishes the instance under all types`() throws {
    let container = Container()
    container.register { 7 }
    container.register(Node.self, as: types + [.itself]) { Node("node") }
    _ = try container.resolve((any Counter).self)
    #expect(published(in: container) == [false, true, true, true])
    container.reset()
    #expect(published(in: container) == [false, false, false, false])
  }

  @Test func `a service publishes its instance under a replaced type when that type is looked up`() throws {
    let container = Container()
    container.register((any Counter).self) { Node("counter") }
    container.register { 7 }
    container.register((any Greeter).self) { Node("greeter") }
    container.register(Node.self, as: types) { Node("node") }
    _ = try container.resolve((any Greeter).self)
    #expect(published(in: container) == [false, false, true])
    #expect((try container.resolve((any Counter).self) as? Node)?.name == "node")
    #expect(published(in: container) == [true, false, true])
  }

  @Test func `the remaining types of a partly replaced service share one instance, before and after a reset`() throws {
    let journal = Journal()
    let container = Container()
    container.register(Node.self, as: types + [.itself], onDispose: { journal.note("end of \($0.name)") }) {
      Node("node")
    }
    container.register((any Greeter).self) { Machine(name: "machine") }
    for _ in 0..<2 {
      #expect(try container.resolve(Node.self) === container.resolve((any Counter).self) as? Node)
      container.reset()
    }
    #expect(journal.entries == ["end of node", "end of node"])
  }

  @Test func `services of a file receive a service that code registers under several types`() throws {
    var registry = Registry.nodes()
    registry.add("Greet", as: Person.self, .service("greeter", (any Greeter).self)) { Person(name: $0.name) }
    var plan = PlanFixture()
    plan.add("base", "Leaf", .value("base"))
    plan.add("link", "Link", .value("link"), plan.service("base"), lifetime: .transient)
    plan.add("greet", "Greet", plan.service("base"), lifetime: .transient)
    let container = try plan.container(registry)
    container.register((any Greeter).self, named: "base") { Machine(name: "machine") }
    #expect(try container.resolve(Person.self).name == "machine")
    #expect(try container.resolve(Node.self, named: "link").dependency()?.name == "base")
    #expect(try container.resolve(Node.self, named: "base").name == "base")
    container.register(Node.self, as: [.itself, .type((any Greeter).self) { $0 }], named: "base") { Node("code") }
    #expect(try container.resolve(Person.self).name == "code")
    #expect(try container.resolve(Node.self, named: "link").dependency()?.name == "code")
    #expect(try container.resolve(Node.self, named: "base").name == "code")
    #expect(
      try error { _ = try container.resolve((any Counter).self, named: "base") }.candidates == ["Greeter", "Node"])
  }

  @Test func `a duplicate type counts once, and without types the own type is used`() throws {
    let container = Container()
    container.register(Node.self, as: [.itself, .itself]) { Node("twice") }
    #expect(try container.resolve([Node].self).map(\.name) == ["twice"])
    container.register(Node.self, as: []) { Node("none") }
    #expect(try container.resolve(Node.self).name == "none")
  }

  @Test @MainActor func `builders with arguments, main-actor builders and unshared services can have several types`()
    throws
  {
    let container = Container()
    container.register(Node.self, as: types, named: "arguments", scope: .transient) { (_, name: String) in
      Node(name)
    }
    #expect(try container.resolve((any Greeter).self, arguments: "given").name == "given")
    container.register(Node.self, as: types, on: MainActor.shared, named: "main") { (_) in Node("main") }
    #expect(try container.resolve((any Greeter).self, named: "main").name == "main")
    container.register(Node.self, as: types, named: "unshared", scope: ServiceScope.Unshared.graph) { Node("unshared") }
    #expect(try container.resolve((any Greeter).self, named: "unshared").name == "unshared")
  }

  @Test func `async builders can have several types`() async throws {
    let container = Container()
    container.register(Node.self, as: types, named: "awaited") {
      await Task.yield()
      return Node("awaited")
    }
    let awaited = try await container.resolveAsync((any Greeter).self, named: "awaited")
    let counter = try await container.resolveAsync((any Counter).self, named: "awaited")
    #expect(counter as? Node === awaited as? Node)
    container.register(Node.self, as: types, named: "awaited with") { (resolver, name: String) async throws in
      Node(name + (try await resolver.resolveAsync((any Greeter).self, named: "awaited").name))
    }
    let with = try await container.resolveAsync((any Counter).self, named: "awaited with", arguments: "un")
    #expect((with as? Node)?.name == "unawaited")
  }
}
