// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import _ConfigDITestSupport

@testable import ConfigDI

@Suite struct ContainerDisposalTests {
  /// Registers a node that records its creation, its disposal and its deinitialization.
  private func add(
    _ name: String, to container: Container, _ journal: Journal, scope: ServiceScope = .shared,
    dependencies: [String] = []
  ) {
    container.register(named: name, scope: scope, onDispose: { journal.note("~\($0.name)") }) { resolver in
      Node(name, dependencies: try dependencies.map { try resolver.resolve(Node.self, named: $0) }, journal: journal)
    }
  }

  /// Returns the error that the body throws. Fails the test if it throws none.
  private func error(_ body: () throws -> Void) throws -> ResolutionError {
    try #require(throws: ResolutionError.self, performing: body)
  }

  @Test(arguments: [false, true])
  func `instances are disposed of in the reverse order of building, each once`(explicitly: Bool) throws {
    let journal = Journal()
    var container: Container? = Container()
    if let container {
      add("a", to: container, journal, dependencies: ["b", "c"])
      add("b", to: container, journal, dependencies: ["d"])
      add("c", to: container, journal, dependencies: ["d"])
      add("d", to: container, journal)
      add("unused", to: container, journal)
      _ = try container.resolve(Node.self, named: "c")
      _ = try container.resolve(Node.self, named: "a")
    }
    if explicitly { for _ in 0..<2 { container?.dispose() } }
    container = nil
    #expect(container == nil)
    #expect(journal.entries == ["+d", "+c", "+b", "+a", "~a", "-a", "~b", "-b", "~c", "-c", "~d", "-d"])
  }

  @Test func `scopes are closed before their dependencies, inner scopes first`() throws {
    let journal = Journal()
    let container = Container(scopes: ["session", "request"])
    add("shared", to: container, journal)
    add("session", to: container, journal, scope: .scope("session"), dependencies: ["shared"])
    add("request", to: container, journal, scope: .scope("request"), dependencies: ["session"])
    let session = try container.openScope("session")
    let request = try session.openScope("request")
    _ = try request.resolve(Node.self, named: "request")
    container.dispose()
    #expect(
      journal.entries == [
        "+shared", "+session", "+request", "~request", "-request", "~session", "-session", "~shared", "-shared",
      ])
    #expect(try error { _ = try session.resolve(Node.self, named: "shared") }.code == .closed)
    #expect(try error { _ = try request.resolve(Node.self, named: "request") }.code == .closed)
    #expect(try error { _ = try container.openScope("session") }.code == .closed)
    session.close()
    request.close()
    #expect(journal.entries.count == 9)
  }

  @Test func `every form of look-up throws after disposal`() throws {
    let container = Container()
    container.register { Node("node") }
    let lazy = try container.resolve(Lazy<Node>.self)
    let provider = try container.resolve(Provider<Node>.self)
    let isolated = try container.resolve(Isolated<Node>.self)
    _ = try provider.get()
    container.dispose()
    let looks: [() throws -> Void] = [
      { _ = try container.resolve(Node.self) }, { _ = try container.resolve(Node.self, named: "node") },
      { _ = try container.resolve(Node.self, arguments: 1) }, { _ = try container.resolveOptional(Node.self) },
      { _ = try container.resolve(Lazy<Node>.self) }, { _ = try container.resolve(Node?.self) },
      { _ = try container.resolve(Person.self) }, { _ = try lazy.get() }, { _ = try provider.get() },
      { try isolated.use { _ in } }, { _ = try Container(parent: container).resolve(Node.self) },
    ]
    for look in looks { #expect(try error(look).code == .closed) }
  }

  @Test func `a reset disposes of the instances, and later look-ups build new ones`() throws {
    let journal = Journal()
    let container = Container(scopes: ["request"])
    add("shared", to: container, journal)
    add("weak", to: container, journal, scope: .weak)
    add("scoped", to: container, journal, scope: .scope("request"), dependencies: ["shared"])
    let instance = Person(name: "instance")
    container.register(instance: instance)
    let scope = try container.openScope("request")
    let weak = try scope.resolve(Node.self, named: "weak")
    for _ in 0..<2 {
      _ = try scope.resolve(Node.self, named: "scoped")
      #expect(try scope.resolve(Person.self).name == "instance")
      container.reset()
    }
    let round = ["+shared", "+scoped", "~scoped", "-scoped", "~shared", "-shared"]
    #expect(journal.entries == ["+weak"] + round + round)
    #expect(try container.resolve(Node.self, named: "weak") !== weak)
    #expect(scope.isOpen)
  }

  #if DEBUG
    @Test func `a reset beside the first look-up of a registered instance does not dispose of it`() throws {
      let journal = Journal()
      let container = Container()
      container.register(instance: Node("a", journal: journal), onDispose: { journal.note("~\($0.name)") })
      let isFirst = Atomic(true)
      let node = try PausePoint.$hook.withValue({ point in
        if point == .built, isFirst.exchange(false, ordering: .relaxed) { container.reset() }
      }) { try container.resolve(Node.self) }
      let wasReset = !isFirst.load(ordering: .relaxed)
      #expect(wasReset)
      #expect(!journal.entries.contains("~a"))
      container.dispose()
      #expect(journal.entries.count { $0 == "~a" } == 1)
      withExtendedLifetime(node) {}
    }
  #endif

  @Test func `a builder that disposes of its container receives an error`() throws {
    let journal = Journal()
    let container = Container()
    add("built", to: container, journal)
    container.register { [unowned container] (resolver: Resolver) in
      _ = try resolver.resolve(Node.self, named: "built")
      container.dispose()
      return Person(name: "late")
    }
    let error = try error { _ = try container.resolve(Person.self) }
    #expect(error.code == .closed)
    #expect(journal.entries == ["+built", "~built", "-built"])
  }

  @Test func `an instance finished after disposal is disposed of immediately`() throws {
    let journal = Journal()
    let container = Container()
    let started = Gate()
    let goesOn = Gate()
    container.register(Node.self, onDispose: { journal.note("~\($0.name)") }) {
      started.open()
      goesOn.wait()
      return Node("late", journal: journal)
    }
    let code = Guarded<ResolutionError.Code?>(nil)
    onThreads(2) { thread in
      if thread == 0 {
        do { _ = try container.resolve(Node.self) } catch {
          code.withLock { $0 = (error as? ResolutionError)?.code }
        }
      } else {
        started.wait()
        container.dispose()
        goesOn.open()
      }
    }
    #expect(code.withLock { $0 } == .closed)
    #expect(journal.entries == ["+late", "~late", "-late"])
  }

  @Test func `a failing builder leaves no instance behind, and is called again`() throws {
    let journal = Journal()
    let container = Container()
    add("need", to: container, journal)
    let attempts = Atomic(0)
    container.register(Person.self, onDispose: { journal.note("~\($0.name)") }) { resolver in
      _ = try resolver.resolve(Node.self, named: "need")
      if attempts.add(1, ordering: .relaxed).newValue == 1 { throw TestError() }
      return Person(name: "person")
    }
    #expect(try error { _ = try container.resolve(Person.self) }.code == .builderFailed)
    #expect(try container.resolve(Person.self).name == "person")
    container.dispose()
    #expect(journal.entries == ["+need", "~person", "~need", "-need"])
  }

  @Test func `an isolated use disposes of its instance`() async throws {
    let journal = Journal()
    let container = Container()
    add("own", to: container, journal, scope: .transient)
    add("shared", to: container, journal)
    let isolated = try await container.resolveAsync(Isolated<Node>.self, named: "own")
    // In asynchronous code, only a synchronous closure selects the form that does not await.
    try { try isolated.use { #expect($0.name == "own") } }()
    #expect(throws: TestError.self) { try isolated.use { _ in throw TestError() } }
    try await isolated.use { node in
      await Task.yield()
      #expect(node.name == "own")
    }
    let lazy = try await container.resolveAsync(Lazy<Node>.self, named: "own")
    _ = try await lazy.getAsync()
    for _ in 0..<2 { lazy.dispose() }
    #expect(journal.entries == Array(repeating: ["+own", "~own", "-own"], count: 4).flatMap { $0 })
    // Cached instances of the container are not disposed of after one use.
    let shared = try await container.resolveAsync(Lazy<Node>.self, named: "shared")
    _ = try await shared.getAsync()
    shared.dispose()
    try await container.resolveAsync(Isolated<Node>.self, named: "shared").use { _ in }
    #expect(journal.entries.suffix(1) == ["+shared"])
    container.dispose()
    #expect(journal.entries.suffix(2) == ["~shared", "-shared"])
  }

  @Test func `an async use awaits the disposal of the parts of a list that cannot be completed`() async throws {
    final class Connection: AsyncDisposable {
      let journal: Journal
      init(_ journal: Journal) { self.journal = journal }
      func disposeAsync() async { journal.note("closed") }
    }
    let journal = Journal()
    let container = Container()
    container.register(named: "a", scope: .transient, onDispose: { _ in journal.note("disposed") }) {
      Connection(journal)
    }
    container.register(named: "b", scope: .transient) { () throws -> Connection in throw TestError() }
    let isolated = try container.resolve(Isolated<[Connection]>.self)
    await #expect(throws: ResolutionError.self) { try await isolated.use { _ in await Task.yield() } }
    #expect(journal.entries == ["closed", "disposed"])
  }

  @Test func `dispose actions may look up and dispose recursively`() throws {
    let container = Container()
    let codes = Guarded<[ResolutionError.Code]>([])
    for name in ["a", "b"] {
      container.register(
        named: name,
        onDispose: { [unowned container] _ in
          do throws(ResolutionError) { _ = try container.resolve(Node.self, named: "a") } catch {
            codes.withLock { $0.append(error.code) }
          }
          container.dispose()
          container.reset()
        }
      ) { Node(name) }
      _ = try container.resolve(Node.self, named: name)
    }
    container.dispose()
    #expect(codes.withLock { $0 } == [.closed, .closed])
  }
}
