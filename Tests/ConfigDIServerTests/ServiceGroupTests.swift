// SPDX-License-Identifier: Apache-2.0

#if ServiceLifecycle
  import ConfigDI
  import ConfigDIServiceLifecycle
  import Logging
  import ServiceLifecycle
  import Synchronization
  import Testing

  /// What happened, in order.
  private final class Journal: Sendable {
    private let state = Mutex<[String]>([])
    func note(_ text: String) { state.withLock { $0.append(text) } }
    var entries: [String] { state.withLock { $0 } }
  }

  /// A service that runs until the group shuts down.
  private final class Runner: Service, AsyncDisposable {
    let name: String
    let journal: Journal

    init(_ name: String, _ journal: Journal) { (self.name, self.journal) = (name, journal) }

    func run() async throws {
      journal.note("run \(name)")
      try await gracefulShutdown()
      journal.note("end \(name)")
    }

    func disposeAsync() async { journal.note("dispose \(name)") }
  }

  @Suite struct ServiceGroupTests {
    @Test(.timeLimit(.minutes(1))) func servicesRunInTheOrderOfTheModuleAndEndInReverse() async throws {
      let journal = Journal()
      var registry = Registry()
      registry.add("Store", Runner.self, as: [.itself, .type((any Service).self) { $0 }]) { Runner("store", journal) }
      registry.add(
        "Server", Runner.self, as: [.itself, .type((any Service).self) { $0 }], .service("store", Runner.self)
      ) { _ in Runner("server", journal) }
      // By their ids the server would come first.
      let container = try await Container(
        text: """
          { "configdi": 1, "module": "m", "services": {
              "a.server": { "type": "Server", "inject": { "store": "z.store" } },
              "z.store": { "type": "Store" } }, "bindings": { "Runner": "a.server", "Service": "a.server" } }
          """, registry: registry)
      let group = try await container.serviceGroup(logger: Logger(label: "test"))
      try await withThrowingTaskGroup { tasks in
        tasks.addTask { try await group.run() }
        while journal.entries.count < 2 { await Task.yield() }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
      }
      #expect(Set(journal.entries.prefix(2)) == ["run store", "run server"])
      #expect(journal.entries.dropFirst(2) == ["end server", "end store", "dispose server", "dispose store"])
      #expect(throws: ResolutionError.self) { try container.resolve(Runner.self) }
    }
  }
#endif
