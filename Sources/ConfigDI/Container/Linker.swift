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
  /// The memory of the cells.
  let block: CellBlock
  /// How many cells are taken.
  private var cellCount = 0
  /// For each slot of the plan the one that stands for it.
  private(set) var numbers: [Int] = []
  /// For each slot, how many instances that are not kept stand on one another there.
  private var depths: [Int] = []
  /// The core whose builders are linked.
  let core: Core
  /// What has to be made before the builder that is being linked is called.
  private var preparations: [Cell] = []
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
  init(plan: CompiledPlan, registry: Registry, core: Core) throws(WiringFailure) {
    self.core = core
    block = CellBlock(
      count: plan.slots.reduce(0) { count, planned in
        planned.decorators.reduce(count + registry.typeCount(planned.typeName)) {
          $0 + registry.typeCount($1.typeName)
        }
      })
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
    var needs: [Int] = []
    for (argument, given) in zip(registration.descriptor.arguments, order.arguments) where !argument.isPutOff {
      if case .decorated = given { needs.append(contentsOf: order.decorated.map { [$0] } ?? []) }
      for slot in given.slots {
        guard slot < numbers.count else { throw .wrongOrder(planned.id) }
        needs.append(numbers[slot])
      }
    }
    let parameters =
      (order.decorated.map { slots[$0].parameters } ?? [])
      + zip(registration.descriptor.arguments, registration.argumentTypes).compactMap { argument, type in
        if case .runtime = argument.kind { type } else { nil }
      }
    let keeping = isOutermost ? Keeping(planned.lifetime, hasArguments: !parameters.isEmpty) : .nobody
    let depth = keeping == .nobody ? 1 + (needs.map { depths[$0] }.max() ?? 0) : 0
    let isAwaited = registration.calling != .anywhere || needs.contains { slots[$0].isAwaitedUnkept }
    let slot = Slot(
      core: core, id: planned.id, decorator: order.decorated == nil ? nil : typeName, origin: planned.origin,
      keeping: keeping, source: .file, isPrivate: planned.isPrivate, isDecorated: !isOutermost,
      provided: registration.provided, answers: registration.provided.map { promised.contains($0.name) },
      firstCell: block[cellCount], parameters: parameters, calling: registration.calling,
      dependencies: needs.map { slots[$0].firstCell },
      needsKept: needs.contains { slots[$0].keeping != .nobody || slots[$0].needsKept },
      isPrepared: keeping == .nobody && (depth > Linker.greatestDepth || isAwaited), isAwaited: isAwaited)
    for index in registration.provided.indices { slot.cell(index).belong(to: slot) }
    cellCount += registration.provided.count
    slots.append(slot)
    depths.append(depth)
  }

  /// Marks the slots that need, directly or not, something that a look-up shares within itself.
  ///
  /// What is put off with a `Lazy` counts, as it belongs to the same look-up.
  private func markGraphs() {
    var users: [[Int]] = Array(repeating: [], count: slots.count)
    for (slot, order) in orders.enumerated() {
      if let decorated = order.decorated { users[decorated].append(slot) }
      for given in order.arguments {
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
  /// - Throws: `WiringFailure` where an argument does not go with what the plan gives it.
  func link() throws {
    for (number, order) in orders.enumerated() {
      preparations = []
      current = number
      nextParameter = order.firstParameter
      let builder = try order.registration.link(order.arguments, self)
      slots[number].furnish(builder, preparations: preparations)
    }
  }

  /// The cell of a type of the slot that stands for a slot of the plan.
  ///
  /// - Throws: `WiringFailure` where the slot does not provide the type.
  func cell<Service>(of type: Service.Type, in slot: Int) throws(WiringFailure) -> Cell {
    guard numbers.indices.contains(slot) else { throw .wrongOrder("\(slot)") }
    return try cell(of: type, in: slots[numbers[slot]])
  }

  /// The cell of a type of a slot.
  ///
  /// - Throws: `WiringFailure` where the slot does not provide the type.
  private func cell<Service>(of type: Service.Type, in slot: Slot) throws(WiringFailure) -> Cell {
    guard let cell = slot.cell(of: ObjectIdentifier(type)) else {
      throw .serviceMismatch(slot.id, type: TypeName.name(of: type))
    }
    return cell
  }
}

extension Linker: ServiceLinker {
  func supplier<Service>(of slot: Int, as type: Service.Type) throws(WiringFailure) -> Supplier<Service> {
    let cell = try self.cell(of: type, in: slot)
    guard cell.slot.parameters.isEmpty else { throw .argumentsMissing(cell.slot.id) }
    return supplier(of: cell)
  }

  func decorated<Service>(as type: Service.Type) throws(WiringFailure) -> Supplier<Service> {
    guard let decorated = orders[current].decorated else { throw .nothingDecorated }
    return supplier(of: try cell(of: type, in: slots[decorated]))
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

  var mainActor: MainActorRunner { core.mainActor }

  /// A supplier of the instances of a cell.
  private func supplier<Service>(of cell: Cell) -> Supplier<Service> {
    if cell.slot.isPrepared {
      preparations.append(cell)
      return { resolution in
        guard let prepared = resolution.prepared?.next(as: Service.self) else {
          throw WiringFailure.preparedInstanceMissing
        }
        return prepared
      }
    }
    // The core owns this closure, and whoever calls it holds the core.
    let core = Unmanaged.passUnretained(core)
    return { resolution in
      // What was prepared is for the arguments at hand, not for those of the services that they receive.
      guard resolution.prepared == nil else {
        let inner = resolution.with { $0.prepared = nil }
        return try core._withUnsafeGuaranteedRef { try $0.instance(in: cell, inner) }
      }
      return try core._withUnsafeGuaranteedRef { try $0.instance(in: cell, resolution) }
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
