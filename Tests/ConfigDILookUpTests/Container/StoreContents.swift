// SPDX-License-Identifier: Apache-2.0

@testable import ConfigDI

extension Container {
  /// For each instance that is being built and that somebody waits for, how many do.
  var waiterCounts: [Int] { state.store.waiterCounts }
}

extension InstanceStore {
  /// For each instance that is being built here or further in and that somebody waits for, how many do.
  fileprivate var waiterCounts: [Int] {
    let (own, inner) = state.withLock { state -> Transferred<([Int], [InstanceStore])> in
      Transferred((state.waiters.values.map(\.count).filter { $0 > 0 }, state.inner.values.map(\.store)))
    }.value
    return own + inner.flatMap(\.waiterCounts)
  }

  /// How many entries there are, and lists of run-time arguments.
  var entryCounts: (instances: Int, arguments: Int) {
    state.withLock { ($0.slots.count, $0.argumentKeys.values.reduce(0) { $0 + $1.count }) }
  }
}
