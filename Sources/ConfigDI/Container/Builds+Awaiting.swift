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
    _ site: Site, _ subject: Slot?, _ resolution: Resolution,
    find: (inout Construction) -> Kept?, build: @escaping @Sendable (Work) async throws(ResolutionError) -> Kept,
    keep: @escaping @Sendable (Kept) -> Keep,
    closed: @escaping @Sendable (Kept) -> ResolutionError
  ) async throws(ResolutionError) -> Kept {
    let claimant = Claimant(work: resolution.work, thread: nil, taskWork: Current.work)
    while true {
      let finding: (kept: Kept?, claim: Construction.Claim?) = construction.withLock { construction in
        if let kept = find(&construction) { return (kept, nil) }
        return (nil, construction.claim(site, subject, by: claimant, at: 0))
      }
      if let kept = finding.kept { return kept }
      switch finding.claim {
      case .wait(let work, let parent):
        defer { construction.withLock { $0.endWait(for: work, in: parent) } }
        guard let wait = Wait(for: work, at: site, in: self) else { continue }
        if let kept = try await wait.outcome(subject) as? Kept { return kept }
      case .cycle(let works): throw .cycle(works)
      case .build(let work):
        construction.withLock { _ in work.isTask = true }
        begin()
        // Before the task begins, as what it makes may live no longer than somebody holds it.
        let wait = Wait(for: work, at: site, in: self)
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
        if let kept = try await wait?.outcome(subject) as? Kept { return kept }
      case nil: break
      }
    }
  }
}

/// A wait for the end of a making, which holds no thread.
private struct Wait {
  /// Who waits.
  let waiter = Waiter()
  /// The number by which to stop.
  let number: Int
  /// The making.
  let work: Work
  /// Those whose lock guards the making.
  let builds: Builds

  /// Begins to wait; nil where the making has ended.
  init?(for work: Work, at site: Site, in builds: Builds) {
    let waiter = waiter
    let number = builds.construction.withLock { construction in
      let comesLate = work.isCancelled
      return construction.wait(for: work, at: site) { outcome in
        if case .failed = outcome, comesLate { waiter.end(nil) } else { waiter.end(outcome) }
      }
    }
    guard let number else { return nil }
    self.number = number
    self.work = work
    self.builds = builds
  }

  /// What was made; nil where the making had been cancelled before the wait began.
  ///
  /// - Throws: the error with which the making ended, or that of a look-up that is cancelled meanwhile.
  func outcome(_ subject: Slot?) async throws(ResolutionError) -> Any? {
    let outcome = await withTaskCancellationHandler {
      await waiter.wait()
    } onCancel: {
      waiter.end(.failed(ResolutionError.cancelled(subject)))
    }
    switch outcome {
    case nil: return nil
    case .made(let made): return made
    case .failed(let error):
      let cancel = builds.construction.withLock { construction -> (@Sendable () -> Void)? in
        // Whoever was told the end of the making is not among those who wait any more.
        guard construction.stopWaiting(number, for: work), work.waiters.isEmpty else { return nil }
        work.isCancelled = true
        return work.cancel
      }
      cancel?()
      throw error as? ResolutionError ?? .lazyFailed(error)
    }
  }
}

/// One who waits in a task, until he is told the first of several ends.
private final class Waiter: Sendable {
  /// How far it is.
  private enum State {
    /// Nobody waits yet, and nothing has ended.
    case idle
    /// Somebody waits.
    case waiting(CheckedContinuation<Work.Outcome?, Never>)
    /// It has ended.
    case ended(Work.Outcome?)
  }

  /// How far it is.
  private let state = Guarded(State.idle)

  /// Ends the wait, unless it has ended; with nil where there is nothing to tell.
  func end(_ outcome: Work.Outcome?) {
    let continuation = state.withLock { state -> CheckedContinuation<Work.Outcome?, Never>? in
      if case .ended = state { return nil }
      defer { state = .ended(outcome) }
      if case .waiting(let continuation) = state { return continuation }
      return nil
    }
    continuation?.resume(returning: outcome)
  }

  /// Waits for the end.
  func wait() async -> Work.Outcome? {
    await withCheckedContinuation { continuation in
      let ended = state.withLock { state -> Work.Outcome?? in
        if case .ended(let outcome) = state { return .some(outcome) }
        state = .waiting(continuation)
        return nil
      }
      if let ended { continuation.resume(returning: ended) }
    }
  }
}
