// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigDI

/// The data of a request.
private struct RequestInfo: Sendable, Equatable { var id: String }

/// A protocol of which the application gives instances.
private protocol Clock: Sendable { var now: Int { get } }

private struct FixedClock: Clock { var now: Int }

/// A decorator whose clock is one ahead of the decorated one.
private struct LateClock: Clock {
  let inner: any Clock
  var now: Int { inner.now + 1 }
}

/// A service of a request.
private final class Handler: Sendable {
  let info: RequestInfo

  init(_ info: RequestInfo) { self.info = info }
}

/// A class of which the application gives instances.
private final class Connection: Sendable {}

private struct SilentObserver: ContainerObserver {}

@Suite struct GivenTests {
  /// Returns a registry with types whose instances are given, with a service that depends on one, and with a decorator.
  private func registry(disposing journal: Journal? = nil) -> Registry {
    var registry = Registry()
    registry.given("RequestInfo", RequestInfo.self)
    registry.given("Clock", (any Clock).self)
    if let journal {
      registry.given("Connection", Connection.self, onDispose: { _ in journal.note("disposed") })
    } else {
      registry.given("Connection", Connection.self)
    }
    registry.add("Handler", .service("info", RequestInfo.self)) { Handler($0) }
    registry.add("LateClock", as: (any Clock).self, .decorated("inner", (any Clock).self)) { LateClock(inner: $0) }
    return registry
  }

  private func container(
    _ services: String, _ more: String = "", given: any Sendable..., registry: Registry? = nil
  ) throws -> Container {
    let text =
      #"{ "configdi": 1, "module": "m", "scopes": ["session", "request"], \#(more) "services": { \#(services) } }"#
    switch given.count {
    case 0: return try Container(text: text, registry: registry ?? self.registry())
    case 1: return try Container(text: text, registry: registry ?? self.registry(), given: given[0])
    default: return try Container(text: text, registry: registry ?? self.registry(), given: given[0], given[1])
    }
  }

  private func error(_ body: () throws -> Void) throws -> ResolutionError {
    try #require(throws: ResolutionError.self, performing: body)
  }

  private let request = """
    "info": { "type": "RequestInfo", "scope": "request", "tags": ["t"] },
    "handler": { "type": "Handler", "scope": "request", "inject": { "info": "info" } }
    """

  @Test func `each open scope has its given instance`() throws {
    let container = try container(request, #""aliases": { "alias": "info" },"#)
    let first = try container.openScope("request", given: RequestInfo(id: "1"))
    let second = try container.openScope("request", given: RequestInfo(id: "2"))
    #expect(try first.resolve(Handler.self).info.id == "1")
    #expect(try second.resolve(Handler.self).info.id == "2")
    #expect(try first.resolve(RequestInfo.self, named: "alias").id == "1")
    #expect(try first.resolve(Lazy<RequestInfo>.self).get().id == "1")
    #expect(try first.resolve(Provider<RequestInfo>.self).get().id == "1")
    #expect(try first.resolve(RequestInfo?.self)?.id == "1")
    #expect(try second.resolve([RequestInfo].self, tagged: "t").map(\.id) == ["2"])
    let id = try container.scope("request", given: RequestInfo(id: "3")) { try $0.resolve(Handler.self).info.id }
    #expect(id == "3")
    #expect(try error { _ = try container.resolve(RequestInfo.self) }.code == .notOpen)
  }

  @Test func `each open scope has its given instance in async code`() async throws {
    let container = try container(request)
    let id = try await container.scope("request", given: RequestInfo(id: "1")) { request in
      try await request.resolveAsync(Handler.self).info.id
    }
    #expect(id == "1")
  }

  private enum Left { struct Info: Sendable {} }
  private enum Right { struct Info: Sendable {} }

  @Test func `the error for a given instance tells types of one short name apart`() throws {
    let container = Container(scopes: ["request"])
    container.register(given: Left.Info.self, in: "request")
    let description = try error { _ = try container.openScope("request", given: Right.Info()) }.description
    #expect(description.contains(#"of type "ConfigDILookUpTests.GivenTests.Left.Info", defined at"#))
    #expect(description.contains(#"an instance of "ConfigDILookUpTests.GivenTests.Right.Info" was given, but"#))
  }

  @Test func `missing and superfluous given instances are one error`() throws {
    let container = try container(
      request
        + #", "clock": { "type": "Clock", "scope": "request" }, "link": { "type": "Connection", "scope": "session" }"#)
    let missing = try error { _ = try container.openScope("request", given: Connection(), 7) }
    #expect(missing.code == .notGiven)
    #expect(
      missing.description == """
        scope "request" cannot be opened with the given instances:
          service "clock" of type "Clock", defined at <module>:2:85, was not given
          service "info" of type "RequestInfo", defined at <module>:1:82, was not given
          an instance of "Connection" was given, but no such service takes it here
          an instance of "Int" was given, but no such service takes it here
        """)
    #expect(try error { _ = try container.openScope("request") }.code == .notGiven)
    let twice = try error {
      _ = try container.openScope("request", given: RequestInfo(id: "1"), RequestInfo(id: "2"), FixedClock(now: 1))
    }
    #expect(twice.description.contains(#"service "info" was given twice"#))
  }

  @Test func `a given instance is matched by its own type first, then by types that it converts to`() throws {
    let container = try container(#""clock": { "type": "Clock", "scope": "request" }"#)
    let scope = try container.openScope("request", given: FixedClock(now: 7))
    #expect(try scope.resolve((any Clock).self).now == 7)
  }

  @Test func `the id distinguishes two given services of one type`() throws {
    let container = try container(
      """
      "home": { "type": "RequestInfo", "scope": "request" }, "work": { "type": "RequestInfo", "scope": "request" }
      """, #""bindings": { "RequestInfo": "home" },"#)
    let ambiguous = try error { _ = try container.openScope("request", given: RequestInfo(id: "1")) }
    #expect(
      ambiguous.description.contains(
        #"an instance of "RequestInfo" was given, which services "home", "work" could take: name one with Given(_:named:)"#
      ))
    let scope = try container.openScope(
      "request", given: Given(RequestInfo(id: "h"), named: "home"), Given(RequestInfo(id: "w"), named: "work"))
    #expect(try scope.resolve(RequestInfo.self).id == "h")
    #expect(try scope.resolve(RequestInfo.self, named: "work").id == "w")
    let unknown = try error { _ = try container.openScope("request", given: Given(7, named: "homes")) }
    #expect(
      unknown.description.contains(
        #"an instance of "Int" was given for service "homes", but no such service takes it here; did you mean "home"?"#)
    )
  }

  @Test func `shared given instances are passed at load, before anything is built`() throws {
    let services =
      #""info": { "type": "RequestInfo" }, "handler": { "type": "Handler", "eager": true, "inject": { "info": "info" } }"#
    let container = try container(services, given: RequestInfo(id: "app"))
    #expect(try container.resolve(Handler.self).info.id == "app")
    container.reset()
    #expect(try container.resolve(RequestInfo.self).id == "app")
    #expect(try container.openScope("request").resolve(RequestInfo.self).id == "app")
    let missing = try error { _ = try self.container(services) }
    #expect(missing.description.contains("the container cannot be loaded with the given instances:"))
    #expect(missing.description.contains(#"service "info" of type "RequestInfo""#))
    #expect(try error { _ = try self.container(services, given: RequestInfo(id: "a"), 7) }.code == .notGiven)
    #expect(
      try error { _ = try self.container(#""h": { "type": "Connection", "scope": "request" }"#, given: Connection()) }
        .code == .notGiven)
  }

  @Test func `nested scopes receive their own given instances`() throws {
    let container = try container(
      request + #", "link": { "type": "Connection", "scope": "session" }"#)
    let connection = Connection()
    try container.scope("session", given: connection) { session in
      #expect(try error { _ = try session.openScope("request", given: Connection()) }.code == .notGiven)
      try session.scope("request", given: RequestInfo(id: "1")) { request in
        let found = try request.resolve(Connection.self)
        #expect(found === connection)
        #expect(try request.resolve(Handler.self).info.id == "1")
      }
    }
    // The enclosing scope need not be open. If it is not, its services cannot be resolved.
    #expect(try container.openScope("request", given: RequestInfo(id: "2")).resolve(Handler.self).info.id == "2")
  }

  @Test func `a decorator wraps a given instance`() throws {
    let container = try container(
      #""clock": { "type": "Clock", "scope": "request", "decorate": [{ "type": "LateClock" }, { "type": "LateClock" }] }"#
    )
    let scope = try container.openScope("request", given: FixedClock(now: 1))
    #expect(try scope.resolve((any Clock).self).now == 3)
    container.reset()
    #expect(try scope.resolve((any Clock).self).now == 3)
    #expect(try error { _ = try container.openScope("request") }.code == .notGiven)
  }

  @Test func `a given instance is disposed of once if its registration requests it, and not by a reset`() throws {
    let journal = Journal()
    let services = #""link": { "type": "Connection", "scope": "request" }"#
    let container = try container(services, registry: registry(disposing: journal))
    let scope = try container.openScope("request", given: Connection())
    let connection = try scope.resolve(Connection.self)
    container.reset()
    #expect(try scope.resolve(Connection.self) === connection)
    #expect(journal.entries == [])
    scope.close()
    #expect(journal.entries == ["disposed"])
    // An instance that was never resolved is disposed of as well.
    try container.scope("request", given: Connection()) { _ in }
    #expect(journal.entries == ["disposed", "disposed"])
  }

  @Test func `a closed scope retains no given instance`() throws {
    let container = try container(#""link": { "type": "Connection", "scope": "request" }"#)
    weak var connection: Connection?
    let scope: Scope
    do {
      let given = Connection()
      connection = given
      scope = try container.openScope("request", given: given)
    }
    #expect(connection != nil)
    scope.close()
    #expect(connection == nil)
    #expect(throws: ResolutionError.self) { try scope.resolve(Connection.self) }
  }

  @Test func `a service replaced by code needs no given instance`() throws {
    let container = try container(
      #""info": { "type": "RequestInfo", "scope": "request" }, "clock": { "type": "Clock", "scope": "request", "decorate": [{ "type": "LateClock" }] }"#
    )
    container.register(RequestInfo.self, named: "info", scope: .scope("request")) { _ in RequestInfo(id: "code") }
    container.register((any Clock).self, named: "clock", scope: .scope("request")) { _ in FixedClock(now: 5) }
    let scope = try container.openScope("request")
    #expect(try scope.resolve(RequestInfo.self).id == "code")
    #expect(try scope.resolve((any Clock).self).now == 5)
    // An instance for a service that code has replaced is ignored; one that no service ever took is an error.
    let given = try container.openScope("request", given: RequestInfo(id: "1"), FixedClock(now: 1))
    #expect(try given.resolve(RequestInfo.self).id == "code")
    #expect(try given.resolve((any Clock).self).now == 5)
    #expect(try error { _ = try container.openScope("request", given: 1) }.code == .notGiven)
  }

  @Test func `an instance given for a replaced service is ignored, whatever was registered later`() throws {
    let container = Container(scopes: ["request"])
    container.register(given: RequestInfo.self, in: "request")
    container.register(RequestInfo.self, scope: .scope("request")) { _ in RequestInfo(id: "code") }
    container.register(given: (any Clock).self, in: "request")
    let scope = try container.openScope("request", given: RequestInfo(id: "1"), FixedClock(now: 1))
    #expect(try scope.resolve(RequestInfo.self).id == "code")
  }

  @Test func `code can declare given services of a scope`() throws {
    let container = Container(scopes: ["request"])
    let early = try container.openScope("request")
    container.register(given: RequestInfo.self, in: "request")
    container.register(scope: .scope("request")) { Handler(try $0.resolve()) }
    #expect(try error { _ = try container.openScope("request") }.code == .notGiven)
    let child = Container(parent: container)
    child.register(given: (any Clock).self, in: "request")
    #expect(
      try child.openScope("request", given: FixedClock(now: 2), RequestInfo(id: "2")).resolve(Handler.self).info.id
        == "2")
    let scope = try container.openScope("request", given: RequestInfo(id: "1"))
    #expect(try scope.resolve(Handler.self).info.id == "1")
    #expect(try error { _ = try early.resolve(RequestInfo.self) }.code == .notGiven)
    container.register(given: RequestInfo.self, in: "request")
    #expect(container.state.directory.read { $0.given.count } == 1)
    #expect(try container.openScope("request", given: RequestInfo(id: "3")).resolve(RequestInfo.self).id == "3")
  }

  @Test func `an instance given for a service of a child and of its parent is disposed of once, as the child's`() throws
  {
    let journal = Journal()
    let container = Container(scopes: ["request"])
    container.register(given: Connection.self, in: "request", onDispose: { _ in journal.note("parent") })
    container.register(named: "user", scope: .scope("request")) { try $0.resolve() as Connection }
    let child = Container(parent: Container(parent: container))
    child.register(given: Connection.self, in: "request", onDispose: { _ in journal.note("child") })
    try child.scope("request", given: Connection()) { request in
      let found = try request.resolve(Connection.self)
      #expect(try request.resolve(Connection.self, named: "user") === found)
    }
    #expect(journal.entries == ["child"])
    try container.scope("request", given: Connection()) { _ in }
    #expect(journal.entries == ["child", "parent"])
  }

  @Test(arguments: [false, true])
  func `an instance given for a child and its parent is disposed of by the one that has an action`(
    isObserved: Bool
  ) throws {
    let journal = Journal()
    let container = Container(scopes: ["request"], observers: isObserved ? [SilentObserver()] : [])
    container.register(given: Connection.self, in: "request", onDispose: { _ in journal.note("parent") })
    let child = Container(parent: container)
    child.register(given: Connection.self, in: "request")
    try child.scope("request", given: Connection()) { _ in }
    #expect(journal.entries == ["parent"])
  }

  @Test func `an instance given to a base container and to its child is disposed of once, by the base`() throws {
    let journal = Journal()
    let base = try BaseContainer(
      ModuleSource(text: #"{ "configdi": 1, "module": "m", "services": { "link": { "type": "Connection" } } }"#),
      registry: registry(disposing: journal), given: [Connection()])
    let layer = ModuleLayer.text(
      #"{ "configdi": 1, "module": "l", "aliases": { "other": "link" } }"#, name: "l.json")
    for isOwn in [false, true] {
      let connection = isOwn ? Connection() : try base.resolve(Connection.self)
      let child = try base.child(layers: [layer], given: [connection])
      #expect(try child.resolve(Connection.self) === connection)
      child.reset()
      #expect(try child.resolve(Connection.self) === connection)
      child.dispose()
      #expect(journal.entries == (isOwn ? ["disposed"] : []))
    }
    base.container.dispose()
    #expect(journal.entries == ["disposed", "disposed"])
  }

  @Test func `verify opens scopes with given instances`() throws {
    let container = try container(request + #", "link": { "type": "Connection", "scope": "session" }"#)
    try container.verify(given: RequestInfo(id: "1"), Connection())
    // The services of a scope that cannot be opened are not reported separately.
    let error = #expect(throws: VerificationError.self) { try container.verify() }
    #expect(error?.failures.map(\.code) == [.notGiven])
    let inner = #expect(throws: VerificationError.self) { try container.verify(given: RequestInfo(id: "1")) }
    #expect(inner?.failures.map(\.code) == [.notGiven])
  }

  @Test func `a service that a child and its parent both declare takes one given instance`() throws {
    let container = Container(scopes: ["request"])
    container.register(given: RequestInfo.self, in: "request")
    container.register(scope: .scope("request")) { Handler(try $0.resolve()) }
    let child = Container(parent: container)
    child.register(given: RequestInfo.self, in: "request")
    let scope = try child.openScope("request", given: RequestInfo(id: "1"))
    #expect(try scope.resolve(RequestInfo.self).id == "1")
    #expect(try scope.resolve(Handler.self).info.id == "1")
    let twice = try error { _ = try child.openScope("request", given: RequestInfo(id: "1"), RequestInfo(id: "2")) }
    #expect(twice.description.contains("was given twice"))
  }
}
