// SPDX-License-Identifier: Apache-2.0

/// A plan in which services, aliases and bindings can be looked up by name.
struct IndexedPlan: Sendable {
  /// The plan.
  let plan: CompiledPlan
  /// The slot of each service, by its id.
  let slots: [ScalarString: Int]
  /// The slot of the service that each alias stands for.
  let aliases: [ScalarString: Int]
  /// The slot of the service that each type is bound to.
  let bindings: [ScalarString: Int]

  /// Creates an index of a plan.
  init(_ plan: CompiledPlan) {
    func index(_ entries: some Sequence<(String, Int)>) -> [ScalarString: Int] {
      Dictionary(entries.map { (ScalarString($0), $1) }) { $1 }
    }
    self.plan = plan
    slots = index(plan.slots.enumerated().map { ($1.id, $0) })
    aliases = index(plan.aliases.map { ($0.key, $0.slot) })
    bindings = index(plan.bindings.map { ($0.key, $0.slot) })
  }

  /// Returns the id of the service in a slot.
  func id(of slot: Int) -> ScalarString { ScalarString(plan.slots[slot].id) }
}

/// The comparison of two plans of a module.
struct PlanComparison {
  /// The ids of the services that are the same in both plans, together with all that they need, now or later.
  private let same: Set<ScalarString>
  /// The changes of the services. `removed` is empty.
  let reload: Reload

  /// Compares a plan with an earlier plan.
  ///
  /// - Parameter isOther: Returns whether a service counts as changed although both plans build it in the same way.
  /// - Complexity: linear in the services, references and data of the new plan, except for the sorting of ids.
  init(
    _ old: IndexedPlan, _ new: CompiledPlan,
    where isOther: ((_ new: CompiledPlan.Slot, _ old: CompiledPlan.Slot) -> Bool)? = nil
  ) {
    var isSame = new.slots.map { slot in
      guard let place = old.slots[ScalarString(slot.id)] else { return false }
      let oldSlot = old.plan.slots[place]
      return old.plan.isSame(slot, in: new, as: oldSlot) && isOther?(slot, oldSlot) != true
    }
    // A service is changed if a service that it needs is changed.
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
      if isSame[place] {
        same.insert(ScalarString(slot.id))
        reload.kept.append(slot.id)
      } else if old.slots[ScalarString(slot.id)] != nil {
        reload.changed.append(slot.id)
      } else {
        reload.added.append(slot.id)
      }
    }
    reload.sort()
    self.same = same
    self.reload = reload
  }

  /// Returns whether a service is the same in both plans.
  func isSame(_ id: String) -> Bool { same.contains(ScalarString(id)) }
}

extension CompiledPlan {
  /// Returns whether a slot of another plan is built in the same way as one of this plan, from services of the same
  /// ids.
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

  /// Returns whether arguments of another plan receive the same values and services as arguments of this one.
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
  /// The slots that its arguments and those of its decorators refer to.
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
