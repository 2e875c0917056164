// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigDI

private protocol Check: Sendable { var name: String { get } }

private struct Named: Check { let name: String }

private final class Other: Sendable {}

@Suite struct TaggedLookUpTests {
  private func container(observers: [any ContainerObserver] = []) throws -> Container {
    var registry = Registry()
    registry.add("Check", as: (any Check).self, .value("name", String.self)) { Named(name: $0) }
    registry.add("Slow", as: (any Check).self) { () async throws in Named(name: "slow") }
    registry.add("Visit", as: (any Check).self, .runtime("name", String.self)) { Named(name: $0) }
    registry.add("Other") { Other() }
    return try Container(
      text: """
        { "configdi": 1, "module": "m", "scopes": ["request"], "tags": { "later": {} }, "services": {
          "off": { "type": "Other", "when": { "environment": [] }, "tags": ["disabled"] },
          "a": { "type": "Check", "values": { "name": "a" }, "tags": { "health": { "order": 2, "key": "A" }, "twice": { "key": "k" } } },
          "b": { "type": "Check", "values": { "name": "b" }, "private": true, "tags": { "health": { "order": 1 }, "twice": { "key": "k" } } },
          "c": { "type": "Check", "values": { "name": "c" }, "scope": "request", "tags": ["scoped"] },
          "d": { "type": "Slow", "tags": ["slow"] },
          "e": { "type": "Visit", "scope": "transient", "tags": ["visits"] },
          "f": { "type": "Other", "tags": ["mixed"] } }, "bindings": { "Check": "a" } }
        """, registry: registry, observers: observers)
  }

  private func error(_ body: () throws -> Void) throws -> ResolutionError {
    try #require(throws: ResolutionError.self, performing: body)
  }

  @Test func `a list has the tag's order, and a map its keys, private services included`() throws {
    let container = try container()
    let checks: [any Check] = try container.resolve(tagged: "health")
    #expect(checks.map(\.name) == ["b", "a"])
    let byKey = try container.resolve([String: any Check].self, tagged: "health")
    #expect(byKey.mapValues(\.name) == ["A": "a", "b": "b"])
    #expect(try container.resolve([Lazy<any Check>].self, tagged: "health").map { try $0.get().name } == ["b", "a"])
    #expect(try Container(parent: container).resolve([any Check].self, tagged: "health").count == 2)
  }

  @Test func `a declared tag without services gives an empty list`() throws {
    let container = try container()
    #expect(try container.resolve([any Check].self, tagged: "later").isEmpty)
    #expect(try container.resolve([String: any Check].self, tagged: "disabled").isEmpty)
  }

  @Test func `in a scope, a tag gives the services of the scope`() throws {
    let container = try container()
    #expect(try error { _ = try container.resolve([any Check].self, tagged: "scoped") }.code == .notOpen)
    #expect(try container.openScope("request").resolve([any Check].self, tagged: "scoped").map(\.name) == ["c"])
  }

  @Test func `an async tagged look-up awaits builders`() async throws {
    let container = try container()
    #expect(try error { _ = try container.resolve([any Check].self, tagged: "slow") }.code == .needsAwait)
    #expect(try await container.resolveAsync([any Check].self, tagged: "slow").map(\.name) == ["slow"])
    #expect(try await container.resolveAsync([String: any Check].self, tagged: "slow").keys.sorted() == ["d"])
  }

  @Test func `a tag whose services cannot be collected is an error`() throws {
    let container = try container()
    let unknown = try error { _ = try container.resolve([any Check].self, tagged: "healht") }
    #expect(unknown.code == .notRegistered)
    #expect(unknown.candidates == ["health"])
    #expect(try error { _ = try container.resolve([any Check].self, tagged: "mixed") }.code == .notProvided)
    #expect(try error { _ = try container.resolve([any Check].self, tagged: "visits") }.code == .wrongArguments)
    let visits = try container.resolve([Provider<any Check>].self, tagged: "visits")
    #expect(try visits[0].get(arguments: "v").name == "v")
    let optional = try container.resolve([Provider<any Check>?].self, tagged: "visits")
    #expect(try optional[0]?.get(arguments: "v").name == "v")
    #expect(try error { _ = try container.resolve([Lazy<any Check>].self, tagged: "visits") }.code == .wrongArguments)
    let twice = try error { _ = try container.resolve([String: any Check].self, tagged: "twice") }
    #expect(twice.description.contains(#"several services have the tag "twice" with the key "k""#))
    container.dispose()
    #expect(try error { _ = try container.resolve([any Check].self, tagged: "health") }.code == .closed)
  }

  @Test func `services of code have no tags, but replace tagged ones`() throws {
    let container = try container()
    container.register((any Check).self, named: "a") { _ in Named(name: "code") }
    container.register((any Check).self, named: "z") { _ in Named(name: "z") }
    #expect(try container.resolve([any Check].self, tagged: "health").map(\.name) == ["b", "code"])
  }

  @Test func `a type that no service provides is an error also if code has replaced some of the types`() throws {
    var registry = Registry()
    registry.add("Named", as: { ($0 as any Check, $0) }, { Named(name: "file") })
    let container = try Container(
      text: #"{ "configdi": 1, "module": "m", "services": { "a": { "type": "Named", "tags": ["t"] } } }"#,
      registry: registry)
    container.register(Named.self, as: [.type((any Check).self) { $0 }], named: "a") { Named(name: "code") }
    #expect(try container.resolve([any Check].self, tagged: "t").map(\.name) == ["code"])
    #expect(try container.resolve([Named].self, tagged: "t").map(\.name) == ["file"])
    let error = try error { _ = try container.resolve([Other].self, tagged: "t") }
    #expect(error.code == .notProvided)
    #expect(error.candidates == ["Check", "Named"])
  }

  @Test func `a service of a child replaces its parent's under a tag`() throws {
    let container = try container()
    let child = Container(parent: container)
    child.register((any Check).self, named: "a") { _ in Named(name: "child") }
    let names = try child.resolve([any Check].self, tagged: "health").map(\.name)
    #expect(names == ["b", "child"])
    #expect(try Container(parent: child).resolve([any Check].self, tagged: "health").map(\.name) == names)
    #expect(try container.resolve([any Check].self, tagged: "health").map(\.name) == ["b", "a"])
    child.dispose()
    #expect(try error { _ = try child.resolve([any Check].self, tagged: "health") }.code == .closed)
    #expect(try error { _ = try child.resolve([any Check].self, tagged: "later") }.code == .closed)
  }

  @Test func `an observer is notified of a tag that cannot be collected`() throws {
    final class Observer: ContainerObserver {
      let journal = Journal()
      func didNotFind(_ error: ResolutionError) { journal.note("\(error.code)") }
    }
    let observer = Observer()
    let container = try container(observers: [observer])
    #expect(throws: ResolutionError.self) { try container.resolve([any Check].self, tagged: "unknown") }
    #expect(throws: ResolutionError.self) { try container.resolve([any Check].self, tagged: "mixed") }
    #expect(throws: ResolutionError.self) { try container.resolve([any Check].self, tagged: "visits") }
    #expect(observer.journal.entries == ["notRegistered", "notProvided", "wrongArguments"])
  }
}
