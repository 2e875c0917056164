// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Testing

/// A builder runs where its look-up runs, however deep in a chain of builders it stands.
@Suite struct BuilderThreadTests {
  /// What the tests hand down beside the container.
  enum Mark {
    /// A mark of the task.
    @TaskLocal static var text = "none"
  }

  /// What a builder has seen.
  struct Seen: Sendable, Equatable {
    /// The thread.
    let thread: ObjectIdentifier
    /// The mark of the task.
    let mark: String
  }

  /// How many builders stand above the one that looks around.
  static let depth = 100

  /// A chain of builders in code, the last of which runs a body.
  static func chain<Value: Sendable>(
    _ scope: ServiceScope, _ body: @escaping @Sendable () throws -> Value
  ) -> Container {
    let container = Container()
    container.register(Value.self, named: "0", scope: scope) { try body() }
    for number in 1...depth {
      container.register(Value.self, named: "\(number)", scope: scope) { resolver in
        try resolver.resolve(Value.self, named: "\(number - 1)")
      }
    }
    return container
  }

  /// A builder deep in a chain runs on the thread of the look-up and sees its task-local values.
  @Test(arguments: [ServiceScope.shared, .transient, .graph])
  func aDeepBuilderRunsOnTheThreadOfTheLookUp(scope: ServiceScope) async throws {
    let seen = try await withWatchdog {
      let container = BuilderThreadTests.chain(scope) {
        Seen(thread: ObjectIdentifier(Thread.current), mark: Mark.text)
      }
      return try Mark.$text.withValue("mark") {
        [
          try container.resolve(Seen.self, named: "\(BuilderThreadTests.depth)"),
          Seen(thread: ObjectIdentifier(Thread.current), mark: "mark"),
        ]
      }
    }
    #expect(seen?.first == seen?.last)
  }

  /// The builders of an awaiting look-up, those that are awaited and those that are not, see its task-local values.
  @Test func anAwaitedBuilderSeesTheTaskLocalValues() async throws {
    let marks = try await withAsyncWatchdog {
      let container = Container()
      container.register([String].self, named: "plain") { [Mark.text] }
      container.register([String].self, named: "awaited") { resolver async throws in
        await Task.yield()
        let plain = try withoutAwaiting { try resolver.resolve([String].self, named: "plain") }
        return plain + [Mark.text]
      }
      return try await Mark.$text.withValue("mark") {
        try await container.resolveAsync([String].self, named: "awaited")
      }
    }
    #expect(marks == ["mark", "mark"])
  }

  /// On the main actor a builder deep in a chain is on the main queue for code that asks, and would otherwise wait for it.
  @Test func aDeepBuilderOfALookUpOnTheMainActorIsOnTheMainQueue() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        for scope in [ServiceScope.shared, .transient] {
          let container = BuilderThreadTests.chain(scope) { () -> Bool in
            if DispatchQueue.getSpecific(key: key) == true { return MainActor.assumeIsolated { true } }
            return DispatchQueue.main.sync { false }
          }
          let isMain = try await MainActor.run {
            try container.resolve(Bool.self, named: "\(BuilderThreadTests.depth)")
          }
          #expect(isMain)
        }
      }
    }
  }

  /// On the main actor a builder deep in a chain may assume that it is isolated to it.
  @Test func aDeepBuilderOfALookUpOnTheMainActorMayAssumeItsIsolation() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess {
        let container = BuilderThreadTests.chain(.shared) { MainActor.assumeIsolated { true } }
        let isMain = try await MainActor.run {
          try container.resolve(Bool.self, named: "\(BuilderThreadTests.depth)")
        }
        #expect(isMain)
      }
    }
  }
}
