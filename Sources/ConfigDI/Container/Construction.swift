// SPDX-License-Identifier: Apache-2.0

/// Something that is built at most once at a time: an instance for one keeper.
struct Site: Hashable, Sendable {
  /// What keeps the instance, as long as it is being built.
  let keeper: ObjectIdentifier
  /// The slot.
  let slot: SlotKey
}

extension Site {
  /// What a claim builds.
  init(_ claim: BriefClaim) { self.init(keeper: ObjectIdentifier(claim.store), slot: claim.slot) }
}

/// Who needs an instance: what is being made there, as far as it is known.
struct Claimant: Sendable {
  /// The making that needs it; nil where the look-up does not say so.
  var work: Work?
  /// The thread on which the look-up runs; nil where it may change threads.
  var thread: ThreadID?
  /// The making of the task in which the look-up runs; nil where there is none.
  var taskWork: Work?
}

/// What is being built and by whom.
///
/// No user code runs here.
struct Construction {
  /// What somebody who needs an instance has to do.
  enum Claim {
    /// Build it, then call `finish`.
    case build(Work)
    /// Wait until it is built, then call `endWait`.
    case wait(Work, for: Work?)
    /// Give up: the instance is needed to build itself, by way of these. The first and the last are the same.
    case cycle([Work])
  }

  /// What is noted of a thread.
  private struct ThreadState {
    /// What the thread is making.
    var work: Work
    /// What is known of its stack.
    var stack: StackExtent
  }

  /// The instances that are being built for a keeper.
  private(set) var works = SmallTable<Site, Work>()
  /// The threads that make something.
  private var threads = SmallTable<ThreadID, ThreadState>()
  /// The number of the last that waited.
  private var lastWaiter = 0

  /// How many makings may stand around one another before they are searched for a cycle at all.
  private static let leastDepth = 32
  /// How many makings with run-time arguments, which may well differ, can stand around one another.
  private static let greatestDepth = 1 << 17

  /// Claims the building of an instance, which is not there.
  mutating func claim(_ site: Site, _ subject: (any WorkSubject)?, by claimant: Claimant, at address: UInt) -> Claim {
    let parent = innermost(for: claimant)
    guard let work = works[site] else {
      let claim = begin(subject, in: parent, on: claimant.thread, at: address)
      if case .build(let work) = claim { works[site] = work }
      return claim
    }
    if let cycle = cycle(closedBy: parent, waitingFor: work) { return .cycle(cycle) }
    parent?.needs.append(work)
    return .wait(work, for: parent)
  }

  /// Turns the claim of a thread, which builds nothing else, into a making.
  mutating func adopt(_ claim: BriefClaim) {
    if case .build(let work) = begin(claim.subject, in: nil, on: claim.thread, at: claim.address) {
      works[Site(claim)] = work
    }
  }

  /// Notes that somebody makes an instance that is not kept, until `end`.
  mutating func enter(_ subject: any WorkSubject, by claimant: Claimant, at address: UInt) -> Claim {
    begin(subject, in: innermost(for: claimant), on: claimant.thread, at: address)
  }

  /// Ends the building of an instance.
  ///
  /// - Returns: those to tell once the lock is given back.
  mutating func finish(
    _ site: Site, _ work: Work, on thread: ThreadID?
  ) -> [@Sendable (Work.Outcome) -> Void] {
    works[site] = nil
    end(work, on: thread)
    let waiters = work.waiters.sorted { $0.key < $1.key }.map(\.value)
    work.waiters = [:]
    work.cancel = nil
    return waiters
  }

  /// Ends the making of an instance.
  mutating func end(_ work: Work, on thread: ThreadID?) {
    if let parent = work.parent { Construction.remove(work, from: parent) }
    work.parent = nil
    if let thread {
      var state = threads[thread]
      if let outer = work.outer { state?.work = outer } else { state = nil }
      threads[thread] = state
    }
    work.outer = nil
  }

  /// Has somebody told when a making ends.
  ///
  /// - Returns: the number by which to stop that; nil where it has ended.
  mutating func wait(for work: Work, at site: Site, _ tell: @escaping @Sendable (Work.Outcome) -> Void) -> Int? {
    guard works[site] === work else { return nil }
    lastWaiter += 1
    work.waiters[lastWaiter] = tell
    return lastWaiter
  }

  /// Has somebody not be told any more.
  ///
  /// - Returns: whether that was in time.
  mutating func stopWaiting(_ number: Int, for work: Work) -> Bool { work.waiters.removeValue(forKey: number) != nil }

  /// Notes that a making waits for another one no more.
  mutating func endWait(for work: Work, in parent: Work?) { parent.map { Construction.remove(work, from: $0) } }

  /// What is known of the stack of a thread that makes something; nil for another one.
  func stack(of thread: ThreadID) -> StackExtent? { threads[thread]?.stack }

  /// Goes on with a making on a thread of our own.
  mutating func move(_ work: Work, to thread: ThreadID, _ stack: StackExtent) {
    threads[thread] = ThreadState(work: work, stack: stack)
  }

  /// Is done with what was moved to a thread.
  mutating func leave(_ thread: ThreadID) { threads[thread] = nil }
}

extension Construction {
  /// The making in which somebody needs an instance.
  private func innermost(for claimant: Claimant) -> Work? {
    claimant.work ?? claimant.thread.flatMap { threads[$0]?.work } ?? claimant.taskWork
  }

  /// Begins a making, unless it would stand within itself.
  private mutating func begin(
    _ subject: (any WorkSubject)?, in parent: Work?, on thread: ThreadID?, at address: UInt
  ) -> Claim {
    let work = Work(subject, parent: parent)
    if let repetition = subject?.repetition {
      // Only where the depth has doubled, so that all searches together are linear.
      let least = repetition.mayEnd ? Construction.greatestDepth : Construction.leastDepth
      if work.depth >= max(least, 2 * work.searchedDepth) {
        if let cycle = cycle(of: repetition.slot, within: parent) { return .cycle(cycle) }
        work.searchedDepth = work.depth
      }
    }
    parent?.needs.append(work)
    if let thread {
      let state = threads[thread]
      work.outer = state?.work
      threads[thread] = ThreadState(work: work, stack: state?.stack ?? StackExtent(base: address))
    }
    return .build(work)
  }

  /// Removes a making from those that another one needs.
  private static func remove(_ work: Work, from parent: Work) {
    // Nearly always the last.
    if let place = parent.needs.lastIndex(where: { $0 === work }) { parent.needs.remove(at: place) }
  }

  /// The makings from the outermost around one on down, as far as the given one, which stands around it; itself included.
  private func path(from outer: Work, to inner: Work?) -> [Work] {
    var path: [Work] = []
    var next = inner
    while let work = next {
      path.append(work)
      if work === outer { break }
      next = work.parent
    }
    return path.reversed()
  }

  /// The way from a slot to itself within a making, or nil where it is not being made there.
  ///
  /// - Complexity: linear in the depth.
  private func cycle(of slot: SlotKey, within parent: Work?) -> [Work]? {
    var next = parent
    while let work = next {
      if work.subject?.repetition?.slot == slot { return path(from: work, to: parent) + [work] }
      next = work.parent
    }
    return nil
  }

  /// The circle that a making would close by waiting for another one, or nil where it would close none.
  ///
  /// - Complexity: linear in the number of makings that depend on one another.
  private func cycle(closedBy parent: Work?, waitingFor wanted: Work) -> [Work]? {
    var around: Set<ObjectIdentifier> = []
    var next = parent
    while let work = next {
      around.insert(ObjectIdentifier(work))
      next = work.parent
    }
    if around.isEmpty { return nil }
    if around.contains(ObjectIdentifier(wanted)) { return path(from: wanted, to: parent) + [wanted] }
    /// For each making that was reached, the one that needs it.
    var needers: [ObjectIdentifier: Work] = [:]
    var rest = [wanted]
    while let work = rest.popLast() {
      for need in work.needs where needers[ObjectIdentifier(need)] == nil && need !== wanted {
        needers[ObjectIdentifier(need)] = work
        guard around.contains(ObjectIdentifier(need)) else {
          rest.append(need)
          continue
        }
        var way: [Work] = []
        var step: Work? = work
        while let reached = step {
          way.append(reached)
          step = reached === wanted ? nil : needers[ObjectIdentifier(reached)]
        }
        return way.reversed() + path(from: need, to: parent) + [wanted]
      }
    }
    return nil
  }
}
