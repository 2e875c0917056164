// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing

/// Closing a container or a scope first closes everything that depends on it.
@Suite struct ClosingTests {
  /// A service.
  final class Tool: Sendable {}

  /// Registers a tool that records its disposal and depends on other tools by name.
  private static func register(
    _ name: String, _ scope: ServiceScope, dependencies: [String] = [], in container: Container,
    _ journal: Journal<String>
  ) {
    container.register(Tool.self, named: name, scope: scope, onDispose: { _ in journal.note(name) }) { resolver in
      for name in dependencies { _ = try resolver.resolve(Tool.self, named: name) }
      return Tool()
    }
  }

  // MARK: - After closing

  /// After the disposal of its parent, a child throws: for its own cached instances, for those of the parent that it
  /// has found before, and through lazy values, providers, open scopes and children of its own.
  @Test func aChildOfADisposedContainerThrows() throws {
    let parent = Container(scopes: ["request"])
    parent.register(named: "parent") { Tool() }
    parent.register(named: "transient", scope: .transient) { Tool() }
    let child = Container(parent: parent)
    child.register { Tool() }
    child.register(named: "scoped", scope: .scope("request")) { Tool() }
    child.register(named: "own transient", scope: .transient) { Tool() }
    let scope = try child.openScope("request")
    let grandchild = Container(parent: child)
    let lazies = try ["parent", "transient", "own transient"].map { try child.resolve(Lazy<Tool>.self, named: $0) }
    let providers = try ["parent", "transient", "own transient"].map {
      try child.resolve(Provider<Tool>.self, named: $0)
    }
    var looks: [(String, () throws -> Tool)] = [
      ("built, by type", { try child.resolve(Tool.self) }),
      ("parent's, by name", { try child.resolve(Tool.self, named: "parent") }),
      ("parent's transient", { try child.resolve(Tool.self, named: "transient") }),
      ("own transient", { try child.resolve(Tool.self, named: "own transient") }),
      ("in a scope, by type", { try scope.resolve(Tool.self) }),
      ("in a scope, by name", { try scope.resolve(Tool.self, named: "scoped") }),
      ("grandchild, by type", { try grandchild.resolve(Tool.self) }),
      ("grandchild, by name", { try grandchild.resolve(Tool.self, named: "parent") }),
    ]
    for provider in providers { looks.append(("provider", { try provider.get() })) }
    for (_, look) in looks { _ = try look() }
    parent.dispose()
    for lazy in lazies { looks.append(("lazy", { try lazy.get() })) }
    for (name, look) in looks { #expect(try failure(of: look)?.code == .closed, "\(name)") }
    #expect(throws: ResolutionError.self) { try child.openScope("request") }
  }

  /// After the disposal of a container, look-ups in its open scopes and by earlier lazy values and providers throw.
  @Test func providersOfADisposedContainerThrow() throws {
    let container = Container(scopes: ["session", "request"])
    container.register(Tool.self, scope: .scope("session")) { Tool() }
    container.register(named: "shared") { Tool() }
    let session = try container.openScope("session")
    let request = try session.openScope("request")
    let lazy = try request.resolve(Lazy<Tool>.self)
    let provider = try request.resolve(Provider<Tool>.self)
    _ = try provider.get()
    container.dispose()
    let looks: [() throws -> Tool?] = [
      { try container.resolve(Tool.self) }, { try session.resolve(Tool.self) }, { try request.resolve(Tool.self) },
      { try lazy.get() }, { try provider.get() }, { try provider.get(in: request) },
      { try session.resolve(Tool.self, named: "shared") }, { try container.resolveOptional(Tool.self) },
    ]
    for look in looks { #expect(try failure(of: look)?.code == .closed) }
    #expect(!request.isOpen && !session.isOpen)
  }

  /// Asynchronous look-ups throw, too.
  @Test func asyncLookUpsInADisposedContainerThrow() async throws {
    let parent = Container(scopes: ["request"])
    parent.register { Tool() }
    let child = Container(parent: parent)
    child.register(named: "own") { Tool() }
    let scope = try child.openScope("request")
    let lazy = try withoutAwaiting { try child.resolve(Lazy<Tool>.self) }
    let provider = try withoutAwaiting { try child.resolve(Provider<Tool>.self) }
    let looks: [@Sendable () async throws -> Tool] = [
      { try await child.resolveAsync(Tool.self) }, { try await child.resolveAsync(Tool.self, named: "own") },
      { try await scope.resolveAsync(Tool.self) }, { try await provider.getAsync() },
    ]
    for look in looks { _ = try await look() }
    parent.dispose()
    for look in looks + [{ try await lazy.getAsync() }] {
      let error = try await failureAsync(of: look)
      #expect(error?.code == .closed)
    }
  }

  /// A registration in a disposed container is a programming error, which stops the program with a message.
  @Test func registeringInADisposedContainerStopsTheProgram() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let container = Container()
      container.dispose()
      container.register { Tool() }
    }
    let output = try #require(result).standardErrorContent
    #if DEBUG
      #expect(String(decoding: output, as: UTF8.self).contains("dispose"))
    #else
      // An optimized build prints no message for a failed precondition.
      withExtendedLifetime(output) {}
    #endif
  }

  // MARK: - Order

  /// Closing a scope first closes the scopes opened from it, whose instances may still need those of the outer scope.
  @Test func closingAScopeClosesItsInnerScopesFirst() throws {
    let journal = Journal<String>()
    let container = Container(scopes: ["session", "request", "step"])
    ClosingTests.register("session", .scope("session"), in: container, journal)
    ClosingTests.register("request", .scope("request"), dependencies: ["session"], in: container, journal)
    ClosingTests.register("step", .scope("step"), dependencies: ["request"], in: container, journal)
    let session = try container.openScope("session")
    let requests = try (0..<2).map { _ in try session.openScope("request") }
    let step = try requests[0].openScope("step")
    _ = try step.resolve(Tool.self, named: "step")
    _ = try requests[1].resolve(Tool.self, named: "request")
    session.close()
    #expect(journal.entries.last == "session")
    #expect(journal.entries.sorted() == ["request", "request", "session", "step"])
    #expect(journal.entries.firstIndex(of: "step") ?? 9 < journal.entries.lastIndex(of: "request") ?? 0)
    for scope in requests + [step, session] {
      #expect(!scope.isOpen)
      #expect(try failure { try scope.resolve(Tool.self, named: "session") }?.code == .closed)
      scope.close()
    }
    #expect(journal.entries.count == 4)
  }

  /// Instances of a container or scope are disposed of in reverse build order, inner scopes before outer ones and
  /// scopes before their container.
  @Test func disposingEndsScopesAndInstancesInReverseOrder() throws {
    let journal = Journal<String>()
    let container = Container(scopes: ["session", "request"])
    ClosingTests.register("first", .shared, in: container, journal)
    ClosingTests.register("second", .shared, dependencies: ["first"], in: container, journal)
    ClosingTests.register("session", .scope("session"), dependencies: ["first"], in: container, journal)
    ClosingTests.register("request 1", .scope("request"), dependencies: ["session"], in: container, journal)
    ClosingTests.register("request 2", .scope("request"), dependencies: ["request 1"], in: container, journal)
    let session = try container.openScope("session")
    let request = try session.openScope("request")
    _ = try request.resolve(Tool.self, named: "request 2")
    _ = try request.resolve(Tool.self, named: "second")
    container.dispose()
    #expect(journal.entries == ["request 2", "request 1", "session", "second", "first"])
  }

  /// Disposing of a container first disposes of its children, which may need its services until then.
  @Test func disposingEndsChildrenFirst() throws {
    let journal = Journal<String>()
    let parent = Container(scopes: ["request"])
    ClosingTests.register("parent", .shared, in: parent, journal)
    let child = Container(parent: parent)
    ClosingTests.register("child", .shared, dependencies: ["parent"], in: child, journal)
    ClosingTests.register("scoped", .scope("request"), dependencies: ["child"], in: child, journal)
    let grandchild = Container(parent: child)
    ClosingTests.register("grandchild", .shared, dependencies: ["child"], in: grandchild, journal)
    let scope = try child.openScope("request")
    _ = try grandchild.resolve(Tool.self, named: "grandchild")
    _ = try scope.resolve(Tool.self, named: "scoped")
    parent.dispose()
    #expect(journal.entries.suffix(2) == ["child", "parent"])
    #expect(journal.entries.sorted() == ["child", "grandchild", "parent", "scoped"])
    child.dispose()
    grandchild.dispose()
    #expect(journal.entries.count == 4)
  }
}
