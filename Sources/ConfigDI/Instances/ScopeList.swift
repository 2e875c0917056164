// SPDX-License-Identifier: Apache-2.0

/// The stores of a container's open scopes, in the order of their opening.
struct ScopeList {
  /// The neighbours of a store in the list.
  struct Neighbours {
    /// Whether the store is in the list.
    fileprivate var isListed = false
    /// The one that was opened before.
    fileprivate var older: Unmanaged<InstanceStore>?
    /// The one that was opened next.
    fileprivate var newer: Unmanaged<InstanceStore>?

    /// Those of a store in no list.
    init() {}
  }

  /// The one that was opened last. A scope takes its store out before it lets it go.
  private var newest: Unmanaged<InstanceStore>?

  /// All stores, that which was opened last first.
  var all: [InstanceStore] {
    var stores: [InstanceStore] = []
    var next = newest?.takeUnretainedValue()
    while let store = next {
      stores.append(store)
      next = store.neighbours.older?.takeUnretainedValue()
    }
    return stores
  }

  /// Adds the store of a scope that is being opened.
  mutating func add(_ store: InstanceStore) {
    store.neighbours.isListed = true
    store.neighbours.older = newest
    let added = Unmanaged.passUnretained(store)
    newest?._withUnsafeGuaranteedRef { $0.neighbours.newer = added }
    newest = added
  }

  /// Takes a store out, unless it is out.
  mutating func remove(_ store: InstanceStore) {
    let neighbours = store.neighbours
    guard neighbours.isListed else { return }
    store.neighbours = Neighbours()
    neighbours.older?._withUnsafeGuaranteedRef { $0.neighbours.newer = neighbours.newer }
    if let newer = neighbours.newer {
      newer._withUnsafeGuaranteedRef { $0.neighbours.older = neighbours.older }
    } else {
      newest = neighbours.older
    }
  }
}
