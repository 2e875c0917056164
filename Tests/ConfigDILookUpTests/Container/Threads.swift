// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import ConfigDI

/// Runs a body on threads of their own, lets them begin at once, and waits until all are done.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let gate = Gate()
  let group = DispatchGroup()
  for index in 0..<count {
    group.enter()
    Thread.detachNewThread {
      gate.wait()
      body(index)
      group.leave()
    }
  }
  gate.open()
  group.wait()
}

/// Lets threads through once it is opened.
final class Gate: Sendable {
  /// Whether it is open.
  private let condition = NSCondition()
  /// See `condition`, which guards it.
  private let isOpen = Guarded(false)

  /// Opens the gate for good.
  func open() {
    condition.lock()
    isOpen.withLock { $0 = true }
    condition.broadcast()
    condition.unlock()
  }

  /// Waits until the gate is open.
  func wait() {
    condition.lock()
    while !isOpen.withLock({ $0 }) { condition.wait() }
    condition.unlock()
  }
}

extension Container {
  /// For each instance that is being built and that somebody waits for, how many do.
  var waiterCounts: [Int] { state.store.waiterCounts }
}

extension InstanceStore {
  /// For each instance that is being built here or further in and that somebody waits for, how many do.
  fileprivate var waiterCounts: [Int] {
    let (own, inner) = state.withLock { state -> Hold<([Int], [InstanceStore])> in
      Hold((state.waiters.values.map(\.count).filter { $0 > 0 }, state.inner.values.map(\.store)))
    }.value
    return own + inner.flatMap(\.waiterCounts)
  }

  /// How many entries there are, and lists of run-time arguments.
  var entryCounts: (instances: Int, arguments: Int) {
    state.withLock { ($0.slots.count, $0.argumentKeys.values.reduce(0) { $0 + $1.count }) }
  }
}
