// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Synchronization
import Testing

/// Tests that `verify` builds every service once and reports all services that cannot be built.
struct VerificationTests {
  private final class Part: Sendable {}

  private struct Broken: Error {}

  @Test func `all buildable services are built in their scopes, which are closed afterwards`() throws {
    let (built, closed) = (BuildCount(), BuildCount())
    let container = Container(scopes: ["session", "request"])
    container.register(named: "shared") { built.counting(Part()) }
    container.register(named: "session", scope: .scope("session"), onDispose: { _ in closed.add() }) {
      built.counting(Part())
    }
    container.register(named: "request", scope: .scope("request"), onDispose: { _ in closed.add() }) {
      built.counting(Part())
    }
    container.register(named: "with arguments") { (_: Resolver, _: Int) in built.counting(Part()) }
    try container.verify()
    #expect(built.value == 3)
    #expect(closed.value == 2)
    #expect(try container.resolve(Part.self, named: "shared") === container.resolve(Part.self, named: "shared"))
    #expect(built.value == 3, "the container keeps the built instances")
  }

  @Test func `all failures are reported, by id`() throws {
    let container = Container()
    container.register(named: "b") { () throws -> Part in throw Broken() }
    container.register(named: "a") { () throws -> Part in throw Broken() }
    container.register(named: "sound") { Part() }
    let error = #expect(throws: VerificationError.self) { try container.verify() }
    #expect(error?.failures.map(\.name) == ["a", "b"])
    #expect(error?.failures.allSatisfy { $0.code == .builderFailed && $0.underlyingError is Broken } == true)
    #expect(
      error?.description.components(ofLinesStartingWith: "service") == [
        #"service "a" cannot be built: Broken()"#, #"service "b" cannot be built: Broken()"#,
      ])
  }

  @Test func `a disposed container cannot be verified`() async throws {
    let container = Container()
    container.register { Part() }
    container.dispose()
    #expect(throws: VerificationError.self) { try container.verify() }
    await #expect(throws: VerificationError.self) { try await container.verifyAsync() }
  }

  @Test func `a parent's services are verified with those of the child`() throws {
    let parent = Container()
    parent.register(named: "above") { () throws -> Part in throw Broken() }
    let child = Container(parent: parent)
    child.register(named: "below") { Part() }
    let error = #expect(throws: VerificationError.self) { try child.verify() }
    #expect(error?.failures.map(\.name) == ["above"])
  }

  @Test func `async services are verified by awaiting`() async throws {
    let built = BuildCount()
    let container = Container()
    container.register(named: "awaited") { () async throws -> Part in
      await Task.yield()
      return built.counting(Part())
    }
    let error = #expect(throws: VerificationError.self) { try container.verify() }
    #expect(error?.failures.map(\.code) == [.needsAwait])
    try await container.verifyAsync()
    #expect(built.value == 1)
    container.register(named: "broken") { () async throws -> Part in throw Broken() }
    let failure = await #expect(throws: VerificationError.self) { try await container.verifyAsync() }
    #expect(failure?.failures.map(\.name) == ["broken"])
  }
}

/// A thread-safe counter.
private final class BuildCount: Sendable {
  private let count = Mutex(0)

  /// The current count.
  var value: Int { count.withLock { $0 } }

  /// Increments the count.
  func add() { count.withLock { $0 += 1 } }

  /// Increments the count, and returns the value.
  func counting<Value>(_ value: Value) -> Value {
    add()
    return value
  }
}

extension String {
  /// Returns the lines that begin with a word.
  fileprivate func components(ofLinesStartingWith word: String) -> [String] {
    split(separator: "\n").filter { $0.hasPrefix(word) }.map(String.init)
  }
}
