// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct ContainerReplacingTests {
  @Test(arguments: [ServiceScope.shared, .weak, .transient, .graph, .scope("request")])
  func `a later registration is used, and existing instances keep their dependencies`(lifetime: ServiceScope) throws {
    let container = Container(scopes: ["request"])
    let scope = try container.openScope("request")
    for name in [nil, "named"] as [String?] {
      container.register(named: name, scope: lifetime) { Node("old") }
      container.register(named: "user of \(name ?? "type")", scope: lifetime) {
        Node("user", dependencies: [try $0.resolve(Node.self, named: name)])
      }
      let user = try scope.resolve(Node.self, named: "user of \(name ?? "type")")
      #expect(try scope.resolve(Node.self, named: name).name == "old")
      container.register(named: name, scope: lifetime) { Node("new") }
      let new = try scope.resolve(Node.self, named: name)
      #expect(new.name == "new")
      #expect(user.dependency()?.name == "old")
      if lifetime == .shared { #expect(try scope.resolve(Node.self, named: name) === new) }
    }
  }

  @Test func `a registration can change the lifetime`() throws {
    let container = Container(scopes: ["request"])
    let scope = try container.openScope("request")
    let lifetimes = [ServiceScope.shared, .weak, .transient, .graph, .scope("request")]
    for (number, lifetime) in (lifetimes + lifetimes.reversed() + lifetimes).enumerated() {
      container.register(scope: lifetime) { Node("\(number)") }
      let node = try scope.resolve(Node.self)
      #expect(node.name == "\(number)")
      let isKept = lifetime != .transient && lifetime != .graph
      #expect(try (scope.resolve(Node.self) === node) == isKept)
    }
  }

  @Test func `a service with a long chain of dependencies may be replaced by one with its types in another order`()
    throws
  {
    struct Pair: Resolvable, Sendable {
      static var injection: Injection<Pair> {
        Injection(.service("next", Node.self)) { (_: Node) in Pair(text: "old", number: 1) }
      }
      let text: String
      let number: Int
    }
    let text = ProvidedType<Pair>.type(String.self) { $0.text }
    let number = ProvidedType<Pair>.type(Int.self) { $0.number }
    let owner = Locked<Container?>(nil)
    var registry = Registry()
    registry.add("End", as: Node.self) {
      owner.withLock { $0 }?.register(Pair.self, as: [number, text], named: "deep") { Pair(text: "new", number: 2) }
      return Node("end")
    }
    registry.add("Link", as: Node.self, .service("next", Node.self)) { (next: Node) in Node("link") }
    registry.add(Pair.self, as: [text, number])
    let links = (1...40).map { #""s\#($0)": { "type": "Link", "inject": { "next": "s\#($0 - 1)" } }"# }
    let module = #"""
      { "configdi": 1, "module": "app", "services": { "s0": { "type": "End" }, \#(links.joined(separator: ",")),
        "deep": { "type": "Pair", "inject": { "next": "s40" } } } }
      """#
    let container = try Container(text: module, registry: registry)
    owner.withLock { $0 = container }
    #expect(try container.resolve(Int.self, named: "deep") == 2)
    #expect(try container.resolve(String.self, named: "deep") == "new")
    owner.withLock { $0 = nil }
  }

  @Test func `each instance of a replaced service is disposed of once, at the replacement`() throws {
    let journal = Journal()
    let container = Container()
    for number in 0..<3 {
      container.register(onDispose: { journal.note("end of \($0.name)") }) { Node("\(number)") }
      if number != 1 { _ = try container.resolve(Node.self) }
    }
    #expect(journal.entries == ["end of 0"])
    container.dispose()
    #expect(journal.entries == ["end of 0", "end of 2"])
  }

  @Test(.hangLimit, arguments: [ServiceScope.shared, .weak, .transient, .graph, .scope("request")])
  func `replacing a service during its build does not block its look-up`(lifetime: ServiceScope) throws {
    let journal = Journal()
    let container = Container(scopes: ["request"])
    let scope = try container.openScope("request")
    let attempts = Atomic(0)
    container.register(scope: lifetime, onDispose: { journal.note($0.name) }) { [unowned container] in
      // Limits the attempts, so that a defect cannot cause an endless loop.
      if attempts.add(1, ordering: .relaxed).newValue > 5 { throw TestError() }
      container.register(scope: lifetime, onDispose: { journal.note($0.name) }) { Node("new") }
      return Node("old")
    }
    let node = try scope.resolve(Node.self)
    // A cached service is built again from the new registration. A transient or graph service is not: its look-up
    // returns the instance whose build it had started.
    #expect(node.name == (lifetime == .transient || lifetime == .graph ? "old" : "new"))
    #expect(try scope.resolve(Node.self).name == "new")
    #expect(attempts.load(ordering: .relaxed) == 1)
    scope.close()
    container.dispose()
    // With a lifetime that retains instances, both instances are disposed of, including the one that was never cached.
    #expect(journal.entries == (lifetime == .shared || lifetime == .scope("request") ? ["old", "new"] : []))
  }

  @Test func `services of a file receive the replacement that code registers under a name`() throws {
    let journal = Journal()
    var plan = PlanFixture()
    plan.add("base", "Leaf", .value("base"))
    plan.add("user", "Link", .value("user"), plan.service("base"), lifetime: .transient)
    plan.add("later", "LazyLink", .value("later"), plan.service("base"))
    plan.alias("alias", "base")
    let container = try plan.container(.nodes(journal))
    let old = try container.resolve(Node.self, named: "user")
    container.register(named: "base") { Node("replaced", journal: journal) }
    #expect(old.dependency()?.name == "base")
    #expect(try container.resolve(Node.self, named: "user").dependency()?.name == "replaced")
    #expect(try container.resolve(Node.self, named: "later").lazyDependency?.get().name == "replaced")
    #expect(try container.resolve(Node.self, named: "base").name == "replaced")
    #expect(try container.resolve(Node.self, named: "alias").name == "replaced")
    #expect(try container.resolve([Node].self).map(\.name) == ["replaced", "later", "user"])
    container.register(named: "base", scope: .transient) { Node("again", journal: journal) }
    #expect(try container.resolve(Node.self, named: "user").dependency()?.name == "again")
    #expect(try container.resolve(Node.self, named: "alias").name == "again")
    #expect(journal.entries.filter { $0 == "+replaced" }.count == 1)
    container.register(named: "alias") { Node("by alias", journal: journal) }
    #expect(try container.resolve(Node.self, named: "user").dependency()?.name == "by alias")
    #expect(try container.resolve(Node.self, named: "base").name == "by alias")
    #expect(try container.resolve(Node.self, named: "alias").name == "by alias")
  }

  @Test func `the service of a file still provides the types that code does not replace`() throws {
    var registry = Registry.nodes()
    registry.add("Greet", as: Person.self, .service("greeter", (any Greeter).self)) { Person(name: $0.name) }
    var plan = PlanFixture()
    plan.add("base", "Leaf", .value("base"))
    for name in ["before", "after", "reset"] { plan.add(name, "Greet", plan.service("base")) }
    let container = try plan.container(registry)
    container.register(Node.self, named: "base") { Node("code") }
    #expect(try container.resolve(Person.self, named: "before").name == "base")
    #expect(try container.resolve(Node.self, named: "base").name == "code")
    #expect(try container.resolve(Person.self, named: "after").name == "base")
    container.reset()
    #expect(try container.resolve(Person.self, named: "reset").name == "base")
  }

  @Test func `look-ups by type prefer code to a binding of a file`() throws {
    var plan = PlanFixture()
    plan.add("first", "Leaf", .value("first"))
    plan.add("second", "Leaf", .value("second"))
    plan.bind("Node", "second")
    let container = try plan.container(.nodes())
    container.register { Node("code") }
    #expect(try container.resolve(Node.self).name == "code")
    #expect(try container.resolve(Node.self, named: "second").name == "second")
  }

  @Test(arguments: [Lifetime.shared, .transient])
  func `an indirect dependency of services of a file can be replaced`(lifetime: Lifetime) throws {
    let journal = Journal()
    var plan = PlanFixture()
    plan.add("s0", "Leaf", .value("s0"), lifetime: lifetime)
    for number in 1..<200 {
      plan.add("s\(number)", "Link", .value(.string("s\(number)")), .service(number - 1), lifetime: lifetime)
    }
    let container = try plan.container(.nodes(journal))
    container.register(named: "s100", scope: .transient) { Node("code", journal: journal) }
    _ = try container.resolve(Node.self, named: "s199")
    #expect(journal.entries.filter { $0.hasPrefix("+") } == ["+code"] + (101..<200).map { "+s\($0)" })
  }

  @Test func `an isolated use of a replaced service disposes of the new instance`() throws {
    let journal = Journal()
    var registry = Registry()
    registry.add("Leaf", as: Node.self, onDispose: { _ in journal.note("file") }) { Node("file") }
    registry.add("User", as: Isolated<Node>.self, .service("node", Provider<Node>.self)) { Isolated($0) }
    var plan = PlanFixture()
    plan.add("leaf", "Leaf", lifetime: .transient)
    plan.add("user", "User", plan.service("leaf"))
    let container = try plan.container(registry)
    let isolated = try container.resolve(Isolated<Node>.self, named: "user")
    try isolated.use { #expect($0.name == "file") }
    container.register(named: "leaf", scope: .transient, onDispose: { _ in journal.note("code") }) { Node("code") }
    try isolated.use { #expect($0.name == "code") }
    #expect(journal.entries == ["file", "code"])
  }
}
