// SPDX-License-Identifier: Apache-2.0

#if ServiceLifecycle
  import ConfigDI
  import ConfigDIServiceLifecycle
  import Foundation
  import Logging
  import ServiceLifecycle
  import Synchronization
  import Testing
  import UnixSignals
  import _ConfigDITestSupport

  /// A thread-safe list of events, in order.
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

  /// A service that needs some time to end, even if it is cancelled, and depends on a pool.
  private final class Drainer: Service {
    let pool: Pool
    init(_ pool: Pool) { self.pool = pool }

    func run() async throws {
      pool.journal.note("run")
      try? await gracefulShutdown()
      await Task { try? await Task.sleep(for: .milliseconds(50)) }.value
      pool.journal.note("drained")
    }
  }

  /// A service that runs a closure.
  private struct Work: Service {
    let body: @Sendable () async throws -> Void
    func run() async throws { try await body() }
  }

  /// A service whose description contains a secret, as that of every struct does.
  private struct TokenServer: Service {
    let token: String
    func run() async throws { try await gracefulShutdown() }
  }

  /// A resource that can be closed only in a task that is not cancelled.
  private final class Pool: AsyncDisposable {
    let journal: Journal
    init(_ journal: Journal) { self.journal = journal }

    func disposeAsync() async throws {
      try Task.checkCancellation()
      journal.note("closed")
    }
  }

  /// An error whose description contains a secret.
  private struct TestError: Error, CustomStringConvertible {
    var description: String { "no connection by hunter2" }
  }

  /// A resource that cannot be disposed of, and that can be built only if `isBuilt` is true.
  private final class FailingPool: AsyncDisposable {
    init(_ password: String, isBuilt: Bool) throws { if !isBuilt { throw TestError() } }
    func disposeAsync() async throws { throw TestError() }
  }

  /// A resource whose disposal waits for a stream to end, even if it is cancelled.
  private final class HeldPool: AsyncDisposable {
    let released: AsyncStream<Void>?
    init(until released: AsyncStream<Void>?) { self.released = released }

    func disposeAsync() async {
      guard let released else { return }
      await Task { for await _ in released {} }.value
    }
  }

  /// A log handler that records messages.
  private final class Log: LogHandler {
    private let messages = Mutex<[String]>([])
    private let contents = Mutex("")
    private let groupContents = Mutex("")
    /// All lines with their metadata.
    var text: String { contents.withLock { $0 } }
    /// The same for the lines of the service group itself.
    var groupText: String { groupContents.withLock { $0 } }
    var lines: [String] { messages.withLock { $0 } }
    var metadata: Logger.Metadata {
      get { [:] }
      set {}
    }
    var logLevel: Logger.Level {
      get { .trace }
      set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { nil }
      set {}
    }

    func log(event: LogEvent) {
      if event.source == "ConfigDIServiceLifecycle" {
        let services = event.metadata?["services"].map { " \($0)" } ?? ""
        messages.withLock { $0.append("\(event.message)\(services)") }
        contents.withLock { $0 += "\(event.message) \(event.metadata ?? [:])\n" }
      } else {
        groupContents.withLock { $0 += "\(event.message) \(event.metadata ?? [:])\n" }
      }
    }
  }

  @Suite(.serialized) struct ServiceGroupTests {
    @Test(.hangLimit) func servicesStartInTheOrderOfTheModuleAndStopInReverse() async throws {
      let journal = Journal()
      var registry = Registry()
      registry.add("Store", as: { ($0, $0 as any Service) }, { Runner("store", journal) })
      registry.add(
        "Server", as: { ($0, $0 as any Service) }, { (_: Runner) in Runner("server", journal) }, .service("store"))
      // Sorted by id, the server would be first; it must start after the store that it depends on.
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

    @Test(.hangLimit) func aCancelledGroupClosesDependenciesAfterTheServicesHaveEnded() async throws {
      let journal = Journal()
      var registry = Registry()
      registry.add("Pool", { Pool(journal) })
      registry.add("Drainer", as: { ($0, $0 as any Service) }, { (pool: Pool) in Drainer(pool) }, .service("pool"))
      let text = """
        { "configdi": 1, "module": "m", "services": {
            "drainer": { "type": "Drainer", "inject": { "pool": "pool" } }, "pool": { "type": "Pool" } } }
        """
      let log = Log()
      let container = try await Container(text: text, registry: registry)
      let group = try await container.serviceGroup(logger: Logger(label: "test") { _ in log })
      let running = Task { try await group.run() }
      while journal.entries.isEmpty { await Task.yield() }
      running.cancel()
      _ = await running.result
      #expect(journal.entries == ["run", "drained", "closed"])
      #expect(log.text.isEmpty)
    }

    @Test(.hangLimit) func aServiceThatEndsDuringAShutdownDoesNotCancelTheOthers() async throws {
      let journal = Journal()
      let (stopping, stop) = AsyncStream.makeStream(of: Void.self)
      var registry = Registry()
      registry.add("Runner", as: { ($0, $0 as any Service) }, { Runner("first", journal) })
      registry.add("Job", as: { ($0, $0 as any Service) }) {
        Work {
          await stopping.first { _ in true }
          journal.note("end job")
        }
      }
      registry.add("Last", as: { ($0, $0 as any Service) }) {
        Work {
          try await gracefulShutdown()
          stop.yield()
          // The group sees the end of the job before the end of this.
          try await Task.sleep(for: .milliseconds(20))
          journal.note("end last")
        }
      }
      let text = """
        { "configdi": 1, "module": "m", "services": {
            "a.first": { "type": "Runner" }, "b.job": { "type": "Job" }, "c.last": { "type": "Last" } } }
        """
      let container = try await Container(text: text, registry: registry)
      let group = try await container.serviceGroup(logger: Logger(label: "test"))
      await group.triggerGracefulShutdown()
      try await group.run()
      #expect(journal.entries.filter { $0 != "run first" } == ["end job", "end last", "end first", "dispose first"])
    }

    @Test func aContainerThatWasShutDownHasNoGroup() async throws {
      let container = Container()
      try await container.shutdown()
      let error = await #expect(throws: ResolutionError.self) {
        try await container.serviceGroup(logger: Logger(label: "test"))
      }
      #expect(error?.code == .closed)
    }

    @Test(.hangLimit) func servicesAreLoggedByTheirIds() async throws {
      var registry = Registry()
      registry.add(
        "TokenServer", as: { ($0, $0 as any Service) }, TokenServer.init, .value("token", secret: true))
      let text = """
        { "configdi": 1, "module": "m", "parameters": { "token": { "value": "hunter2", "secret": true } },
          "services": { "api": { "type": "TokenServer", "values": { "token": "${token}" } } } }
        """
      let log = Log()
      let container = try await Container(text: text, registry: registry)
      let group = try await container.serviceGroup(logger: Logger(label: "test") { _ in log })
      await group.triggerGracefulShutdown()
      try await group.run()
      #expect(log.groupText.contains("api") && !log.groupText.contains("hunter2"))
    }

    @Test(.hangLimit) func noSecretIsLogged() async throws {
      let file = FileManager.default.temporaryDirectory.appending(path: "group-\(UUID().uuidString).json")
      defer { try? FileManager.default.removeItem(at: file) }
      func write(_ isBuilt: Bool) throws {
        try Data(
          #"""
          { "configdi": 1, "module": "m", "parameters": { "pw": { "value": "hunter2", "secret": true } }, "services": {
              "db": { "type": "DB", "eager": true, "values": { "password": "${pw}", "isBuilt": \#(isBuilt) } } } }
          """#.utf8
        ).write(to: file, options: .atomic)
      }
      var registry = Registry()
      registry.add(
        "DB", { try FailingPool($0, isBuilt: $1) }, .value("password", secret: true), .value("isBuilt"))
      try write(true)
      let services = try await ReloadingContainer(ModuleSource(file.path), registry: registry)
      let log = Log()
      let group = try await services.serviceGroup(
        logger: Logger(label: "test") { _ in log }, watchingEvery: .milliseconds(1))
      try await withThrowingTaskGroup { tasks in
        tasks.addTask { try await group.run() }
        try write(false)
        while log.lines.isEmpty { await Task.yield() }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
      }
      #expect(log.lines == ["not reloaded", "a service was not disposed of"])
      #expect(log.text.contains("TestError") && log.text.contains("db") && !log.text.contains("hunter2"))
    }

    @Test func theErrorOfABuilderWithoutSecretsIsLogged() async throws {
      let file = FileManager.default.temporaryDirectory.appending(path: "group-\(UUID().uuidString).json")
      defer { try? FileManager.default.removeItem(at: file) }
      func write(_ isBuilt: Bool) throws {
        try Data(
          #"""
          { "configdi": 1, "module": "m", "services": {
              "db": { "type": "DB", "eager": true, "values": { "isBuilt": \#(isBuilt) } } } }
          """#.utf8
        ).write(to: file, options: .atomic)
      }
      var registry = Registry()
      registry.add("DB", { try FailingPool("", isBuilt: $0) }, .value("isBuilt"))
      try write(true)
      let services = try await ReloadingContainer(ModuleSource(file.path), registry: registry)
      let log = Log()
      _ = try await services.serviceGroup(logger: Logger(label: "test") { _ in log })
      try write(false)
      await #expect(throws: ResolutionError.self) { try await services.reload() }
      #expect(log.lines == ["not reloaded"])
      #expect(log.text.contains(#""db""#) && log.text.contains("no connection by hunter2"))
    }

    @Test(.hangLimit) func aReloadWarnsAboutRunningServicesThatHaveChanged() async throws {
      let journal = Journal()
      let file = FileManager.default.temporaryDirectory.appending(path: "group-\(UUID().uuidString).json")
      defer { try? FileManager.default.removeItem(at: file) }
      func write(_ services: String) throws {
        // A watch that found the file half written would report it.
        try Data(#"{ "configdi": 1, "module": "m", "services": { \#(services) } }"#.utf8)
          .write(to: file, options: .atomic)
      }
      var registry = Registry()
      registry.add("Runner", as: { ($0, $0 as any Service) }, { Runner($0, journal) }, .value("name"))
      registry.add("Text", { (text: String) in text }, .value("text"))
      func runner(_ id: String, _ name: String) -> String {
        #""\#(id)": { "type": "Runner", "provides": ["Service"], "values": { "name": "\#(name)" } }"#
      }
      func text(_ text: String) -> String { #""text": { "type": "Text", "values": { "text": "\#(text)" } }"# }
      let bound = #" }, "bindings": { "Service": "a" "#
      try write("\(runner("a", "a")), \(runner("b", "b")), \(text("one"))\(bound)")
      let services = try await ReloadingContainer(ModuleSource(file.path), registry: registry)
      let log = Log()
      let group = try await services.serviceGroup(
        logger: Logger(label: "test") { _ in log }, watchingEvery: .milliseconds(1))
      try await withThrowingTaskGroup { tasks in
        tasks.addTask { try await group.run() }
        while journal.entries.count < 2 { await Task.yield() }
        try write("\(runner("a", "a")), \(runner("b", "b")), \(text("two"))\(bound)")
        while log.lines.count < 1 { await Task.yield() }
        try write("\(runner("a", "other")), \(runner("c", "c")), \(text("two"))\(bound)")
        while log.lines.count < 3 { await Task.yield() }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
      }
      #expect(log.lines.prefix(2) == ["reloaded", "reloaded"])
      #expect(Set(journal.entries.prefix(4)) == ["run a", "run b", "end a", "end b"])
      #expect(Set(journal.entries.dropFirst(4)) == ["dispose a", "dispose b"])
      let message = "running services differ from the module; a reload does not start, stop or replace them"
      let warning = #"\#(message) ["a", "b", "c"]"#
      #expect(log.lines.dropFirst(2) == [warning])
    }

    @Test(.hangLimit, arguments: ["shared", "transient", "weak", nil])
    func aReloadDisposesOfNothingThatARunningServiceHolds(scope: String?) async throws {
      let journal = Journal()
      var registry = Registry()
      registry.add("Pool", { (_: Int) in Pool(journal) }, .value("size"))
      registry.add("Drainer", as: { ($0, $0 as any Service) }, Drainer.init, .service("pool"))
      let file = FileManager.default.temporaryDirectory.appending(path: "group-\(UUID().uuidString).json")
      defer { try? FileManager.default.removeItem(at: file) }
      func write(size: Int) throws {
        let drainer = scope.map {
          #", "drainer": { "type": "Drainer", "scope": "\#($0)", "inject": { "pool": "pool" } }"#
        }
        try Data(
          #"""
          { "configdi": 1, "module": "m", "services": {
              "pool": { "type": "Pool", "values": { "size": \#(size) } }\#(drainer ?? "") } }
          """#.utf8
        ).write(to: file)
      }
      try write(size: 1)
      let services = try await ReloadingContainer(ModuleSource(file.path), registry: registry)
      if scope == nil { services.current.register((any Service).self) { Drainer(try $0.resolve(Pool.self)) } }
      let log = Log()
      let group = try await services.serviceGroup(logger: Logger(label: "test") { _ in log })
      try await withThrowingTaskGroup { tasks in
        tasks.addTask { try await group.run() }
        while journal.entries.isEmpty { await Task.yield() }
        try write(size: 2)
        try await services.reload()
        #expect(log.lines.first == "reloaded" && log.lines.count == 2)
        // The time that the disposal would take.
        try await Task.sleep(for: .milliseconds(20))
        #expect(journal.entries == ["run"])
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
      }
      #expect(journal.entries == ["run", "drained", "closed"])
    }

    @Test func aGroupThatNeverRunsDoesNotRetainItsContainer() async throws {
      weak var container: ReloadingContainer?
      do {
        let source = ModuleSource(text: #"{ "configdi": 1, "module": "m" }"#)
        let services = try await ReloadingContainer(source, registry: Registry())
        container = services
        _ = try await services.serviceGroup(logger: Logger(label: "test") { _ in Log() })
      }
      #expect(container == nil)
    }

    @Test(.hangLimit) func aSignalReloadsTheContainerOfTheGroup() async throws {
      let journal = Journal()
      let folder = FileManager.default.temporaryDirectory.appending(path: "group-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appending(path: "m.json")
      func write(_ text: String) throws {
        try Data(
          #"""
          { "configdi": 1, "module": "m", "services": {
              "runner": { "type": "Runner" }, "text": { "type": "Text", "values": { "text": \#(text) } } } }
          """#.utf8
        ).write(to: file)
      }
      var registry = Registry()
      registry.add("Runner", as: { ($0, $0 as any Service) }, { Runner("runner", journal) })
      registry.add("Text", { (text: String) in text }, .value("text"))
      try write(#""one""#)
      let services = try await ReloadingContainer(ModuleSource(file.path), registry: registry)
      let log = Log()
      let group = try await services.serviceGroup(
        logger: Logger(label: "test") { _ in log }, reloadSignals: [.sigusr1])
      try await withThrowingTaskGroup { tasks in
        tasks.addTask { try await group.run() }
        while journal.entries.isEmpty { await Task.yield() }
        #expect(try services.resolve(String.self) == "one")
        try write(#""two""#)
        // Before the signal is trapped, it would terminate the process.
        while !log.lines.contains("waiting for a signal to reload") { await Task.yield() }
        kill(getpid(), SIGUSR1)
        while try services.resolve(String.self) != "two" { await Task.yield() }
        try write("2")
        kill(getpid(), SIGUSR1)
        while log.lines.count < 3 { await Task.yield() }
        #expect(try services.resolve(String.self) == "two")
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
      }
      #expect(journal.entries == ["run runner", "end runner", "dispose runner"])
      #expect(log.lines.dropFirst() == ["reloaded", "not reloaded"])
    }

    @Test(.hangLimit) func aReloadThatTheShutdownCancelsIsNoFailure() async throws {
      let journal = Journal()
      let file = FileManager.default.temporaryDirectory.appending(path: "group-\(UUID().uuidString).json")
      defer { try? FileManager.default.removeItem(at: file) }
      func write(_ isSlow: Bool) throws {
        try Data(
          #"""
          { "configdi": 1, "module": "m", "services": {
              "pool": { "type": "Pool", "eager": true, "values": { "isSlow": \#(isSlow) } } } }
          """#.utf8
        ).write(to: file, options: .atomic)
      }
      var registry = Registry()
      registry.add("Pool", .value("isSlow", Bool.self)) { isSlow async throws in
        if isSlow {
          journal.note("building")
          try await Task.sleep(for: .seconds(3600))
        }
        return isSlow
      }
      try write(false)
      let services = try await ReloadingContainer(ModuleSource(file.path), registry: registry)
      let log = Log()
      let group = try await services.serviceGroup(
        logger: Logger(label: "test") { _ in log }, reloadSignals: [.sigusr1])
      try await withThrowingTaskGroup { tasks in
        tasks.addTask { try await group.run() }
        while !log.lines.contains("waiting for a signal to reload") { await Task.yield() }
        try write(true)
        kill(getpid(), SIGUSR1)
        while journal.entries.isEmpty { await Task.yield() }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
      }
      #expect(log.lines == ["waiting for a signal to reload"])
    }

    @Test(.hangLimit) func aReloadThatDoesNotEndDoesNotKeepTheGroupFromEnding() async throws {
      let journal = Journal()
      let (released, release) = AsyncStream.makeStream(of: Void.self)
      let file = FileManager.default.temporaryDirectory.appending(path: "group-\(UUID().uuidString).json")
      defer { try? FileManager.default.removeItem(at: file) }
      func write(_ isHeld: Bool) throws {
        try Data(
          #"""
          { "configdi": 1, "module": "m", "services": {
              "pool": { "type": "Pool", "eager": true, "values": { "isHeld": \#(isHeld) } },
              "cache": { "type": "Cache", "eager": true, "inject": { "pool": "pool" } } } }
          """#.utf8
        ).write(to: file, options: .atomic)
      }
      var registry = Registry()
      registry.add("Pool", { (isHeld: Bool) in HeldPool(until: isHeld ? released : nil) }, .value("isHeld"))
      registry.add("Cache", .service("pool", HeldPool.self)) { pool async throws in
        if pool.released != nil {
          journal.note("building")
          try await Task.sleep(for: .seconds(3600))
        }
        return 1
      }
      try write(false)
      let services = try await ReloadingContainer(ModuleSource(file.path), registry: registry)
      let group = try await services.serviceGroup(
        logger: Logger(label: "test"), watchingEvery: .milliseconds(1),
        maximumGracefulShutdownDuration: .milliseconds(10))
      try await withThrowingTaskGroup { tasks in
        tasks.addTask { try await group.run() }
        try write(true)
        while journal.entries.isEmpty { await Task.yield() }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
      }
      // Only now the reload can dispose of the pool that it has built.
      release.finish()
    }
  }
#endif
