// SPDX-License-Identifier: Apache-2.0

/// What is being built and by whom, and what is built: the part of a container that changes.
///
/// Slots go by their numbers. No user code runs here.
struct Construction {
  /// What a thread that needs a kept instance has to do.
  enum Claim {
    /// Nothing: it is built.
    case none
    /// Build it, then call `finish`.
    case build
    /// Wait for the thread that builds it.
    case wait(Latch)
    /// Give up: the instance is needed to build itself, by way of these slots. The first and the last are the same.
    case cycle([Int])
  }

  /// One thread's building of one kept instance.
  private struct Attempt {
    /// The thread.
    let thread: ThreadID
    /// For what others wait, once one does.
    var latch: Latch?
  }

  /// The kept instances that are being built.
  private var attempts: [Int: Attempt] = [:]
  /// For each thread that builds, what it is building, the outermost first.
  private var stacks: [ThreadID: [Int]] = [:]
  /// For each thread that waits, for what.
  private var waits: [ThreadID: Int] = [:]
  /// The kept instances as all their types, in the order in which they were built.
  private var built: [[AnyInstance]] = []

  /// Claims the building of a kept instance for a thread.
  ///
  /// - Parameter isBuilt: whether the instance is there, as seen under the lock.
  mutating func claim(_ slot: Int, by thread: ThreadID, isBuilt: Bool) -> Claim {
    if isBuilt { return .none }
    guard let attempt = attempts[slot] else {
      attempts[slot] = Attempt(thread: thread)
      stacks[thread, default: []].append(slot)
      return .build
    }
    if let cycle = cycle(closedBy: thread, needing: slot) { return .cycle(cycle) }
    let latch = attempt.latch ?? Latch()
    attempts[slot]?.latch = latch
    waits[thread] = slot
    return .wait(latch)
  }

  /// Ends the building of a kept instance.
  ///
  /// - Parameter instances: the instance as all its types, or nil where building failed.
  /// - Returns: the latch to open once the lock is given back, or nil where nobody waits.
  mutating func finish(_ slot: Int, by thread: ThreadID, instances: [AnyInstance]?) -> Latch? {
    if let instances { built.append(instances) }
    leave(thread)
    let latch = attempts.removeValue(forKey: slot)?.latch
    // Who waited waits no more, although it may not have woken up.
    if latch != nil { waits = waits.filter { $0.value != slot } }
    return latch
  }

  /// Notes that a thread makes an instance that is not kept, until `leave`.
  mutating func enter(_ slot: Int, by thread: ThreadID) { stacks[thread, default: []].append(slot) }

  /// Notes that a thread is done with what it began last.
  mutating func leave(_ thread: ThreadID) {
    stacks[thread]?.removeLast()
    if stacks[thread]?.isEmpty == true { stacks[thread] = nil }
  }

  /// The way from a slot to itself on the stack of a thread, or nil where it is not there.
  func cycle(of slot: Int, on thread: ThreadID) -> [Int]? {
    guard let stack = stacks[thread], let start = stack.firstIndex(of: slot) else { return nil }
    return stack[start...] + [slot]
  }

  /// Hands over all instances, in the order in which they were built.
  mutating func takeInstances() -> [[AnyInstance]] {
    defer { built = [] }
    return built
  }

  /// The circle that a thread would close by waiting for a slot that is being built, or nil where it would close none.
  ///
  /// - Complexity: linear in the number of slots that the threads on the way are building.
  private func cycle(closedBy thread: ThreadID, needing slot: Int) -> [Int]? {
    var path: [Int] = []
    var needed = slot
    while let attempt = attempts[needed] {
      let stack = stacks[attempt.thread] ?? []
      path.append(contentsOf: stack[(stack.firstIndex(of: needed) ?? stack.endIndex)...])
      if attempt.thread == thread { return path + [slot] }
      guard let next = waits[attempt.thread] else { return nil }
      needed = next
    }
    return nil
  }
}
