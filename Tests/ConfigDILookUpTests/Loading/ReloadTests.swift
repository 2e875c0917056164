// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

/// A service that records when it is built and when it is disposed of.
private final class Part: AsyncDisposable {
  let name: String
  let dependencies: [any Sendable]
  let journal: Journal

  init(_ name: String, dependencies: [any Sendable] = [], _ journal: Journal) {
    (self.name, self.dependencies, self.journal) = (name, dependencies, journal)
    journal.note("build \(name)")
  }

  func disposeAsync() async {
    await Task.yield()
    journal.note("close \(name)")
  }
}

/// A service whose disposal calls a closure.
private final class Closing: AsyncDisposable {
  let close: @Sendable () async throws -> Void
  init(_ close: @escaping @Sendable () async throws -> Void) { self.close = close }
  func disposeAsync() async throws { try await close() }
}

private protocol Clock: Sendable {}
private struct FixedClock: Clock {}

/// Files in memory that tests can change.
private final class ChangingFiles: FileAccess {
  let workingFolder = "/"
  private let files: Mutex<MemoryFiles>
  /// Called before each file is read.
  let onRead = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ texts: [String: String]) { files = Mutex(MemoryFiles(texts: texts)) }

  subscript(path: String) -> String? {
    get { files.withLock { $0[path] }.map { String(decoding: $0, as: UTF8.self) } }
    set { files.withLock { $0[path] = newValue.map { Array($0.utf8) } } }
  }

  func contents(of path: String, limit: Int) -> Result<[UInt8], FileFailure> {
    onRead.withLock { $0 }?()
    return files.withLock { $0.contents(of: path, limit: limit) }
  }

  func canonicalPath(of path: String) -> String { files.withLock { $0.canonicalPath(of: path) } }
}

/// A flag that tells concurrent tasks to end, and a counter of their rounds.
private final class End: Sendable {
  let hasCome = Atomic(false)
  let rounds = Atomic(0)
}

@Suite struct ReloadTests {
  private let journal = Journal()

  private var registry: Registry {
    var registry = Registry()
    registry.add("Part", { [journal] (name: String) in Part(name, journal) }, .value("name"))
    registry.add(
      "User", { [journal] (name: String, part: Part) in Part(name, dependencies: [part], journal) }, .value("name"),
      .service("part"))
    registry.add(
      "Later",
      { [journal] (name: String, lazy: Lazy<Part>, provider: Provider<Part>) in
        Part(name, dependencies: [lazy, provider], journal)
      }, .value("name"), .service("lazy"), .service("provider"))
    registry.add(
      "Server",
      { [journal] (requests: ScopeOpener, services: ContainerResolver) in
        Part("server", dependencies: [requests, services], journal)
      }, .scope("request"), .resolver())
    registry.add("Around", { (inner: Part) in inner }, .decorated("inner"))
    registry.add(
      "Opening",
      { [journal] (requests: ScopeOpener) in
        Part(try requests.scope { try $0.resolve(Part.self, named: "h").name }, journal)
      }, .scope("request"))
    registry.add("Failing", { () throws -> Part in throw CancellationError() })
    registry.given("Clock", (any Clock).self)
    return registry
  }

  private func module(_ services: String) -> String {
    #"{ "configdi": 1, "module": "m", "scopes": ["request"], "services": { \#(services) } }"#
  }

  private func part(_ id: String, _ name: String, _ more: String = "") -> String {
    #""\#(id)": { "type": "Part", "values": { "name": "\#(name)" } \#(more) }"#
  }

  private func user(_ id: String, of part: String, _ more: String = "") -> String {
    #""\#(id)": { "type": "User", "values": { "name": "\#(id)" }, "inject": { "part": "\#(part)" } \#(more) }"#
  }

  /// Loads a module with some services. Returns its files and its container.
  private func load(
    _ services: String..., given: [any Sendable] = [], registry: Registry? = nil
  ) async throws -> (ChangingFiles, ReloadingContainer) {
    let files = ChangingFiles(["/m.json": module(services.joined(separator: ", "))])
    let source = ModuleSource(
      ModuleRequest(entry: .file("/m.json"), missing: .refused), files: files)
    return (files, try await ReloadingContainer(source, registry: registry ?? self.registry, given: given))
  }

  private func set(_ files: ChangingFiles, _ services: String...) {
    files["/m.json"] = module(services.joined(separator: ", "))
  }

  /// Waits until the journal has an entry. A task disposes of containers that are released after a reload.
  private func wait(for entry: String) async throws {
    while !journal.entries.contains(entry) { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test func `texts that differ only in their Unicode normalization are different values`() async throws {
    let (files, services) = try await load(part("a", "caf\u{E9}"))
    _ = try services.resolve(Part.self)
    set(files, part("a", "cafe\u{301}"))
    #expect(try await services.reload().changed == ["a"])
    #expect(try services.resolve(Part.self).name.unicodeScalars.count == 5)
  }

  @Test func unchangedServicesKeepTheirInstances() async throws {
    let (files, services) = try await load(part("a", "a"), part("b", "b"), user("u", of: "a"), user("v", of: "b"))
    let before = try ["a", "b", "u", "v"].map { try services.resolve(Part.self, named: $0) }
    set(files, part("a", "a"), part("b", "other"), user("u", of: "a"), user("v", of: "b"), part("n", "n"))
    let reload = try await services.reload()
    #expect(reload.kept == ["a", "u"])
    #expect(reload.changed == ["b", "v"])
    #expect(reload.added == ["n"])
    #expect(reload.removed == [])
    #expect(reload.description == #"changed "b", "v"; added "n"; 2 the same"#)
    let after = try ["a", "b", "u", "v"].map { try services.resolve(Part.self, named: $0) }
    #expect(zip(before, after).map { $0 === $1 } == [true, false, true, false])
    #expect(after[3].dependencies.first as? Part === after[1])
    try await wait(for: "close v")
    try await wait(for: "close b")
    #expect(!journal.entries.contains("close a"))
    try await services.shutdown()
    #expect(journal.entries.suffix(4) == ["close v", "close other", "close u", "close a"])
    #expect(journal.entries.count { $0 == "close a" } == 1)
  }

  @Test func `weak and shared services that hold each other pass together, in the order of building`() async throws {
    let count = LongTests.size(200, full: 4_000)
    let links = (1..<count).map { number in
      user("s\(number)", of: "s\(number - 1)", number % 10 == 9 ? "" : #", "scope": "weak""#)
    }
    let (_, services) = try await load(([part("s0", "s0", #", "scope": "weak""#)] + links).joined(separator: ", "))
    let ids = (0..<count).map { "s\($0)" }
    _ = try services.resolve(Part.self, named: ids[count - 1])
    let before = try ids.map { try services.resolve(Part.self, named: $0) }
    for _ in 0..<2 {
      try await services.reload()
      #expect(try zip(ids, before).allSatisfy { try services.resolve(Part.self, named: $0) === $1 })
    }
    #expect(journal.entries.count == count)
    try await services.shutdown()
    let closed = journal.entries.dropFirst(count)
    #expect(Array(closed) == stride(from: count - 1, to: 0, by: -10).map { "close s\($0)" })
  }

  @Test func `a service passes although a weak one that it has released was built anew`() async throws {
    var registry = registry
    registry.add("Passing", { (part: Part) in Int(part.name.count) }, .service("part"))
    registry.add("Box", { [journal] (count: Int) in Part("box \(count)", journal) }, .service("count"))
    let (_, services) = try await load(
      part("w", "w", #", "scope": "weak""#), #""n": { "type": "Passing", "inject": { "part": "w" } }"#,
      #""b": { "type": "Box", "inject": { "count": "n" } }"#, registry: registry)
    let box = try services.resolve(Part.self, named: "b")
    let part = try services.resolve(Part.self, named: "w")
    #expect(journal.entries == ["build w", "build box 1", "build w"])
    try await services.reload()
    #expect(try services.resolve(Part.self, named: "b") === box)
    #expect(try services.resolve(Part.self, named: "w") === part)
    try await services.shutdown()
  }

  @Test func servicesThatHoldAnInstanceFromCodeAreBuiltAgain() async throws {
    let (_, services) = try await load(part("a", "a"), user("u", of: "a"), user("v", of: "u"))
    services.current.register(named: "a") { [journal] in Part("code", journal) }
    let user = try services.resolve(Part.self, named: "v")
    try await services.reload()
    let (u, v) = try (services.resolve(Part.self, named: "u"), services.resolve(Part.self, named: "v"))
    #expect(v !== user)
    #expect(v.dependencies.first as? Part === u)
    #expect(try u.dependencies.first as? Part === services.resolve(Part.self, named: "a"))
    try await services.shutdown()
  }

  /// The ways in which a builder can take an instance that it does not declare to need.
  enum Taking: CaseIterable {
    case byResolver, byResolverAwaiting, byResolverOfATransient, byScope
  }

  @Test(arguments: Taking.allCases)
  func `a service whose builder takes instances by its resolver passes only with all that was built before`(
    _ taking: Taking
  ) async throws {
    var registry = registry
    let taker: @Sendable (Part) -> Part = { [journal] in Part("taker", dependencies: [$0], journal) }
    switch taking {
    case .byResolver:
      registry.add("Taker", { (services: ContainerResolver) in taker(try services.resolve(named: "a")) }, .resolver())
    case .byResolverAwaiting:
      registry.add(
        "Taker", { (services: ContainerResolver) async throws in taker(try await services.resolveAsync(named: "a")) },
        .resolver())
    case .byResolverOfATransient:
      registry.add(
        "Taken", { (services: ContainerResolver) in try services.resolve(Part.self, named: "a") }, .resolver())
      registry.add("Taker", { taker($0) }, .service("part"))
    case .byScope:
      registry.add(
        "Taker", { (requests: ScopeOpener) in taker(try requests.scope { try $0.resolve(Part.self, named: "a") }) },
        .scope("request"))
    }
    let takers =
      taking == .byResolverOfATransient
      ? #""x": { "type": "Taken", "scope": "transient" }, "t": { "type": "Taker", "inject": { "part": "x" } }"#
      : #""t": { "type": "Taker" }"#
    let (files, services) = try await load(
      part("a", "1"), takers, user("u", of: "t"), part("z", "1"), registry: registry)
    let first = try await services.resolveAsync(Part.self, named: "u")
    _ = try services.resolve(Part.self, named: "z")
    try await services.reload()
    #expect(try services.resolve(Part.self, named: "u") === first)
    // An instance that was built later cannot be in it.
    set(files, part("a", "1"), takers, user("u", of: "t"), part("z", "2"))
    try await services.reload()
    #expect(try services.resolve(Part.self, named: "u") === first)
    set(files, part("a", "2"), takers, user("u", of: "t"), part("z", "2"))
    try await services.reload()
    let now = try await services.resolveAsync(Part.self, named: "u")
    let taken = try #require((now.dependencies.first as? Part)?.dependencies.first as? Part)
    #expect(taken.name == "2")
    #expect(try taken === services.resolve(Part.self, named: "a"))
    try await services.shutdown()
  }

  @Test(arguments: ["weak", "graph"])
  func `parts of a weak or graph service that its builder took by a resolver are noticed`(_ scope: String) async throws
  {
    var registry = registry
    registry.add(
      "Taker",
      { [journal] (services: ContainerResolver) in
        Part("taker", dependencies: [try services.resolve(Part.self, named: "a")], journal)
      }, .resolver())
    registry.add("Both", { (first: Part, second: Part) in [first, second] }, .service("first"), .service("second"))
    let services = { (name: String) in
      [
        self.part("a", name), #""t": { "type": "Taker", "scope": "\#(scope)" }"#, self.user("u", of: "t"),
        self.user("v", of: "t"), #""b": { "type": "Both", "inject": { "first": "u", "second": "v" } }"#,
      ].joined(separator: ", ")
    }
    let (files, reloaded) = try await load(services("1"), registry: registry)
    let before = try reloaded.resolve([Part].self, named: "b")
    for _ in 0..<2 {
      try await reloaded.reload()
      #expect(try zip(reloaded.resolve([Part].self, named: "b"), before).allSatisfy { $0 === $1 })
    }
    set(files, services("2"))
    try await reloaded.reload()
    let a = try reloaded.resolve(Part.self, named: "a")
    for user in try reloaded.resolve([Part].self, named: "b") {
      #expect((user.dependencies.first as? Part)?.dependencies.first as? Part === a)
    }
    try await reloaded.shutdown()
  }

  @Test(arguments: [false, true])
  func `an instance from code that a builder took by a Lazy or Provider is noticed`(isLazy: Bool) async throws {
    var registry = registry
    registry.add(
      "Taker",
      { [journal] (lazy: Lazy<Part>, provider: Provider<Part>) in
        Part("taker", dependencies: [isLazy ? try lazy.get() : try provider.get()], journal)
      }, .service("lazy"), .service("provider"))
    let taker = #""t": { "type": "Taker", "inject": { "lazy": "a", "provider": "a" } }"#
    let (_, services) = try await load(part("a", "a"), taker, registry: registry)
    services.current.register(named: "a") { [journal] in Part("code", journal) }
    let before = try services.resolve(Part.self, named: "t")
    try await services.reload()
    let now = try services.resolve(Part.self, named: "t")
    #expect(now !== before)
    #expect(try now.dependencies.first as? Part === services.resolve(Part.self, named: "a"))
    try await services.shutdown()
  }

  @Test func `an instance that a builder took by another service is noticed`() async throws {
    final class Finder: Sendable {
      let services: ContainerResolver
      init(_ services: ContainerResolver) { self.services = services }
    }
    var registry = registry
    registry.add("Finder", Finder.init, .resolver())
    registry.add(
      "Taker",
      { [journal] (finder: Finder) in
        Part("taker", dependencies: [try finder.services.resolve(Part.self, named: "a")], journal)
      }, .service("finder"))
    let taker = #""f": { "type": "Finder" }, "t": { "type": "Taker", "inject": { "finder": "f" } }"#
    let (files, services) = try await load(part("a", "1"), taker, registry: registry)
    let finder = try services.resolve(Finder.self)
    _ = try services.resolve(Part.self, named: "t")
    set(files, part("a", "2"), taker)
    try await services.reload()
    #expect(try services.resolve(Finder.self) === finder)
    let taken = try services.resolve(Part.self, named: "t").dependencies.first as? Part
    #expect(try taken === services.resolve(Part.self, named: "a"))
    try await services.shutdown()
  }

  @Test func `a given instance with decorators and a released weak one do not count as missing`() async throws {
    var registry = registry
    registry.add("AroundClock", { (inner: any Clock) in inner }, .decorated("inner"))
    registry.add(
      "Taker",
      { [journal] (services: ContainerResolver) in
        Part("taker", dependencies: [try services.resolve(Part.self, named: "a")], journal)
      }, .resolver())
    let (_, services) = try await load(
      part("a", "a"), part("w", "w", #", "scope": "weak""#), #""t": { "type": "Taker" }"#,
      #""c": { "type": "Clock", "decorate": [{ "type": "AroundClock" }] }"#, given: [FixedClock()], registry: registry)
    _ = try services.resolve((any Clock).self)
    _ = try services.resolve(Part.self, named: "w")
    let taker = try services.resolve(Part.self, named: "t")
    try await services.reload()
    #expect(try services.resolve(Part.self, named: "t") === taker)
    try await services.shutdown()
  }

  @Test func `a Lazy of a kept service has no instance that a reload has disposed of`() async throws {
    /// Each use of `lazies` returns what another kind of `Lazy` has.
    final class Holder: Sendable {
      let lazies: [@Sendable () async throws -> [Part]]
      init(_ lazies: [@Sendable () async throws -> [Part]]) { self.lazies = lazies }
    }
    var registry = registry
    registry.add("Numbered", { [journal] (number: Int) in Part("\(number)", journal) }, .runtime("number"))
    registry.add(
      "Holder",
      { (one: Lazy<Part>, all: Lazy<[Part]>, numbered: Provider<Part>) in
        let bound = numbered.lazy(arguments: 7)
        return Holder([
          { [try one.get()] }, { [try await one.getAsync()] }, { try all.get() }, { [try bound.get()] },
        ])
      }, .service("one"), .service("all"), .service("numbered"))
    let holder = #"""
      "h": { "type": "Holder", "inject": { "one": "u", "all": ["u", "k"], "numbered": "n" } }, "n": { "type": "Numbered" }
      """#
    let (_, services) = try await load(part("a", "a"), part("k", "k"), user("u", of: "a"), holder, registry: registry)
    // A reload does not keep what holds an instance of code.
    services.current.register(named: "a") { [journal] in Part("code", journal) }
    let object = try services.resolve(Holder.self)
    var before: [[Part]] = []
    for lazy in object.lazies { before.append(try await lazy()) }
    try await services.reload()
    #expect(try services.resolve(Holder.self) === object)
    let (u, k) = try (services.resolve(Part.self, named: "u"), services.resolve(Part.self, named: "k"))
    #expect(u !== before[0][0] && k === before[2][1])
    for (place, lazy) in object.lazies.enumerated() {
      let expected = place == 2 ? [u, k] : place == 3 ? [try services.current.resolve(arguments: 7)] : [u]
      #expect(try await zip(lazy(), expected).allSatisfy { $0 === $1 })
    }
    try await services.shutdown()
  }

  @Test func deferredLookUpsOfAKeptServiceUseTheNewContainer() async throws {
    let later =
      #""l": { "type": "Later", "values": { "name": "l" }, "inject": { "lazy": "k", "provider": "g" }, "scope": "transient" }"#
    let (_, services) = try await load(part("k", "k"), part("g", "g"), later, user("u", of: "l"))
    // Retains the old container, as a request in progress does.
    let old = services.current
    let user = try services.resolve(Part.self, named: "u")
    try await services.reload()
    #expect(try services.resolve(Part.self, named: "u") === user)
    let provider = try #require((user.dependencies.first as? Part)?.dependencies[1] as? Provider<Part>)
    #expect(try provider.get() === services.resolve(Part.self, named: "g"))
    withExtendedLifetime(old) {}
    try await services.shutdown()
  }

  @Test func aServerOfAnEndedContainerLooksUpInTheNewestOne() async throws {
    let server = #""s": { "type": "Server" }"#
    let (files, services) = try await load(server, part("g", "1"))
    let resolver = try #require(services.resolve(Part.self, named: "s").dependencies[1] as? ContainerResolver)
    // Retains the first container, as a request in progress does. The second is released when the third replaces it.
    let first = services.current
    set(files, server, part("g", "2"))
    try await services.reload()
    #expect(try resolver.resolve(Part.self, named: "g").name == "2")
    set(files, #""s": { "type": "Server", "decorate": [{ "type": "Around" }] }"#, part("g", "3"))
    try await services.reload()
    while try resolver.resolve(Part.self, named: "g").name == "2" { try await Task.sleep(for: .milliseconds(1)) }
    #expect(try resolver.resolve(Part.self, named: "g").name == "3")
    withExtendedLifetime(first) {}
    try await services.shutdown()
  }

  @Test func anInvalidModuleChangesNothing() async throws {
    let (files, services) = try await load(part("a", "a"), user("u", of: "a"))
    let before = try services.resolve(Part.self, named: "u")
    set(files, user("u", of: "missing"))
    let error = await #expect(throws: LoadError.self) { try await services.reload() }
    #expect(error?.diagnostics.map(\.code) == [.unknownService])
    #expect(try services.resolve(Part.self, named: "u") === before)
    // A container that fails to start does not replace the current one, and disposes of none of its instances.
    set(
      files, part("a", "a"), user("u", of: "a"), part("e", "e", #", "eager": true"#),
      #""f": { "type": "Failing", "eager": true }"#)
    await #expect(throws: ResolutionError.self) { try await services.reload() }
    #expect(try services.resolve(Part.self, named: "u") === before)
    try await wait(for: "close e")
    #expect(!journal.entries.contains("close u"))
    // The original module keeps all instances.
    set(files, part("a", "a"), user("u", of: "a"))
    #expect(try await services.reload().kept == ["a", "u"])
    #expect(try services.resolve(Part.self, named: "u") === before)
    try await services.shutdown()
    #expect(journal.entries.suffix(2) == ["close u", "close a"])
  }

  @Test(.hangLimit) func aShutdownEndsReloads() async throws {
    let expected = ["build a", "close a"]
    let entries = try await withIncreasingLimit(from: .seconds(1), until: expected) { limit in
      try await ReloadTests().shutdownDuringReloads(within: limit)
    }
    #expect(entries == expected)
    _ = try await shutdownDuringReloads(within: nil)
  }

  /// Shuts a container down while a reload is running and another one waits for it.
  ///
  /// - Parameter limit: The time for the shutdown. With a limit, the running reload ignores its cancellation.
  /// - Returns: The entries of the journal at the end of the shutdown; empty if the limit was too short.
  private func shutdownDuringReloads(within limit: Duration?) async throws -> [String] {
    let (building, done) = (End(), End())
    var registry = registry
    registry.add("Slow") { [journal] () async throws in
      building.hasCome.store(true, ordering: .relaxed)
      while !done.hasCome.load(ordering: .relaxed), limit != nil || !Task.isCancelled { await Task.yield() }
      return Part("slow", journal)
    }
    let files = ChangingFiles(["/m.json": module(part("a", "a"))])
    let source = ModuleSource(ModuleRequest(entry: .file("/m.json"), missing: .refused), files: files)
    let services = try await ReloadingContainer(source, registry: registry)
    _ = try services.resolve(Part.self)
    set(files, part("a", "b"), #""slow": { "type": "Slow", "eager": true }"#)
    let reload = Task { try await services.reload() }
    while !building.hasCome.load(ordering: .relaxed) { await Task.yield() }
    let next = Task { try await services.reload() }
    let isInTime: Bool
    do throws(ShutdownError) {
      try await services.shutdown(within: limit)
      isInTime = true
    } catch {
      #expect(limit != nil, "\(error)")
      isInTime = false
    }
    let entries = journal.entries
    done.hasCome.store(true, ordering: .relaxed)
    for task in [reload, next] {
      let error = await #expect(throws: ResolutionError.self) { try await task.value }
      #expect(error?.code == .closed)
    }
    if isInTime { try await wait(for: "close a") }
    #expect(!journal.entries.contains("build b"))
    return isInTime ? entries : []
  }

  @Test(.hangLimit) func `a hanging disposal of an old container leaves time for the current one`() async throws {
    let expected = ["close 2"]
    let found = try await withIncreasingLimit(from: .milliseconds(20), until: expected) { limit in
      let journal = Journal()
      let (begun, finish) = (Gate(), Gate())
      defer { finish.open() }
      var registry = Registry()
      registry.add(
        "Closing",
        { (number: Int) in
          Closing {
            begun.open()
            if number == 1 { await finish.waitAsync() }
            journal.note("close \(number)")
          }
        }, .value("number"))
      let closing = { (number: Int) in
        #""c": { "type": "Closing", "values": { "number": \#(number) }, "eager": true }"#
      }
      let (files, services) = try await load(closing(1), registry: registry)
      set(files, closing(2))
      try await services.reload()
      await begun.waitAsync()
      do throws(ShutdownError) { try await services.shutdown(within: limit) } catch {
        return error.failures.map { "\($0.id): \($0.reason)" }
      }
      return journal.entries
    }
    #expect(found == expected)
  }

  @Test(.hangLimit) func `a builder that a reload waits for cannot reload, but its task can reload later`() async throws
  {
    let services = WeakReference<ReloadingContainer>()
    let (ended, task) = (Gate(), Locked<Task<Reload?, any Error>?>(nil))
    var registry = registry
    registry.add("Reloading") { [journal] () async throws in
      try await services.object?.reload()
      return Part("reloading", journal)
    }
    registry.add("Starting") { [journal] () async in
      task.withLock {
        $0 = Task {
          await ended.waitAsync()
          return try await services.object?.reload()
        }
      }
      return Part("starting", journal)
    }
    let (files, container) = try await load(part("a", "a"), registry: registry)
    services.object = container
    set(files, part("a", "a"), #""r": { "type": "Reloading", "eager": true }"#)
    let error = await #expect(throws: ResolutionError.self) { try await container.reload() }
    #expect(error?.code == .cycle)
    #expect(error?.chain == ["r"])
    set(files, part("a", "a"), #""s": { "type": "Starting", "eager": true }"#)
    #expect(try await container.reload().added == ["s"])
    ended.open()
    #expect(try await task.withLock { $0 }?.value?.kept == ["a", "s"])
    try await container.shutdown()
  }

  @Test(.hangLimit) func `a dispose action of a failed reload may shut the container down`() async throws {
    let services = WeakReference<ReloadingContainer>()
    var registry = registry
    registry.add("Closing") { Closing { try await services.object?.shutdown() } }
    let (files, container) = try await load(part("a", "a"), registry: registry)
    services.object = container
    _ = try container.resolve(Part.self)
    set(
      files, part("a", "b"), #""c": { "type": "Closing", "eager": true }"#,
      #""f": { "type": "Failing", "eager": true }"#)
    let error = await #expect(throws: ResolutionError.self) { try await container.reload() }
    #expect(error?.code == .closed)
    #expect(journal.entries == ["build a", "close a"])
    #expect(throws: ResolutionError.self) { try container.resolve(Part.self) }
  }

  @Test func aKeptInstanceHoldsTheSameWeakInstanceAsNewOnes() async throws {
    let services = [part("a", "a"), user("w", of: "a", #", "scope": "weak""#), user("u", of: "w"), user("v", of: "u")]
    let rest = services.joined(separator: ", ")
    let (files, container) = try await load(rest)
    let user = try container.resolve(Part.self, named: "v")
    set(files, rest, part("n", "n"))
    try await container.reload()
    #expect(try container.resolve(Part.self, named: "v") === user)
    let (u, w) = try (container.resolve(Part.self, named: "u"), container.resolve(Part.self, named: "w"))
    #expect(user.dependencies.first as? Part === u)
    #expect(u.dependencies.first as? Part === w)
    try await container.shutdown()
  }

  @Test(.hangLimit) func servicesThatHoldAnotherWeakInstanceAreBuiltAgain() async throws {
    let (begun, finish) = (Gate(), Gate())
    var registry = registry
    registry.add(
      "Slow",
      { [journal] (part: Part) async in
        begun.open()
        await finish.waitAsync()
        return Part("slow", dependencies: [part], journal)
      }, .service("part"))
    let rest = [part("w", "w", #", "scope": "weak""#), user("u", of: "w")].joined(separator: ", ")
    let (files, container) = try await load(rest, registry: registry)
    set(files, rest, #""s": { "type": "Slow", "inject": { "part": "w" }, "eager": true }"#)
    let reload = Task { try await container.reload() }
    await begun.waitAsync()
    // The old container builds a weak instance of its own while the new one is starting.
    let old = try container.resolve(Part.self, named: "u")
    finish.open()
    _ = try await reload.value
    let (user, slow) = try (container.resolve(Part.self, named: "u"), container.resolve(Part.self, named: "s"))
    #expect(user !== old)
    #expect(user.dependencies.first as? Part === slow.dependencies.first as? Part)
    try await container.shutdown()
  }

  @Test func anOpenScopeKeepsTheOldServices() async throws {
    let handler = user("h", of: "a", #", "scope": "request""#)
    let (files, services) = try await load(part("a", "old"), handler, part("k", "k"))
    var scope: Scope? = try services.current.openScope("request")
    let old = try scope?.resolve(Part.self, named: "a")
    set(files, part("a", "new"), handler, part("k", "k"))
    try await services.reload()
    let kept = try services.resolve(Part.self, named: "k")
    #expect(try scope?.resolve(Part.self, named: "h").dependencies.first as? Part === old)
    #expect(try scope?.resolve(Part.self, named: "a").name == "old")
    #expect(
      try await services.current.scope("request") { try $0.resolve(Part.self, named: "h").dependencies.first as? Part }?
        .name
        == "new")
    // `k` was first built in the new container, so the old container builds an instance of its own.
    #expect(try scope?.resolve(Part.self, named: "k") !== kept)
    #expect(!journal.entries.contains("close old"))
    scope = nil
    try await wait(for: "close old")
    #expect(!journal.entries.contains("close new"))
    try await services.shutdown()
  }

  @Test func anInstanceIsDisposedOfWithTheLastContainerThatHoldsIt() async throws {
    let (files, services) = try await load(part("a", "a"))
    var first: Container? = services.current
    _ = try first?.resolve(Part.self)
    set(files, part("a", "a"), part("b", "b"))
    try await services.reload()
    #expect(try services.resolve(Part.self, named: "a") === first?.resolve(Part.self))
    // The third container does not have the instance, and the second is released. The first still retains it.
    set(files, part("a", "other"))
    try await services.reload()
    try await Task.sleep(for: .milliseconds(20))
    #expect(!journal.entries.contains("close a"))
    first = nil
    try await wait(for: "close a")
    #expect(journal.entries.count { $0 == "close a" } == 1)
    try await services.shutdown()
  }

  @Test func resettingAContainerDisposesOnlyOfItsOwnInstances() async throws {
    let (files, services) = try await load(part("a", "a"))
    let old = services.current
    let instance = try old.resolve(Part.self)
    set(files, part("a", "a"), part("b", "b"))
    try await services.reload()
    services.current.reset()
    #expect(try old.resolve(Part.self) === instance)
    #expect(try services.resolve(Part.self, named: "a") !== instance)
    try await services.shutdown()
    #expect(journal.entries.count { $0 == "close a" } == 2)
  }

  @Test func deferredLookUpsUseTheNewContainer() async throws {
    let later = #""l": { "type": "Later", "values": { "name": "l" }, "inject": { "lazy": "k", "provider": "t" } }"#
    let (files, services) = try await load(part("k", "k"), part("t", "t", #", "scope": "transient""#), later)
    let holder = try services.resolve(Part.self, named: "l")
    let old = services.current
    set(files, later, part("k", "k"), part("t", "t", #", "scope": "transient""#), part("x", "x"))
    #expect(try await services.reload().kept == ["k", "l", "t"])
    old.dispose()
    #expect(try services.resolve(Part.self, named: "l") === holder)
    let lazy = try #require(holder.dependencies[0] as? Lazy<Part>)
    let provider = try #require(holder.dependencies[1] as? Provider<Part>)
    #expect(try lazy.get() === services.resolve(Part.self, named: "k"))
    #expect(try provider.get().name == "t")
    #expect(try await provider.getAsync().name == "t")
    try await services.shutdown()
    #expect(throws: ResolutionError.self) { try provider.get() }
  }

  /// A deferred list or map that a kept instance holds looks its services up in the new container.
  @Test func deferredListsAndMapsAreLookedUpInTheNewContainer() async throws {
    var registry = registry
    registry.add("Lists", .service("lazy"), .service("provider")) {
      [journal] (lazy: Lazy<[Part]>, provider: Provider<[String: Part]>) in
      Part("lists", dependencies: [lazy, provider], journal)
    }
    let lists =
      #""l": { "type": "Lists", "inject": { "lazy": ["k", "t"], "provider": { "map": { "x": "t", "y": "k" } } } }"#
    let transient = part("t", "t", #", "scope": "transient""#)
    let (files, services) = try await load(part("k", "k"), transient, lists, registry: registry)
    let holder = try services.resolve(Part.self, named: "l")
    let old = services.current
    set(files, lists, part("x", "x"), part("k", "k"), transient)
    #expect(try await services.reload().kept == ["k", "l", "t"])
    old.dispose()
    #expect(try services.resolve(Part.self, named: "l") === holder)
    let lazy = try #require(holder.dependencies[0] as? Lazy<[Part]>)
    let provider = try #require(holder.dependencies[1] as? Provider<[String: Part]>)
    let kept = try services.resolve(Part.self, named: "k")
    #expect(try lazy.get().map(\.name) == ["k", "t"])
    #expect(try lazy.get().first === kept)
    #expect(try provider.get().mapValues(\.name) == ["x": "t", "y": "k"])
    #expect(try await provider.getAsync()["y"] === kept)
    try await services.shutdown()
    #expect(throws: ResolutionError.self) { try provider.get() }
  }

  /// A deferred optional that the file omits is still absent in the new container.
  @Test func deferredAbsentOptionalsAreAbsentInTheNewContainer() async throws {
    var registry = registry
    registry.add("Optionals", .service("one"), .service("list")) {
      [journal] (one: Provider<Part?>, list: Provider<[Part]?>) in Part("o", dependencies: [one, list], journal)
    }
    let optionals = #""o": { "type": "Optionals" }"#
    let (files, services) = try await load(optionals, part("p", "old"), registry: registry)
    let holder = try services.resolve(Part.self, named: "o")
    set(files, optionals, part("p", "new"))
    #expect(try await services.reload().kept == ["o"])
    #expect(try services.resolve(Part.self, named: "o") === holder)
    let one = try #require(holder.dependencies[0] as? Provider<Part?>)
    let list = try #require(holder.dependencies[1] as? Provider<[Part]?>)
    #expect(try one.get() === nil)
    #expect(try list.get()?.count == nil)
    try await services.shutdown()
  }

  @Test func aKeptServerOpensScopesOfTheNewContainer() async throws {
    let server = #""s": { "type": "Server" }"#
    let scoped = #", "scope": "request""#
    let (files, services) = try await load(server, part("h", "old", scoped))
    let instance = try services.resolve(Part.self, named: "s")
    let requests = try #require(instance.dependencies[0] as? ScopeOpener)
    let resolver = try #require(instance.dependencies[1] as? ContainerResolver)
    // The open scope retains the old container.
    let open = try requests.openScope()
    set(files, server, part("h", "new", scoped))
    #expect(try await services.reload().kept == ["s"])
    #expect(try services.resolve(Part.self, named: "s") === instance)
    #expect(try await requests.scope { try $0.resolve(Part.self, named: "h").name } == "new")
    #expect(try open.resolve(Part.self, named: "h").name == "old")
    #expect(try resolver.resolve(Part.self, named: "s") === instance)
    #expect(try await requests.scope { $0.container === services.current })
    try await services.shutdown()
    #expect(throws: ResolutionError.self) { try requests.openScope() }
  }

  @Test func aReplacedServerOpensScopesOfTheNewContainer() async throws {
    let decorated = #""s": { "type": "Server", "decorate": [{ "type": "Around" }] }"#
    let scoped = #", "scope": "request""#
    let (files, services) = try await load(#""s": { "type": "Server" }"#, part("h", "old", scoped))
    let requests = try #require(services.resolve(Part.self, named: "s").dependencies[0] as? ScopeOpener)
    // The old server goes on running. Its open scope retains the old container.
    let open = try requests.openScope()
    set(files, decorated, part("h", "new", scoped))
    #expect(try await services.reload().changed == ["h", "s"])
    #expect(try await requests.scope { try $0.resolve(Part.self, named: "h").name } == "new")
    #expect(try open.resolve(Part.self, named: "h").name == "old")
    open.close()
    try await services.shutdown()
  }

  @Test func aServerBuiltByAReloadOpensScopesOfItsOwnContainer() async throws {
    let scoped = #", "scope": "request""#
    let (files, services) = try await load(part("h", "old", scoped))
    // The builder opens a scope before the new container replaces the old one.
    set(files, #""s": { "type": "Opening", "eager": true }"#, part("h", "new", scoped))
    try await services.reload()
    #expect(try services.resolve(Part.self, named: "s").name == "new")
    try await services.shutdown()
  }

  @Test func aProviderFindsServicesInScopesOfTheOldAndTheNewContainer() async throws {
    let later = #""l": { "type": "Later", "values": { "name": "l" }, "inject": { "lazy": "k", "provider": "h" } }"#
    let scoped = #", "scope": "request""#
    let (files, services) = try await load(part("k", "k"), part("h", "h", scoped), later)
    let provider = try #require(services.resolve(Part.self, named: "l").dependencies[1] as? Provider<Part>)
    let open = try services.current.openScope("request")
    set(files, part("k", "k"), part("h", "h", scoped), later, part("x", "x"))
    try await services.reload()
    #expect(try provider.get(in: open) === open.resolve(Part.self, named: "h"))
    let next = try services.current.openScope("request")
    #expect(try provider.get(in: next) === next.resolve(Part.self, named: "h"))
    try await services.shutdown()
  }

  /// Instances that the application gives.
  private struct First: Sendable { let number = 1 }
  private struct Second: Sendable { let text = "second" }

  /// Returns the registry with two types of given instances, which record when they are disposed of.
  private var givingRegistry: Registry {
    var registry = registry
    registry.given("First", First.self, onDispose: { [journal] _ in journal.note("first") })
    registry.given("Second", Second.self, onDispose: { [journal] _ in journal.note("second") })
    return registry
  }

  @Test func `given instances follow their types when ids are swapped`() async throws {
    let (files, services) = try await load(
      #""x": { "type": "First" }"#, #""y": { "type": "Second" }"#, given: [First(), Second()], registry: givingRegistry)
    set(files, #""x": { "type": "Second" }"#, #""y": { "type": "First" }"#)
    try await services.reload()
    #expect(try services.resolve(Second.self).text == "second")
    #expect(try services.resolve(First.self, named: "y").number == 1)
    #expect(journal.entries == [])
    try await services.shutdown()
    #expect(journal.entries.sorted() == ["first", "second"])
  }

  @Test(arguments: [false, true])
  func `a given instance whose service changes its id is disposed of once, at the end`(fails: Bool) async throws {
    let (files, services) = try await load(#""x": { "type": "First" }"#, given: [First()], registry: givingRegistry)
    let old = WeakReference(services.current)
    set(files, #""y": { "type": "First" }"#, fails ? #""f": { "type": "Failing", "eager": true }"# : part("p", "p"))
    if fails {
      await #expect(throws: ResolutionError.self) { try await services.reload() }
    } else {
      try await services.reload()
      while old.object != nil { try await Task.sleep(for: .milliseconds(1)) }
    }
    // Tasks of lower priority may dispose of the container that is not used any more.
    for _ in 0..<100 { await Task.yield() }
    #expect(journal.entries == [])
    #expect(try services.resolve(First.self, named: fails ? "x" : "y").number == 1)
    try await services.shutdown()
    #expect(journal.entries == ["first"])
  }

  @Test(arguments: [false, true])
  func `a given instance is disposed of once if a reload runs beside a disposal`(isStarting: Bool) async throws {
    let services = WeakReference<ReloadingContainer>()
    var registry = givingRegistry
    registry.add("Ending", .service("first")) { (_: First) in
      services.object?.current.dispose()
      return Second()
    }
    let first = #""x": { "type": "First" }"#
    let (files, container) = try await load(first, given: [First()], registry: registry)
    services.object = container
    if isStarting {
      set(files, first, #""e": { "type": "Ending", "inject": { "first": "x" }, "eager": true }"#)
    } else {
      files.onRead.withLock { $0 = { services.object?.current.dispose() } }
    }
    let error = await #expect(throws: ResolutionError.self) { try await container.reload() }
    #expect(error?.code == .closed)
    try await container.shutdown()
    for _ in 0..<100 { await Task.yield() }
    #expect(journal.entries == ["first"])
  }

  #if DEBUG
    @Test(.hangLimit)
    func `an instance that no container takes over is closed with await, and its failure is reported`() async throws {
      let (begun, finish) = (Gate(), Gate())
      let passed = AtomicCounter()
      let services = WeakReference<ReloadingContainer>()
      var registry = registry
      registry.add(
        "Slow",
        { (part: Part, _: Closing) async in
          begun.open()
          await finish.waitAsync()
          return Int(part.name.count)
        }, .service("part"), .service("closing"))
      registry.add("Closing") { [journal] in
        Closing {
          await Task.yield()
          journal.note("close c")
          throw CancellationError()
        }
      }
      let rest = [part("a", "a"), user("u", of: "a"), #""c": { "type": "Closing" }"#].joined(separator: ", ")
      let files = ChangingFiles(["/m.json": module(rest)])
      let source = ModuleSource(ModuleRequest(entry: .file("/m.json"), missing: .refused), files: files)
      let container = try await ReloadingContainer(source, registry: registry) { [journal] in
        for failure in $0.failures { journal.note("failed \(failure.id)") }
      }
      services.object = container
      set(files, rest, #""s": { "type": "Slow", "inject": { "part": "u", "closing": "c" }, "eager": true }"#)
      let reload = PausePoint.$hook.withValue({ point in
        guard point == .passing, passed.next() == 2 else { return }
        services.object?.current.dispose()
      }) { Task { try await container.reload() } }
      await begun.waitAsync()
      // The old container builds instances of its own while the new one is starting, and is disposed of before the new
      // one could take them over.
      _ = try container.resolve(Part.self, named: "u")
      _ = try container.resolve(Closing.self)
      finish.open()
      let error = await #expect(throws: ResolutionError.self) { try await reload.value }
      #expect(error?.code == .closed)
      try await container.shutdown()
      let closed = journal.entries.filter { !$0.hasPrefix("build") }
      let expected = ["close a", "close c", "close u", "failed c"]
      #expect(closed.sorted() == expected.flatMap { [$0, $0] })
    }
  #endif

  @Test(.hangLimit, arguments: [false, true])
  func `a disposal beside a reload that fails may reload or shut down`(reloads: Bool) async throws {
    let (begun, finish) = (Gate(), Gate())
    let services = WeakReference<ReloadingContainer>()
    var registry = registry
    registry.add("Slow") { () async throws -> Int in
      begun.open()
      await finish.waitAsync()
      throw CancellationError()
    }
    registry.add(
      "Closing",
      { [journal] (_: Int, _: Part) in
        Closing {
          finish.open()
          // The new container, which fails to start, has to dispose of the part after this instance.
          for _ in 0..<50 { await Task.yield() }
          if reloads { _ = try? await services.object?.reload() } else { try? await services.object?.shutdown() }
          journal.note("close c")
        }
      }, .value("number"), .service("part"))
    let closing = { (number: Int) in
      #""c": { "type": "Closing", "values": { "number": \#(number) }, "inject": { "part": "a" } }"#
    }
    let (files, container) = try await load(part("a", "a"), closing(1), registry: registry)
    services.object = container
    _ = try container.resolve(Closing.self)
    set(files, part("a", "a"), closing(2), #""s": { "type": "Slow", "eager": true }"#)
    let reload = Task(priority: .high) { try await container.reload() }
    await begun.waitAsync()
    try await container.current.shutdown()
    await #expect(throws: ResolutionError.self) { try await reload.value }
    try await container.shutdown()
    try await wait(for: "close a")
    #expect(journal.entries == ["build a", "close c", "close a"])
  }

  @Test(.hangLimit)
  func `a disposal of an earlier container may reload beside a reload that fails after a reset`() async throws {
    let (closing, reset, building, fail) = (Gate(), Gate(), Gate(), Gate())
    let services = WeakReference<ReloadingContainer>()
    var registry = registry
    registry.add("Slow") { () async throws -> Int in
      building.open()
      await fail.waitAsync()
      throw CancellationError()
    }
    registry.add(
      "Closing",
      { [journal] (_: Int, _: Part) in
        Closing {
          closing.open()
          await reset.waitAsync()
          do { try await services.object?.reload() } catch {
            journal.note("\((error as? ResolutionError)?.code, default: "")")
          }
          journal.note("close c")
        }
      }, .value("number"), .service("part"))
    let closingPart = { (number: Int) in
      #""c": { "type": "Closing", "values": { "number": \#(number) }, "inject": { "part": "a" } }"#
    }
    let (files, container) = try await load(part("a", "a"), closingPart(1), registry: registry)
    services.object = container
    _ = try container.resolve(Closing.self)
    set(files, part("a", "a"), closingPart(2))
    try await container.reload()
    await closing.waitAsync()
    set(files, part("a", "a"), closingPart(2), #""s": { "type": "Slow", "eager": true }"#)
    let reload = Task(priority: .high) { try await container.reload() }
    await building.waitAsync()
    // Now only the new container, which will fail, has the part. It disposes of it after the instance of the first one.
    container.current.reset()
    reset.open()
    for _ in 0..<50 { await Task.yield() }
    fail.open()
    await #expect(throws: ResolutionError.self) { try await reload.value }
    #expect(journal.entries == ["build a", "cycle", "close c", "close a"])
    try await container.shutdown()
  }

  @Test(.hangLimit) func `a task that a disposal has started may reload after it, beside another reload`() async throws
  {
    let (start, begun, finish) = (Gate(), Gate(), Gate())
    let services = WeakReference<ReloadingContainer>()
    let later = Locked<Task<Void, any Error>?>(nil)
    var registry = registry
    registry.add("Closing") {
      Closing {
        let task = Task {
          await start.waitAsync()
          _ = try await services.object?.reload()
        }
        later.withLock { $0 = task }
      }
    }
    registry.add("Slow") { () async -> Int in
      begun.open()
      await finish.waitAsync()
      return 1
    }
    let (files, container) = try await load(#""c": { "type": "Closing" }"#, registry: registry)
    services.object = container
    _ = try container.resolve(Closing.self)
    let store = container.current.state.store
    set(files, part("a", "a"))
    try await container.reload()
    while store.phase != .closed { await Task.yield() }
    set(files, #""s": { "type": "Slow", "eager": true }"#)
    let reload = Task { try await container.reload() }
    await begun.waitAsync()
    start.open()
    for _ in 0..<50 { await Task.yield() }
    finish.open()
    _ = try await reload.value
    try await later.withLock { $0 }?.value
  }

  @Test(.hangLimit) func `a shutdown in a disposal of another container waits for a running reload`() async throws {
    let (begun, finish) = (Gate(), Gate())
    var registry = registry
    registry.add("Closing") { [journal] in
      Closing {
        await finish.waitAsync()
        journal.note("close c")
      }
    }
    registry.add(
      "Slow",
      { (_: Closing) async throws -> Int in
        begun.open()
        try await Task.sleep(for: .seconds(1 << 30))
        return 1
      }, .service("closing"))
    let (files, services) = try await load(part("a", "a"), registry: registry)
    set(
      files, part("a", "a"), #""c": { "type": "Closing" }"#,
      #""s": { "type": "Slow", "inject": { "closing": "c" }, "eager": true }"#)
    let reload = Task(priority: .high) { try await services.reload() }
    await begun.waitAsync()
    let other = Container()
    other.register { [journal] in
      Closing {
        // Cancels the reload, which disposes of the instance that it has built.
        try await services.shutdown()
        journal.note("shut down")
      }
    }
    _ = try other.resolve(Closing.self)
    let end = Task(priority: .high) { try await other.shutdown() }
    for _ in 0..<50 { await Task.yield() }
    finish.open()
    try await end.value
    #expect(journal.entries == ["close c", "shut down"])
    await #expect(throws: ResolutionError.self) { try await reload.value }
  }

  @Test(.hangLimit, arguments: [false, true])
  func `a shared instance is disposed of after those of an earlier container that hold it`(isAwaited: Bool) async throws
  {
    let (begun, finish) = (Gate(), Gate())
    var registry = registry
    registry.add(
      "Closing",
      { [journal] (_: Int, _: Part) in
        Closing {
          begun.open()
          await finish.waitAsync()
          journal.note("close c")
        }
      }, .value("number"), .service("part"))
    let closing = { (number: Int) in
      #""c": { "type": "Closing", "values": { "number": \#(number) }, "inject": { "part": "a" } }"#
    }
    let (files, services) = try await load(part("a", "a"), closing(1), registry: registry)
    _ = try services.resolve(Closing.self)
    set(files, part("a", "a"), closing(2))
    try await services.reload()
    await begun.waitAsync()
    let current = services.current
    let end = Task(priority: .high) { isAwaited ? try await current.shutdown() : current.dispose() }
    while current.state.store.isOpen { await Task.yield() }
    for _ in 0..<20 { await Task.yield() }
    #expect(journal.entries == ["build a"])
    finish.open()
    try await end.value
    try await services.shutdown()
    try await wait(for: "close a")
    #expect(journal.entries == ["build a", "close c", "close a"])
  }

  @Test(.hangLimit)
  func `a builder of an earlier container may shut the series down, although nobody waits for it`() async throws {
    let (begun, finish) = (Gate(), Gate())
    let series = Mutex<WeakReference<ReloadingContainer>?>(nil)
    var registry = registry
    registry.add("Ending") { [journal] () async throws -> First in
      begun.open()
      await finish.waitAsync()
      try await series.withLock { $0 }?.object?.shutdown()
      journal.note("shut down")
      return First()
    }
    let (files, services) = try await load(#""e": { "type": "Ending" }"#, part("p", "old"), registry: registry)
    series.withLock { $0 = WeakReference(services) }
    let lookUp = Task { _ = try await services.resolveAsync(First.self) }
    await begun.waitAsync()
    lookUp.cancel()
    _ = await lookUp.result
    let old = WeakReference(services.current)
    set(files, #""e": { "type": "Ending" }"#, part("p", "new"))
    try await services.reload()
    while old.object != nil { try await Task.sleep(for: .milliseconds(1)) }
    finish.open()
    try await wait(for: "shut down")
    try await services.shutdown()
  }

  @Test func givenInstancesAreKept() async throws {
    let (files, services) = try await load(#""c": { "type": "Clock" }"#, part("a", "a"), given: [FixedClock()])
    _ = try services.resolve((any Clock).self)
    set(files, #""c": { "type": "Clock" }"#, part("a", "b"))
    #expect(try await services.reload().kept == ["c"])
    _ = try services.resolve((any Clock).self)
    set(files, #""c": { "type": "Clock" }, "d": { "type": "Clock" }"#)
    // Two services could take the only given instance.
    await #expect(throws: ResolutionError.self) { try await services.reload() }
    _ = try services.resolve((any Clock).self)
    try await services.shutdown()
  }

  @Test func reloadsRunOneAfterTheOther() async throws {
    let (files, services) = try await load(part("a", "0"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...20 {
        set(files, part("a", "\(number)"))
        group.addTask { try await services.reload() }
      }
      try await group.waitForAll()
    }
    #expect(try services.resolve(Part.self).name == "20")
    try await services.shutdown()
    await #expect(throws: ResolutionError.self) { try await services.reload() }
  }

  @Test func lookUpsDoNotFailUnderLoad() async throws {
    let later = #""l": { "type": "Later", "values": { "name": "l" }, "inject": { "lazy": "k", "provider": "h" } }"#
    let scoped = #", "scope": "request""#
    let server = #""s": { "type": "Server" }"#
    let rest = [part("k", "k"), user("h", of: "a", scoped), later, server].joined(separator: ", ")
    let (files, services) = try await load(part("a", "0"), rest)
    let end = End()
    let kept = try services.resolve(Part.self, named: "k")
    let instance = try services.resolve(Part.self, named: "s")
    let requests = try #require(instance.dependencies[0] as? ScopeOpener)
    let provider = try #require(services.resolve(Part.self, named: "l").dependencies[1] as? Provider<Part>)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          while !end.hasCome.load(ordering: .relaxed) {
            try await requests.scope { request in
              let handler = try request.resolve(Part.self, named: "h")
              #expect(try request.resolve(Part.self, named: "a") === handler.dependencies.first as? Part)
              #expect(try provider.get(in: request) === handler)
            }
            #expect(try services.resolve(Part.self, named: "k") === kept)
            _ = try services.resolve(Part.self, named: "a")
            end.rounds.add(1, ordering: .relaxed)
            await Task.yield()
          }
        }
      }
      let count = LongTests.size(28, full: 1_000)
      for number in 1...count {
        set(files, number % 7 == 0 ? "}" : part("a", "\(number)"), rest)
        do {
          try await services.reload()
          #expect(number % 7 != 0)
        } catch is LoadError { #expect(number % 7 == 0) }
      }
      end.hasCome.store(true, ordering: .relaxed)
      try await group.waitForAll()
    }
    #expect(end.rounds.load(ordering: .relaxed) > 0)
    try await services.shutdown()
    #expect(journal.entries.count { $0 == "close k" } == 1)
    // Each built instance is closed exactly once, those of the scopes included.
    var built: Int { journal.entries.count { $0.hasPrefix("build") } }
    var closed: Int { journal.entries.count { $0.hasPrefix("close") } }
    while built > closed { try await Task.sleep(for: .milliseconds(1)) }
    #expect(built == closed)
  }

  @Test func aProviderFindsServicesInAScopeOfAChildOfAnOldContainer() async throws {
    let later = #""l": { "type": "Later", "values": { "name": "l" }, "inject": { "lazy": "k", "provider": "h" } }"#
    let scoped = #", "scope": "request""#
    let (files, services) = try await load(part("k", "k"), part("h", "h", scoped), later)
    let provider = try #require(services.resolve(Part.self, named: "l").dependencies[1] as? Provider<Part>)
    let child = Container(parent: Container(parent: services.current))
    let open = try child.openScope("request")
    #expect(try provider.get(in: open) === open.resolve(Part.self, named: "h"))
    set(files, part("k", "k"), part("h", "h", scoped), later, part("x", "x"))
    try await services.reload()
    #expect(try provider.get(in: open) === open.resolve(Part.self, named: "h"))
    try await services.shutdown()
  }

  @Test func deferredLookUpsOfANestedServiceUseTheNewContainer() async throws {
    let depth = 40
    let server = #""s": { "type": "Server" }"#
    let around = Array(repeating: #"{ "type": "Around" }"#, count: depth).joined(separator: ", ")
    let deep = #""d": { "type": "Server", "decorate": [\#(around)] }"#
    let (files, services) = try await load(server, deep, part("g", "old"))
    // Retains the old container, as a request in progress does.
    let old = services.current
    let instances = try ["s", "d"].map { try services.resolve(Part.self, named: $0) }
    set(files, server, deep, part("g", "new"))
    try await services.reload()
    for (id, instance) in zip(["s", "d"], instances) {
      #expect(try services.resolve(Part.self, named: id) === instance)
      let resolver = try #require(instance.dependencies[1] as? ContainerResolver)
      #expect(try resolver.resolve(Part.self, named: "g").name == "new", "\(id)")
    }
    withExtendedLifetime(old) {}
    try await services.shutdown()
  }

  @Test func `a reload does not close an object that stays, with a changed service that also has it`() async throws {
    var registry = registry
    registry.add("View", { (part: Part, _: Int) in part }, .service("part"), .value("number"))
    func view(_ number: Int) -> String {
      #""v": { "type": "View", "values": { "number": \#(number) }, "inject": { "part": "a" } }"#
    }
    let (files, services) = try await load(part("a", "a"), part("b", "b"), view(1), registry: registry)
    for id in ["a", "b", "v"] { _ = try services.resolve(Part.self, named: id) }
    set(files, part("a", "a"), part("b", "other"), view(2))
    #expect(try await services.reload().kept == ["a"])
    try await wait(for: "close b")
    for _ in 0..<100 { await Task.yield() }
    #expect(!journal.entries.contains("close a"))
    try await services.shutdown()
    #expect(journal.entries.count { $0 == "close a" } == 1)
  }

  @Test func `an instance that has replaced a service for a test does not pass to the next container`() async throws {
    struct Mock: Clock { let numbers = [1, 2, 3, 4, 5] }
    var registry = Registry()
    registry.add("FixedClock", as: (any Clock).self) { FixedClock() }
    let (_, services) = try await load(#""clock": { "type": "FixedClock" }"#, registry: registry)
    try services.current.replace(named: "clock", with: Mock(), origin: Origin(file: "test", line: 1))
    #expect(try services.resolve((any Clock).self) is Mock)
    try await services.reload()
    #expect(try services.resolve((any Clock).self) is FixedClock)
    try await services.shutdown()
  }

  @Test func `a disposal that fails after a failed reload is reported`() async throws {
    var registry = registry
    registry.add("Closing", { (_: Int) in Closing { throw CancellationError() } }, .value("number"))
    func closing(_ number: Int) -> String {
      #""c": { "type": "Closing", "values": { "number": \#(number) }, "eager": true }"#
    }
    let files = ChangingFiles(["/m.json": module(closing(1))])
    let source = ModuleSource(ModuleRequest(entry: .file("/m.json"), missing: .refused), files: files)
    let services = try await ReloadingContainer(source, registry: registry) { [journal] in
      for failure in $0.failures { journal.note("failed \(failure.id)") }
    }
    set(files, closing(2), #""f": { "type": "Failing", "eager": true }"#)
    await #expect(throws: ResolutionError.self) { try await services.reload() }
    #expect(journal.entries == ["failed c"])
  }

  @Test func `an isolated use retains the services that its value holds`() async throws {
    let user = user("u", of: "a", #", "scope": "transient""#)
    let (files, services) = try await load(part("a", "first"), user)
    let isolated = try services.resolve(Isolated<Part>.self, named: "u")
    try await isolated.use { _ in
      set(files, part("a", "second"), user)
      try await services.reload()
      for _ in 0..<100 { await Task.yield() }
      #expect(!journal.entries.contains("close first"))
    }
    try await wait(for: "close first")
    try await services.shutdown()
  }
}
