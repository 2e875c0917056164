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

  /// Who answers for a look-up by type.
  enum Answer {
    /// Nobody.
    case none
    /// One service.
    case one(SlotType)
    /// Several, ascending by id; none of them is bound.
    case several([SlotType])
    /// Services that want other run-time arguments, ascending by id.
    case wrongArguments([SlotType])
  }

  /// The services by name: their ids, and the aliases, by which private ones can be looked up too.
  let names: [ScalarString: Entry]
  /// For each type the services that code may look up by it, ascending by id.
  let providers: [ObjectIdentifier: [SlotType]]
  /// For each type the service that is bound to it.
  private let bound: [ObjectIdentifier: SlotType]
  /// For each slot the types of its run-time arguments.
  private let parameters: [[ObjectIdentifier]]

  /// The names and types of some services.
  ///
  /// - Parameter numbers: for each slot of the plan the one that stands for it.
  init(slots: [Slot], numbers: [Int], aliases: [CompiledPlan.Alias], bindings: [CompiledPlan.Binding]) {
    var names: [ScalarString: Entry] = [:]
    var providers: [ObjectIdentifier: [SlotType]] = [:]
    for number in numbers {
      let slot = slots[number]
      names[ScalarString(slot.id)] = Entry(slot: number, isPublic: !slot.isPrivate)
      for (index, provided) in slot.provided.enumerated() where slot.answers[index] && !slot.isPrivate {
        providers[provided.id, default: []].append(SlotType(slot: number, index: index))
      }
    }
    for type in providers.keys { providers[type]?.sort { slots[$0.slot].id < slots[$1.slot].id } }
    for alias in aliases { names[ScalarString(alias.id)] = Entry(slot: numbers[alias.slot], isPublic: true) }

    var bound: [ObjectIdentifier: SlotType] = [:]
    for binding in bindings {
      let number = numbers[binding.slot]
      for (index, provided) in slots[number].provided.enumerated() where provided.name == binding.provided {
        bound[provided.id] = SlotType(slot: number, index: index)
      }
    }
    self.names = names
    self.providers = providers
    self.bound = bound
    parameters = slots.map { $0.parameters.map { ObjectIdentifier($0) } }
  }

  /// Who answers for a type: the bound service, else the only one that provides it; among those that want just the run-time
  /// arguments which are brought along.
  func answer(for type: ObjectIdentifier, arguments: [ObjectIdentifier]) -> Answer {
    if let bound = bound[type], parameters[bound.slot] == arguments { return .one(bound) }
    let providers = providers[type] ?? []
    let matching = providers.filter { parameters[$0.slot] == arguments }
    switch matching.count {
    case 0:
      let others = bound[type].map { [$0] } ?? providers
      return others.isEmpty ? .none : .wrongArguments(others)
    case 1: return .one(matching[0])
    default: return .several(matching)
    }
  }

  /// For each type the one service that answers without run-time arguments.
  var answers: [ObjectIdentifier: SlotType] {
    var answers: [ObjectIdentifier: SlotType] = [:]
    for type in providers.keys.map({ $0 }) + bound.keys {
      if case .one(let service) = answer(for: type, arguments: []) { answers[type] = service }
    }
    return answers
  }
}
