// SPDX-License-Identifier: Apache-2.0

@testable import ConfigDI

extension Container {
  /// The number of waiters of each in-flight build that has any.
  var waiterCounts: [Int] { state.store.waiterCounts }
}

extension InstanceStore {
  /// The number of waiters of each in-flight build that has any, in this store and in all inner stores.
  fileprivate var waiterCounts: [Int] {
    let (own, inner) = state.withLock { state -> Transferred<([Int], [InstanceStore])> in
      Transferred((state.waiters.values.map(\.count).filter { $0 > 0 }, state.inner.values.map(\.store)))
    }.value
    return own + inner.flatMap(\.waiterCounts)
  }

  /// The number of instance entries, and the number of lists of run-time arguments.
  var entryCounts: (instances: Int, arguments: Int) {
    state.withLock { ($0.slots.count, $0.argumentKeys.values.reduce(0) { $0 + $1.count }) }
  }
}
