// SPDX-License-Identifier: Apache-2.0

import ConfigDI
import Foundation
import Synchronization

/// Two threads that do the same at the same time.
final class TwoThreads: Sendable {
  /// How many threads are ready.
  private let ready = Atomic(0)

  /// Calls a closure on two threads, which begin together, and waits for both.
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

  /// Waits until both threads are here.
  private func begin() {
    ready.add(1, ordering: .sequentiallyConsistent)
    while ready.load(ordering: .sequentiallyConsistent) < 2 {}
  }
}

extension Benchmark {
  /// Look-ups of one service by two threads; the time is that between two look-ups of one of them.
  static let threads = inParallel.map { benchmark in
    var benchmark = benchmark
    benchmark.isParallel = true
    return benchmark
  }

  /// Look-ups that may await builders, in a task, whose time is that of the clock.
  static let awaiting = {
    var benchmark = Benchmark("resolve.async.shared", atMost: 3, of: "resolve.shared.protocol") {
      let container = opaque(try LookUps.container())
      return { count in
        let done = DispatchSemaphore(value: 0)
        Task {
          for _ in 0..<count { use(try await container.resolveAsync((any Logger).self)) }
          done.signal()
        }
        done.wait()
      }
    }
    benchmark.isParallel = true
    return [benchmark]
  }()

  /// The same, not yet known to take two threads.
  private static let inParallel = [
    Benchmark("baseline.static.threads2") {
      let threads = TwoThreads()
      return { count in
        threads.run {
          for _ in 0..<count { use(sharedLogger) }
        }
      }
    },
    Benchmark("resolve.shared.threads2", atMost: 3, of: "baseline.static.threads2") {
      let threads = TwoThreads()
      let container = opaque(try LookUps.container())
      use(try container.resolve((any Logger).self))
      return { count in
        threads.run {
          for _ in 0..<count { use(try? container.resolve((any Logger).self)) }
        }
      }
    },
  ]
}

/// A logger that two threads use; made by a call that the compiler cannot see through.
private let sharedLogger: any Logger = opaque(ConsoleLogger(level: 3))
