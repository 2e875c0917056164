// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct ContainerRegisteringTests {
  /// A class that is not `Sendable`.
  final class Unshared {
    /// Mutable state.
    var count = 0
  }

  /// A type that is not `Hashable`, so that it cannot be part of a key.
  struct Unhashable: Sendable {}

  /// Returns the error that the body throws. Fails the test if it throws none.
  private func error(_ body: () throws -> Void) throws -> ResolutionError {
    try #require(throws: ResolutionError.self, performing: body)
  }

  @Test func `a registered instance survives a reset, and is disposed of once`() throws {
    let journal = Journal()
    let container = Container()
    let node = Node("given", journal: journal)
    container.register(instance: node, onDispose: { journal.note("~\($0.name)") })
    for _ in 0..<3 {
      #expect(try container.resolve(Node.self) === node)
      container.reset()
    }
    #expect(journal.entries == ["+given"])
    container.dispose()
    #expect(journal.entries == ["+given", "~given"])
  }

  @Test func `an instance is looked up by its own type or by a given type`() throws {
    let container = Container()
    let node = Node("node")
    container.register(instance: node)
    container.register((any Greeter).self, instance: Person(name: "person"))
    container.register(instance: Node("other"), named: "other")
    #expect(try container.resolve(Node.self) === node)
    #expect(try container.resolve((any Greeter).self).name == "person")
    #expect(try container.resolve(Node.self, named: "other").name == "other")
  }

  @Test func `a factory is called once, at its first look-up`() throws {
    let journal = Journal()
    let container = Container()
    container.register { Node("own", journal: journal) }
    container.register((any Greeter).self) { Node("protocol", journal: journal) }
    container.register(
      dependency: Person(
        name: {
          journal.note("+person"); return "person"
        }()))
    #expect(journal.entries == [])
    for _ in 0..<2 {
      let inferred: Node = try container.resolve()
      #expect(inferred.name == "own")
      #expect(try container.resolve((any Greeter).self).name == "protocol")
      #expect(try container.resolve(Person.self).name == "person")
    }
    #expect(journal.entries == ["+own", "+protocol", "+person"])
  }

  @Test func `dependencies are built first, in any order of registration`() throws {
    let journal = Journal()
    let container = Container()
    container.register(named: "a") {
      Node(
        "a", dependencies: [try $0.resolve(Node.self, named: "b"), try $0.resolve(Node.self, named: "c")],
        journal: journal)
    }
    for name in ["b", "c"] {
      container.register(named: name) {
        Node(name, dependencies: [try $0.resolve(Node.self, named: "d")], journal: journal)
      }
    }
    container.register(named: "d") { Node("d", journal: journal) }
    _ = try container.resolve(Node.self, named: "a")
    #expect(journal.entries == ["+d", "+b", "+c", "+a"])
  }

  @Test func `services of one type with different run-time arguments coexist`() throws {
    let container = Container()
    container.register(scope: .transient) { _ in "none" }
    container.register(scope: .transient) { (_: Resolver, number: Int) in "number \(number)" }
    container.register(scope: .transient) { (_: Resolver, text: String) in "text \(text)" }
    container.register(scope: .transient) { (_: Resolver, number: Int, text: String) in "\(number) and \(text)" }
    container.register(scope: .transient) { (_: Resolver, text: String, number: Int) in "\(text) or \(number)" }
    container.register(scope: .transient) {
      (_: Resolver, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int, i: Int, j: Int) in
      "\([a, b, c, d, e, f, g, h, i, j])"
    }
    #expect(try container.resolve(String.self) == "none")
    #expect(try container.resolve(String.self, arguments: 1) == "number 1")
    #expect(try container.resolve(String.self, arguments: "x") == "text x")
    #expect(try container.resolve(String.self, arguments: 1, "x") == "1 and x")
    #expect(try container.resolve(String.self, arguments: "x", 1) == "x or 1")
    #expect(
      try container.resolve(String.self, arguments: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) == "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]")
    let error = try error { _ = try container.resolve(String.self, arguments: 1.5) }
    #expect(error.code == .wrongArguments)
  }

  @Test func `run-time arguments of a shared service are its cache key, and must be hashable`() throws {
    let container = Container()
    container.register(scope: .shared) { (_: Resolver, name: String) in Node(name) }
    container.register(scope: .shared) { (_: Resolver, _: Unhashable) in Node("none") }
    let first: Node = try container.resolve(arguments: "a")
    #expect(try container.resolve(Node.self, arguments: "a") === first)
    #expect(try container.resolve(Node.self, arguments: "b").name == "b")
    let error = try error { _ = try container.resolve(Node.self, arguments: Unhashable()) }
    #expect(error.code == .wrongArguments)
    #expect(error.description.contains(#"which must be Hashable; "Unhashable" is not"#))
  }

  @Test func `unsendable services are built at each use, or once per look-up`() throws {
    let container = Container()
    container.register(scope: ServiceScope.Unshared.transient) { Unshared() }
    #expect(try container.resolve(Unshared.self) !== container.resolve(Unshared.self))
    container.register(Unshared.self, named: "graph", scope: ServiceScope.Unshared.graph) { Unshared() }
    container.register(Bool.self, scope: .transient) {
      try $0.resolve(Unshared.self, named: "graph") === $0.resolve(Unshared.self, named: "graph")
    }
    #expect(try container.resolve(Bool.self))
    container.register(named: "safe", sharedSafely: true) { _ in Unshared() }
    #expect(
      try container.resolve(Unshared.self, named: "safe") === container.resolve(Unshared.self, named: "safe"))
    container.register(named: "simple", sharedSafely: true) { Unshared() }
    #expect(
      try container.resolve(Unshared.self, named: "simple") === container.resolve(Unshared.self, named: "simple"))
    let registration = try container.registration(of: Unshared.self, named: "simple")
    #expect(registration?.origin.line == #line - 4)
  }

  @Test func `all forms of a type are looked up without a separate registration`() throws {
    let journal = Journal()
    let container = Container()
    container.register(named: "b", scope: .transient) { Node("b", journal: journal) }
    container.register(named: "a") { Node("a", journal: journal) }
    container.register(named: "c") { (_: Resolver, name: String) in Node(name, journal: journal) }
    let lazy = try container.resolve(Lazy<Node>.self, named: "b")
    let provider = try container.resolve(Provider<Node>.self, named: "b")
    let isolated = try container.resolve(Isolated<Node>.self, named: "b")
    let bound = try container.resolve(Lazy<Node>.self, named: "c", arguments: "bound")
    #expect(journal.entries == [])
    #expect(try lazy.get() === lazy.get())
    #expect(try provider.get() !== provider.get())
    #expect(try isolated.use { $0.name } == "b")
    #expect(try bound.get().name == "bound")
    #expect(try container.resolve([Node].self).map(\.name) == ["a", "b"])
    #expect(try container.resolve([Person].self).isEmpty)
    #expect(try container.resolve(Person?.self) == nil)
    #expect(try container.resolve(Node?.self, named: "a")?.name == "a")
    #expect(try container.resolveOptional(Node.self, named: "z") == nil)
  }

  @Test func `an error shows the source location, the chain and similar names`() throws {
    let container = Container(scopes: ["request"])
    container.register(named: "logger.audit", scope: .transient, fileID: "App/Main.swift", line: 7) {
      () throws -> Node in throw TestError(reason: "no disk")
    }
    container.register((any Greeter).self) { try $0.resolve(Node.self, named: "logger.audit") }
    var error = try error { _ = try container.resolve((any Greeter).self) }
    #expect(error.code == .builderFailed)
    #expect(error.underlyingError as? TestError == TestError(reason: "no disk"))
    #expect(error.origin?.description == "App/Main.swift:7")
    #expect(error.chain == ["Greeter", "logger.audit"])
    error = try self.error { _ = try container.resolve(Node.self, named: "logger.audti") }
    #expect(error.code == .notRegistered)
    #expect(error.candidates == ["logger.audit"])
    container.register(scope: .scope("requets")) { Person(name: "lost") }
    error = try self.error { _ = try container.resolve(Person.self) }
    #expect(error.code == .noScope)
    #expect(error.candidates == ["request"])
    #expect(error.origin?.description.hasPrefix("ConfigDILookUpTests/ContainerRegisteringTests.swift:") == true)
  }

  @Test func `several named services of a type are ambiguous until one is unnamed`() throws {
    let container = Container()
    container.register(named: "b") { Node("b") }
    #expect(try container.resolve(Node.self).name == "b")
    container.register(named: "a") { Node("a") }
    let error = try error { _ = try container.resolve(Node.self) }
    #expect(error.code == .ambiguous)
    #expect(error.candidates == ["a", "b"])
    container.register { Node("plain") }
    #expect(try container.resolve(Node.self).name == "plain")
  }

  @Test func `a service with run-time arguments is not cached, unless its registration requests it`() throws {
    let container = Container()
    container.register { (_: Resolver, name: String) in Node(name) }
    container.register { (_: Resolver, _: Unhashable) in Node("none") }
    let first: Node = try container.resolve(arguments: "a")
    #expect(try container.resolve(Node.self, arguments: "a") !== first)
    #expect(try container.resolve(Node.self, arguments: Unhashable()).name == "none")
  }

  @Test func `registering after disposal stops the program with a message, and look-ups throw`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let container = Container()
      container.dispose()
      container.register { Node("late") }
    }
    let reported = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(reported.contains("ContainerRegisteringTests.swift:"))
    #expect(reported.contains("\"Node\" is registered in a container that was disposed of"))
    let container = Container()
    container.dispose()
    #expect(try error { _ = try container.resolve(Node.self) }.code == .closed)
    #expect(try error { _ = try container.resolve([Node].self) }.code == .closed)
    #expect(try error { _ = try container.resolveOptional(Node.self, named: "x") }.code == .closed)
  }

  @Test func `a registration in code replaces a private service under each of its types`() throws {
    var registry = Registry()
    registry.add("Node", as: { ($0 as any Greeter, $0 as any Counter) }, { Node("file") })
    registry.add(
      "User",
      { (greeter: any Greeter, counter: any Counter) in [greeter.name, (counter as? Node)?.name ?? ""] },
      .service("greeter"), .service("counter"))
    var plan = PlanFixture()
    plan.add("node", "Node", private: true)
    plan.add("user", "User", plan.service("node"), plan.service("node"))
    let container = try plan.container(registry)
    container.register(
      Node.self, as: [.type((any Greeter).self) { $0 }, .type((any Counter).self) { $0 }], named: "node"
    ) { Node("code") }
    #expect(try container.resolve([String].self) == ["code", "code"])
    #expect(container.registrations.map(\.id) == ["node", "user"])
  }

  @Test func `a list keeps the order of the ids if a service of another type replaces one`() throws {
    let container = Container()
    container.register(Node.self, as: [.type((any Greeter).self) { $0 }]) { Node("node") }
    container.register((any Greeter).self, named: "O") { Person(name: "named") }
    container.register(Person.self, as: [.type((any Greeter).self) { $0 }]) { Person(name: "person") }
    #expect(container.registrations.map(\.id) == ["O", "Person"])
    #expect(try container.resolve([any Greeter].self).map(\.name) == ["named", "person"])
  }
}
