// SPDX-License-Identifier: Apache-2.0

/// Does some work, and waits for it until a deadline at most, also where it goes on after it was cancelled.
///
/// The work is cancelled at the deadline, and where the task that waits is cancelled.
///
/// - Parameter deadline: nil, or a time that is years away: none.
/// - Returns: what the work gives; nil where the deadline came first.
func withDeadline<Result: Sendable>(
  _ deadline: ContinuousClock.Instant?, _ work: @escaping @Sendable () async -> Result
) async -> Result? {
  // The system cannot wait for any time.
  guard let deadline, deadline < .now + .seconds(1 << 30) else { return await work() }
  let first = FirstResult<Result?>()
  let worker = Task { first.offer(await work()) }
  let timer = Task {
    try await Task.sleep(until: deadline, clock: .continuous)
    first.offer(nil)
  }
  let result = await withTaskCancellationHandler {
    await first.value()
  } onCancel: {
    worker.cancel()
  }
  timer.cancel()
  if result == nil { worker.cancel() }
  return result
}

/// The first of several results, for one task that waits.
final class FirstResult<Result: Sendable>: Sendable {
  /// What has happened.
  private enum State {
    case empty
    case awaited(CheckedContinuation<Result, Never>)
    case offered(Result)
  }

  /// What has happened.
  private let state = Guarded(State.empty)

  /// Offers a result. Only the first counts.
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

  /// The first result; nil as long as there is none.
  var known: Result? { state.withLock { if case .offered(let result) = $0 { result } else { nil } } }

  /// The first result, once it is there.
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
