// SPDX-License-Identifier: Apache-2.0

/// The instances that one look-up shares within itself, by their slots.
///
/// They are kept alive while the look-up runs. What is put off with a `Lazy` belongs to the look-up that made the `Lazy`,
/// although it comes later: it finds those instances that somebody else has kept alive meanwhile. So nothing lives longer
/// because a `Lazy` was never opened.
@usableFromInline final class GraphInstances: Sendable {
  /// One instance.
  private struct Entry {
    /// The instance, while a look-up runs.
    var built: Built?
    /// The instance, where it is an object.
    weak var object: AnyObject?
  }

  /// What changes.
  private struct State {
    /// The instances by slot.
    var entries: [SlotKey: Entry] = [:]
    /// How many look-ups run.
    var running = 1
    /// Whether something was put off, so that another look-up may follow.
    var isContinued = false
  }

  /// What changes.
  private let state = Guarded(State())

  /// The instances of a look-up that begins.
  init() {}

  /// The instance of a slot, or nil where there is none.
  func found(_ slot: SlotKey) -> Found? {
    state.withLock { state in
      guard let entry = state.entries[slot] else { return nil }
      return entry.built.map { .built($0) } ?? entry.object.map { .object($0) }
    }
  }

  /// Keeps the instance of a slot as long as the look-up runs.
  func keep(_ built: Built, of slot: SlotKey) {
    let old = state.withLock { state in
      let old = Hold(state.entries[slot]?.built)
      // A resolver that was kept may look up when all is over; then nobody would let the instance go.
      state.entries[slot] = Entry(built: state.running > 0 ? built : nil, object: built.object)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Notes that a part of the look-up is put off.
  func putOff() { state.withLock { $0.isContinued = true } }

  /// Goes on with what was put off.
  func resume() { state.withLock { $0.running += 1 } }

  /// Is done with the look-up, or with a part that was put off.
  func end() {
    let old = state.withLock { state -> Hold<[Built]> in
      state.running -= 1
      guard state.running == 0 else { return Hold([]) }
      let old = state.entries.values.compactMap(\.built)
      state.entries =
        state.isContinued
        ? state.entries.compactMapValues { entry in
          entry.object.map { Entry(built: nil, object: $0) }
        } : [:]
      return Hold(old)
    }
    // Released here, without the lock: what is released may be an application's object whose end runs its code.
    withExtendedLifetime(old) {}
  }
}
