// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

private protocol Reader: Sendable {}
private protocol Writer: Sendable {}

/// An object that is closed with `await`, and that several services may have.
private final class Pool: AsyncDisposable, Reader, Writer {
  let journal: Journal

  init(_ journal: Journal) { self.journal = journal }

  func disposeAsync() async { journal.note("close") }
}

/// A service that is closed with `await` once a test lets it.
private final class Slow: AsyncDisposable {
  let journal: Journal
  let (begun, finish) = (Gate(), Gate())

  init(_ journal: Journal) { self.journal = journal }

  func disposeAsync() async {
    begun.open()
    await finish.waitAsync()
    journal.note("close slow")
  }
}

/// A decorator that shows what it wraps.
private final class Metered: Reader {
  let pool: any Reader

  init(_ pool: any Reader) { self.pool = pool }
}

/// Tests that an object which several services have is closed once, by the one that owns it.
@Suite struct SharedObjectDisposalTests {
  private let journal = Journal()

  /// Creates a container with a shared pool, and another service that has it.
  private func container(alias scope: ServiceScope) -> Container {
    let container = Container(scopes: ["request"])
    container.register { [journal] in Pool(journal) }
    container.register((any Reader).self, scope: scope, onDispose: { [journal] _ in journal.note("dispose") }) {
      resolver in try resolver.resolve(Pool.self)
    }
    return container
  }

  @Test func `the end of a scope does not close an object of the container`() async throws {
    let container = container(alias: .scope("request"))
    try await container.scope("request") { request in
      await Task.yield()
      _ = try request.resolve((any Reader).self)
    }
    #expect(journal.entries == ["dispose"])
    _ = try container.resolve(Pool.self)
    try await container.shutdown()
    #expect(journal.entries == ["dispose", "close"])
  }

  @Test func `an isolated use does not close an object of the container`() async throws {
    let container = container(alias: .transient)
    try await container.resolve(Isolated<any Reader>.self).use { _ in await Task.yield() }
    #expect(journal.entries == ["dispose"])
    try await container.shutdown()
    #expect(journal.entries == ["dispose", "close"])
  }

  @Test func `the shutdown of a child does not close an object of its parent`() async throws {
    let parent = container(alias: .transient)
    let child = Container(parent: parent)
    child.register((any Writer).self) { resolver in try resolver.resolve(Pool.self) }
    _ = try child.resolve((any Writer).self)
    try await child.shutdown()
    #expect(journal.entries == [])
    try await parent.shutdown()
    #expect(journal.entries == ["close"])
  }

  @Test func `a shutdown closes an object once, after the services that were built with it`() async throws {
    let container = container(alias: .shared)
    container.register(named: "user", onDispose: { [journal] _ in journal.note("dispose user") }) { resolver in
      _ = try resolver.resolve(Pool.self)
      return 7
    }
    _ = try container.resolve(Int.self, named: "user")
    _ = try container.resolve((any Reader).self)
    try await container.shutdown()
    #expect(journal.entries == ["dispose", "dispose user", "close"])
  }

  @Test func `one instance that is registered twice is closed once`() async throws {
    let container = Container()
    let pool = Pool(journal)
    container.register((any Reader).self, instance: pool)
    container.register((any Writer).self, instance: pool)
    _ = (try container.resolve((any Reader).self), try container.resolve((any Writer).self))
    try await container.shutdown()
    #expect(journal.entries == ["close"])
  }

  @Test func `an object that a decorator returns is closed once`() async throws {
    var registry = Registry()
    registry.add("Pool", { [journal] in Pool(journal) })
    registry.add("Same", { (pool: Pool) in pool }, .decorated("pool"))
    let container = try await Container(
      text: """
        {
          "configdi": 1, "module": "m",
          "services": { "pool": { "type": "Pool", "decorate": [{ "type": "Same" }] } }
        }
        """, registry: registry)
    _ = try container.resolve(Pool.self)
    try await container.shutdown()
    #expect(journal.entries == ["close"])
  }

  @Test func `an object that the application gives is not closed with a service that has it`() async throws {
    let container = Container(scopes: ["request"])
    container.register(given: Pool.self, in: "request")
    container.register((any Reader).self, scope: .scope("request")) { resolver in try resolver.resolve(Pool.self) }
    try await container.scope("request", given: Pool(journal)) { request in
      await Task.yield()
      _ = try request.resolve((any Reader).self)
    }
    #expect(journal.entries == [])
  }

  @Test func `verifying closes the instances of scopes with await`() async throws {
    let container = Container(scopes: ["request"])
    container.register(scope: .scope("request"), onDispose: { [journal] _ in journal.note("dispose") }) { [journal] in
      Pool(journal)
    }
    try await container.verifyAsync()
    #expect(journal.entries == ["close", "dispose"])
  }

  @Test func `an instance whose scope closes during an awaited look-up is closed with await`() async throws {
    let container = Container(scopes: ["request"])
    let scope = try container.openScope("request")
    container.register(scope: .scope("request"), onDispose: { [journal] _ in journal.note("dispose") }) { [journal] in
      scope.close()
      return Pool(journal)
    }
    let error = await #expect(throws: ResolutionError.self) { try await scope.resolveAsync(Pool.self) }
    #expect(error?.code == .closed)
    #expect(journal.entries == ["close", "dispose"])
  }

  @Test func `an isolated use in a scope does not close an object of the scope`() async throws {
    let container = Container(scopes: ["request"])
    container.register(scope: .scope("request")) { [journal] in Pool(journal) }
    container.register((any Reader).self, scope: .transient) { resolver in try resolver.resolve(Pool.self) }
    try await container.scope("request") { request in
      _ = try request.resolve(Pool.self)
      for _ in 0..<2 {
        try await request.resolve(Isolated<any Reader>.self).use { _ in await Task.yield() }
        #expect(journal.entries == [])
      }
    }
    #expect(journal.entries == ["close"])
  }

  @Test func `an isolated use does not close an object that was given to the scope`() async throws {
    let container = Container(scopes: ["request"])
    container.register(given: Pool.self, in: "request")
    container.register((any Reader).self, scope: .transient) { resolver in try resolver.resolve(Pool.self) }
    try await container.scope("request", given: Pool(journal)) { request in
      try await request.resolve(Isolated<any Reader>.self).use { _ in await Task.yield() }
    }
    #expect(journal.entries == [])
  }

  @Test func `an object that the container stopped sharing is closed by the scope that has it`() async throws {
    let container = container(alias: .scope("request"))
    container.register { [journal] in Pool(journal) }
    for _ in 0..<2 {
      // The first scope asks for the objects of the container, whose pool is replaced afterwards.
      try await container.scope("request") { request in
        await Task.yield()
        _ = try request.resolve((any Reader).self)
      }
      container.register(Int.self) { 7 }
    }
    #expect(journal.entries == ["dispose", "dispose"])
    let scope = try container.openScope("request")
    _ = try scope.resolve((any Reader).self)
    container.register { [journal] in Pool(journal) }
    try await scope.closeAsync()
    #expect(journal.entries == ["dispose", "dispose", "close", "dispose"])
  }

  @Test func `a shutdown during an isolated use closes an object of the container once`() async throws {
    let container = container(alias: .transient)
    _ = try container.resolve(Pool.self)
    try await container.resolve(Isolated<any Reader>.self).use { _ in try await container.shutdown() }
    #expect(journal.entries == ["close", "dispose"])
  }

  @Test(.hangLimit) func `a shutdown beside the end of a scope closes an object once`() async throws {
    let (container, slow) = (container(alias: .scope("request")), Slow(journal))
    container.register(scope: .scope("request")) { slow }
    let scope = try container.openScope("request")
    _ = (try scope.resolve((any Reader).self), try scope.resolve(Slow.self))
    let end = Task { try await scope.closeAsync() }
    await slow.begun.waitAsync()
    let shutdown = Task { try await container.shutdown() }
    while (try? container.resolve(Pool.self)) != nil { await Task.yield() }
    slow.finish.open()
    _ = (try await end.value, try await shutdown.value)
    #expect(journal.entries == ["close slow", "dispose", "close"])
  }

  @Test func `a container that is disposed of while a scope is being emptied closes an object once`() async throws {
    let container = container(alias: .scope("request"))
    let scope = try container.openScope("request")
    _ = try scope.resolve((any Reader).self)
    // The end of the scope has emptied it, and also disposes of what the container leaves to it.
    try await PausePoint.$hook.withValue({ if $0 == .disposing { container.dispose() } }) {
      try await scope.closeAsync()
    }
    #expect(journal.entries == ["dispose", "close"])
  }

  @Test(.hangLimit) func `a disposal that shuts the container down closes an object of both once`() async throws {
    final class Last: AsyncDisposable {
      let container: Container

      init(_ container: Container) { self.container = container }

      func disposeAsync() async throws { try await container.shutdown() }
    }
    let container = container(alias: .scope("request"))
    container.register(scope: .scope("request")) { [unowned container] in Last(container) }
    try await container.scope("request") { request in
      await Task.yield()
      _ = (try request.resolve((any Reader).self), try request.resolve(Last.self))
    }
    #expect(journal.entries == ["dispose", "close"])
  }

  @Test(.hangLimit) func `the end of a scope waits for that of an inner one`() async throws {
    let (container, slow) = (Container(scopes: ["session", "request"]), Slow(journal))
    container.register(scope: .scope("request")) { slow }
    let session = try container.openScope("session")
    let request = try session.openScope("request")
    _ = try request.resolve(Slow.self)
    let inner = Task { try await request.closeAsync() }
    await slow.begun.waitAsync()
    let outer = Task { [journal] in
      try await session.closeAsync()
      journal.note("closed")
    }
    while (try? session.openScope("request")) != nil { await Task.yield() }
    // Time for the outer one to return too early.
    for _ in 0..<100 { await Task.yield() }
    slow.finish.open()
    _ = (try await inner.value, try await outer.value)
    #expect(journal.entries == ["close slow", "closed"])
  }

  @Test func `the end of a scope does not close an object that a decorator of the container wraps`() async throws {
    var registry = Registry()
    registry.add("Pool", as: (any Reader).self, { [journal] in Pool(journal) })
    registry.add("Metered", as: (any Reader).self, { Metered($0) }, .decorated("pool", (any Reader).self))
    let container = try await Container(
      text: """
        {
          "configdi": 1, "module": "m", "scopes": ["request"],
          "services": { "pool": { "type": "Pool", "decorate": [{ "type": "Metered" }] } }
        }
        """, registry: registry)
    let metered = try #require(try container.resolve((any Reader).self) as? Metered)
    container.register(named: "alias", scope: .scope("request")) { metered.pool }
    try await container.scope("request") { request in
      await Task.yield()
      _ = try request.resolve((any Reader).self, named: "alias")
    }
    #expect(journal.entries == [])
    try await container.shutdown()
    #expect(journal.entries == ["close"])
  }

  @Test func `a test's instance in the place of a scoped service is not closed with each scope`() async throws {
    let container = Container(scopes: ["request"])
    container.register((any Reader).self, named: "pool", scope: .scope("request")) { [journal] in Pool(journal) }
    try container.replace(named: "pool", with: Pool(journal), origin: Origin(file: "", line: 0))
    for _ in 0..<2 {
      try await container.scope("request") { request in
        await Task.yield()
        _ = try request.resolve((any Reader).self)
      }
    }
    #expect(journal.entries == [])
  }

  /// Starts a look-up whose builder returns the pool only once a shutdown waits for it.
  private func shutDown(_ container: Container) async throws {
    let (begun, finish) = (Gate(), Gate())
    container.register((any Writer).self) { resolver async throws in
      let pool = try resolver.resolve(Pool.self)
      begun.open()
      await finish.waitAsync()
      return pool
    }
    let lookUp = Task { try await container.resolveAsync((any Writer).self) }
    await begun.waitAsync()
    let shutdown = Task { try await container.shutdown() }
    while (try? container.resolve(Pool.self)) != nil { await Task.yield() }
    finish.open()
    try await shutdown.value
    await #expect(throws: ResolutionError.self) { try await lookUp.value }
  }

  @Test(.hangLimit) func `an object that a late builder of a child returns is not closed while the parent has it`()
    async throws
  {
    let parent = container(alias: .transient)
    try await shutDown(Container(parent: parent))
    #expect(journal.entries == [])
    try await parent.shutdown()
    #expect(journal.entries == ["close"])
  }

  @Test(.hangLimit) func `an object that a late builder returns is closed once, with the first service that has it`()
    async throws
  {
    let container = container(alias: .transient)
    container.register(named: "user", onDispose: { [journal] _ in journal.note("dispose user") }) { resolver in
      _ = try resolver.resolve(Pool.self)
      return 7
    }
    _ = try container.resolve(Int.self, named: "user")
    try await shutDown(container)
    #expect(journal.entries == ["dispose user", "close"])
  }
}
