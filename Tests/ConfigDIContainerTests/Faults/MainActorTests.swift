// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Testing
import _ConfigDITestSupport

/// Concurrent synchronous and asynchronous look-ups of services that are built on the main actor.
@Suite struct MainActorTests {
  /// A service that is built on the main actor.
  final class Model: Sendable {}

  /// A service that depends on a main-actor service.
  final class Screen: Sendable {
    /// The dependency.
    let model: Model

    /// Creates a screen.
    init(_ model: Model) { self.model = model }
  }

  /// A synchronous look-up on the main actor never waits for a build that needs the main actor, which would deadlock.
  /// It throws or finds the built instance.
  @Test func aLookUpOnTheMainActorBesideAnAwaitedBuildThatNeedsTheMainActor() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess {
        let unexpected = Journal<String>()
        for _ in 0..<500 {
          let container = Container()
          container.register(on: MainActor.shared) { _ in Model() }
          container.register { resolver async throws in Screen(try await resolver.resolveAsync(Model.self)) }
          let start = Gate()
          let awaiting = Task.detached {
            while !start.isOpen {}
            return try await failureAsync { try await container.resolveAsync(Screen.self) }
          }
          let codes = try await MainActor.run {
            start.open()
            // Repeated, so that some look-up falls between any two steps of the other one.
            let codes = try (0..<30).map { _ in try failure { try container.resolve(Screen.self) }?.code }
            return try codes + [failure { try container.resolve(Model.self) }?.code]
          }
          for code in codes where code != nil && code != .needsAwait { unexpected.note("\(code as Any)") }
          if let error = try await awaiting.value { unexpected.note("awaiting: \(error)") }
        }
        #expect(unexpected.entries.isEmpty, "\(unexpected.entries.count), first \(unexpected.entries.first ?? "")")
      }
    }
  }

  /// An asynchronous look-up does not share the error of a concurrent synchronous one, but builds the service.
  @Test func anAsyncLookUpDoesNotReceiveTheErrorOfASyncLookUp() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess {
        let unexpected = Journal<String>()
        for _ in 0..<1_000 {
          let container = Container()
          container.register(on: MainActor.shared) { _ in Model() }
          container.register { resolver async throws in Screen(try await resolver.resolveAsync(Model.self)) }
          let start = Gate()
          Thread.detachNewThread {
            while !start.isOpen {}
            for _ in 0..<4 {
              _ = try? container.resolve(Model.self)
              _ = try? container.resolve(Screen.self)
            }
          }
          let tasks = (0..<2).map { number in
            Task.detached {
              start.open()
              return try await failureAsync {
                if number == 0 { _ = try await container.resolveAsync(Model.self) }
                return try await container.resolveAsync(Screen.self)
              }
            }
          }
          for task in tasks { if let error = try await task.value { unexpected.note("\(error)") } }
        }
        #expect(unexpected.entries.isEmpty, "\(unexpected.entries.count), first \(unexpected.entries.first ?? "")")
      }
    }
  }

  #if DEBUG
    /// A look-up on the main actor that waits for another thread's build does not receive its error that the thread is not
    /// the main actor.
    @Test func aLookUpOnTheMainActorDoesNotReceiveTheErrorOfAnotherThread() async {
      await #expect(processExitsWith: .success) {
        await inOwnProcess {
          typealias LookUp = @MainActor @Sendable (Container, Lazy<Screen>) async throws -> Screen
          let lookUps: [(ServiceScope, LookUp)] = [
            (.shared, { container, _ in try container.resolve() }),
            (.shared, { container, _ in try await container.resolveAsync() }),
            (.shared, { _, lazy in try lazy.get() }), (.transient, { _, lazy in try await lazy.getAsync() }),
          ]
          for (scope, lookUp) in lookUps {
            let container = Container()
            let (begun, joined) = (Gate(), Gate())
            container.register(on: MainActor.shared) { Model() }
            container.register(scope: scope) { (resolver: Resolver) throws -> Screen in
              begun.open()
              joined.wait()
              return Screen(try resolver.resolve())
            }
            let lazy = try container.resolve(Lazy<Screen>.self)
            Thread.detachNewThread { _ = try? lazy.get() }
            await begun.waitAsync()
            try await PausePoint.$hook.withValue({ if $0 == .joined || $0 == .suspending { joined.open() } }) {
              _ = try await lookUp(container, lazy)
            }
          }
        }
      }
    }
  #endif

  /// A synchronous look-up on the main actor of a service whose builder runs there never throws, even during
  /// asynchronous look-ups of the service. All get the same instance.
  @Test func aMainActorServiceNeverThrowsOnTheMainActor() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess {
        let errors = Journal<ResolutionError.Code?>()
        for _ in 0..<300 {
          let container = Container()
          container.register(on: MainActor.shared) { _ in Model() }
          let awaiting = (0..<4).map { _ in Task.detached { try await container.resolveAsync(Model.self) } }
          let found = await MainActor.run { () -> Model? in
            do { return try container.resolve(Model.self) } catch {
              errors.note((error as? ResolutionError)?.code)
              return nil
            }
          }
          for task in awaiting {
            let model = try? await task.value
            #expect(found == nil || model === found)
          }
        }
        #expect(errors.entries.count == 0, "errors in \(errors.entries.count) of 300 rounds")
      }
    }
  }

  /// Off the main actor, a synchronous look-up of a main-actor service that is not built always throws
  /// `needsMainActor`, even while an asynchronous look-up builds it. A built instance is found.
  @Test func aMainActorServiceAlwaysThrowsTheSameErrorOutsideTheMainActor() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess {
        let unexpected = Journal<String>()
        for _ in 0..<200 {
          let container = Container()
          container.register(on: MainActor.shared) { _ in Model() }
          let awaiting = Task.detached { try? await container.resolveAsync(Model.self) }
          onThreads(2) { _ in
            do { _ = try container.resolve(Model.self) } catch {
              if (error as? ResolutionError)?.code != .needsMainActor { unexpected.note("\(error)") }
            }
          }
          let model = await awaiting.value
          onThreads(1) { _ in
            let found = try? container.resolve(Model.self)
            if model == nil || found !== model { unexpected.note("another instance") }
          }
        }
        #expect(unexpected.entries.isEmpty, "\(unexpected.entries.count), first \(unexpected.entries.first ?? "")")
      }
    }
  }
}
