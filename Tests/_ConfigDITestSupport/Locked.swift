// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value guarded by a lock.
///
/// The thread sanitizer does not recognize the standard library's `Mutex` on Linux, so this uses `NSCondition`.
package final class Locked<State>: @unchecked Sendable {
  // Unchecked: `state` is accessed only while `condition` is locked.

  /// The lock that guards `state`.
  private let condition = NSCondition()
  /// The guarded value.
  private var state: State

  /// Creates a lock for an initial value.
  package init(_ state: State) { self.state = state }

  /// Calls a closure with the value while the lock is held, then wakes all threads that wait for a change.
  @discardableResult
  package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    return try body(&state)
  }

  /// Blocks the thread until the value fulfils a condition or the timeout expires.
  ///
  /// - Returns: Whether the value fulfils the condition.
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
