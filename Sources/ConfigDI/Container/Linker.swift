// SPDX-License-Identifier: Apache-2.0

/// Brings a plan and a registry together: numbers slots and cells, and links the builders.
///
/// A decorated service becomes several slots: the service itself, then each decorator around the one before it. The last
/// one has the service's lifetime, and stands for it.
final class Linker {
  /// One slot's part of the plan.
  private struct Order {
    /// The registered type.
    let registration: Registration
    /// What the arguments receive. Slots are the plan's.
    let arguments: [CompiledPlan.Argument]
    /// The slot that is decorated; nil where there is none.
    let decorated: Int?
    /// How many run-time arguments the decorated slots take before this one.
    let firstParameter: Int
  }

  /// What the slots are made of.
  private var orders: [Order] = []
  /// The services.
  private(set) var slots: [Slot] = []
  /// The slot of each cell.
  private(set) var slotOfCell: [Int] = []
  /// For each slot of the plan the one that stands for it.
  private(set) var numbers: [Int] = []
  /// For each slot, how many instances that are not kept stand on one another there.
  private var depths: [Int] = []
  /// The container whose builders are linked.
  private(set) unowned var container: Container?
  /// What has to be made before the builder that is being linked is called.
  private var preparations: [SlotType] = []
  /// The slot that is being linked.
  private var current = 0
  /// The place of its next run-time argument.
  private var nextParameter = 0

  /// How many instances that are not kept may stand on one another before they are made without recursion.
  ///
  /// A level takes up to about a kilobyte of stack, and a thread may have no more than 512.
  private static let greatestDepth = 64

  /// Numbers slots and cells.
  ///
  /// - Throws: `WiringFailure` where a type of the plan is not registered, or slots stand in the wrong order.
  init(plan: CompiledPlan, registry: Registry) throws(WiringFailure) {
    for planned in plan.slots {
      let levels = [(planned.typeName, planned.arguments)] + planned.decorators.map { ($0.typeName, $0.arguments) }
      let promised = planned.provides ?? registry.registrations[planned.typeName]?.provided.map(\.name) ?? []
      for (level, (typeName, arguments)) in levels.enumerated() {
        guard let registration = registry.registrations[typeName] else { throw .typeMissing(typeName) }
        let inner = level == 0 ? nil : slots.count - 1
        orders.append(
          Order(
            registration: registration, arguments: arguments, decorated: inner,
            firstParameter: inner.map { slots[$0].parameters.count } ?? 0))
        try addSlot(planned, typeName, isOutermost: level == levels.count - 1, promised: promised)
      }
      numbers.append(slots.count - 1)
    }
    markGraphs()
  }

  /// Adds the slot of the last order.
  private func addSlot(
    _ planned: CompiledPlan.Slot, _ typeName: String, isOutermost: Bool, promised: [String]
  ) throws(WiringFailure) {
    let order = orders[orders.count - 1]
    let registration = order.registration
    var dependencies: [Int] = []
    for (argument, given) in zip(registration.descriptor.arguments, order.arguments) where !argument.isPutOff {
      if case .decorated = given { dependencies.append(contentsOf: order.decorated.map { [$0] } ?? []) }
      for slot in given.slots {
        guard slot < numbers.count else { throw .wrongOrder(planned.id) }
        dependencies.append(numbers[slot])
      }
    }
    let parameters =
      (order.decorated.map { slots[$0].parameters } ?? [])
      + zip(registration.descriptor.arguments, registration.argumentTypes).compactMap { argument, type in
        if case .runtime = argument.kind { type } else { nil }
      }
    let keeping = isOutermost ? Keeping(planned.lifetime, hasArguments: !parameters.isEmpty) : .nobody
    let depth = keeping == .nobody ? 1 + (dependencies.map { depths[$0] }.max() ?? 0) : 0
    slots.append(
      Slot(
        id: planned.id, decorator: order.decorated == nil ? nil : typeName, origin: planned.origin, keeping: keeping,
        isPrivate: planned.isPrivate, isDecorated: !isOutermost, provided: registration.provided,
        answers: registration.provided.map { promised.contains($0.name) }, firstCell: slotOfCell.count,
        parameters: parameters, dependencies: dependencies,
        needsKept: dependencies.contains { slots[$0].keeping != .nobody || slots[$0].needsKept },
        isDeep: depth > Linker.greatestDepth,
        place: keeping == .users && parameters.isEmpty ? SoleInstance() : nil))
    slotOfCell.append(contentsOf: repeatElement(slots.count - 1, count: registration.provided.count))
    depths.append(depth)
  }

  /// Marks the slots that need, directly or not, something that a look-up shares within itself.
  ///
  /// What is put off with a `Lazy` counts, as it belongs to the same look-up.
  private func markGraphs() {
    var users: [[Int]] = Array(repeating: [], count: slots.count)
    for (slot, order) in orders.enumerated() {
      for need in slots[slot].dependencies { users[need].append(slot) }
      for (argument, given) in zip(order.registration.descriptor.arguments, order.arguments) where argument.isPutOff {
        for need in given.slots where numbers.indices.contains(need) { users[numbers[need]].append(slot) }
      }
    }
    var rest = slots.indices.filter { slots[$0].keeping == .lookUp || slots[$0].keeping == .users }
    while let slot = rest.popLast() {
      if slots[slot].opensGraph { continue }
      slots[slot].opensGraph = true
      rest.append(contentsOf: users[slot])
    }
  }
}

extension Linker {
  /// Links the builders of all slots.
  ///
  /// - Parameter container: the container that keeps the builders and outlives them.
  /// - Throws: `WiringFailure` where an argument does not go with what the plan gives it.
  func link(in container: Container) throws -> [Workplace] {
    self.container = container
    var workplaces: [Workplace] = []
    workplaces.reserveCapacity(slots.count)
    for (number, order) in orders.enumerated() {
      preparations = []
      current = number
      nextParameter = order.firstParameter
      let builder = try order.registration.link(order.arguments, self)
      let makers = slots[number].isInCells ? [] : makers(of: number, builder: builder, in: container)
      workplaces.append(Workplace(builder: builder, preparations: preparations, makers: makers))
    }
    return workplaces
  }

  /// The makers of a slot whose instances are not in the cells, one for each type, shown there.
  private func makers(of number: Int, builder: any LinkedBuilder, in container: Container) -> [AnyInstance] {
    let isKeeper = slots[number].keeping != .nobody
    // The container owns these closures, and whoever calls them holds the container.
    var prepare: (@Sendable (borrowing Resolution) throws -> PreparedInstances)?
    if !preparations.isEmpty {
      prepare = { [unowned(unsafe) container] resolution in try container.prepare(number, resolution) }
    }
    return slots[number].provided.indices.map { index in
      let maker =
        isKeeper
        ? builder.keeper(ofType: index) { [unowned(unsafe) container] in try container.kept(number, $0) }
        : builder.maker(ofType: index, opensGraph: slots[number].opensGraph, preparing: prepare)
      container.cells[slots[number].firstCell + index].publish(maker: maker, isKeeper: isKeeper)
      return maker
    }
  }

  /// A type of the slot that stands for a slot of the plan.
  ///
  /// - Throws: `WiringFailure` where the slot does not provide the type.
  func type<Service>(_ type: Service.Type, of slot: Int) throws(WiringFailure) -> SlotType {
    guard numbers.indices.contains(slot) else { throw .wrongOrder("\(slot)") }
    return try provided(type, by: numbers[slot])
  }

  /// A type of a slot.
  ///
  /// - Throws: `WiringFailure` where the slot does not provide the type.
  private func provided<Service>(_ type: Service.Type, by slot: Int) throws(WiringFailure) -> SlotType {
    let id = ObjectIdentifier(type)
    guard let index = slots[slot].provided.firstIndex(where: { $0.id == id }) else {
      throw .serviceMismatch(slots[slot].id, type: TypeName.name(of: type))
    }
    return SlotType(slot: slot, index: index)
  }
}

extension Linker: ServiceLinker {
  func supplier<Service>(of slot: Int, as type: Service.Type) throws(WiringFailure) -> Supplier<Service> {
    let provided = try self.type(type, of: slot)
    guard slots[provided.slot].parameters.isEmpty else { throw .argumentsMissing(slots[provided.slot].id) }
    return try supplier(of: provided)
  }

  func decorated<Service>(as type: Service.Type) throws(WiringFailure) -> Supplier<Service> {
    guard let decorated = orders[current].decorated else { throw .nothingDecorated }
    return try supplier(of: provided(type, by: decorated))
  }

  func runtime<Argument>(as type: Argument.Type) -> Supplier<Argument> {
    let place = nextParameter
    nextParameter += 1
    return { resolution in
      guard let value = resolution.arguments?.value(at: place, as: type) else {
        throw WiringFailure.runtimeArgumentMissing
      }
      return value
    }
  }

  /// A supplier of the instances of a slot.
  private func supplier<Service>(of type: SlotType) throws(WiringFailure) -> Supplier<Service> {
    guard let container else { throw .serviceMismatch(slots[type.slot].id, type: TypeName.name(of: Service.self)) }
    if slots[type.slot].isDeep {
      preparations.append(type)
      return { resolution in
        guard let prepared = resolution.prepared?.next(as: Service.self) else {
          throw WiringFailure.preparedInstanceMissing
        }
        return prepared
      }
    }
    let cell = container.cells[slots[type.slot].firstCell + type.index]
    // The container owns this closure, and whoever calls it holds the container.
    return { [unowned(unsafe) container] resolution in
      // What was prepared is for the arguments at hand, not for those of the services that they receive.
      guard resolution.prepared == nil else {
        return try container.instance(in: cell, resolution.preparing(nil, graph: resolution.graph))
      }
      return try container.instance(in: cell, resolution)
    }
  }
}

extension CompiledPlan.Argument {
  /// The slots whose instances the argument needs, in order.
  fileprivate var slots: [Int] {
    switch self {
    case .absent, .value, .decorated, .runtime: []
    case .service(let slot): [slot]
    case .services(let slots): slots
    case .keyedServices(let slots): slots.map(\.slot)
    }
  }
}
