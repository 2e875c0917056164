// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigDI

private struct RequestInfo: Sendable { var id: String }

/// A server that opens a scope for each request.
private final class Server: Sendable {
  let requests: ScopeOpener
  let services: ContainerResolver

  init(_ requests: ScopeOpener, _ services: ContainerResolver) {
    self.requests = requests
    self.services = services
  }

  func answer(_ id: String) throws -> String {
    try requests.scope(given: RequestInfo(id: id)) { try $0.resolve(RequestInfo.self).id }
  }
}

private final class Session: Sendable {
  let requests: ScopeOpener

  init(_ requests: ScopeOpener) { self.requests = requests }
}

@Suite struct ScopeOpenerTests {
  private var registry: Registry {
    var registry = Registry()
    registry.given("RequestInfo", RequestInfo.self)
    registry.add("Server", .scope("request"), .resolver()) { Server($0, $1) }
    registry.add("Session", .scope("request", key: "requests")) { Session($0) }
    return registry
  }

  private func container() throws -> Container {
    try Container(
      text: """
        { "configdi": 1, "module": "m", "scopes": ["session", "request"], "services": {
          "server": { "type": "Server", "eager": true }, "session": { "type": "Session", "scope": "session" },
          "info": { "type": "RequestInfo", "scope": "request" } } }
        """, registry: registry)
  }

  @Test func `a service of a module opens scopes`() async throws {
    let container = try await Container(
      text: """
        { "configdi": 1, "module": "m", "scopes": ["request"], "services": {
          "server": { "type": "Server" }, "info": { "type": "RequestInfo", "scope": "request" } } }
        """, registry: registry)
    let server = try container.resolve(Server.self)
    #expect(server.requests.name == "request")
    #expect(try server.answer("1") == "1")
    let id = try await server.requests.scope(given: RequestInfo(id: "2")) { request in
      try await request.resolveAsync(RequestInfo.self).id
    }
    #expect(id == "2")
    #expect(throws: ResolutionError.self) { try server.requests.openScope() }
  }

  @Test func `a scope opener does not retain the container`() throws {
    var container: Container? = try container()
    weak let weakContainer = container
    let server = try #require(try container?.resolve(Server.self))
    #expect(try server.services.resolve(Server.self) === server)
    container = nil
    #expect(weakContainer == nil)
    #expect(throws: ResolutionError.self) { try server.answer("1") }
    #expect(throws: ResolutionError.self) { try server.services.resolve(Server.self) }
  }

  @Test func `the opener of a scoped service opens inner scopes`() throws {
    let container = try container()
    let scope = try container.openScope("session")
    let session = try scope.resolve(Session.self)
    let request = try session.requests.openScope(given: RequestInfo(id: "1"))
    #expect(try request.resolve(Session.self) === session)
    scope.close()
    #expect(!request.isOpen)
    #expect(throws: ResolutionError.self) { try session.requests.openScope(given: RequestInfo(id: "1")) }
  }

  @Test func `code captures a scope opener instead of the container`() throws {
    var container: Container? = Container(scopes: ["request"])
    weak let weakContainer = container
    let requests = try #require(try container?.scopeOpener("request"))
    container?.register { Session(requests) }
    _ = try container?.resolve(Session.self).requests.openScope()
    let unknown = #expect(throws: ResolutionError.self) { try container?.scopeOpener("requests") }
    #expect(unknown?.candidates == ["request"])
    container = nil
    #expect(weakContainer == nil)
  }
}
