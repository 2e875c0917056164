// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _ConfigDITestSupport

/// Runs a body on a new thread, and records an issue if it does not end in time. The thread is then abandoned.
///
/// The caller is suspended meanwhile, so that no thread of the cooperative pool is blocked.
///
/// - Parameters:
///   - seconds: The time limit. It is generous, because it does not measure speed.
///   - stackSize: The stack size of the thread in bytes.
/// - Returns: The result of the body, or `nil` if it did not end in time.
/// - Throws: The error of the body.
@discardableResult
func withWatchdog<Result: Sendable>(
  seconds: Double = 600, stackSize: Int = 8 << 20, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result? {
  let end = FirstResult<Result>()
  let thread = Thread { end.report(Swift.Result { try body() }) }
  thread.stackSize = stackSize
  thread.start()
  return try await end.value(within: seconds, sourceLocation)
}

/// Runs an asynchronous body in a new task, and records an issue if it does not end in time. The task is then
/// abandoned.
///
/// - Parameter seconds: The time limit. It is generous, because it does not measure speed.
/// - Returns: The result of the body, or `nil` if it did not end in time.
/// - Throws: The error of the body.
@discardableResult
func withAsyncWatchdog<Result: Sendable>(
  seconds: Double = 600, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result? {
  let end = FirstResult<Result>()
  Task.detached(priority: .aboveOtherTests) {
    do { end.report(.success(try await body())) } catch { end.report(.failure(error)) }
  }
  return try await end.value(within: seconds, sourceLocation)
}

extension TaskPriority {
  /// The priority of work with a time limit. All tests start at once, so a task of their priority would wait until all
  /// of them had a thread of the pool.
  static var aboveOtherTests: TaskPriority { .high }
}

/// Runs a long body with many suspension points, at each of which it would otherwise wait for all other tests.
func withHighPriority(_ body: @escaping @Sendable () async throws -> Void) async throws {
  try await Task(priority: .aboveOtherTests, operation: body).value
}

/// Runs the body of an exit test and records its error. Ends the process if the body exceeds a time or memory limit.
///
/// So a crash, a hang of the main thread or an infinite recursion is a failure of one test, not of the whole run.
func inOwnProcess(
  seconds: Double = 600, megabytes: Int = 2_000, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async {
  Thread.detachNewThread {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end, residentBytes() < megabytes << 20 { Thread.sleep(forTimeInterval: 0.02) }
    endProcess("the process has run for \(seconds) seconds, or taken \(megabytes) megabytes")
  }
  do { try await body() } catch { Issue.record(error, sourceLocation: sourceLocation) }
}

/// Writes a message to standard error and ends the process.
private func endProcess(_ message: String) {
  FileHandle.standardError.write(Data("\(message)\n".utf8))
  _exit(124)
}

/// Returns the resident size of the process in bytes, or 0 if the system does not provide it.
func residentBytes() -> Int {
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}

/// The first of two events: the end of a body, or of its time limit.
private final class FirstResult<Value: Sendable>: Sendable {
  /// The state of the wait.
  private enum State {
    /// No event, and the caller does not wait yet.
    case idle
    /// The caller waits.
    case waiting(CheckedContinuation<Result<Value, any Error>?, Never>)
    /// The first event: the result of the body, or `nil` for the time limit.
    case ended(Result<Value, any Error>?)
  }

  /// The guarded state.
  private let state = Locked(State.idle)

  /// Records the result of the body, or `nil` for the time limit, unless the other event came first.
  func report(_ result: Result<Value, any Error>?) {
    let continuation = state.withLock { state -> CheckedContinuation<Result<Value, any Error>?, Never>? in
      if case .ended = state { return nil }
      defer { state = .ended(result) }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    continuation?.resume(returning: result)
  }

  /// Whether the body ended before the time limit.
  private var bodyHasEnded: Bool {
    state.withLock { state in if case .ended(.some) = state { true } else { false } }
  }

  /// Waits for the result of the body. Returns `nil` and records an issue if the body does not end in time.
  func value(within seconds: Double, _ sourceLocation: SourceLocation) async throws -> Value? {
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(deadline: .now() + seconds)
    timer.setEventHandler { self.report(nil) }
    timer.resume()
    // The last resort, for a body that occupies all threads of the cooperative pool, so that the caller cannot resume.
    // Other tests can occupy them, too; if the body has ended, the caller just waits for these tests.
    let resort = DispatchSource.makeTimerSource(queue: .global())
    resort.schedule(deadline: .now() + seconds + 30)
    resort.setEventHandler {
      if self.bodyHasEnded { return }
      endProcess("\(sourceLocation): the body did not end within \(seconds) seconds, and holds all threads of the pool")
    }
    resort.resume()
    defer {
      timer.cancel()
      resort.cancel()
    }
    let result = await withCheckedContinuation { continuation in
      let ended = state.withLock { state -> Result<Value, any Error>?? in
        if case .ended(let result) = state { return .some(result) }
        state = .waiting(continuation)
        return nil
      }
      if let ended { continuation.resume(returning: ended) }
    }
    guard let result else {
      Issue.record("the body did not end within \(seconds) seconds", sourceLocation: sourceLocation)
      return nil
    }
    return try result.get()
  }
}
