// SPDX-License-Identifier: Apache-2.0

// Who answers for what, parents included. A lock is held for one container at a time.

extension Core {
  /// The services of a name: its own, else those of the nearest parent that has some.
  func entries(named name: String) -> [Directory.Entry] {
    var core: Core? = self
    while let current = core {
      let entries = current.withState { Hold($0.directory.entries(named: name)) }?.value ?? []
      if !entries.isEmpty { return entries }
      core = current.parent
    }
    return []
  }

  /// The services that code may look up by a type, ascending by id. One of a parent is hidden by one of the same name.
  func providers(of type: ObjectIdentifier) -> [Cell] {
    var providers = withState { $0.directory.providers(of: type) } ?? []
    var core = parent
    while let current = core {
      let hidden = Set(providers.lazy.map { ScalarString($0.slot.id) })
      let further = current.withState { $0.directory.providers(of: type) } ?? []
      providers.append(contentsOf: further.filter { !hidden.contains(ScalarString($0.slot.id)) })
      core = current.parent
    }
    return parent == nil ? providers : providers.sorted { $0.slot.id < $1.slot.id }
  }

  /// Who answers for a type: what code has registered for just this type, or a module binds to it, else the only one that
  /// provides it; among those that want just the run-time arguments which are brought along.
  func answer(for type: ObjectIdentifier, arguments: [ObjectIdentifier]) -> Directory.Answer {
    var bound: [Cell] = []
    var core: Core? = self
    while let current = core {
      let (cell, others) =
        current.withState { ($0.directory.bound(type, arguments: arguments), $0.directory.bound(type)) }
        ?? (nil, [])
      if let cell { return .one(cell) }
      bound.append(contentsOf: others)
      core = current.parent
    }
    let providers = providers(of: type)
    let matching = providers.filter { $0.slot.signature == arguments }
    switch matching.count {
    case 0:
      let others = bound.isEmpty ? providers : bound
      return others.isEmpty ? .none : .wrongArguments(others)
    case 1: return .one(matching[0])
    default: return .several(matching)
    }
  }

  /// Why nothing answers for a type, or for a name.
  func missing(_ type: Any.Type, _ name: String?) -> ResolutionError {
    if isEnded { return .disposed }
    var typeName = TypeName.name(of: type)
    let slots = allSlots
    if let name {
      if let entry = entries(named: name).first, !entry.isPublic {
        return .isPrivate(entry.slot, type: typeName, name: name)
      }
      return .notRegistered(name: name, type: typeName, near: suggestions(for: name, among: names))
    }
    let id = ObjectIdentifier(type)
    for slot in slots where slot.isPrivate && !slot.isDecorated && slot.answeringCell(of: id) != nil {
      return .isPrivate(slot, type: typeName, name: nil)
    }
    let provided = slots.filter { !$0.isPrivate && !$0.isDecorated }.flatMap(\.answeringTypes)
    let namesakes = TypeName.setApart(&typeName, of: type, among: provided)
    if !namesakes.isEmpty { return .notRegistered(type: typeName, near: namesakes) }
    return .notRegistered(type: typeName, near: suggestions(for: typeName, among: Set(provided.map(\.name))))
  }

  /// All names by which code may look services up.
  private var names: [String] {
    var names: [String] = []
    var core: Core? = self
    while let current = core {
      names += current.withState { $0.directory.publicNames } ?? []
      core = current.parent
    }
    return names
  }

  /// All slots, those of parents included.
  private var allSlots: [Slot] {
    var slots: [Slot] = []
    var core: Core? = self
    while let current = core {
      slots += current.withState { $0.fileSlots + $0.codeSlots.values } ?? []
      core = current.parent
    }
    return slots
  }
}
