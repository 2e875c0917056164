// SPDX-License-Identifier: Apache-2.0

/// Something that is built at most once at a time: an instance for one keeper.
struct Site: Hashable, Sendable {
  /// What keeps the instance, as long as it is being built.
  let keeper: ObjectIdentifier
  /// The slot; -1 for what belongs to no container.
  let slot: Int
}

/// What is being built and by whom.
///
/// No user code runs here.
struct Construction {
  /// What a thread that needs an instance has to do.
  enum Claim {
    /// Build it, then call `finish`.
    case build
    /// Wait for the thread that builds it.
    case wait(Latch)
    /// Give up: the instance is needed to build itself, by way of these slots. The first and the last are the same.
    case cycle([Int])
  }

  /// One thread's building of one instance.
  private struct Attempt {
    /// The thread.
    let thread: ThreadID
    /// For what others wait, once one does.
    var latch: Latch?
  }

  /// The instances that are being built.
  private var attempts: [Site: Attempt] = [:]
  /// For each thread that builds, what it is building, the outermost first.
  private var stacks: [ThreadID: [Site]] = [:]
  /// For each thread that waits, for what.
  private var waits: [ThreadID: Site] = [:]

  /// Claims the building of an instance, which is not there, for a thread.
  mutating func claim(_ site: Site, by thread: ThreadID) -> Claim {
    guard let attempt = attempts[site] else {
      attempts[site] = Attempt(thread: thread)
      stacks[thread, default: []].append(site)
      return .build
    }
    if let cycle = cycle(closedBy: thread, needing: site) { return .cycle(cycle) }
    let latch = attempt.latch ?? Latch()
    attempts[site]?.latch = latch
    waits[thread] = site
    return .wait(latch)
  }

  /// Ends the building of an instance.
  ///
  /// - Returns: the latch to open once the lock is given back, or nil where nobody waits.
  mutating func finish(_ site: Site, by thread: ThreadID) -> Latch? {
    leave(thread)
    let latch = attempts.removeValue(forKey: site)?.latch
    // Who waited waits no more, although it may not have woken up.
    if latch != nil { waits = waits.filter { $0.value != site } }
    return latch
  }

  /// Notes that a thread makes an instance that is not kept, until `leave`.
  mutating func enter(_ site: Site, by thread: ThreadID) { stacks[thread, default: []].append(site) }

  /// Notes that a thread is done with what it began last.
  mutating func leave(_ thread: ThreadID) {
    stacks[thread]?.removeLast()
    if stacks[thread]?.isEmpty == true { stacks[thread] = nil }
  }

  /// The slots on the way from an instance to itself on the stack of a thread, or nil where it is not there.
  func cycle(of site: Site, on thread: ThreadID) -> [Int]? {
    guard let stack = stacks[thread], let start = stack.firstIndex(of: site) else { return nil }
    return stack[start...].map(\.slot) + [site.slot]
  }

  /// The circle that a thread would close by waiting for what is being built, or nil where it would close none.
  ///
  /// - Complexity: linear in the number of instances that the threads on the way are building.
  private func cycle(closedBy thread: ThreadID, needing site: Site) -> [Int]? {
    var path: [Int] = []
    var needed = site
    while let attempt = attempts[needed] {
      let stack = stacks[attempt.thread] ?? []
      path.append(contentsOf: stack[(stack.firstIndex(of: needed) ?? stack.endIndex)...].lazy.map(\.slot))
      if attempt.thread == thread { return path + [site.slot] }
      guard let next = waits[attempt.thread] else { return nil }
      needed = next
    }
    return nil
  }
}
