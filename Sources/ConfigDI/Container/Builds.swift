// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Takes care that what is kept is built once, however many threads want it, and that nobody waits for himself.
@usableFromInline final class Builds: Sendable {
  /// What is being built and by whom.
  let construction = Guarded(Construction())
  /// How many instances are being built, for those who need only know whether there are any.
  private let count = Atomic(0)

  /// Whether some service is shared within a look-up, so that builders which look up by themselves take part in that.
  private let sharing = Atomic(false)

  /// Nothing is being built yet.
  init() {}

  /// Whether some service is shared within a look-up.
  @usableFromInline var areSharing: Bool { sharing.load(ordering: .relaxed) }

  /// Notes that some service is shared within a look-up.
  func noteSharing() { sharing.store(true, ordering: .relaxed) }

  /// Whether something is being built.
  @usableFromInline var areRunning: Bool { count.load(ordering: .relaxed) > 0 }

  /// What somebody finds that needs an instance.
  private enum Finding<Kept>: @unchecked Sendable {
    // Unchecked, as the instance is handed on, not used.

    /// The instance.
    case kept(Kept)
    /// What to do to get one.
    case claim(Construction.Claim)
  }

  /// What became of a new instance.
  enum Keep {
    /// It is kept.
    case kept
    /// It cannot be kept any more.
    case closed
  }

  /// An instance that is built unless it is there.
  ///
  /// Who comes while another thread builds it waits, and shares the fate of that attempt, so that a failing builder is not
  /// tried once for each of them; the next look-up tries anew.
  ///
  /// - Parameters:
  ///   - site: what to build.
  ///   - subject: the same, for errors.
  ///   - resolution: the look-up that needs it.
  ///   - find: the instance, if it is there. Runs under the lock, so it must not call user code.
  ///   - build: builds the instance.
  ///   - keep: keeps a new instance. Runs under a lock, too.
  ///   - closed: the error of an instance that cannot be kept any more, and that gives back what it holds.
  /// - Throws: what `build` throws, in this thread or in the one that is waited for, or one of the other errors.
  func once<Kept>(
    _ site: Site, _ subject: (any WorkSubject)?, _ resolution: Resolution,
    find: (inout Construction) -> Kept?, build: (Work) throws(ResolutionError) -> Kept, keep: (Kept) -> Keep,
    closed: (Kept) -> ResolutionError
  ) throws(ResolutionError) -> Kept {
    adoptOwnClaim()
    let claimant = Claimant(work: resolution.work, thread: .current, taskWork: Current.work)
    while true {
      let finding: Finding<Kept> = construction.withLock { construction in
        find(&construction).map { .kept($0) }
          ?? .claim(construction.claim(site, subject, by: claimant, at: StackExtent.here))
      }
      switch finding {
      case .kept(let kept): return kept
      case .claim(.wait(let work, let parent)):
        try wait(for: work, in: parent, at: site, subject)
      case .claim(.cycle(let works)): throw .cycle(works)
      case .claim(.build(let work)):
        begin()
        defer { end() }
        let kept: Kept
        do throws(ResolutionError) {
          kept = try onRoomyStack(work) { () throws(ResolutionError) in try build(work) }
        } catch {
          finish(site, work, on: claimant.thread, error)
          throw error
        }
        try finish(site, work, on: claimant.thread, kept, keep: keep, closed: closed)
        return kept
      }
    }
  }

  /// Counts a building.
  func begin() { count.add(1, ordering: .relaxed) }

  /// Counts a building off.
  func end() { count.subtract(1, ordering: .relaxed) }

  /// Ends a building that failed.
  func finish(_ site: Site, _ work: Work, on thread: ThreadID?, _ error: ResolutionError) {
    for tell in construction.withLock({ $0.finish(site, work, on: thread) }) { tell(.failed(error)) }
  }

  /// Ends a building with an instance to keep.
  ///
  /// - Throws: the error `closed` where it cannot be kept any more.
  func finish<Kept>(
    _ site: Site, _ work: Work, on thread: ThreadID?, _ kept: Kept, keep: (Kept) -> Keep,
    closed: (Kept) -> ResolutionError
  ) throws(ResolutionError) {
    let (state, waiters) = construction.withLock { (keep(kept), $0.finish(site, work, on: thread)) }
    let error = state == .closed ? closed(kept) : nil
    for tell in waiters { tell(error.map { .failed($0) } ?? .made(kept)) }
    if let error { throw error }
  }

  /// Waits until a making has ended.
  ///
  /// - Throws: the error with which it ended; that of a service which is built in a task, for which no thread waits: the task
  ///   may need that very thread.
  private func wait(
    for work: Work, in parent: Work?, at site: Site, _ subject: (any WorkSubject)?
  ) throws(ResolutionError) {
    let latch = Latch()
    defer { construction.withLock { $0.endWait(for: work, in: parent) } }
    let (number, isTask) = construction.withLock { construction in
      work.isTask ? (nil, true) : (construction.wait(for: work, at: site) { latch.open($0) }, false)
    }
    if isTask, let slot = subject as? Slot { throw .needsAwait(slot) }
    if number != nil { try latch.wait() }
  }

  /// Notes that the thread makes an instance that is not kept, until `end`.
  ///
  /// - Throws: `ResolutionError` where the service is needed to make itself.
  func enter(
    _ slot: Slot, _ resolution: Resolution, on thread: ThreadID? = .current
  ) throws(ResolutionError) -> Work {
    adoptOwnClaim()
    let claimant = Claimant(work: resolution.work, thread: thread, taskWork: Current.work)
    let claim = construction.withLock {
      $0.enter(slot, by: claimant, at: StackExtent.here)
    }
    switch claim {
    case .build(let work), .wait(let work, _): return work
    case .cycle(let works): throw .cycle(works)
    }
  }

  /// Is done with an instance that is not kept.
  func end(_ work: Work, on thread: ThreadID? = .current) { construction.withLock { $0.end(work, on: thread) } }

  /// Runs a body on the main actor, where this thread is there, or one that waits for this one.
  ///
  /// - Returns: false where it is neither.
  func onMainActor(_ body: () -> Void) -> Bool {
    if MainActor.isCurrent {
      body()
      return true
    }
    let thread = ThreadID.current
    guard let standIn = construction.withLock({ $0.stack(of: thread) })?.standIn, standIn.standsForMain else {
      return false
    }
    standIn.sendBack { _ = onMainActor(body) }
    return true
  }

  /// Runs the making of an instance, on a stack of its own where little is left of the thread's.
  func onRoomyStack<Made>(_ work: Work, _ make: () throws(ResolutionError) -> Made) throws(ResolutionError) -> Made {
    let thread = ThreadID.current
    guard let stack = construction.withLock({ $0.stack(of: thread) }), stack.isCramped(at: StackExtent.here) else {
      return try make()
    }
    let container = Current.container
    return try StandIn.run(within: stack.standIn) { thread, stack throws(ResolutionError) in
      construction.withLock { $0.move(work, to: thread, stack) }
      defer { construction.withLock { $0.leave(thread) } }
      return try Current.$container.withValue(container) { () -> Result<Made, ResolutionError> in
        Result { () throws(ResolutionError) in try make() }
      }.get()
    }
  }
}

extension Builds {
  /// Turns a claim into a making. Called under the lock.
  func adopt(_ claim: BriefClaim, in construction: inout Construction) {
    construction.adopt(claim)
    begin()
  }

  /// Turns the running thread's claim, if it has one here, into a making, as another one begins within.
  private func adoptOwnClaim() {
    guard let claim = BriefClaim.current?.pointee, claim.builds == ObjectIdentifier(self) else { return }
    construction.withLock { construction in
      _ = claim.store.note(claim.slot) { adopt($0, in: &construction) }
    }
  }

  /// Ends a building whose claim was adopted.
  func finishAdopted(_ claim: BriefClaim, _ error: ResolutionError) {
    defer { end() }
    let site = Site(claim)
    guard let work = construction.withLock({ $0.works[site] }) else { return }
    finish(site, work, on: claim.thread, error)
  }

  /// Ends a building whose claim was adopted, with an instance to keep.
  ///
  /// - Throws: the error `closed` where it cannot be kept any more.
  func finishAdopted<Kept>(
    _ claim: BriefClaim, _ kept: Kept, keep: (Kept) -> Keep, closed: (Kept) -> ResolutionError
  ) throws(ResolutionError) {
    defer { end() }
    let site = Site(claim)
    guard let work = construction.withLock({ $0.works[site] }) else { return }
    try finish(site, work, on: claim.thread, kept, keep: keep, closed: closed)
  }
}
