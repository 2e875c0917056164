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

  /// The services of a module by their ids.
  private var moduleNames = SlotNames()
  /// The services by their other names: the ids of those that code registers, and the aliases, by which private ones can be
  /// looked up too. Code may give one name to several services of different types.
  private var names: [ScalarString: [Entry]] = [:]
  /// The aliases of the services that have some.
  private var aliases: [SlotKey: [ScalarString]] = [:]
  /// For each type the services that code may look up by it.
  private var lists: [ObjectIdentifier: ProviderList] = [:]
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
      lists[provided.id, default: ProviderList()].add(cell)
      if slot.source == .unnamed { bind(provided.id, to: cell) }
    }
  }

  /// Adds the services of a plan, which are many, and none of which is there.
  mutating func add(_ slots: [Slot]) {
    moduleNames = SlotNames(slots)
    for (number, slot) in slots.enumerated() {
      moduleNames.enter(number)
      guard !slot.isPrivate else { continue }
      for (index, provided) in slot.provided.enumerated() where slot.answers[index] {
        lists[provided.id, default: ProviderList()].add(slot.cell(index))
      }
    }
  }

  /// Adds a further name of a service.
  mutating func add(alias: String, of slot: Slot) {
    names[ScalarString(alias)] = [Entry(slot: slot, isPublic: true)]
    aliases[slot.key, default: []].append(ScalarString(alias))
  }

  /// Has a service answer for a type before all others that want the same run-time arguments.
  mutating func bind(_ type: ObjectIdentifier, to cell: Cell) {
    let signature = cell.slot.signature
    bound[type, default: []].removeAll { $0.slot.signature == signature }
    bound[type, default: []].insert(cell, at: 0)
  }

  /// Puts a service in the place of another one of the same cells.
  mutating func replace(_ old: Slot, by slot: Slot) {
    for name in [ScalarString(old.id)] + (aliases[old.key] ?? []) {
      for (index, entry) in (names[name] ?? []).enumerated() where entry.slot === old {
        names[name]?[index] = Entry(slot: slot, isPublic: true)
      }
    }
  }

  /// Hides a service wherever another one now stands for it: as the types that both provide.
  mutating func hide(_ old: Slot, behind slot: Slot) {
    let isGone = old.answeringTypes.isEmpty
    if isGone {
      moduleNames.remove(old)
      names[ScalarString(old.id)]?.removeAll { $0.slot === old }
    }
    for alias in aliases[old.key] ?? [] {
      names[alias] = (names[alias] ?? []).flatMap { entry in
        guard entry.slot === old else { return [entry] }
        return [Entry(slot: slot, isPublic: true)] + (isGone ? [] : [entry])
      }
      aliases[slot.key, default: []].append(alias)
    }
    if isGone { aliases[old.key] = nil }
    for provided in old.provided {
      guard let cell = slot.cell(of: provided.id) else { continue }
      lists[provided.id]?.remove(old)
      let wasBound = bound[provided.id]?.contains { $0.slot === old } ?? false
      bound[provided.id]?.removeAll { $0.slot === old }
      if wasBound { bind(provided.id, to: cell) }
    }
  }

  /// The services of a name: that of a module before those that code has registered, which stand in their order.
  func entries(named name: String) -> [Entry] {
    let others = names[ScalarString(name)] ?? []
    return moduleNames[name].map { [Entry(slot: $0, isPublic: !$0.isPrivate)] + others } ?? others
  }

  /// All names by which code may look services up.
  var publicNames: [String] {
    moduleNames.slots.filter { !$0.isPrivate }.map(\.id)
      + names.filter { $0.value.contains(where: \.isPublic) }.map(\.key.text)
  }

  /// Who answers before all others for a type, among those that want just the given run-time arguments.
  func bound(_ type: ObjectIdentifier, arguments: [ObjectIdentifier]) -> Cell? {
    bound[type]?.first { $0.slot.parameters.isEmpty ? arguments.isEmpty : $0.slot.signature == arguments }
  }

  /// Who answers before all others for a type, whatever run-time arguments it wants.
  func bound(_ type: ObjectIdentifier) -> [Cell] { bound[type] ?? [] }

  /// The services that code may look up by a type, ascending by id.
  ///
  /// - Complexity: constant, but after a change linear, or worse the less in order the new ids came.
  mutating func providers(of type: ObjectIdentifier) -> [Cell] { lists[type]?.sorted() ?? [] }

  /// The only service that code may look up by a type without run-time arguments; nil where there is none, or several.
  func soleProvider(of type: ObjectIdentifier) -> Cell? { lists[type]?.sole }

  /// Whether some service is known for a type.
  func knows(_ type: ObjectIdentifier) -> Bool { lists[type]?.isEmpty == false || bound[type]?.isEmpty == false }

  /// The types for which some service is known.
  var types: Set<ObjectIdentifier> { Set(lists.keys).union(bound.keys) }
}

/// The services of a module by their ids: a hash table of their numbers, as the ids stand in the services.
private struct SlotNames {
  /// The services, those that were removed included.
  private var all: [Slot] = []
  /// The number of a service plus one at each place that is taken, 0 at the others: a power of two of places, or none.
  private var places: [UInt32] = []
  /// What stands at the place of a service that was removed.
  private static let removed = UInt32.max
  /// The hash of the ids.
  private let hash = SeededHash()

  /// No services.
  init() {}

  /// Some services, no two of which have the same id, and none of which is found before it is entered.
  init(_ slots: [Slot]) {
    all = slots
    var size = 2
    while size < 2 * slots.count { size *= 2 }
    places = Array(repeating: 0, count: size)
  }

  /// Enters the service of a number.
  mutating func enter(_ number: Int) {
    let mask = places.count - 1
    var id = all[number].id
    var place = id.withUTF8 { Int(truncatingIfNeeded: hash($0)) & mask }
    while places[place] != 0 { place = (place + 1) & mask }
    places[place] = UInt32(truncatingIfNeeded: number + 1)
  }

  /// The services that were not removed.
  var slots: [Slot] {
    places.lazy.filter { $0 != 0 && $0 != SlotNames.removed }.map { all[Int($0) - 1] }
  }

  /// The service of an id.
  subscript(id: String) -> Slot? { place(of: id).map { all[Int(places[$0]) - 1] } }

  /// Removes a service; does nothing where it is not there.
  mutating func remove(_ slot: Slot) {
    guard let place = place(of: slot.id), all[Int(places[place]) - 1] === slot else { return }
    places[place] = SlotNames.removed
  }

  /// The place of the service of an id; nil where there is none.
  private func place(of id: String) -> Int? {
    guard !places.isEmpty else { return nil }
    var id = id
    return id.withUTF8 { bytes in
      var place = Int(truncatingIfNeeded: hash(bytes)) & (places.count - 1)
      while places[place] != 0 {
        let entry = places[place]
        if entry != SlotNames.removed, ScalarString(all[Int(entry) - 1].id) == bytes { return place }
        place = (place + 1) & (places.count - 1)
      }
      return nil
    }
  }
}

/// The services that code may look up by one type.
private struct ProviderList {
  /// The cells of the type.
  private var cells: [Cell] = []
  /// Whether they ascend by id.
  private var isSorted = true
  /// How many want no run-time arguments.
  private var plainCount = 0
  /// The first of those.
  private var firstPlain: Cell?

  /// Whether there are none.
  var isEmpty: Bool { cells.isEmpty }

  /// The only one that wants no run-time arguments; nil where there is none, or several.
  var sole: Cell? { plainCount == 1 ? firstPlain : nil }

  /// Adds a service.
  mutating func add(_ cell: Cell) {
    if let last = cells.last, last.slot.id > cell.slot.id { isSorted = false }
    cells.append(cell)
    guard cell.slot.parameters.isEmpty else { return }
    plainCount += 1
    firstPlain = firstPlain ?? cell
  }

  /// Removes a service.
  mutating func remove(_ slot: Slot) {
    let rest = cells.filter { $0.slot !== slot }
    let wasSorted = isSorted
    self = ProviderList()
    for cell in rest { add(cell) }
    isSorted = wasSorted
  }

  /// The services, ascending by id.
  mutating func sorted() -> [Cell] {
    if !isSorted { cells.sort { $0.slot.id < $1.slot.id } }
    isSorted = true
    return cells
  }
}
