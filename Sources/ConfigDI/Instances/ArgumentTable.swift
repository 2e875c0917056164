// SPDX-License-Identifier: Apache-2.0

/// The instances of one service whose run-time arguments are part of their key.
final class ArgumentTable: Sendable {
  /// The place for the instance of one key.
  private struct Entry {
    /// The key.
    let key: ArgumentKey
    /// The place.
    var place: SoleInstance
  }

  /// What changes.
  private struct State {
    /// The places by the hashes of their keys.
    var buckets: [Int: [Entry]] = [:]
    /// How many places there are.
    var count = 0
    /// How many there may be before empty ones are looked for.
    var limit = ArgumentTable.leastLimit
  }

  /// How many places there may always be.
  private static let leastLimit = 16

  /// What changes.
  private let state = Guarded(State())

  /// How many places there are.
  var count: Int { state.withLock { $0.count } }

  /// The place of a key, made where there is none yet.
  ///
  /// Keys are compared without the lock, as that may run code of the application.
  func place(for key: ArgumentKey) -> SoleInstance {
    while true {
      let entries = state.withLock { Hold($0.buckets[key.hash] ?? []) }.value
      if let entry = entries.first(where: { $0.key == key }) { return entry.place }
      let place = SoleInstance()
      let old = state.withLock { state -> Hold<[Any]>? in
        // Somebody else's new entry could be for the same key.
        guard state.buckets[key.hash]?.last?.place === entries.last?.place else { return nil }
        state.buckets[key.hash, default: []].append(Entry(key: key, place: place))
        state.count += 1
        return Hold(state.count > state.limit ? ArgumentTable.sweep(&state) : [])
      }
      if old != nil { return place }
    }
  }

  /// Removes places whose instances are gone or were never built, and which nobody is about to fill.
  ///
  /// - Returns: what has to be released without the lock.
  /// - Complexity: linear, but called only after the table has doubled.
  private static func sweep(_ state: inout State) -> [Any] {
    var released: [Any] = []
    // A loop over `indices` would hold a copy of the table, in which no place were uniquely referenced.
    var index = state.buckets.startIndex
    while index != state.buckets.endIndex {
      var bucket: [Entry] = []
      swap(&bucket, &state.buckets.values[index])
      for place in bucket.indices.reversed() where isKnownUniquelyReferenced(&bucket[place].place) {
        if let found = bucket[place].place.found {
          released.append(found)
        } else {
          released.append(bucket.remove(at: place))
          state.count -= 1
        }
      }
      swap(&bucket, &state.buckets.values[index])
      state.buckets.formIndex(after: &index)
    }
    state.buckets = state.buckets.filter { !$0.value.isEmpty }
    state.limit = max(2 * state.count, leastLimit)
    return released
  }
}
