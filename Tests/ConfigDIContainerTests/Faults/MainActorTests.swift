// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Testing
import _ConfigDITestSupport

/// Services that are built on the main actor, looked up with and without `await` at once.
@Suite struct MainActorTests {
  /// A service of the main actor.
  final class Model: Sendable {}

  /// A service that needs one of the main actor.
  final class Screen: Sendable {
    /// What it shows.
    let model: Model

    /// A screen.
    init(_ model: Model) { self.model = model }
  }

  /// A look-up on the main actor that does not await never waits for a build that needs the main actor: it throws, or finds
  /// what is built, and the main thread goes on.
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
            // Again and again, to come between any two steps of the other look-up.
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

  /// An awaiting look-up does not share the failure of one that does not await, and is refused at once, where both come at the
  /// same time: it builds the service.
  @Test func anAwaitingLookUpDoesNotShareTheRefusalOfOneThatDoesNotAwait() async {
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

  /// On the main actor a look-up without `await` of a service whose builder runs there is never refused, although awaiting
  /// look-ups of the same service come at the same time; all get one instance.
  @Test func aMainActorServiceIsNeverRefusedOnTheMainActor() async {
    await #expect(processExitsWith: .success) {
      await inOwnProcess {
        let refused = Journal<ResolutionError.Code?>()
        for _ in 0..<300 {
          let container = Container()
          container.register(on: MainActor.shared) { _ in Model() }
          let awaiting = (0..<4).map { _ in Task.detached { try await container.resolveAsync(Model.self) } }
          let found = await MainActor.run { () -> Model? in
            do { return try container.resolve(Model.self) } catch {
              refused.note((error as? ResolutionError)?.code)
              return nil
            }
          }
          for task in awaiting {
            let model = try? await task.value
            #expect(found == nil || model === found)
          }
        }
        #expect(refused.entries.count == 0, "refused in \(refused.entries.count) of 300 rounds")
      }
    }
  }

  /// Away from the main actor a look-up without `await` of a main-actor service that is not built is always refused with the
  /// same code, also while an awaiting look-up builds it, and finds what is built.
  @Test func aMainActorServiceAwayFromTheMainActorIsAlwaysRefusedAlike() async {
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
