// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// A service that records when it is built and when it is disposed of.
private final class Part: AsyncDisposable {
  let name: String
  let journal: Journal

  init(_ name: String, _ journal: Journal) {
    (self.name, self.journal) = (name, journal)
    journal.note("build \(name)")
  }

  func disposeAsync() async {
    await Task.yield()
    journal.note("close \(name)")
  }
}

@Suite struct StartTests {
  private struct Failure: Error {}
  private let journal = Journal()

  /// The types of a server: stores, queues that work, fail or hang, and a server that depends on both.
  private var registry: Registry {
    var registry = Registry()
    registry.add("Store") { [journal] in
      await Task.yield()
      return Part("store", journal)
    }
    registry.add("ReadyStore") { [journal] in Part("store", journal) }
    registry.add("BadQueue") { () async throws -> Part in throw Failure() }
    registry.add("HangingQueue") { () async throws -> Part in
      do { try await Task.sleep(for: .seconds(600)) } catch {
        journal.note("cancelled")
        throw error
      }
      return Part("queue", journal)
    }
    registry.add("Queue") { [journal] in Part("queue", journal) }
    registry.add("Server", .service("store", Part.self), .service("queue", Part.self)) { [journal] _, _ in
      Part("server", journal)
    }
    return registry
  }

  /// Returns a module with a server, and with a store and a queue of the given types.
  private func text(store: String = "Store", queue: String) -> String {
    """
    { "configdi": 1, "module": "m", "services": {
        "c.server": { "type": "Server", "inject": { "store": "a.store", "queue": "b.queue" }, "eager": true },
        "b.queue": { "type": "\(queue)" }, "a.store": { "type": "\(store)", "eager": true } },
      "bindings": { "Part": "c.server" } }
    """
  }

  @Test func eagerServicesStartInTheOrderOfThePlan() async throws {
    let container = try await Container(text: text(queue: "Queue"), registry: registry, startLimit: .seconds(600))
    #expect(journal.entries.last == "build server")
    #expect(Set(journal.entries) == ["build store", "build queue", "build server"])
    let built = journal.entries
    try await container.shutdown()
    #expect(Array(journal.entries.dropFirst(3)) == built.reversed().map { $0.replacing("build", with: "close") })
  }

  @Test func theStartBuildsDependenciesOfEagerServicesOnce() throws {
    final class Object: Sendable {}
    var registry = Registry()
    for name in ["Transient", "Weak", "Graph"] {
      registry.add(name) { [journal] in
        journal.note(name)
        return Object()
      }
    }
    registry.add("Server", .service("t", Object.self), .service("w", Object.self), .service("g", Object.self)) {
      [$0, $1, $2]
    }
    let container = try Container(
      text: """
        { "configdi": 1, "module": "m", "services": {
            "t": { "type": "Transient", "scope": "transient" }, "w": { "type": "Weak", "scope": "weak" },
            "g": { "type": "Graph", "scope": "graph" },
            "server": { "type": "Server", "inject": { "t": "t", "w": "w", "g": "g" }, "eager": true } } }
        """, registry: registry)
    #expect(journal.entries.sorted() == ["Graph", "Transient", "Weak"])
    withExtendedLifetime(container) {}
  }

  @Test func aFailingStartDisposesOfTheBuiltInstances() async throws {
    let error = await #expect(throws: ResolutionError.self) {
      try await Container(text: text(queue: "BadQueue"), registry: registry)
    }
    #expect(error?.code == .builderFailed)
    #expect(error?.chain == ["b.queue"])
    #expect(journal.entries == ["build store", "close store"])
  }

  @Test(.hangLimit) func aHangingServiceIsNamed() async throws {
    let name = try await withIncreasingLimit(from: .milliseconds(300), until: "b.queue") { limit in
      let test = StartTests()
      let error = await #expect(throws: ResolutionError.self) {
        try await Container(
          text: test.text(store: "ReadyStore", queue: "HangingQueue"), registry: test.registry, startLimit: limit)
      }
      #expect(error?.code == .timedOut)
      guard let name = error?.name else { return "none" }
      #expect(error?.description.contains("\"\(name)\" was still being built when the time to start was over") == true)
      if name == "b.queue" {
        #expect(test.journal.entries.contains("close store"))
        while !test.journal.entries.contains("cancelled") { try await Task.sleep(for: .milliseconds(1)) }
      }
      return name
    }
    #expect(name == "b.queue")
  }

  @Test(.hangLimit) func `a late start does not wait for a builder that blocks its thread`() async throws {
    let wasBlocked = try await withIncreasingLimit(from: .milliseconds(300), until: true) { limit in
      let test = StartTests()
      let (begun, finish) = (Gate(), Gate())
      var registry = test.registry
      // On the main thread, so that no thread of the cooperative pool is blocked.
      registry.add("BlockingQueue", on: MainActor.shared) {
        begun.open()
        finish.wait()
        return Part("queue", test.journal)
      }
      let types = registry
      let error = await #expect(throws: ResolutionError.self) {
        try await Container(
          text: test.text(store: "ReadyStore", queue: "BlockingQueue"), registry: types, startLimit: limit)
      }
      #expect(error?.code == .timedOut)
      finish.open()
      guard begun.isOpen else { return false }
      while !test.journal.entries.contains("close queue") { try await Task.sleep(for: .milliseconds(1)) }
      return true
    }
    #expect(wasBlocked)
  }

  @Test func servicesInPlanOrderShareGraphInstances() async throws {
    final class Leaf {}
    final class Branch {
      let leaf: Leaf
      init(_ leaf: Leaf) { self.leaf = leaf }
    }
    struct Root: Sendable { let isOne: Bool }
    var registry = Registry()
    registry.add("Leaf") { Leaf() }
    registry.add("Branch", .service("leaf", Leaf.self)) { Branch($0) }
    registry.add("Root", .service("left", Branch.self), .service("right", Branch.self)) {
      (left: Branch, right: Branch) in Root(isOne: left.leaf === right.leaf && left !== right)
    }
    let container = try await Container(
      text: """
        { "configdi": 1, "module": "m", "services": {
            "leaf": { "type": "Leaf", "scope": "graph" },
            "left": { "type": "Branch", "inject": { "leaf": "leaf" }, "scope": "transient" },
            "right": { "type": "Branch", "inject": { "leaf": "leaf" }, "scope": "transient" },
            "root": { "type": "Root", "inject": { "left": "left", "right": "right" } } },
          "bindings": { "Branch": "left" } }
        """, registry: registry)
    #expect(try await container.resolveInPlanOrder(Root.self).map(\.service.isOne) == [true])
  }

  @Test func `services of a parent come before those of a child, each in plan order`() async throws {
    struct Leaf: Sendable {}
    let container = Container()
    for name in ["c", "b", "a"] { container.register(Leaf.self, named: name) { Leaf() } }
    let child = Container(parent: container)
    for name in ["f", "e", "d"] { child.register(Leaf.self, named: name) { Leaf() } }
    #expect(try await child.resolveInPlanOrder(Leaf.self).map(\.id) == ["c", "b", "a", "f", "e", "d"])
  }

  @Test func `a start that is cancelled during a builder that does not await ends before the next one`() async throws {
    var registry = registry
    registry.add("Cancelling") { [journal] in
      withUnsafeCurrentTask { $0?.cancel() }
      return Part("first", journal)
    }
    let text = """
      { "configdi": 1, "module": "m", "services": {
          "a": { "type": "Cancelling", "eager": true }, "b": { "type": "ReadyStore", "eager": true } } }
      """
    let start = Task { [registry] in try await Container(text: text, registry: registry) }
    let error = await #expect(throws: ResolutionError.self) { try await start.value }
    #expect(error?.code == .cancelled)
    #expect(journal.entries == ["build first", "close first"])
  }
}
