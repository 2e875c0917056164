// SPDX-License-Identifier: Apache-2.0

/// The first of several results, for one waiting task.
final class FirstResult<Result: Sendable>: Sendable {
  /// Whether there is a result, or a task that waits for it.
  private enum State {
    case empty
    case awaited(CheckedContinuation<Void, Never>)
    case offered(Result)
  }

  private let state = Guarded(State.empty)

  /// Sets the result. Only the first call has an effect, and it resumes the waiting task.
  ///
  /// - Returns: whether this is the first result.
  @discardableResult func offer(_ result: Result) -> Bool {
    let former = state.withLock { state in
      let former = state
      if case .offered = former { return former }
      state = .offered(result)
      return former
    }
    switch former {
    case .offered: return false
    case .empty: return true
    case .awaited(let continuation):
      continuation.resume()
      return true
    }
  }

  var known: Result? { state.withLock { if case .offered(let result) = $0 { result } else { nil } } }

  /// Returns the first result. Suspends the task until there is one.
  func value(isolation: isolated (any Actor)? = #isolation) async -> Result {
    while true {
      // Read under the lock: the thread sanitizer does not see each way in which a continuation passes a value.
      if let known { return known }
      await withCheckedContinuation(isolation: isolation) { (continuation: CheckedContinuation<Void, Never>) in
        let isKnown = state.withLock { state in
          if case .offered = state { return true }
          state = .awaited(continuation)
          return false
        }
        if isKnown { continuation.resume() }
      }
    }
  }
}
