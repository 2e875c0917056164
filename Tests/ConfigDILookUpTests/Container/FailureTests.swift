// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

@testable import ConfigDI

@Suite struct FailureTests {
  /// Returns the error that the look-up throws. Fails the test if it throws none.
  private func error(_ lookUp: () throws -> Void) throws -> ResolutionError {
    try #require(throws: ResolutionError.self, performing: lookUp)
  }

  /// Returns a registry with a link of a chain, and an end of the chain with a given builder.
  private func registry(_ build: @escaping @Sendable () throws -> Node) -> Registry {
    var registry = Registry()
    registry.add("Link", .service("next", Node.self)) { (next: Node) in Node("link", dependencies: [next]) }
    registry.add("End", build: build)
    return registry
  }

  @Test(arguments: [Lifetime.shared, .transient])
  func `an error shows the chain from the top-level look-up, the location and the cause`(lifetime: Lifetime) throws {
    var plan = PlanFixture()
    plan.add("end", "End", lifetime: lifetime)
    plan.add("middle", "Link", plan.service("end"), lifetime: lifetime)
    plan.add("top", "Link", plan.service("middle"), lifetime: lifetime)
    let container = try plan.container(registry { throw TestError(reason: "no disk") })
    let error = try error { _ = try container.resolve(Node.self, named: "top") }
    #expect(error.code == .builderFailed)
    #expect(error.chain == ["top", "middle", "end"])
    #expect(error.origin == Origin(file: "app.json", line: 1))
    #expect(error.underlyingError as? TestError == TestError(reason: "no disk"))
    #expect(
      error.description == """
        service "end" cannot be built: TestError(reason: "no disk")
          needed by: top -> middle -> end
          defined at: app.json:1
        """)
  }

  @Test func `the error of a builder that takes a secret is named, but not shown`() throws {
    struct Wrapping: Error { let cause: any Error }
    var registry = Registry()
    registry.add("Store", .value("password", String.self, secret: true)) { (password: String) -> Node in
      throw TestError(reason: "cannot log in with \(password)")
    }
    registry.add("Shop", .service("store", Lazy<Node>.self)) { store -> [Node] in
      do { return [try store.get()] } catch { throw Wrapping(cause: error) }
    }
    let container = try Container(
      text: """
        { "configdi": 1, "module": "m", "parameters": { "p": { "value": "sesame-open", "secret": true } }, "services": {
            "store": { "type": "Store", "values": { "password": "${p}" } },
            "shop": { "type": "Shop", "inject": { "store": "store" } } } }
        """, registry: registry)
    let store = try error { _ = try container.resolve(Node.self) }
    #expect(
      store.description.hasPrefix(
        #"service "store" cannot be built: TestError, whose text may contain a secret\#n"#))
    #expect(store.underlyingError as? TestError == TestError(reason: "cannot log in with sesame-open"))
    #expect(try !error { _ = try container.resolve([Node].self, named: "shop") }.description.contains("sesame"))
  }

  /// Two parameters read a variable, and only one is declared secret, so the value may go to any argument.
  @Test func `the error of a builder is not shown if one of its values is masked`() throws {
    var registry = Registry()
    registry.add("Store", .value("urls", [String].self)) { (urls: [String]) -> Node in
      throw TestError(reason: "cannot connect to \(urls)")
    }
    registry.add("Loud", .decorated("node", Node.self), .value("url", String.self)) { (_: Node, url: String) -> Node in
      throw TestError(reason: "cannot connect to \(url)")
    }
    registry.add("Plain") { Node("plain") }
    let source = ModuleSource(
      text: """
        { "configdi": 1, "module": "m",
          "parameters": { "p": { "env": "PW", "secret": true }, "q": { "env": "PW" } },
          "services": {
            "store": { "type": "Store", "values": { "urls": ["tcp://h", "tcp://:${q}@h"] } },
            "plain": { "type": "Plain", "decorate": [{ "type": "Loud", "values": { "url": "tcp://:${q}@h" } }] } } }
        """, variables: ["PW": "sesame-open"])
    let container = try Container(source, registry: registry)
    for id in ["store", "plain"] {
      let failure = try error { _ = try container.resolve(Node.self, named: id) }
      #expect(failure.description.contains("TestError, whose text may contain a secret"))
      #expect(!failure.description.contains("sesame"))
    }
  }

  /// A type whose builder takes a secret and shows it in its error.
  private struct Login: Resolvable {
    static let injection = Injection(.value("password", String.self, secret: true)) { password -> Login in
      throw TestError(reason: "cannot log in with \(password)")
    }
  }

  @Test func `the error of a builder that code registers and that takes a secret is not shown`() throws {
    let container = Container()
    container.register(instance: "sesame-open")
    container.register(Login.self)
    let shared = try error { _ = try container.resolve(Login.self) }
    #expect(shared.code == .builderFailed && !shared.description.contains("sesame"))
  }

  @Test func `an error that finds nothing retains no instance`() throws {
    let container = Container()
    container.register { Node("only") }
    let node = WeakReference(try container.resolve(Node.self))
    let error = try error { _ = try container.resolve(Int.self) }
    container.dispose()
    #expect(node.object == nil)
    withExtendedLifetime(error) {}
  }

  @Test func `several services of one name are listed with the arguments that they take`() throws {
    let container = Container()
    container.register(named: "x") { (_, number: Int) in Node("\(number)") }
    container.register(named: "x") { (_, text: String) in Node(text) }
    let error = try error { _ = try container.resolve(Node.self, named: "x", arguments: true) }
    #expect(error.code == .wrongArguments)
    #expect(error.description.contains("(Int)") && error.description.contains("(String)"))
  }

  @Test func `a consumer that declares its arguments is told only how to look it up`() throws {
    let container = Container()
    container.register { () async in Node("slow") }
    container.autoregister({ (node: Node) in [node] }, named: "all")
    let error = try error { _ = try container.resolve([Node].self, named: "all") }
    #expect(
      error.description.hasPrefix(
        #"service "all" needs service "Node", which is built asynchronously; look "all" up with `resolveAsync`\#n"#))
  }

  @Test func `a builder that throws leaves no instance behind, and the next look-up retries`() throws {
    let attempts = Atomic<Int>(0)
    var plan = PlanFixture()
    plan.add("end", "End")
    plan.add("top", "Link", plan.service("end"))
    let container = try plan.container(
      registry {
        if attempts.add(1, ordering: .relaxed).newValue < 3 { throw TestError() }
        return Node("end")
      })
    #expect(throws: ResolutionError.self) { try container.resolve(Node.self, named: "top") }
    #expect(throws: ResolutionError.self) { try container.resolve(Node.self, named: "end") }
    #expect(try container.resolve(Node.self, named: "top").dependencies.count == 1)
    #expect(attempts.load(ordering: .relaxed) == 3)
  }

  @Test func `a look-up from a builder continues the chain`() throws {
    let box = ContainerBox()
    var registry = registry { throw TestError() }
    registry.add("Asking", as: (any Greeter).self) { try box.container.resolve(Node.self, named: "top") }
    registry.add("Missing", as: (any Counter).self) { try box.container.resolve(Node.self, named: "nobody") }
    var plan = PlanFixture()
    plan.add("end", "End")
    plan.add("top", "Link", plan.service("end"))
    plan.add("asking", "Asking")
    plan.add("missing", "Missing", lifetime: .transient)
    box.container = try plan.container(registry)
    defer { box.clear() }
    #expect(try error { _ = try box.container.resolve((any Greeter).self) }.chain == ["asking", "top", "end"])
    let missing = try error { _ = try box.container.resolve((any Counter).self) }
    #expect(missing.code == .notRegistered)
    #expect(missing.chain == ["missing"])
  }

  @Test func `a builder may look up further services`() throws {
    let box = ContainerBox()
    var registry = registry { Node("end") }
    registry.add("Asking", as: (any Greeter).self) { try box.container.resolve(Node.self, named: "end") }
    var plan = PlanFixture()
    plan.add("end", "End")
    plan.add("asking", "Asking")
    box.container = try plan.container(registry)
    defer { box.clear() }
    #expect(try box.container.resolve((any Greeter).self).name == "end")
  }

  @Test func `a cycle through builders is an error with the path`() throws {
    let box = ContainerBox()
    var registry = Registry()
    registry.add("A", as: Node.self) { Node("a", dependencies: [try box.container.resolve(Node.self, named: "b")]) }
    registry.add("B", as: Node.self) { Node("b", dependencies: [try box.container.resolve(Node.self, named: "c")]) }
    registry.add("C", as: Node.self) { Node("c", dependencies: [try box.container.resolve(Node.self, named: "a")]) }
    var plan = PlanFixture()
    plan.add("a", "A")
    plan.add("b", "B", lifetime: .transient)
    plan.add("c", "C")
    box.container = try plan.container(registry)
    defer { box.clear() }
    let error = try error { _ = try box.container.resolve(Node.self, named: "a") }
    #expect(error.code == .cycle)
    #expect(error.path == ["a", "b", "c", "a"])
    #expect(error.chain == ["a", "b", "c"])
    #expect(error.description.hasPrefix("service \"a\" depends on itself\n  path: a -> b -> c -> a\n"))
    // The failed build leaves nothing behind: the next look-up finds the same cycle.
    #expect(throws: ResolutionError.self) { try box.container.resolve(Node.self, named: "c") }
  }

  @Test func `a cycle of transient services is an error, not a stack overflow`() throws {
    let box = ContainerBox()
    var registry = Registry()
    registry.add("A", as: Node.self) { Node("a", dependencies: [try box.container.resolve(Node.self, named: "b")]) }
    registry.add("B", as: Node.self) { Node("b", dependencies: [try box.container.resolve(Node.self, named: "a")]) }
    var plan = PlanFixture()
    plan.add("a", "A", lifetime: .transient)
    plan.add("b", "B", lifetime: .transient)
    box.container = try plan.container(registry)
    defer { box.clear() }
    let error = try error { _ = try box.container.resolve(Node.self, named: "a") }
    #expect(error.code == .cycle)
    #expect(error.path == ["a", "b", "a"] || error.path == ["b", "a", "b"])
    #expect(throws: ResolutionError.self) { try box.container.resolve(Node.self, named: "b") }
  }

  @Test func `a plan that does not match the registry is reported`() throws {
    var registry = registry { Node("end") }
    registry.add("Number", .value("number", UInt8.self)) { Person(name: "\($0)") }
    func message(_ fill: (inout PlanFixture) -> Void) throws -> String {
      var plan = PlanFixture()
      fill(&plan)
      let error = try error { _ = try plan.container(registry) }
      #expect(error.code == .wiringBroken)
      return error.description
    }
    #expect(try message { $0.add("a", "Ghost") }.hasSuffix("type \"Ghost\" is not registered"))
    #expect(try message { $0.add("a", "Link") }.hasSuffix("the builder have different numbers of arguments"))
    #expect(try message { $0.add("a", "Link", .value(1)) }.hasSuffix("\"next\" has the wrong kind"))
    #expect(
      try message { $0.add("a", "Link", .service(0)) }.hasSuffix("\"a\" comes before a service that it depends on"))
    #expect(try message { $0.add("a", "Number", .absent) }.hasSuffix("\"number\" has the wrong kind"))
    #expect(
      try message { $0.add("a", "Number", .value(256)) }
        .hasSuffix("argument \"number\": expected an integer from 0 to 255, found an integer that does not fit"))
    #expect(
      try message {
        $0.add("a", "Number", .value(1))
        $0.add("b", "Link", .service(0))
      }.hasSuffix("service \"a\" does not provide \"Node\""))
  }

  @Test func `a long chain is abbreviated in the middle`() throws {
    var plan = PlanFixture()
    plan.add("s99", "End", lifetime: .transient)
    for number in (0..<99).reversed() {
      plan.add("s\(number)", "Link", plan.service("s\(number + 1)"), lifetime: .transient)
    }
    let container = try plan.container(registry { throw TestError() })
    let error = try error { _ = try container.resolve(Node.self, named: "s0") }
    #expect(error.description.contains("s15 -> (68 more) -> s84"))
    #expect(error.chain == (0..<100).map { "s\($0)" })
  }
}
