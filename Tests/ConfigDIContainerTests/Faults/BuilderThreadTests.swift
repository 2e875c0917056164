// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Testing

/// A builder runs in the context of its look-up, at any depth of a chain of builders.
@Suite struct BuilderThreadTests {
  /// A task-local value of the tests.
  enum Mark {
    /// The mark of the task.
    @TaskLocal static var text = "none"
  }

  /// The context that a builder has found.
  struct BuilderContext: Sendable, Equatable {
    /// The thread.
    let thread: ObjectIdentifier
    /// The mark of the task.
    let mark: String
  }

  /// The number of builders above the one that inspects its context.
  static let depth = 100

  /// Returns a container with a chain of builders in code, the last of which runs a body.
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

  /// A builder deep in a chain runs on the thread of the look-up, with its task-local values.
  @Test(arguments: [ServiceScope.shared, .transient, .graph])
  func aNestedBuilderRunsOnTheThreadOfTheLookUp(scope: ServiceScope) async throws {
    let contexts = try await withWatchdog {
      let container = BuilderThreadTests.chain(scope) {
        BuilderContext(thread: ObjectIdentifier(Thread.current), mark: Mark.text)
      }
      return try Mark.$text.withValue("mark") {
        [
          try container.resolve(BuilderContext.self, named: "\(BuilderThreadTests.depth)"),
          BuilderContext(thread: ObjectIdentifier(Thread.current), mark: "mark"),
        ]
      }
    }
    #expect(contexts?.first == contexts?.last)
  }

  /// All builders of an asynchronous look-up, synchronous or not, have its task-local values.
  @Test func anAsyncBuilderSeesTheTaskLocalValues() async throws {
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

  /// In a look-up on the main actor, a builder deep in a chain is on the main queue. Code that checks for the queue,
  /// and otherwise calls `DispatchQueue.main.sync`, would deadlock if it were not.
  @Test func aNestedBuilderOfALookUpOnTheMainActorRunsOnTheMainQueue() async {
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

  /// In a look-up on the main actor, `MainActor.assumeIsolated` succeeds in a builder deep in a chain.
  @Test func aNestedBuilderOfALookUpOnTheMainActorMayAssumeItsIsolation() async {
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
