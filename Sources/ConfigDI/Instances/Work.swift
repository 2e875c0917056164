// SPDX-License-Identifier: Apache-2.0

/// Names a slot among all of a container, its parents and its children, as long as they live.
struct SlotKey: Hashable, Sendable {
  /// The address of the slot's first cell; 0 for what belongs to no container.
  let address: UInt
}

/// What is being made.
protocol WorkSubject: AnyObject, Sendable {
  /// The id that errors show.
  var id: String { get }
  /// How to tell that an instance is made in order to make itself, where its keeper does not: nil where one keeper has it,
  /// so that it is being made in one place at a time.
  var repetition: Repetition? { get }
}

/// How to tell that a service is made in order to make itself.
struct Repetition: Sendable {
  /// The slot, which makings of the service have in common.
  let slot: SlotKey
  /// Whether run-time arguments may tell one making from another, so that some may stand within one another.
  let mayEnd: Bool
}

/// The making of one instance that is under way, and that in which it was asked for.
///
/// All of it but the subject is read and changed under the lock of `Construction`.
@usableFromInline final class Work: @unchecked Sendable {
  /// How a making ended.
  enum Outcome: @unchecked Sendable {
    // Unchecked, as what was made is handed on, not used.

    /// With something, which may live no longer than somebody holds it.
    case made(Any)
    /// With an error.
    case failed(any Error)
  }

  /// What is being made; nil for what belongs to no container.
  let subject: (any WorkSubject)?
  /// The making in which this one was asked for; nil for an outermost one, and once this one has ended.
  var parent: Work?
  /// How many makings stand around this one.
  let depth: Int
  /// The depth at which those around this one were last searched for a cycle.
  var searchedDepth: Int
  /// The makings that were asked for in this one and have not ended, and those of others that it waits for.
  var needs: [Work] = []
  /// Those that wait for the end, by number; each is told how it ended.
  var waiters: [Int: @Sendable (Outcome) -> Void] = [:]
  /// Whether a task makes it, for which no thread may wait.
  var isTask = false
  /// Whether the task was cancelled, so that its failure is nothing to those who came later.
  var isCancelled = false
  /// Cancels the task; nil where none makes it.
  var cancel: (@Sendable () -> Void)?
  /// What the thread was making before; nil where that was nothing, or no thread makes this.
  var outer: Work?

  /// A making that begins.
  init(_ subject: (any WorkSubject)?, parent: Work?) {
    self.subject = subject
    self.parent = parent
    depth = parent.map { $0.depth + 1 } ?? 0
    searchedDepth = parent?.searchedDepth ?? 0
  }
}
