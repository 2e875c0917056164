// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Synchronization

/// Two threads that run the same closure concurrently.
final class TwoThreads: Sendable {
  /// The number of threads that are ready.
  private let ready = Atomic(0)

  /// Runs a closure on two threads, which begin together, and waits for both.
  func run(_ body: @escaping @Sendable () -> Void) {
    ready.store(0, ordering: .sequentiallyConsistent)
    let done = DispatchSemaphore(value: 0)
    let other = Thread { [self] in
      begin()
      body()
      done.signal()
    }
    other.start()
    begin()
    body()
    done.wait()
  }

  /// Waits until both threads are ready.
  private func begin() {
    ready.add(1, ordering: .sequentiallyConsistent)
    while ready.load(ordering: .sequentiallyConsistent) < 2 {}
  }
}

/// The number of threads that `onManyThreads` starts: more than there are processors, also on a large machine.
private let manyThreads = 16

/// Runs a closure on many threads, and waits for all of them.
private func onManyThreads(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  for _ in 0..<manyThreads {
    Thread {
      body()
      done.signal()
    }.start()
  }
  for _ in 0..<manyThreads { done.wait() }
}

extension Benchmark {
  /// Operations of several threads. For two threads, the result is the time of an operation of one of them.
  static let threads = [
    Benchmark("baseline.static.threads2") {
      let threads = TwoThreads()
      return { count in
        threads.run {
          for _ in 0..<count { use(sharedLogger) }
        }
      }
    }.timedByTheClock(leastRepetitions: 1 << 16),
    Benchmark("resolve.shared.threads2", atMost: 3, of: "baseline.static.threads2") {
      let threads = TwoThreads()
      let container = opaque(try LookUps.container())
      use(try container.resolve((any Logger).self))
      return { count in
        threads.run {
          for _ in 0..<count { use(try? container.resolve((any Logger).self)) }
        }
      }
    }.timedByTheClock(leastRepetitions: 1 << 16),
    // The threads share the operations. A mutex that passes from thread to thread in the order of waiting would take
    // twenty times as long, since each passing waits for the scheduler.
    Benchmark("scope.threads16", atMost: 2, of: "scope.request") {
      let container = opaque(try LookUps.container(graphScope: "request"))
      try container.scope("request") { try useSix(of: $0) }
      return { count in
        onManyThreads {
          for _ in 0..<count / manyThreads { try? container.scope("request") { try useSix(of: $0) } }
        }
      }
    }.timedByTheClock(leastRepetitions: 1 << 14),
  ]

  /// Asynchronous operations, in a task.
  static let awaiting = [
    Benchmark("resolve.async.shared", atMost: 3, of: "resolve.shared.protocol") {
      let container = opaque(try LookUps.container())
      return { count in
        try awaited {
          for _ in 0..<count { use(try await container.resolveAsync((any Logger).self)) }
        }
      }
    }.timedByTheClock(leastRepetitions: 1 << 16),
    // The module has not changed, so all services keep their instances.
    Benchmark("reload.1000", atMost: 2, of: "load.1000") {
      let module = ModuleSource(text: ModuleText.text(serviceCount: 1_000))
      let services = try awaited { try await ReloadingContainer(module, registry: ModuleText.registry) }
      try services.current.verify()
      return { count in
        try awaited {
          for _ in 0..<count { use(try await services.reload()) }
        }
      }
    }.timedByTheClock(),
  ]

  /// Returns the benchmark, measured in wall-clock time because other threads do part of the work.
  private func timedByTheClock(leastRepetitions: Int = 1) -> Benchmark {
    var benchmark = self
    benchmark.isParallel = true
    benchmark.leastRepetitions = leastRepetitions
    return benchmark
  }
}

/// Blocks the thread until a task has ended, and returns the result of the task.
private func awaited<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
  let done = DispatchSemaphore(value: 0)
  let result = Mutex<Swift.Result<Result, any Error>?>(nil)
  Task {
    do {
      let value = try await body()
      result.withLock { $0 = .success(value) }
    } catch { result.withLock { $0 = .failure(error) } }
    done.signal()
  }
  done.wait()
  guard let result = result.withLock({ $0 }) else { throw CancellationError() }
  return try result.get()
}

/// A logger that two threads use. `opaque` hides its value from the compiler.
private let sharedLogger: any Logger = opaque(ConsoleLogger(level: 3))
