// SPDX-License-Identifier: Apache-2.0

/// The first of several results, for one waiting task.
final class FirstResult<Result: Sendable>: Sendable {
  /// Whether there is a result, or a task that waits for it.
  private enum State {
    case empty
    case awaited(CheckedContinuation<Result, Never>)
    case offered(Result)
  }

  private let state = Guarded(State.empty)

  /// Sets the result. Only the first call has an effect, and it resumes the waiting task.
  func offer(_ result: Result) {
    let continuation = state.withLock { state -> CheckedContinuation<Result, Never>? in
      switch state {
      case .offered: return nil
      case .empty:
        state = .offered(result)
        return nil
      case .awaited(let continuation):
        state = .offered(result)
        return continuation
      }
    }
    continuation?.resume(returning: result)
  }

  /// The first result; `nil` if there is none yet.
  var known: Result? { state.withLock { if case .offered(let result) = $0 { result } else { nil } } }

  /// Returns the first result. Suspends the task until there is one.
  func value(isolation: isolated (any Actor)? = #isolation) async -> Result {
    await withCheckedContinuation(isolation: isolation) { continuation in
      let result = state.withLock { state -> Result? in
        if case .offered(let result) = state { return result }
        state = .awaited(continuation)
        return nil
      }
      if let result { continuation.resume(returning: result) }
    }
  }
}
