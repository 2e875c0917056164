// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// A service with an asynchronous disposal, which may fail.
private final class Connection: AsyncDisposable {
  struct Failure: Error {}

  let name: String
  let journal: Journal
  let fails: Bool

  init(_ name: String, _ journal: Journal, fails: Bool = false) {
    (self.name, self.journal, self.fails) = (name, journal, fails)
  }

  func disposeAsync() async throws {
    await Task.yield()
    journal.note("close \(name)\(Task.isCancelled ? ", cancelled" : "")")
    if fails { throw Failure() }
  }
}

@Suite struct AsyncScopeTests {
  private let journal = Journal()

  /// Creates a container whose scope `request` has some connections.
  private func container(_ names: String..., failing: Set<String> = []) -> Container {
    let container = Container(scopes: ["session", "request"])
    for name in names {
      container.register(
        named: name, scope: .scope("request"), onDispose: { [journal] in journal.note("dispose \($0.name)") }
      ) { [journal] in Connection(name, journal, fails: failing.contains(name)) }
    }
    return container
  }

  @Test func `the end of an async body awaits the disposals, the last built first`() async throws {
    let result = try await container("a", "b").scope("request") { request in
      await Task.yield()
      return try ["a", "b"].map { try request.resolve(Connection.self, named: $0).name }
    }
    #expect(result == ["a", "b"])
    #expect(journal.entries == ["close b", "dispose b", "close a", "dispose a"])
  }

  @Test func `in asynchronous code, a scope awaits the disposals after a body that does not await`() async throws {
    struct Number: Sendable {}
    func number() async -> Number { Number() }
    let container = container("a")
    container.register(given: Number.self, in: "request")
    try await container.scope("request", given: number()) { _ = try $0.resolve(Connection.self) }
    #expect(journal.entries == ["close a", "dispose a"])
    let session = try container.openScope("session")
    try await session.scope("request", given: number()) { _ = try $0.resolve(Connection.self) }
    let requests = try container.scopeOpener("request")
    try await requests.scope(given: number()) { _ = try $0.resolve(Connection.self) }
    #expect(journal.entries.count == 6 && journal.entries.suffix(2) == ["close a", "dispose a"])
    container.register(named: "own", scope: .transient) { [journal] in Connection("own", journal) }
    func named(_ name: String) async -> String { name }
    try await container.resolveAsync(Isolated<Connection>.self, named: named("own")).use { _ in }
    #expect(journal.entries.last == "close own")
  }

  @Test func `in synchronous code, the end of a scope and close do not await`() async throws {
    let container = container("a")
    try { try container.scope("request") { _ = try $0.resolve(Connection.self) } }()
    let scope = try container.openScope("request")
    _ = try scope.resolve(Connection.self)
    scope.close()
    try await scope.closeAsync()
    #expect(journal.entries == ["dispose a", "dispose a"])
  }

  @Test func `a scope closes with those opened from it, and each look-up throws then`() async throws {
    let session = try container("a").openScope("session")
    let request = try session.openScope("request")
    _ = try request.resolve(Connection.self)
    try await session.closeAsync()
    #expect(journal.entries == ["close a", "dispose a"])
    #expect(!request.isOpen)
    #expect(throws: ResolutionError.self) { try request.resolve(Connection.self) }
  }

  @Test func `a failed disposal is thrown after all others`() async throws {
    let container = container("a", "b", "c", failing: ["b", "c"])
    let error = await #expect(throws: ShutdownError.self) {
      try await container.scope("request") { request in
        await Task.yield()
        for name in ["a", "b", "c"] { _ = try request.resolve(Connection.self, named: name) }
      }
    }
    #expect(error?.failures.map(\.id) == ["c", "b"])
    #expect(journal.entries == ["close c", "dispose c", "close b", "dispose b", "close a", "dispose a"])
  }

  @Test func `an error of the body is thrown instead, after the disposals`() async throws {
    struct Refused: Error {}
    let container = container("a", failing: ["a"])
    await #expect(throws: Refused.self) {
      try await container.scope("request") { request in
        await Task.yield()
        _ = try request.resolve(Connection.self)
        throw Refused()
      }
    }
    #expect(journal.entries == ["close a", "dispose a"])
  }

  @Test func `the disposals are not cancelled with the task of the body`() async throws {
    let container = container("a")
    let task = Task {
      try await container.scope("request") { request in
        _ = try request.resolve(Connection.self)
        while !Task.isCancelled { await Task.yield() }
      }
    }
    task.cancel()
    try await task.value
    #expect(journal.entries == ["close a", "dispose a"])
  }

  @Test func `a scope opener awaits them as well`() async throws {
    let requests = try container("a").scopeOpener("request")
    await #expect(throws: ResolutionError.self) {
      try await requests.scope { request in
        await Task.yield()
        _ = try request.resolve(Connection.self)
      }
    }
    let container = container("a")
    try await container.scopeOpener("request").scope { request in
      await Task.yield()
      _ = try request.resolve(Connection.self)
    }
    #expect(journal.entries == ["close a", "dispose a"])
  }

  @MainActor @Test func `dispose actions run on the actor of the caller if nothing has to be awaited`() async throws {
    final class Plain: Sendable {}
    let container = Container(scopes: ["request"])
    container.register(
      scope: .scope("request"),
      onDispose: { [journal] (_: Plain) in MainActor.assumeIsolated { journal.note("on the main actor") } }
    ) { Plain() }
    try await container.scope("request") { request in
      await Task.yield()
      _ = try request.resolve(Plain.self)
    }
    #expect(journal.entries == ["on the main actor"])
  }

  @Test func `an awaited use of an isolated value awaits its disposal`() async throws {
    let container = Container()
    container.register(
      scope: .transient, onDispose: { [journal] (connection: Connection) in journal.note("dispose \(connection.name)") }
    ) { [journal] in Connection("a", journal, fails: true) }
    let isolated = try container.resolve(Isolated<Connection>.self)
    try { try isolated.use { journal.note("use \($0.name)") } }()
    #expect(journal.entries == ["use a", "dispose a"])
    let error = await #expect(throws: ShutdownError.self) {
      try await isolated.use { connection in
        await Task.yield()
        journal.note("use \(connection.name)")
      }
    }
    #expect(error?.failures.map(\.id) == ["Connection"])
    #expect(journal.entries.dropFirst(2) == ["use a", "close a", "dispose a"])
  }
}
