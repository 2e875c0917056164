// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _ConfigDITestSupport

/// Runs a body on a thread of its own, and records an issue where it does not end in time; the thread is left behind then.
///
/// The caller is suspended meanwhile, so that no thread of the cooperative pool is held.
///
/// - Parameters:
///   - seconds: how long the body may take. The limit is generous, because it says nothing about speed.
///   - stackSize: the size of the thread's stack in bytes.
/// - Returns: what the body returns; nil where it did not end in time.
/// - Throws: what the body throws.
@discardableResult
func withWatchdog<Result: Sendable>(
  seconds: Double = 240, stackSize: Int = 8 << 20, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result? {
  let end = FirstEnd<Result>()
  let thread = Thread { end.tell(Swift.Result { try body() }) }
  thread.stackSize = stackSize
  thread.start()
  return try await end.value(within: seconds, sourceLocation)
}

/// Runs an asynchronous body in a task of its own, and records an issue where it does not end in time; the task is left
/// behind then.
///
/// - Parameter seconds: how long the body may take. The limit is generous, because it says nothing about speed.
/// - Returns: what the body returns; nil where it did not end in time.
/// - Throws: what the body throws.
@discardableResult
func withAsyncWatchdog<Result: Sendable>(
  seconds: Double = 240, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result? {
  let end = FirstEnd<Result>()
  Task.detached(priority: .beforeOthers) {
    do { end.tell(.success(try await body())) } catch { end.tell(.failure(error)) }
  }
  return try await end.value(within: seconds, sourceLocation)
}

extension TaskPriority {
  /// For what has to go on within a limit: the tests all begin at once, and a task of their priority gets a thread of the pool
  /// behind all of them.
  static var beforeOthers: TaskPriority { .high }
}

/// Runs a long body of many steps, each of which would else wait for all other tests.
func aheadOfOthers(_ body: @escaping @Sendable () async throws -> Void) async throws {
  try await Task(priority: .beforeOthers, operation: body).value
}

/// Runs the body of an exit test, whose error is recorded, and ends the process where the body does not end in time or takes
/// too much memory.
///
/// A crash, a main thread that hangs, and a recursion without end are then failures of one test and not of the whole run.
func inOwnProcess(
  seconds: Double = 240, megabytes: Int = 2_000, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async {
  Thread.detachNewThread {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end, residentBytes() < megabytes << 20 { Thread.sleep(forTimeInterval: 0.02) }
    endProcess("the process has run for \(seconds) seconds, or taken \(megabytes) megabytes")
  }
  do { try await body() } catch { Issue.record(error, sourceLocation: sourceLocation) }
}

/// Ends the process with a message.
private func endProcess(_ message: String) {
  FileHandle.standardError.write(Data("\(message)\n".utf8))
  _exit(124)
}

/// How much memory the process takes, in bytes; 0 where the system does not say.
func residentBytes() -> Int {
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}

/// The first of two events: a body ends, or its time does.
private final class FirstEnd<Value: Sendable>: Sendable {
  /// What has happened so far.
  private enum State {
    /// Nothing.
    case idle
    /// The caller waits.
    case waiting(CheckedContinuation<Result<Value, any Error>?, Never>)
    /// One of the events; nil for the end of the time.
    case ended(Result<Value, any Error>?)
  }

  /// What has happened so far.
  private let state = Locked(State.idle)

  /// Notes the end of the body, or of the time, unless the other one came first.
  func tell(_ result: Result<Value, any Error>?) {
    let continuation = state.withLock { state -> CheckedContinuation<Result<Value, any Error>?, Never>? in
      if case .ended = state { return nil }
      defer { state = .ended(result) }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    continuation?.resume(returning: result)
  }

  /// Whether the body has ended in its time.
  private var bodyHasEnded: Bool {
    state.withLock { state in if case .ended(.some) = state { true } else { false } }
  }

  /// What the body returns; nil, and an issue, where it does not end in time.
  func value(within seconds: Double, _ sourceLocation: SourceLocation) async throws -> Value? {
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(deadline: .now() + seconds)
    timer.setEventHandler { self.tell(nil) }
    timer.resume()
    // The last resort, where the body has left the cooperative pool no thread on which the caller could go on. Other tests
    // may hold the pool as well, so that the caller of a body that has ended waits for them.
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
