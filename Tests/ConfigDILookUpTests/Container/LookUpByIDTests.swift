// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ConfigDI

@Suite struct LookUpByIDTests {
  /// A type that describes its own registration, with collections that have default values.
  private struct Made: Resolvable, Sendable {
    /// A list of texts.
    let texts: [String]
    /// A dictionary of texts.
    let keyed: [String: String]

    static var injection: Injection<Made> {
      Injection(
        BuilderArgument<[String]>._parameter("texts", default: ["default"]),
        BuilderArgument<[String: String]>._parameter("keyed", default: ["key": "default"])
      ) { Made(texts: $0, keyed: $1) }
    }
  }

  /// Returns the error that the body throws. Fails the test if it throws none.
  private func error(_ body: () throws -> Void) throws -> ResolutionError {
    try #require(throws: ResolutionError.self, performing: body)
  }

  @Test func `a dictionary contains all services of a type by id`() throws {
    var plan = PlanFixture()
    plan.add("first", "Leaf", .value("first"))
    plan.add("second", "Leaf", .value("second"), provides: ["Node"])
    plan.add("hidden", "Leaf", .value("hidden"), private: true)
    let container = try plan.container(.nodes())
    container.register(named: "third") { Node("third") }
    container.register { Node("own") }
    container.register(named: "argument") { (_, name: String) in Node(name) }
    let nodes = try container.resolve([String: Node].self)
    #expect(nodes.mapValues(\.name) == ["first": "first", "second": "second", "third": "third", "Node": "own"])
    #expect(nodes["first"] === (try container.resolve(Node.self, named: "first")))
    #expect(try container.resolve([String: any Greeter].self).keys.sorted() == ["first"])
    #expect(try container.resolve([String: Person].self).isEmpty)
    let lazy = try container.resolve(Lazy<[String: Node]>?.self)
    #expect(try lazy?.get().keys.sorted() == nodes.keys.sorted())
  }

  @Test func `a registered dictionary is found`() throws {
    let container = Container()
    container.register(named: "text") { "text" }
    #expect(try container.resolve([String: String].self) == ["text": "text"])
    container.register(instance: ["key": "value"])
    #expect(try container.resolve([String: String].self) == ["key": "value"])
    #expect(try container.resolveOptional([Int: String].self) == nil)
    #expect(try error { _ = try container.resolve([String: String].self, named: "text") }.code == .notProvided)
  }

  @Test func `a builder, a scope and a child can look up by id`() throws {
    let parent = Container(scopes: ["request"])
    parent.register(named: "one", scope: .scope("request")) { Node("one") }
    parent.register(named: "two") { Node("two") }
    let child = Container(parent: parent)
    child.register(named: "two") { Node("child's") }
    child.register(scope: .transient) { Person(name: try $0.resolve([String: Node].self)["two"]?.name ?? "") }
    try child.scope("request") { scope in
      let nodes = try scope.resolve([String: Node].self)
      #expect(nodes.mapValues(\.name) == ["one": "one", "two": "child's"])
      #expect(try scope.resolve(Person.self).name == "child's")
    }
    let error = try error { _ = try child.resolve([String: Node].self) }
    #expect(error.code == .notOpen)
  }

  @Test func `an async look-up by id awaits builders`() async throws {
    let container = Container()
    container.register(named: "now") { Node("now") }
    container.register(named: "later") {
      await Task.yield()
      return Node("later")
    }
    let nodes = try await container.resolveAsync([String: Node].self)
    #expect(nodes.mapValues(\.name) == ["now": "now", "later": "later"])
    let optional = try await container.resolveOptionalAsync([String: Node].self)
    #expect(optional?["later"] === nodes["later"])
    container.register { Node("Node") }
    container.register(named: "Node") { Node("Node") }
    await #expect(throws: ResolutionError.self) { try await container.resolveAsync([String: Node].self) }
    container.dispose()
    await #expect(throws: ResolutionError.self) { try await container.resolveAsync([String: Node].self) }
  }

  @Test func `two services with the same id are an error`() throws {
    let container = Container()
    container.register { Node("by type") }
    container.register(named: "Node") { Node("by name") }
    #expect(try container.resolve([Node].self).count == 2)
    let error = try error { _ = try container.resolve([String: Node].self) }
    #expect(error.code == .ambiguous)
    #expect(error.candidates == ["Node"])
  }

  @Test func `the collection parameter of an initializer uses its default unless a service is registered`() throws {
    let container = Container()
    container.register(Made.self, scope: .transient)
    #expect(try container.resolve(Made.self).texts == ["default"])
    #expect(try container.resolve(Made.self).keyed == ["key": "default"])
    container.register(named: "text") { "text" }
    #expect(try container.resolve(Made.self).texts == ["text"])
    #expect(try container.resolve(Made.self).keyed == ["text": "text"])
    container.register(instance: [String]())
    #expect(try container.resolve(Made.self).texts == [])
  }
}
