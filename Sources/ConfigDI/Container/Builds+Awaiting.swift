// SPDX-License-Identifier: Apache-2.0

extension Builds {
  /// An instance that is built in a task unless it is there.
  ///
  /// The task is nobody's child, so that one who waits and is cancelled takes nothing from the others; when the last one is
  /// cancelled, the task is.
  ///
  /// - Parameters: as those of `once`.
  /// - Throws: what `build` throws, or the error of a cycle, or of a look-up that is cancelled.
  func onceAwaiting<Kept: Sendable>(
    _ site: Site, _ subject: Slot?, _ resolution: Resolution, find: () -> Kept?,
    build: @escaping @Sendable (Work) async throws(ResolutionError) -> Kept, keep: @escaping @Sendable (Kept) -> Keep,
    closed: @escaping @Sendable (Kept) -> ResolutionError
  ) async throws(ResolutionError) -> Kept {
    let claimant = Claimant(work: resolution.work, thread: nil, taskWork: Current.work)
    while true {
      let finding: (kept: Kept?, claim: Construction.Claim?) = construction.withLock { construction in
        if let kept = find() { return (kept, nil) }
        return (nil, construction.claim(site, subject, by: claimant, at: 0))
      }
      if let kept = finding.kept { return kept }
      switch finding.claim {
      case .wait(let work, let parent):
        defer { construction.withLock { $0.endWait(for: work, in: parent) } }
        try await awaitEnd(of: work, at: site, subject)
      case .cycle(let works): throw .cycle(works)
      case .build(let work):
        construction.withLock { _ in work.isTask = true }
        begin()
        let task = Task {
          defer { end() }
          let kept: Kept
          do throws(ResolutionError) {
            kept = try await build(work)
          } catch {
            return finish(site, work, on: nil, error)
          }
          // Those who wait are told of an error.
          try? finish(site, work, on: nil, kept, keep: keep, closed: closed)
        }
        construction.withLock { _ in work.cancel = { task.cancel() } }
        try await awaitEnd(of: work, at: site, subject)
      case nil: break
      }
    }
  }

  /// Waits until a making has ended, without holding the thread.
  ///
  /// - Throws: the error with which it ended, or that of a look-up that is cancelled meanwhile.
  private func awaitEnd(of work: Work, at site: Site, _ subject: Slot?) async throws(ResolutionError) {
    let waiter = Waiter()
    guard let number = construction.withLock({ $0.wait(for: work, at: site) { waiter.end($0) } }) else { return }
    let error = await withTaskCancellationHandler {
      await waiter.wait()
    } onCancel: {
      waiter.end(ResolutionError.cancelled(subject))
    }
    guard let error else { return }
    let cancel = construction.withLock { construction -> (@Sendable () -> Void)? in
      // Whoever was told the end of the making is not among those who wait any more.
      guard construction.stopWaiting(number, for: work), work.waiters.isEmpty else { return nil }
      return work.cancel
    }
    cancel?()
    throw error as? ResolutionError ?? .lazyFailed(error)
  }
}

/// One who waits in a task, until he is told the first of several ends.
private final class Waiter: Sendable {
  /// How far it is.
  private enum State {
    /// Nobody waits yet, and nothing has ended.
    case idle
    /// Somebody waits.
    case waiting(CheckedContinuation<(any Error)?, Never>)
    /// It has ended.
    case ended((any Error)?)
  }

  /// How far it is.
  private let state = Guarded(State.idle)

  /// Ends the wait, unless it has ended.
  func end(_ error: (any Error)?) {
    let continuation = state.withLock { state -> CheckedContinuation<(any Error)?, Never>? in
      if case .ended = state { return nil }
      defer { state = .ended(error) }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    continuation?.resume(returning: error)
  }

  /// Waits for the end.
  func wait() async -> (any Error)? {
    await withCheckedContinuation { continuation in
      let ended = state.withLock { state -> (any Error)?? in
        if case .ended(let error) = state { return .some(error) }
        state = .waiting(continuation)
        return nil
      }
      if let ended { continuation.resume(returning: ended) }
    }
  }
}
