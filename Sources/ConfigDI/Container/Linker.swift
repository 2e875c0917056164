// SPDX-License-Identifier: Apache-2.0

/// Brings a plan and a registry together: numbers the cells, finds who answers for which type, and links the builders.
final class Linker {
  /// What the container builds.
  private let plan: CompiledPlan
  /// The registered type of each slot.
  private var registrations: [Registration] = []
  /// The services.
  private(set) var slots: [Slot] = []
  /// The slot of each cell.
  private(set) var slotOfCell: [Int] = []
  /// The container whose builders are linked.
  private unowned var container: Container?
  /// What has to be made before the builder that is being linked is called.
  private var preparations: [SlotType] = []

  /// How many instances that are not kept may stand on one another before they are made without recursion.
  ///
  /// A level takes up to about a kilobyte of stack, and a thread may have no more than 512.
  private static let greatestDepth = 64

  /// Numbers the slots' cells.
  ///
  /// - Throws: `WiringFailure` where a type of the plan is not registered.
  init(plan: CompiledPlan, registry: Registry) throws(WiringFailure) {
    self.plan = plan
    // For each slot, how many instances that are not kept stand on one another there.
    var depths: [Int] = []
    for planned in plan.slots {
      guard let registration = registry.registrations[planned.typeName] else {
        throw .typeMissing(planned.typeName)
      }
      let dependencies = planned.arguments.flatMap(\.slots)
      guard dependencies.allSatisfy({ $0 < slots.count }) else { throw .wrongOrder(planned.id) }
      let isShared = planned.lifetime == .shared
      let depth = isShared ? 0 : 1 + (dependencies.map { depths[$0] }.max() ?? 0)
      slots.append(
        Slot(
          id: planned.id, origin: planned.origin, isShared: isShared, isPrivate: planned.isPrivate,
          provided: registration.provided,
          answers: registration.provided.map { planned.provides?.contains($0.name) ?? true },
          firstCell: slotOfCell.count, dependencies: dependencies,
          needsShared: dependencies.contains { slots[$0].isShared || slots[$0].needsShared },
          isDeep: depth > Linker.greatestDepth))
      slotOfCell.append(contentsOf: repeatElement(slots.count - 1, count: registration.provided.count))
      registrations.append(registration)
      depths.append(depth)
    }
  }

  /// Links the builders of all slots.
  ///
  /// - Parameter container: the container that keeps the builders and outlives them.
  /// - Throws: `WiringFailure` where an argument does not go with what the plan gives it.
  func link(in container: Container) throws -> [Workplace] {
    self.container = container
    var workplaces: [Workplace] = []
    workplaces.reserveCapacity(slots.count)
    for (number, slot) in slots.enumerated() {
      preparations = []
      let builder = try registrations[number].link(plan.slots[number].arguments, self)
      let makers = slot.isShared ? [] : makers(of: number, builder: builder, in: container)
      workplaces.append(Workplace(builder: builder, preparations: preparations, makers: makers))
    }
    return workplaces
  }

  /// The makers of a slot whose instances are not kept, one for each type, shown in its cells.
  private func makers(of number: Int, builder: any LinkedBuilder, in container: Container) -> [AnyInstance] {
    var preparing: (@Sendable () throws -> PreparedInstances)?
    if !preparations.isEmpty { preparing = { [unowned container] in try container.prepare(number) } }
    return slots[number].provided.indices.map { index in
      let maker = builder.maker(ofType: index, preparing: preparing)
      container.cells[slots[number].firstCell + index].publish(maker: maker)
      return maker
    }
  }
}

extension Linker: ServiceLinker {
  func supplier<Service>(of slot: Int, as type: Service.Type) throws(WiringFailure) -> Supplier<Service> {
    let id = ObjectIdentifier(type)
    guard let container, let index = slots[slot].provided.firstIndex(where: { $0.id == id }) else {
      throw .serviceMismatch(slots[slot].id, type: TypeName.name(of: type))
    }
    if slots[slot].isDeep {
      preparations.append(SlotType(slot: slot, index: index))
      return { resolution in
        guard let prepared = resolution.prepared else { throw WiringFailure.preparedInstanceMissing }
        return try prepared.next(as: Service.self)
      }
    }
    let cell = container.cells[slots[slot].firstCell + index]
    // The container owns this closure, and whoever calls it holds the container.
    return { [unowned(unsafe) container] _ in try container.instance(in: cell) }
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
