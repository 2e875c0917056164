// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A state that one thread at a time reads and changes.
///
/// Not the standard library's `Mutex`, which the thread sanitizer does not see on Linux.
package final class Locked<State>: @unchecked Sendable {
  // Unchecked: the state is reached only under the lock.

  /// Guards the state.
  private let condition = NSCondition()
  /// The state.
  private var state: State

  /// A lock around an initial state.
  package init(_ state: State) { self.state = state }

  /// Reads or changes the state, and wakes those who wait for a change.
  @discardableResult
  package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    return try body(&state)
  }

  /// Blocks the thread until the state fulfils a condition, or the time is over.
  ///
  /// - Returns: whether the state fulfils it.
  package func wait(seconds: Double, until isFulfilled: (State) -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while !isFulfilled(state) {
      if !condition.wait(until: end) { return isFulfilled(state) }
    }
    return true
  }
}
