// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Testing
import _ConfigDITestSupport

/// Code of the application that runs when values are released or compared may use the container, as it is called
/// without a lock.
@Suite struct UserCodeTests {
  /// A service that other code looks up.
  struct Clock: Sendable {}

  /// A service that is cached for each key.
  final class Session: Sendable {}

  /// A run-time argument that runs one closure when it is released, and another when it is compared or hashed.
  final class Key: Hashable, Sendable {
    /// Called by `deinit`.
    let atEnd: @Sendable () -> Void
    /// Called by each comparison and hashing.
    let atComparison: @Sendable () -> Void

    /// Creates a key.
    init(atEnd: @escaping @Sendable () -> Void = {}, atComparison: @escaping @Sendable () -> Void = {}) {
      self.atEnd = atEnd
      self.atComparison = atComparison
    }

    static func == (left: Key, right: Key) -> Bool {
      left.atComparison()
      return left === right
    }

    func hash(into hasher: inout Hasher) {
      atComparison()
      hasher.combine(1)
    }

    deinit { atEnd() }
  }

  /// The operation that releases a stored run-time argument.
  enum Ending: CaseIterable {
    case registeringAgain, reset, dispose, closing
  }

  /// A run-time argument of a cached instance may look up services in its `deinit`, whatever operation releases it.
  @Test(arguments: Ending.allCases)
  func aRunTimeArgumentMayLookUpAServiceWhenItIsReleased(ending: Ending) async throws {
    let ended = AtomicCounter()
    let count = try await withWatchdog {
      let container = Container(scopes: ["request"])
      container.register { Clock() }
      let register = {
        container.register(Session.self, scope: ending == .closing ? .scope("request") : .shared) {
          (_: Resolver, _: Key) in Session()
        }
      }
      register()
      let scope = try container.openScope("request")
      for _ in 0..<3 {
        _ = try scope.resolve(
          Session.self,
          arguments: Key(atEnd: {
            _ = try? container.resolve(Clock.self)
            _ = try? container.resolve(Session.self, arguments: Key())
            if ending == .registeringAgain { container.register(named: "another") { Clock() } }
            ended.next()
          }))
      }
      switch ending {
      case .registeringAgain: register()
      case .reset: container.reset()
      case .closing: scope.close()
      case .dispose: container.dispose()
      }
      return ended.count
    }
    #expect(count == 3)
  }

  /// A run-time argument may look up services while the container compares it with others.
  @Test func aRunTimeArgumentMayLookUpAServiceWhileItIsCompared() async throws {
    let compared = AtomicCounter()
    try await withWatchdog {
      let container = Container()
      container.register { Clock() }
      container.register(Session.self, scope: .shared) { (_: Resolver, _: Key) in Session() }
      for _ in 0..<3 {
        let key = Key(atComparison: {
          _ = try? container.resolve(Clock.self)
          compared.next()
        })
        _ = try container.resolve(Session.self, arguments: key)
        _ = try container.resolve(Session.self, arguments: key)
      }
    }
    #expect(compared.count > 0)
  }

  /// A weak service that looks up another service in its `deinit`.
  final class Watched: Sendable {
    let container: Container

    init(_ container: Container) { self.container = container }

    deinit { _ = try? container.resolve(Clock.self) }
  }

  /// A weak service may look up a service in its `deinit`, even if a concurrent `replace` has just found it.
  @Test func aWeakServiceMayLookUpAServiceInItsDeinitBesideAReplacement() async throws {
    let count = LongTests.size(1_000, full: 20_000)
    try await withWatchdog {
      let container = Container()
      container.register { Clock() }
      container.register(named: "kept") { Session() }
      container.register(named: "weak", scope: .weak) { Watched(container) }
      _ = try container.resolve(Session.self, named: "kept")
      onThreads(2) { number in
        for _ in 0..<count {
          if number == 0 {
            _ = try? container.resolve(Watched.self, named: "weak")
          } else {
            try? container.replace(named: "kept", with: Session(), origin: Origin(file: "", line: 0))
          }
        }
      }
      container.dispose()
    }
  }
}
