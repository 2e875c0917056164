// SPDX-License-Identifier: Apache-2.0

/// Runs an operation and waits for it at most until a deadline, even if the operation ignores its cancellation.
///
/// The operation is cancelled at the deadline, and if the waiting task is cancelled.
///
/// - Parameters:
///   - deadline: the deadline; `nil`, or a time that is years away, for none.
///   - expired: called if the deadline has passed, before the operation is cancelled.
/// - Returns: the result of the operation; `nil` if the deadline passed first.
func withDeadline<Result: Sendable>(
  _ deadline: ContinuousClock.Instant?, expired: () -> Void = {}, _ work: @escaping @Sendable () async -> Result
) async -> Result? {
  guard let deadline, deadline < .now + .longestWait else { return await work() }
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
  if result == nil {
    expired()
    worker.cancel()
  }
  return result
}

extension Duration {
  /// A time that is years long. The system cannot wait for an arbitrarily long time.
  static let longestWait = Duration.seconds(1 << 30)
}
