// SPDX-License-Identifier: Apache-2.0

/// Who answers for what: the names and types by which code looks services up.
struct Directory {
  /// What a name stands for.
  struct Entry {
    /// The slot of the service.
    let slot: Slot
    /// Whether code may look the service up by this name.
    let isPublic: Bool
  }

  /// Who answers for a look-up by type.
  enum Answer {
    /// Nobody.
    case none
    /// One service.
    case one(Cell)
    /// Several, ascending by id; none of them is bound.
    case several([Cell])
    /// Services that want other run-time arguments, ascending by id.
    case wrongArguments([Cell])
  }

  /// The services by name: their ids, and the aliases, by which private ones can be looked up too. Code may give one name to
  /// several services of different types.
  private(set) var names: [ScalarString: [Entry]] = [:]
  /// For each type the services that code may look up by it, ascending by id.
  private(set) var providers: [ObjectIdentifier: [Cell]] = [:]
  /// For each type the services that answer before all others: one that a module binds, and those that code has registered
  /// without a name, one for each tuple of run-time arguments. The last one comes first.
  private var bound: [ObjectIdentifier: [Cell]] = [:]

  /// Adds a service under its id, where it has one, and under its types.
  mutating func add(_ slot: Slot) {
    if slot.source != .unnamed {
      names[ScalarString(slot.id), default: []].append(Entry(slot: slot, isPublic: !slot.isPrivate))
    }
    guard !slot.isPrivate else { return }
    for (index, provided) in slot.provided.enumerated() where slot.answers[index] {
      let cell = slot.cell(index)
      var list = providers.removeValue(forKey: provided.id) ?? []
      list.insert(cell, at: Directory.place(of: slot.id, in: list))
      providers[provided.id] = list
      if slot.source == .unnamed { bind(provided.id, to: cell) }
    }
  }

  /// The place behind all services of lesser or equal ids.
  private static func place(of id: String, in list: [Cell]) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if list[middle].slot.id <= id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Adds the services of a plan, which are many, and none of which is there.
  mutating func add(_ slots: [Slot]) {
    for slot in slots {
      names[ScalarString(slot.id)] = [Entry(slot: slot, isPublic: !slot.isPrivate)]
      for (index, provided) in slot.provided.enumerated() where slot.answers[index] && !slot.isPrivate {
        providers[provided.id, default: []].append(slot.cell(index))
      }
    }
    for type in providers.keys { providers[type]?.sort { $0.slot.id < $1.slot.id } }
  }

  /// Adds a further name of a service.
  mutating func add(alias: String, of slot: Slot) {
    names[ScalarString(alias)] = [Entry(slot: slot, isPublic: true)]
  }

  /// Has a service answer for a type before all others that want the same run-time arguments.
  mutating func bind(_ type: ObjectIdentifier, to cell: Cell) {
    let signature = cell.slot.signature
    bound[type, default: []].removeAll { $0.slot.signature == signature }
    bound[type, default: []].insert(cell, at: 0)
  }

  /// Puts a service in the place of another one of the same cells.
  mutating func replace(_ old: Slot, by slot: Slot) {
    for (index, entry) in (names[ScalarString(old.id)] ?? []).enumerated() where entry.slot === old {
      names[ScalarString(old.id)]?[index] = Entry(slot: slot, isPublic: true)
    }
  }

  /// Hides a service wherever another one of its name now stands for it.
  mutating func hide(_ old: Slot, behind slot: Slot) {
    for (name, entries) in names where entries.contains(where: { $0.slot === old }) {
      names[name] = entries.compactMap { entry in
        guard entry.slot === old else { return entry }
        return name == ScalarString(old.id) ? nil : Entry(slot: slot, isPublic: entry.isPublic)
      }
    }
    for provided in old.provided {
      providers[provided.id]?.removeAll { $0.slot === old }
      let wasBound = bound[provided.id]?.contains { $0.slot === old } ?? false
      bound[provided.id]?.removeAll { $0.slot === old }
      if wasBound, let cell = slot.cell(of: provided.id) { bind(provided.id, to: cell) }
    }
  }

  /// Who answers before all others for a type, among those that want just the given run-time arguments.
  func bound(_ type: ObjectIdentifier, arguments: [ObjectIdentifier]) -> Cell? {
    bound[type]?.first { $0.slot.parameters.isEmpty ? arguments.isEmpty : $0.slot.signature == arguments }
  }

  /// Who answers before all others for a type, whatever run-time arguments it wants.
  func bound(_ type: ObjectIdentifier) -> [Cell] { bound[type] ?? [] }

  /// Whether some service is known for a type.
  func knows(_ type: ObjectIdentifier) -> Bool { providers[type]?.isEmpty == false || bound[type]?.isEmpty == false }

  /// The types for which some service is known.
  var types: Set<ObjectIdentifier> { Set(providers.keys).union(bound.keys) }
}
