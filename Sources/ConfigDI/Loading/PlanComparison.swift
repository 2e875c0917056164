// SPDX-License-Identifier: Apache-2.0

/// What is the same in two plans of a module, and what is not.
struct PlanComparison {
  /// The ids of the services that are the same in both, with all that they need, also later.
  private let same: Set<ScalarString>
  /// What has become of the services.
  let reload: Reload

  /// Compares a plan with the one before.
  ///
  /// - Complexity: linear in services, references and data, but for the sorting of ids.
  init(_ old: CompiledPlan, _ new: CompiledPlan) {
    var oldSlots: [ScalarString: Int] = [:]
    for (place, slot) in old.slots.enumerated() { oldSlots[ScalarString(slot.id)] = place }
    var isSame = new.slots.map { slot in
      oldSlots[ScalarString(slot.id)].map { old.isSame(slot, in: new, as: old.slots[$0]) } ?? false
    }
    // A service is another one where something that it needs is.
    var users: [[Int]] = Array(repeating: [], count: new.slots.count)
    for (place, slot) in new.slots.enumerated() {
      for needed in slot.needed { users[needed].append(place) }
    }
    var open = isSame.indices.filter { !isSame[$0] }
    while let place = open.popLast() {
      for user in users[place] where isSame[user] {
        isSame[user] = false
        open.append(user)
      }
    }
    var same: Set<ScalarString> = []
    var reload = Reload()
    for (place, slot) in new.slots.enumerated() {
      let known = oldSlots.removeValue(forKey: ScalarString(slot.id)) != nil
      if isSame[place] {
        same.insert(ScalarString(slot.id))
        reload.kept.append(slot.id)
      } else if known {
        reload.changed.append(slot.id)
      } else {
        reload.added.append(slot.id)
      }
    }
    reload.removed = oldSlots.values.map { old.slots[$0].id }
    reload.sort()
    self.same = same
    self.reload = reload
  }

  /// Whether a service is the same in both plans.
  func isSame(_ id: String) -> Bool { same.contains(ScalarString(id)) }
}

extension CompiledPlan {
  /// Whether a slot of another plan builds the same as a slot of this one, of the services of the same ids.
  fileprivate func isSame(_ slot: Slot, in other: CompiledPlan, as own: Slot) -> Bool {
    let lifetime: Bool =
      switch (slot.lifetime, own.lifetime) {
      case (.scope(let level), .scope(let ownLevel)): other.scopes[level] == scopes[ownLevel]
      case (let lifetime, let ownLifetime): lifetime == ownLifetime
      }
    return lifetime && slot.typeName == own.typeName && areSame(slot.arguments, in: other, as: own.arguments)
      && slot.decorators.elementsEqual(own.decorators) { decorator, ownDecorator in
        decorator.typeName == ownDecorator.typeName
          && areSame(decorator.arguments, in: other, as: ownDecorator.arguments)
      }
  }

  /// Whether arguments of another plan receive the same as arguments of this one.
  private func areSame(_ arguments: [Argument], in other: CompiledPlan, as own: [Argument]) -> Bool {
    let isSame = { (slot: Int, ownSlot: Int) in
      ScalarString(other.slots[slot].id) == ScalarString(slots[ownSlot].id)
    }
    return arguments.elementsEqual(own) { argument, own in
      switch (argument, own) {
      case (.absent, .absent), (.decorated, .decorated), (.runtime, .runtime): true
      case (.value(let value), .value(let ownValue)): value == ownValue
      case (.service(let slot), .service(let ownSlot)): isSame(slot, ownSlot)
      case (.services(let list), .services(let ownList)): list.elementsEqual(ownList, by: isSame)
      case (.keyedServices(let map), .keyedServices(let ownMap)):
        map.elementsEqual(ownMap) { ScalarString($0.key) == ScalarString($1.key) && isSame($0.slot, $1.slot) }
      default: false
      }
    }
  }
}

extension CompiledPlan.Slot {
  /// The slots that its arguments, and those of its decorators, refer to.
  fileprivate var needed: [Int] {
    (arguments + decorators.flatMap(\.arguments)).flatMap { argument -> [Int] in
      switch argument {
      case .service(let slot): [slot]
      case .services(let slots): slots
      case .keyedServices(let slots): slots.map(\.slot)
      case .absent, .decorated, .runtime, .value: []
      }
    }
  }
}
