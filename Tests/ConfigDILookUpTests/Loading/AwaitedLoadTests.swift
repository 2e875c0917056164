// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ConfigDI

private final class Database: Sendable {}

private final class App: Sendable {
  let database: Database

  init(_ database: Database) { self.database = database }
}

@MainActor private final class Window { init() {} }

@Suite struct AwaitedLoadTests {
  private func registry(_ journal: Journal = Journal()) -> Registry {
    var registry = Registry()
    registry.add("Database", onDispose: { _ in journal.note("disposed") }) { () async throws in
      await Task.yield()
      journal.note("database")
      return Database()
    }
    registry.add("App", .service("database", Database.self)) {
      journal.note("app")
      return App($0)
    }
    registry.add("Window", on: MainActor.shared) { Window() }
    registry.add("Failing", .service("database", Database.self)) { (_: Database) async throws -> Int in
      throw CancellationError()
    }
    return registry
  }

  private let text = """
    { "configdi": 1, "module": "m", "services": {
      "database": { "type": "Database", "eager": true },
      "app": { "type": "App", "eager": true, "inject": { "database": "database" } } } }
    """

  @Test func `eager services are awaited`() async throws {
    let journal = Journal()
    let container = try await Container(text: text, registry: registry(journal))
    #expect(journal.entries == ["database", "app"])
    #expect(container.registrations.filter(\.isBuilt).count == 2)
  }

  @Test func `a sync load rejects async eager services at the eager key`() throws {
    let journal = Journal()
    let error = #expect(throws: LoadError.self) { try Container(text: text, registry: registry(journal)) }
    #expect(error?.diagnostics.map(\.code) == [.needsAwaitedLoad, .needsAwaitedLoad])
    #expect(error?.diagnostics.map { $0.location.start?.line } == [2, 3])
    #expect(
      error?.diagnostics.map(\.message) == [
        #"service "database" is eager, but its builder has to be awaited, and the load does not await"#,
        #"service "app" is eager, but needs service "database", whose builder has to be awaited, and the load does not await"#,
      ])
    #expect(error?.diagnostics.first?.path == "services.database.eager")
    #expect(journal.entries == [])
  }

  @Test func `async services that are not eager, or only provided, are built later`() throws {
    var registry = registry()
    registry.add("Late", .service("database", Lazy<Database>.self)) { (_: Lazy<Database>) in 1 }
    _ = try Container(
      text: """
        { "configdi": 1, "module": "m", "services": {
          "database": { "type": "Database" },
          "late": { "type": "Late", "eager": true, "inject": { "database": "database" } } } }
        """, registry: registry)
  }

  private let window =
    #"{ "configdi": 1, "module": "m", "services": { "window": { "type": "Window", "eager": true } } }"#

  @Test @MainActor func `a main-actor service is built immediately on the main actor`() throws {
    let container = try Container(text: window, registry: registry())
    #expect(container.registrations.map(\.isBuilt) == [true])
  }

  @Test func `a main-actor service is awaited from other isolation domains`() async throws {
    let error = await Task.detached { () -> LoadError? in
      let registry = registry()
      let window = window
      do { _ = try { try Container(text: window, registry: registry) }() } catch { return error as? LoadError }
      return nil
    }.value
    #expect(error?.diagnostics.map(\.code) == [.needsAwaitedLoad])
    let container = try await Container(text: window, registry: registry())
    #expect(container.registrations.map(\.isBuilt) == [true])
  }

  @Test func `built instances are disposed of if a later builder throws`() async {
    let journal = Journal()
    let text = """
      { "configdi": 1, "module": "m", "services": {
        "database": { "type": "Database" },
        "failing": { "type": "Failing", "eager": true, "inject": { "database": "database" } } } }
      """
    let error = await #expect(throws: ResolutionError.self) {
      try await Container(text: text, registry: registry(journal))
    }
    #expect(error?.underlyingError is CancellationError)
    #expect(journal.entries == ["database", "disposed"])
  }

  @Test func `a cancelled load closes its instances in a task that is not cancelled`() async throws {
    final class Pool: AsyncDisposable {
      let journal: Journal
      init(_ journal: Journal) { self.journal = journal }
      func disposeAsync() async { journal.note(Task.isCancelled ? "cancelled" : "closed") }
    }
    let journal = Journal()
    var registry = Registry()
    registry.add("Pool") { Pool(journal) }
    registry.add("Slow") { () async throws -> Int in
      journal.note("slow")
      try await Task.sleep(for: .seconds(600))
      return 1
    }
    let text = """
      { "configdi": 1, "module": "m", "services": {
        "pool": { "type": "Pool", "eager": true }, "slow": { "type": "Slow", "eager": true } } }
      """
    let load = Task { [registry] in try await Container(text: text, registry: registry) }
    while journal.entries.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    load.cancel()
    let error = await #expect(throws: ResolutionError.self) { try await load.value }
    #expect(error?.code == .cancelled)
    #expect(journal.entries == ["slow", "closed"])
  }
}
