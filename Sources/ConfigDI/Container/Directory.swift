// SPDX-License-Identifier: Apache-2.0

/// Who answers for what: the names and types by which code looks services up.
struct Directory: Sendable {
  /// What a name stands for.
  struct Entry: Sendable {
    /// The slot of the service.
    let slot: Int
    /// Whether code may look the service up by this name.
    let isPublic: Bool
  }

  /// The services by name: their ids, and the aliases, by which private ones can be looked up too.
  let names: [ScalarString: Entry]
  /// For each type the services that code may look up by it, ascending by id.
  let providers: [ObjectIdentifier: [SlotType]]
  /// For each type the one service that answers for it: the bound one, else the only one that provides it.
  let answers: [ObjectIdentifier: SlotType]

  /// The names and types of some services.
  init(slots: [Slot], aliases: [CompiledPlan.Alias], bindings: [CompiledPlan.Binding]) {
    var names: [ScalarString: Entry] = [:]
    var providers: [ObjectIdentifier: [SlotType]] = [:]
    for (number, slot) in slots.enumerated() {
      names[ScalarString(slot.id)] = Entry(slot: number, isPublic: !slot.isPrivate)
      for (index, provided) in slot.provided.enumerated() where slot.answers[index] && !slot.isPrivate {
        providers[provided.id, default: []].append(SlotType(slot: number, index: index))
      }
    }
    for alias in aliases { names[ScalarString(alias.id)] = Entry(slot: alias.slot, isPublic: true) }

    var answers: [ObjectIdentifier: SlotType] = [:]
    for (type, services) in providers {
      providers[type]?.sort { slots[$0.slot].id < slots[$1.slot].id }
      if services.count == 1 { answers[type] = services[0] }
    }
    for binding in bindings {
      for (index, provided) in slots[binding.slot].provided.enumerated() where provided.name == binding.provided {
        answers[provided.id] = SlotType(slot: binding.slot, index: index)
      }
    }
    self.names = names
    self.providers = providers
    self.answers = answers
  }
}
